// Keys: Enter submits a form from its text areas, Shift+Enter breaks the line, and nothing is taken from an input method.

/** Let Enter submit the form. */
export function submitOnEnter(form) {
  form.addEventListener("keydown", (event) => {
    const plain = event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!plain || event.isComposing || event.target.tagName !== "TEXTAREA") return;
    event.preventDefault();
    form.requestSubmit();
  });
}
