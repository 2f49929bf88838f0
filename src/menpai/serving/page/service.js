// The service: whether it is ready, what it runs, what waits.
import { ask, fetchFrom } from "./ask.js";
import { $, make } from "./make.js";
import { word } from "./words.js";

const EVERY_MS = 5000;
const STATES = { service_warming: "warming", service_draining: "draining", unreachable: "unreachable" };
let state = "warming";
let facts = {};
let version = "";

/** Once: look now, and again while the page is seen. */
export function mount() {
  ask("/openapi.json").then((document) => { version = document.info.version; redraw(); }, () => {});
  look();
  setInterval(() => { if (!document.hidden) look(); }, EVERY_MS);
}

/** Ask the service how it is. */
export async function look() {
  try {
    const ready = await ask("/readyz");
    state = "ready";
    facts = { pack: ready.pack, behaviour: ready.behaviour, ...await figures() };
  } catch (refusal) {
    state = STATES[refusal.code] ?? "failed";
    facts = refusal.message && state === "failed" ? { failed: refusal.message } : {};
  }
  redraw();
}

/** Draw what was found, in the language spoken now. */
export function redraw() {
  $("state").dataset.state = state;
  const text = word(state);
  if ($("state-text").textContent !== text) $("state-text").textContent = text; // said once, not every five seconds
  const rows = [["state", text], ["version", version], ...Object.entries(facts)].filter(([, value]) => value !== "");
  $("service-facts").replaceChildren(...rows.flatMap(([name, value]) =>
    [make("dt", {}, word(name)), make("dd", {}, typeof value === "function" ? value() : String(value))]));
}

async function figures() {
  try {
    const text = await (await fetchFrom("/metrics")).text();
    return {
      queue: waiting(sum(text, "menpai_queue_items"), sum(text, "menpai_queue_predicted_seconds")),
      answered: sum(text, "menpai_requests_total") ?? "",
      memory: megabytes(sum(text, "process_resident_memory_bytes")),
    };
  } catch (refusal) {
    return refusal.status === 401 ? { queue: () => word("with_key") } : {};
  }
}

function waiting(items, seconds) {
  if (items === null) return "";
  return seconds === null ? String(items) : () => word("waits", { items, seconds: seconds.toFixed(1) });
}

function megabytes(bytes) {
  return bytes === null ? "" : `${Math.round(bytes / 1e6)} MB`;
}

// The sum of all lines of a metric in Prometheus' text; null if there is none.
function sum(text, name) {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.length ? lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" ") + 1)), 0) : null;
}
