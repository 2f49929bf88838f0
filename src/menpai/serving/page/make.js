// Elements without markup in strings: a text is always a text, whatever it holds.

/** An element with attributes (true: present, false or null: absent) and children (nodes, texts, lists). */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

/** A table with a caption that only screen readers need, heads, and rows of cells; the first cell heads its row. */
export function makeTable(caption, heads, rows) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(([first, ...cells]) =>
    make("tr", {}, make("th", { scope: "row" }, first), cells.map((cell) => make("td", {}, cell))));
  const table = make("table", {}, make("caption", { class: "unseen" }, caption),
    make("thead", {}, head), make("tbody", {}, body));
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, table);
}

export const $ = (id) => document.getElementById(id);
