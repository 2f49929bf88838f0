// Asking the review: with the cookie of the link, which the service's own page has no use for.
import { Refusal } from "/page/ask.js";

/** GET, or POST if there is a body; the JSON of a success, a Refusal is thrown otherwise. */
export async function ask(path, body) {
  let answer, told;
  try {
    answer = await fetch(path, { credentials: "same-origin", redirect: "error", method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
    told = await answer.json();
  } catch {
    if (!answer || answer.ok) throw new Refusal(0, { code: "unreachable" }); // a success that breaks off is none
  }
  if (!answer.ok) throw new Refusal(answer.status, told?.error ?? {});
  return told;
}
