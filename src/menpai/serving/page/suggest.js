// Completion from a library: a box that offers rows, and elements that come next with the rows behind them.
import { ask } from "./ask.js";
import { combobox } from "./combobox.js";
import { $, make } from "./make.js";
import { drawTrouble } from "./trouble.js";
import { addWords, KINDS, pick, word } from "./words.js";

addWords({
  suggest_title: ["边输入边补全", "Complete as you type"],
  suggest_label: ["地址或地点：汉字、拼音、首字母都可以", "Address or place: characters, pinyin or initials"],
  suggest_note: ["↑ ↓ 选择，Enter 采用，Esc 收起", "↑ ↓ choose, Enter takes, Esc closes"],
  suggest_list: ["补全", "Completions"],
  suggest_count: ["{count} 条补全", "{count} completions"],
  suggest_none: ["没有找到", "Nothing found"],
  suggest_rows: ["{count} 条", "{count} rows"],
  suggest_taken: ["已选地址", "Address taken"],
  suggest_id: ["编号", "Id"],
  suggest_name: ["名称", "Name"],
  suggest_point: ["坐标（WGS-84）", "Coordinates (WGS-84)"],
});
let told = null; // the last answer: {found, trouble}
let taken = null;

/** Once: the box, its list, and what is told of it. */
export function mount(section) {
  const input = make("input", { id: "typed", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    enterkeyhint: "search", "aria-describedby": "suggest-note" });
  const list = make("ul", { id: "completions", lang: "zh" });
  section.append(
    make("h2", { id: "suggest-title", "data-word": "suggest_title" }),
    make("label", { for: "typed", "data-word": "suggest_label" }),
    make("div", { class: "combobox" }, input, list),
    make("p", { id: "suggest-note", class: "note", "data-word": "suggest_note" }),
    make("p", { id: "suggest-told", class: "note", role: "status" }),
    make("div", { id: "suggest-answer", class: "answer", "aria-live": "polite" }));
  section.hidden = false;
  combobox(input, list, { ask: suggestions, draw: drawOption, take: show, tell });
  redraw();
}

/** Say everything again, in the language spoken now. */
export function redraw() {
  $("completions").setAttribute("aria-label", word("suggest_list"));
  for (const element of $("suggest").querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of $("completions").querySelectorAll("[data-kind]")) element.textContent = behind(element.dataset);
  if (told !== null) tell(told.found, told.trouble);
  if (taken !== null) show(taken);
}

async function suggestions(text, signal) {
  const query = new URLSearchParams({ q: text.slice(0, 512), k: "10" });
  return (await ask(`/v1/suggest?${query}`, undefined, signal)).suggestions;
}

function drawOption({ text, name, highlights, kind, count }) {
  const facts = { kind, count: String(count) };
  return [make("span", { class: "said" }, marked(text, highlights), name && name !== text ? ` ${name}` : null),
    make("span", { class: "behind", "data-kind": kind, "data-count": count, lang: document.documentElement.lang }, behind(facts))];
}

// The spans that were typed, in <mark>; positions count characters.
function marked(text, spans) {
  const characters = Array.from(text);
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    parts.push(characters.slice(at, start).join(""), make("mark", {}, characters.slice(start, end).join("")));
    at = end;
  }
  return [...parts, characters.slice(at).join("")];
}

function behind({ kind, count }) {
  if (kind === "row") return "";
  return `${pick(KINDS[kind] ?? ["", ""])} · ${word("suggest_rows", { count: Number(count).toLocaleString("en") })}`;
}

function tell(found, trouble) {
  told = { found, trouble };
  const text = found.length ? word("suggest_count", { count: found.length }) : $("typed").value.trim() ? word("suggest_none") : "";
  $("suggest-told").replaceChildren(trouble === null ? text : drawTrouble(trouble));
}

function show(suggestion) {
  taken = suggestion;
  const { text, name, id, lat, lon } = suggestion;
  const facts = [["suggest_taken", text], ["suggest_name", name], ["suggest_id", id],
    ["suggest_point", lat === undefined ? "" : `${lat.toFixed(6)}, ${lon.toFixed(6)}`]].filter(([, fact]) => fact);
  $("suggest-answer").replaceChildren(...(suggestion.kind === "row"
    ? [make("dl", {}, facts.flatMap(([key, fact]) => [make("dt", {}, word(key)), make("dd", {}, make("bdi", { lang: "zh" }, fact))]))]
    : []));
}
