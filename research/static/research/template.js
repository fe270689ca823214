// The preview follows the form: a moment after the last change it is asked for again. Without scripts its button does it.
// What was refused or never came is said above it, and the last memo that could be shown stays, greyed.
"use strict";
(() => {
  const form = document.getElementById("template");
  const look = document.getElementById("look");
  const refused = document.getElementById("look-refused");
  const frame = document.querySelector("iframe[name=preview]");
  const GONE = "There is no preview: you are not logged in any more, or may not edit templates. Log in in another tab, then go on here.";
  const SILENT = "There is no preview: Dossier did not answer. What you have written here is not lost; try again in a moment.";
  let waiting = 0;
  let asked = 0;

  async function whyNot() {
    try {
      const answer = await fetch(look.formAction, { method: "POST", body: new FormData(form), redirect: "manual" });
      if (answer.ok) return "";
      if (answer.status === 400) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        return page.querySelector("[role=alert]")?.textContent ?? SILENT;
      }
      return answer.type === "opaqueredirect" || answer.status === 403 ? GONE : SILENT;
    } catch {
      return SILENT;
    }
  }

  async function show() {
    const mine = ++asked;
    const why = await whyNot();
    if (mine !== asked) return;
    refused.textContent = why;
    refused.hidden = !why;
    frame.classList.toggle("is-old", Boolean(why));
    if (!why) form.requestSubmit(look);
  }

  form.addEventListener("input", (event) => {
    if (event.target.name === "note" || event.target.name === "name") return;
    clearTimeout(waiting);
    waiting = setTimeout(show, 500);
  });
  show();
})();
