// Two addresses: the verdict, both drawn by elements, and the reasons in words.
import { ask } from "./ask.js";
import { drawAddress } from "./draw.js";
import { submitOnEnter } from "./keys.js";
import { $, make } from "./make.js";
import { questioner } from "./question.js";
import { loadReasons, reasonText } from "./reasons.js";
import { drawTrouble } from "./trouble.js";
import { DECIDED_BY, KINDS, LABELS, MEANINGS, pick, word } from "./words.js";

const EXAMPLES = [
  ["浙江省杭州市西湖区文三路123号海月花园3幢2单元", "杭州西湖文三路125号海月花园3栋"],
  ["北京市朝阳区建国路8号", "北京朝阳建国路8号SOHO现代城"],
  ["上海市闸北区共和新路1号", "上海市静安区共和新路1号"],
  ["南京市东泰花园", "洛阳市东泰花园"],
];
const SHOWN_LEAST = 0.05;
let shown = null; // {verdict, addresses, ms} or a Refusal
let question;
let example = 0;

/** Once: the form, the examples, the templates of reasons. */
export function mount() {
  question = questioner($("pair-form"), $("pair-answer"));
  $("pair-form").addEventListener("submit", judge);
  $("pair-example").addEventListener("click", () => {
    [$("a").value, $("b").value] = EXAMPLES[example++ % EXAMPLES.length];
    $("pair-form").requestSubmit();
  });
  submitOnEnter($("pair-form"));
  loadReasons().then(redraw, () => {});
}

/** Draw the last answer again, in the language spoken now. */
export function redraw() {
  if (shown !== null) $("pair-answer").replaceChildren(shown.verdict ? drawAnswer(shown) : drawTrouble(shown));
}

async function judge(event) {
  event.preventDefault();
  const [a, b] = [$("a").value, $("b").value];
  const result = await question(async (signal) => {
    const started = performance.now();
    const [verdict, addresses] = await Promise.all([
      ask("/v1/match", { a, b }, signal),
      ask("/v1/parse", { texts: [a, b] }, signal),
    ]);
    return { verdict, addresses, ms: performance.now() - started };
  });
  if (result === null) return;
  shown = result;
  $("pair-said").textContent = shown.verdict ? summary(shown.verdict) : ""; // not all of it is read aloud
  redraw();
}

function summary(verdict) {
  return `${pick(MEANINGS[verdict.label])}; ${word("similarity")} ${verdict.similarity.toFixed(2)}`;
}

function drawAnswer({ verdict, addresses, ms }) {
  return make("div", {}, drawHead(verdict), drawBoth(verdict, addresses), drawConflicts(verdict),
    drawReasons(verdict.evidence), drawFoot(verdict, ms));
}

function drawHead(verdict) {
  const level = verdict.level === "none" ? word("no_level") : word("agree_to") + pick(KINDS[verdict.level]);
  return make("div", { class: `verdict ${verdict.label}` },
    make("h3", {}, pick(MEANINGS[verdict.label]), make("span", { class: "label" }, pick(LABELS[verdict.label]))),
    make("p", {}, `${word("similarity")} ${verdict.similarity.toFixed(3)} · ${level}`),
    make("ul", { class: "bars", "aria-label": word("probabilities") },
      Object.entries(verdict.probabilities).map(([label, share]) => drawBar(label, share))));
}

function drawBar(label, share) {
  const percent = `${(100 * share).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)} %`;
  const bar = make("progress", { max: "1", value: String(share), class: label, "aria-label": pick(LABELS[label]) });
  return make("li", {}, make("span", {}, pick(LABELS[label])), bar, make("span", { class: "figure" }, percent));
}

function drawBoth(verdict, addresses) {
  const sides = ["a", "b"].map((side, at) => {
    const marks = verdict.conflicts.map((conflict) => ({ element: conflict.element, text: conflict[side] }));
    const drawn = addresses[at].problem ? drawTrouble(addresses[at].problem) : drawAddress(addresses[at], marks);
    return make("div", { class: "side" }, make("h4", {}, word(side)), drawn);
  });
  return make("div", { class: "both", role: "group", "aria-label": word("drawn") }, sides);
}

/** The contradictions of a verdict as a list, or null. */
export function drawConflicts(verdict) {
  if (!verdict.conflicts.length) return null;
  return make("ul", { class: "conflicts" }, verdict.conflicts.map((conflict) =>
    make("li", {}, make("strong", {}, `${word("conflict")}: ${pick(KINDS[conflict.element] ?? [conflict.element, conflict.element])} `),
      make("bdi", {}, conflict.a), " ≠ ", make("bdi", {}, conflict.b))));
}

/** What speaks for the same place, and what against it. */
export function drawReasons(evidence) {
  const weighty = evidence.filter((reason) => Math.abs(reason.weight) >= SHOWN_LEAST);
  const list = (title, reasons) => make("div", {}, make("h4", {}, word(title)),
    reasons.length
      ? make("ul", { class: "reasons" }, reasons.map(drawReason))
      : make("p", { class: "note" }, word("nothing")));
  return make("div", { class: "sides" },
    list("for_it", weighty.filter((reason) => reason.weight > 0)),
    list("against_it", weighty.filter((reason) => reason.weight < 0)));
}

function drawReason(reason) {
  const weight = (reason.weight > 0 ? "+" : "−") + Math.abs(reason.weight).toFixed(2);
  return make("li", {}, make("span", { class: "figure" }, weight), " ", make("bdi", {}, reasonText(reason)));
}

function drawFoot(verdict, ms) {
  const by = word("decided_by") + pick(DECIDED_BY[verdict.decided_by] ?? [verdict.decided_by, verdict.decided_by]);
  return make("p", { class: "note" }, [by, verdict.pack, word("took", { ms: ms.toFixed(0) })].join(" · "));
}
