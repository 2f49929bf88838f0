// A review: one pair at a time, answered by a key or a button, saved before the next one is shown.
import "./words.js";
import { ask } from "./ask.js";
import { drawAddress } from "/page/draw.js";
import { $, make } from "/page/make.js";
import { drawConflicts, drawReasons } from "/page/pair.js";
import { loadReasons } from "/page/reasons.js";
import { drawTrouble } from "/page/trouble.js";
import { KINDS, LABELS, MEANINGS, language, pick, speak, translate, word } from "/page/words.js";

const KEYS = { 1: "exact_match", 2: "partial_match", 3: "not_match", 0: "", s: "" };
let state = null;
let trouble = null;
let busy = false;
let ended = false;

async function send(path, body) {
  if (busy || ended) return false;
  busy = true;
  try {
    state = await ask(path, body);
    trouble = null;
  } catch (refusal) {
    trouble = refusal;
    if (refusal.status === 409) state = await ask("/state").catch(() => state);
  } finally {
    busy = false;
  }
  redraw();
  return trouble === null;
}

async function answer(label) {
  if (state?.pair && (await send("/answer", { key: state.pair.key, label }))) say(word("saved"));
}

async function undo() {
  if (state?.can_undo && (await send("/undo", {}))) say(word("undone"));
}

async function finish() {
  if (busy) return;
  await ask("/finish", {}).catch(() => {});
  ended = true;
  redraw();
  say("");
}

function say(before) {
  const pair = !ended && state?.pair;
  const next = pair ? word("next_pair", { a: pair.sides[0].raw, b: pair.sides[1].raw }) : word(ended ? "ended" : "all_done");
  $("said").textContent = before + next;
}

function redraw() {
  translate(document);
  $("language").textContent = language() === "zh" ? "English" : "中文";
  $("language").lang = language() === "zh" ? "en" : "zh";
  $("trouble").replaceChildren(...(trouble ? [drawTrouble(trouble)] : []));
  if (state === null) return;
  const { pair, answered, total, skipped } = state;
  document.title = `${answered}/${total} · menpai`;
  $("file").textContent = state.file;
  $("count").textContent = word("count", { answered, total }) + (skipped ? word("skipped", { skipped }) : "");
  $("done").value = total ? answered / total : 1;
  $("sides").replaceChildren(ended || !pair ? make("p", {}, word(ended ? "ended" : "all_done")) : drawSides(pair));
  $("why").replaceChildren(...(ended || !pair ? [] : drawWhy(pair)));
  for (const button of document.querySelectorAll("[data-label]")) button.disabled = ended || !pair;
  $("undo").disabled = ended || !state.can_undo;
  $("finish").disabled = ended;
  $("quality").replaceChildren(...drawQuality());
}

function drawSides({ sides, verdict }) {
  return make("div", { class: "both" }, ["a", "b"].map((name, at) => {
    const marks = (verdict?.conflicts ?? []).map((conflict) => ({ element: conflict.element, text: conflict[name] }));
    const side = sides[at];
    const drawn = side.problem
      ? [make("p", { class: "address", lang: "zh" }, side.raw), drawTrouble(side.problem)]
      : drawAddress(side, marks);
    return make("div", { class: "side" }, make("h3", {}, word(name), side.id ? ` ${side.id}` : ""), make("div", {}, drawn));
  }));
}

function drawWhy({ judged, verdict }) {
  const parts = [];
  if (judged.label) {
    const level = !verdict ? "" : ` · ${verdict.level === "none" ? word("no_level") : word("agree_to") + pick(KINDS[verdict.level])}`;
    parts.push(make("div", { class: `verdict ${judged.label}` },
      make("p", {}, make("strong", {}, word("in_file", { label: pick(LABELS[judged.label]) })),
        ` · ${word("similarity")} ${judged.similarity.toFixed(3)} · ${word(judged.joined ? "joined" : "apart")}${level}`),
      make("p", { class: "note" }, pick(MEANINGS[judged.label]))));
  }
  return verdict ? [...parts, drawConflicts(verdict), drawReasons(verdict.evidence)].filter(Boolean) : parts;
}

function drawQuality() {
  return ["precision", "recall"].flatMap((name) => [make("dt", {}, word(name)), make("dd", { class: "figure" }, told(name))]);
}

function told(name) {
  const found = state[name];
  if (found === null) return word(name === "recall" ? "unknown" : "unknown_precision");
  const [value, low, high] = [found.value, found.low, found.high].map((share) => `${(100 * (share ?? 0)).toFixed(1)} %`);
  return word(found.value === null ? "not_yet" : "so_far", { value, low, high });
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  // An input method that is on takes letters and digits away; the key itself is still told.
  const key = event.key === "Process" || event.isComposing ? event.code.replace(/^(Key|Digit|Numpad)/, "") : event.key;
  const name = key.toLowerCase();
  if (Object.hasOwn(KEYS, name)) answer(KEYS[name]);
  else if (name === "u") undo();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", onKey);
for (const button of document.querySelectorAll("[data-label]")) {
  button.addEventListener("click", () => answer(button.dataset.label));
}
$("undo").addEventListener("click", undo);
$("finish").addEventListener("click", finish);
$("language").addEventListener("click", () => {
  speak(language() === "zh" ? "en" : "zh");
  redraw();
});
await loadReasons().catch(() => {});
await send("/state");
document.documentElement.dataset.ready = "yes";
