// Asking the service: JSON in and out, the key, errors in the page's language.
import { language } from "./words.js";

const KEY = "menpai.key";
let onKeyWanted = () => {};

/** What the service answered instead of a result: code, message, hint, status, request id. */
export class Refusal extends Error {
  constructor(status, { code = "", message = "", hint = "" }, id = "") {
    super(message || String(status));
    Object.assign(this, { status, code, hint, id });
  }
}

/** The key of this tab, "" without one. It never leaves sessionStorage but for the Authorization header. */
export function key() {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Use this key from now on; "" forgets it. */
export function setKey(value) {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

/** Call this when the service wants a key, or another one. */
export function whenKeyIsWanted(call) {
  onKeyWanted = call;
}

/** GET, or POST if there is a body: JSON, or a file as it is. The Response of a success; a Refusal is thrown otherwise. */
export async function fetchFrom(path, body, signal, method = body === undefined ? "GET" : "POST") {
  const file = body instanceof Blob;
  const headers = { "Accept-Language": language() };
  if (key()) headers.Authorization = `Bearer ${utf8(key())}`;
  if (body !== undefined) headers["Content-Type"] = file ? "application/octet-stream" : "application/json";
  const answer = await send(path, { headers, signal, method, body: body === undefined || file ? body : JSON.stringify(body),
    credentials: "omit", redirect: "error" });
  if (answer.ok) return answer;
  if (answer.status === 401) onKeyWanted(Boolean(key()));
  const told = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, told.error ?? {}, answer.headers.get("X-Request-Id") ?? "");
}

/** The JSON that a route answers. */
export async function ask(path, body, signal) {
  return (await fetchFrom(path, body, signal)).json();
}

// A header holds bytes; JavaScript writes them as the characters of their numbers.
function utf8(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function send(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, { code: "unreachable" });
  }
}
