/* A form with data-security-key asks the browser for a security key before it is sent: "create" or "get". */
"use strict";
(() => {
  const form = document.querySelector("[data-security-key]");
  const trouble = form.querySelector(".door-trouble");
  const options = JSON.parse(document.getElementById("security-key-options").textContent).publicKey;
  const say = (words) => { trouble.textContent = words; trouble.hidden = false; };

  form.addEventListener("submit", async (event) => {
    if (form.elements.answer.value) return;
    event.preventDefault();
    if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) { say(trouble.dataset.old); return; }
    try {
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
