// Opens the page: language, key, rooms.
import { ask, setKey, whenKeyIsWanted } from "./ask.js";
import { $ } from "./make.js";
import { ROOMS } from "./rooms.js";
import { language, speak, translate, word } from "./words.js";

function redraw() {
  translate(document);
  $("language").textContent = language() === "zh" ? "English" : "中文";
  $("language").lang = language() === "zh" ? "en" : "zh";
  for (const room of Object.values(ROOMS)) room.redraw();
}

function askForKey(wrong) {
  $("key-form").hidden = false;
  $("key-wrong").textContent = wrong ? word("key_wrong") : "";
  $("key").setAttribute("aria-invalid", String(wrong));
}

async function useKey(event) {
  event.preventDefault();
  setKey($("key").value.trim());
  try {
    await ask("/v1/normalize", { texts: [] }); // costs nothing, and asks for the key
  } catch (refusal) {
    if (refusal.status === 401) return $("key").focus();
  }
  $("key").value = "";
  $("key-form").hidden = true;
  $("a").focus();
  ROOMS.service.look();
}

whenKeyIsWanted(askForKey);
$("key-form").addEventListener("submit", useKey);
$("language").addEventListener("click", () => {
  speak(language() === "zh" ? "en" : "zh");
  redraw();
});
for (const [name, room] of Object.entries(ROOMS)) room.mount($(name));
redraw();
document.documentElement.dataset.ready = "yes";
