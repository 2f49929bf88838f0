// A text box that completes: keys, pointer, screen readers (ARIA combobox with a list box) and input methods.

const PATIENCE_MS = 50; // a fast typist's next key comes within this
const AGAIN_MS = 1000; // the service is warming

/**
 * Make an input and an empty list complete what is typed.
 * `ask(text, signal)` gives the suggestions, `draw(suggestion)` the nodes of an option, `take(suggestion)` is told of the
 * one that was taken and `tell(suggestions, trouble)` of each answer. Nothing is asked while an input method composes, and
 * an answer that a later key has overtaken is dropped.
 */
export function combobox(input, list, { ask, draw, take, tell }) {
  let found = [], active = -1, timer = 0, running = null, composing = false;

  function ask_soon(wait = PATIENCE_MS) {
    clearTimeout(timer);
    running?.abort();
    running = null;
    if (input.value.trim()) timer = setTimeout(ask_now, wait);
    else show([]);
  }

  async function ask_now() {
    const mine = running = new AbortController();
    try {
      const answer = await ask(input.value, mine.signal);
      if (running === mine) show(answer);
    } catch (trouble) {
      if (running !== mine || trouble.name === "AbortError") return;
      show([], trouble);
      if (trouble.status === 503) ask_soon(AGAIN_MS);
    }
  }

  function show(suggestions, trouble = null) {
    found = suggestions;
    list.replaceChildren(...found.map(option));
    set_active(-1);
    open(found.length > 0 && document.activeElement === input);
    tell(found, trouble);
  }

  function option(suggestion, at) {
    const item = document.createElement("li");
    item.id = `${list.id}-${at}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(...draw(suggestion));
    item.addEventListener("click", () => choose(at));
    return item;
  }

  function open(wanted) {
    list.hidden = !wanted;
    input.setAttribute("aria-expanded", String(wanted));
    if (!wanted) set_active(-1);
  }

  function set_active(at) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const item = list.children[at];
    if (item === undefined) return input.removeAttribute("aria-activedescendant");
    item.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  }

  function choose(at) {
    const suggestion = found[at];
    input.value = suggestion.text;
    open(false);
    take(suggestion);
    if (suggestion.kind !== "row") ask_soon(0); // one level further
    input.focus();
  }

  function step(by) {
    if (list.hidden) return found.length ? open(true) : ask_soon(0);
    const count = found.length + 1; // one place in the round is the text itself
    set_active((active + 1 + by + count) % count - 1);
  }

  const KEYS = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => (list.hidden || active < 0 ? false : choose(active)),
    Escape: () => {
      if (!list.hidden) return open(false);
      input.value = "";
      ask_soon();
    },
  };

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  list.setAttribute("role", "listbox");
  open(false);
  input.addEventListener("compositionstart", () => { composing = true; });
  input.addEventListener("compositionend", () => { composing = false; ask_soon(); });
  input.addEventListener("input", (event) => { if (!composing && !event.isComposing) ask_soon(); });
  input.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
    if (event.isComposing || event.keyCode === 229 || !plain || !Object.hasOwn(KEYS, event.key)) return;
    if (KEYS[event.key]() !== false) event.preventDefault();
  });
  input.addEventListener("focus", () => { if (found.length && list.hidden && input.value) open(true); });
  input.addEventListener("blur", () => open(false));
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
}
