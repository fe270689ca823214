/* The review page with a script: edits are checked as they are typed, decisions are confirmed in dialogs, keys work.
   Everything here is a convenience; the server renders and decides the same without it. */
"use strict";

(() => {
  const PAUSE = 700; // milliseconds of quiet typing before the edits are checked
  const gate = document.getElementById("gate");
  const form = document.getElementById("gate-form");
  if (!gate) return;

  const all = (selector, root = gate) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const plain = (text) => text.replace(/\r\n?/g, "\n");

  // Jumping: open what is folded, show it, and put the cursor there.
  function jump(id) {
    const target = byId(id);
    if (!target) return;
    byId("show-all")?.click();
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    const text = target.querySelector(".prose-text");
    if (text) text.open = true;
    target.scrollIntoView({ block: "center" });
    target.querySelector("input[type=text], select, textarea, summary")?.focus({ preventScroll: true });
  }

  // What a filter shows is not left folded; all fields are folded again as they were.
  let folded = null;
  gate.addEventListener("change", (event) => {
    if (event.target.name !== "filter") return;
    folded ??= all(".section:not([open]), .item:not([open])");
    for (const block of folded) block.open = event.target.value !== "all";
    if (event.target.value === "all") folded = null;
  });

  // A label leads into its field, also where that is folded below the text as it reads.
  gate.addEventListener("click", (event) => {
    const text = byId(event.target.closest("label[for]")?.htmlFor)?.closest(".prose-text");
    if (text) text.open = true;
  });

  gate.addEventListener("click", (event) => {
    const link = event.target.closest("[data-jump]");
    if (!link) return;
    event.preventDefault();
    jump(link.dataset.jump);
  });

  // A row and its sources light up together.
  function link(event, on) {
    const row = event.target.closest?.("[data-sources]");
    const source = event.target.closest?.("[data-source]");
    if (row) {
      row.classList.toggle("is-linked", on);
      for (const number of row.dataset.sources.split(" ")) byId(`source-${number}`)?.classList.toggle("is-linked", on);
    }
    if (source) {
      source.classList.toggle("is-linked", on);
      for (const other of all("[data-sources]")) {
        if (other.dataset.sources.split(" ").includes(source.dataset.source)) other.classList.toggle("is-linked", on);
      }
    }
  }
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    gate.addEventListener(name, (event) => link(event, on));
  }

  // Edits: what differs from what the page showed.
  const shownOf = (field) => form.elements.namedItem(field.name.replace(/^leaf:/, "shown:"))?.value ?? "";
  const isEdited = (field) => plain(field.value) !== plain(shownOf(field));

  function mark(field) {
    const row = field.closest("[data-row]");
    const edited = isEdited(field);
    row.classList.toggle("is-edited", edited);
    row.classList.toggle("is-stale", edited);
    const was = row.querySelector(".was");
    if (was) was.hidden = !edited;
  }

  function markRemoval(box) {
    (box.closest(".row") ?? box.closest(".item")).classList.toggle("is-removed", box.checked);
  }

  function countEdits() {
    const fields = all("[data-leaf]", form).filter(isEdited).length;
    const removals = all('input[name^="remove:"]:checked', form).length;
    const based = form.elements.namedItem("base") ? Number(byId("edits").querySelector(".count").textContent) : 0;
    return Math.max(fields + removals, based);
  }

  function showCount() {
    const count = countEdits();
    byId("approve-count").textContent = count ? ` with ${count} edit${count === 1 ? "" : "s"}` : "";
  }

  // The same page again, from the server, with the edits: its live parts replace those shown.
  async function ask(action, more = {}) {
    const body = new URLSearchParams(new FormData(form));
    for (const [name, value] of Object.entries({ action, ...more })) body.set(name, value);
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, credentials: "same-origin" });
    if (answer.status === 409) {
      submitAs("preview");
      return null;
    }
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  function submitAs(action) {
    leaving = true;
    const button = document.createElement("button");
    button.type = "submit";
    button.name = "action";
    button.value = action;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
  }

  function refresh(page) {
    for (const old of all("[data-live][id]")) {
      const fresh = page.getElementById(old.id);
      if (!fresh || fresh.outerHTML === old.outerHTML) continue;
      if (old.id === "looks" && old.querySelector("details[open]")) fresh.querySelector("details")?.setAttribute("open", "");
      old.replaceWith(document.importNode(fresh, true));
    }
    for (const row of all("[data-row], [data-item]")) {
      const fresh = page.getElementById(row.id);
      if (fresh) row.className = fresh.className;
    }
    for (const field of all("[data-leaf]", form)) {
      const error = byId(`${field.closest("[data-row]").id}-e`);
      field.toggleAttribute("aria-invalid", Boolean(error));
      if (error) field.setAttribute("aria-invalid", "true");
      if (error) field.setAttribute("aria-describedby", error.id);
    }
    showCount();
  }

  // One more blank item: the section comes back from the server with it.
  async function addItem(button) {
    form.elements.namedItem(`add:${button.value}`).closest("[data-section]").setAttribute("aria-busy", "true");
    const page = await ask("preview", { more: button.value });
    if (!page) return;
    refresh(page);
    const old = button.closest("[data-section]");
    old.replaceWith(document.importNode(page.getElementById(old.id), true));
    jump(button.dataset.more);
  }

  let timer = 0;
  let asked = 0;
  let leaving = false;
  async function check() {
    clearTimeout(timer);
    const mine = ++asked;
    byId("busy").hidden = false;
    try {
      const page = await ask("preview");
      if (page && mine === asked) refresh(page);
    } catch {
      byId("busy").textContent = "no connection: not checked";
      return;
    }
    if (mine === asked) byId("busy").hidden = true;
  }

  function soon() {
    clearTimeout(timer);
    asked += 1; // an answer that is on its way speaks of older edits
    timer = setTimeout(check, PAUSE);
  }

  // Dialogs: the same blocks that unfold without a script.
  function openDialog(content, restore) {
    const dialog = document.createElement("dialog");
    dialog.append(content);
    form.append(dialog);
    dialog.addEventListener("close", () => {
      restore?.(content);
      dialog.remove();
    });
    for (const button of all("[data-close]", content)) {
      button.hidden = false;
      button.onclick = (event) => {
        event.preventDefault();
        dialog.close();
      };
    }
    dialog.showModal();
    (content.querySelector("textarea") ?? content.querySelector("[data-primary]"))?.focus();
    return dialog;
  }

  function openAction(details) {
    const panel = details.querySelector(".act-panel");
    details.open = false;
    if (panel) openDialog(panel, (content) => details.append(content));
  }

  async function confirmApproval() {
    clearTimeout(timer);
    const approve = byId("approve");
    approve.disabled = true;
    try {
      const page = await ask("confirm");
      const panel = page?.getElementById("confirm");
      if (page) refresh(page);
      if (panel) openDialog(document.importNode(panel, true));
      else if (page) byId("problems").scrollIntoView({ block: "center" });
    } catch {
      submitAs("confirm");
    } finally {
      approve.disabled = false;
    }
  }

  // Keys: one map, from which the list is made.
  const KEYS = {
    j: ["Next pending result", () => gate.querySelector("[rel=next]")?.click()],
    k: ["Previous pending result", () => gate.querySelector("[rel=prev]")?.click()],
    a: ["Go to Approve; Enter then asks you to confirm", () => byId("approve")?.focus()],
    x: ["Reject, with a reason", () => byId("reject")?.click()],
    r: ["Send back and run again", () => byId("rerun")?.click()],
    e: ["First field with a failed check", () => firstFailed()],
    "?": ["This list", () => showKeys()],
  };

  function firstFailed() {
    const failed = all("[data-row]").find((row) => row.querySelector(".v-fail, .error"));
    if (failed) jump(failed.id);
  }

  function showKeys() {
    const dialog = document.createElement("dialog");
    const title = document.createElement("h2");
    title.textContent = "Keys";
    const list = document.createElement("dl");
    list.className = "keys-list";
    const rows = [...Object.entries(KEYS).map(([key, [text]]) => [key, text]), ["Ctrl Enter", "Approve; in a dialog, its main button"]];
    for (const [key, text] of rows) {
      const term = document.createElement("dt");
      const sign = document.createElement("kbd");
      const meaning = document.createElement("dd");
      sign.textContent = key;
      meaning.textContent = text;
      term.append(sign);
      list.append(term, meaning);
    }
    dialog.append(title, list);
    gate.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
  }

  document.addEventListener("keydown", (event) => {
    const dialog = document.querySelector("dialog[open]");
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.preventDefault();
      (dialog ? dialog.querySelector("[data-primary]") : byId("approve"))?.click();
      return;
    }
    const typing = event.target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault(); // the letter must not be typed into the dialog that it opens
    KEYS[event.key][1]();
  });

  const keysButton = byId("keys-button");
  if (keysButton) {
    keysButton.hidden = false;
    keysButton.addEventListener("click", showKeys);
  }

  if (!form) return;

  form.addEventListener("input", (event) => {
    const field = event.target;
    if (field.matches("[data-leaf]")) mark(field);
    else if (field.name?.startsWith("remove:")) markRemoval(field);
    else return;
    showCount();
    soon();
  });

  form.addEventListener("click", (event) => {
    const setter = event.target.closest("[data-revert], [data-use]");
    if (setter) {
      event.preventDefault();
      const field = setter.closest("[data-row]").querySelector("[data-leaf]");
      field.value = setter.dataset.use ?? shownOf(field);
      mark(field);
      field.focus();
      showCount();
      soon();
    } else if (event.target.closest("[data-more]")) {
      event.preventDefault();
      addItem(event.target.closest("[data-more]")).catch(() => submitAs("preview"));
    } else if (event.target.closest("#preview") && form.elements.tab.value === "fields") {
      event.preventDefault();
      check();
    } else if (event.target.closest("#approve") && form.elements.tab.value === "fields") {
      event.preventDefault();
      confirmApproval();
    }
  });

  for (const details of all("[data-dialog]", form)) {
    details.querySelector("summary").addEventListener("click", (event) => {
      event.preventDefault();
      openAction(details);
    });
    if (details.open) openAction(details);
  }

  // Enter in a one-line field checks the edits; it never leaves the page.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !event.target.matches("input[type=text]")) return;
    event.preventDefault();
    check();
  });

  form.addEventListener("submit", () => {
    leaving = true;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && countEdits()) event.preventDefault();
  });
})();
