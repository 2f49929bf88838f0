// One address: drawn by elements, then its elements, divisions and doubts in a table.
import { ask } from "./ask.js";
import { drawAddress } from "./draw.js";
import { submitOnEnter } from "./keys.js";
import { $, make, makeTable } from "./make.js";
import { questioner } from "./question.js";
import { drawTrouble } from "./trouble.js";
import { KINDS, pick, SOURCES, word } from "./words.js";

const EXAMPLES = [
  "广东省深圳市南山区粤海街道科技园社区科苑路15号科兴科学园B栋3单元1801室",
  "朝阳区建国路8号", "上海市闸北区共和新路1号（近地铁口）", "杭州市西湖区蒋村街到文三西路5号",
];
let shown = null;
let question;
let example = 0;

/** Once: the form and the examples. */
export function mount() {
  question = questioner($("parse-form"), $("parse-answer"));
  $("parse-form").addEventListener("submit", read);
  $("parse-example").addEventListener("click", () => {
    $("text").value = EXAMPLES[example++ % EXAMPLES.length];
    $("parse-form").requestSubmit();
  });
  submitOnEnter($("parse-form"));
}

/** Draw the last answer again, in the language spoken now. */
export function redraw() {
  if (shown === null) return;
  $("parse-answer").replaceChildren(shown.elements ? drawReading(shown) : drawTrouble(shown.problem ?? shown));
}

async function read(event) {
  event.preventDefault();
  const text = $("text").value;
  const result = await question(async (signal) => (await ask("/v1/parse", { texts: [text] }, signal))[0]);
  if (result === null) return;
  shown = result;
  $("parse-said").textContent = shown.elements ? `${word("level")}: ${named(KINDS, shown.level)}` : "";
  redraw();
}

function drawReading(address) {
  const marks = address.conflicts.map((conflict) => ({ element: conflict.level, text: conflict.written }));
  const facts = readingFacts(address).filter(([, text]) => text);
  return make("div", {}, drawAddress(address, marks), drawElements(address.elements),
    make("dl", {}, facts.flatMap(([name, text]) => [make("dt", {}, word(name)), make("dd", {}, make("bdi", {}, text))])));
}

function drawElements(elements) {
  if (!elements.length) return null;
  const heads = ["kind", "text", "value", "source", "sure"].map((name) => word(name));
  const rows = elements.map((e) => [named(KINDS, e.kind), e.text, e.value, named(SOURCES, e.source),
    `${Math.round(100 * e.confidence)} %`]);
  return makeTable(word("elements"), heads, rows);
}

function readingFacts(address) {
  const join = (texts) => texts.join(word("comma"));
  return [
    ["level", named(KINDS, address.level)],
    ["code", join(address.divisions.map((division) => `${division.code} ${division.name}`))],
    ["cleaned", address.text === address.raw ? "" : address.text],
    ["former", join(address.former.map((old) => `${old.written} → ${old.codes.join(" ")}${old.date ? ` (${old.date})` : ""}`))],
    ["zone", join(address.zones.map((zone) => zone.name))],
    ["contradicts", join(address.conflicts.map((conflict) => `${conflict.written} ≠ ${conflict.against}`))],
    ["perhaps", join(address.corrections.map((typo) => `${typo.written} → ${typo.suggested}`))],
    ["settled_by", join(address.settled_by.map((kind) => named(KINDS, kind)))],
    ["read_as", join(address.alternatives.map(otherReading))],
  ];
}

function otherReading(reading) {
  const codes = reading.divisions.map((division) => `${division.code} ${division.name}`);
  return [...reading.elements.map((e) => `${e.text}(${named(KINDS, e.kind)})`), ...codes].join(" ");
}

function named(table, name) {
  return pick(table[name] ?? [name, name]);
}
