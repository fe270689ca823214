// The preview follows the form: a moment after the last change it is asked for again. Without scripts its button does it.
"use strict";
(() => {
  const form = document.getElementById("template");
  const look = document.getElementById("look");
  let waiting = 0;
  const show = () => form.requestSubmit(look);
  form.addEventListener("input", (event) => {
    if (event.target.name === "note" || event.target.name === "name") return;
    clearTimeout(waiting);
    waiting = setTimeout(show, 500);
  });
  show();
})();
