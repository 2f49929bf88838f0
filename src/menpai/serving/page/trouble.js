// What went wrong, in words.
import { make } from "./make.js";
import { word } from "./words.js";

/** A Refusal or a row's problem as a paragraph: what is wrong, the cure, and the id that the log has it under. */
export function drawTrouble(trouble) {
  const unreachable = trouble.code === "unreachable";
  const message = unreachable ? word("unreachable") : trouble.message;
  const hint = unreachable ? word("unreachable_hint") : trouble.hint;
  return make("div", { class: "problem", role: "alert" },
    make("p", {}, make("strong", {}, message)),
    hint ? make("p", {}, hint) : null,
    trouble.id ? make("p", { class: "note" }, `${word("request_id")}: ${trouble.id}`) : null);
}
