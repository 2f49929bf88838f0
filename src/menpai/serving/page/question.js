// One question at a time: a new one ends the last, and whoever has to wait is told so.
import { word } from "./words.js";

const PATIENCE_MS = 300;

/** A function that runs `work(signal)` and gives its answer, the trouble it met, or null if a later one overtook it. */
export function questioner(form, answer) {
  const note = form.querySelector(".busy");
  let running = null;
  return async (work) => {
    running?.abort();
    const mine = running = new AbortController();
    answer.setAttribute("aria-busy", "true");
    const timer = setTimeout(() => { note.textContent = word("working"); }, PATIENCE_MS);
    let result;
    try {
      result = await work(mine.signal);
    } catch (trouble) {
      result = trouble;
    }
    clearTimeout(timer);
    if (running !== mine) return null;
    answer.setAttribute("aria-busy", "false");
    note.textContent = "";
    return result;
  };
}
