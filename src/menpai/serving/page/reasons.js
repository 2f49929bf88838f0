// Reasons in the language of the page. The service writes them in its own; both are known by their templates.
import { language } from "./words.js";

let templates = {};

/** Fetch the templates: {name: [{zh, en}, …]}. Without them reasons stay in the service's language. */
export async function loadReasons() {
  const answer = await fetch("/page/reasons.json");
  if (answer.ok) templates = await answer.json();
}

/** The text of an evidence in the language spoken, as far as its template is known. */
export function reasonText({ name, text }) {
  for (const pair of templates[name] ?? []) {
    for (const other of ["zh", "en"]) {
      const found = other === language() ? null : values(pair[other], text);
      if (found) return fill(pair[language()], found);
    }
  }
  return text;
}

const HOLE = /\{(\w+)(?::[^}]*)?\}/g;

// What stands in the holes of a template, or null if the text was not made from it.
function values(template, text) {
  const names = [...template.matchAll(HOLE)].map((hole) => hole[1]);
  const pattern = template.split(HOLE).map((piece, at) => (at % 2 ? "(.*)" : escape(piece))).join("");
  const found = new RegExp(`^${pattern}$`, "su").exec(text);
  return found && Object.fromEntries(names.map((name, at) => [name, found[at + 1]]));
}

function fill(template, found) {
  return template.replace(HOLE, (_, name) => ELEMENTS[found[name]] ?? found[name] ?? "");
}

// Names of elements inside a policy's reason.
const NAMES = [["省级区划", "province"], ["城市", "city"], ["区县", "district"], ["门牌号", "house number"],
  ["楼栋", "building"], ["单元", "unit"], ["房号", "room"]];
const ELEMENTS = Object.fromEntries(NAMES.flatMap(([zh, en]) => [[zh, en], [en, zh]]));

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
