/* A form with data-security-key asks the browser for a security key before it is sent: "create" or "get". What it is to
   be asked stands in the page, or is fetched from where the form is sent to. */
"use strict";
(() => {
  const form = document.querySelector("[data-security-key]");
  const trouble = form.querySelector(".door-trouble");
  const written = document.getElementById("security-key-options");
  const ask = async () => (written ? JSON.parse(written.textContent) : await (await fetch(form.action)).json()).publicKey;
  const say = (words) => { trouble.textContent = words; trouble.hidden = false; };

  form.addEventListener("submit", async (event) => {
    if (form.elements.answer.value) return;
    event.preventDefault();
    if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) { say(trouble.dataset.old); return; }
    try {
      const options = await ask();
      const found = form.dataset.securityKey === "create"
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.answer.value = JSON.stringify(found);
      form.submit();
    } catch {
      say(trouble.dataset.failed);
    }
  });
})();
