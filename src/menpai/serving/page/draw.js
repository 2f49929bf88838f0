// An address drawn by its elements: each part in the colour of its kind with its name below.
import { make } from "./make.js";
import { KINDS, pick, word } from "./words.js";

const GROUPS = {
  province: "division", city: "division", district: "division", town: "division", community: "division",
  village_group: "division", devzone: "division", road: "road", roadno: "road", intersection: "road",
  poi: "place", subpoi: "place", building: "inside", unit: "inside", floor: "inside", room: "inside",
};

/** The address as it was written; `marks` are what differs: {element, text}. */
export function drawAddress(address, marks = []) {
  const raw = Array.from(address.raw); // spans count characters, not UTF-16 units
  const parts = [];
  let at = 0;
  for (const element of [...address.elements].sort((x, y) => x.raw_span[0] - y.raw_span[0])) {
    const [start, end] = element.raw_span;
    if (start > at) parts.push(unread(raw.slice(at, start).join("")));
    if (end > at) parts.push(part(element, raw.slice(Math.max(at, start), end).join(""), marks));
    at = Math.max(at, end);
  }
  if (at < raw.length) parts.push(unread(raw.slice(at).join("")));
  return make("p", { class: "address", lang: "zh" }, parts);
}

function part(element, text, marks) {
  const differs = marks.some((mark) => isMarked(element, mark));
  const alone = !differs && element.alone === true; // said by a review alone
  const name = pick(KINDS[element.kind] ?? [element.kind, element.kind]);
  const label = make("span", { class: "kind", lang: document.documentElement.lang },
    differs ? make("span", { class: "mark" }, "≠ ", make("span", { class: "unseen" }, word("differs"))) : null, name,
    alone ? make("span", { class: "unseen" }, ` (${word("only_here")})`) : null);
  const shown = make("span", { class: "text" }, text);
  return make("span", { class: `part ${GROUPS[element.kind] ?? "aside"}${differs ? " differs" : alone ? " alone" : ""}` }, shown, label);
}

function unread(text) {
  return make("span", { class: "part unread" }, make("span", { class: "text" }, text));
}

// A contradiction may be named after the level of an element: a phase counts as building, a floor as room.
const NAMED_AFTER = { subpoi: "building", village_group: "building", floor: "room" };

function isMarked(element, mark) {
  const sameKind = element.kind === mark.element || NAMED_AFTER[element.kind] === mark.element;
  return sameKind && (mark.text === undefined || mark.text.includes(element.text) || element.text.includes(mark.text));
}
