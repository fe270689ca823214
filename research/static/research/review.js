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
    if (!target) {
      if (form) showPart(id).then((part) => part && jump(id)).catch(trouble);
      return;
    }
    byId("show-all")?.click();
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    const text = target.querySelector(".prose-text");
    if (text) text.open = true;
    target.scrollIntoView({ block: "center" });
    target.querySelector("input[type=text], select, textarea, summary")?.focus({ preventScroll: true });
  }

  // What can be seen goes with the decision: under which filters the page, each part and each fold has stood open.
  const MARKS = "#saw, input[name^='part:'], input[name^='unfolded:']";
  byId("plain")?.remove();
  function look(place = gate) {
    const filter = gate.querySelector("[name=filter]:checked")?.value;
    for (const mark of form && filter ? all(MARKS, place) : []) {
      if (mark.closest("details:not([open])")) continue;
      mark.disabled = false;
      const seen = mark.value.split(" ");
      if (!seen.includes(filter)) mark.value = `${mark.value} ${filter}`.trim();
    }
  }

  // What a filter shows is not left folded; all fields are folded again as they were.
  let folded = null;
  gate.addEventListener("change", (event) => {
    if (event.target.name !== "filter") return;
    folded ??= all(".section:not([open]), .item:not([open])");
    for (const block of folded) block.open = event.target.value !== "all";
    if (event.target.value === "all") folded = null;
    look();
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

  // The same page again, from the server, with the edits: its live parts replace those shown. One question at a time,
  // so that each goes on from the draft that the one before it has left.
  let line = Promise.resolve();
  function ask(action, more = {}) {
    const answer = line.then(() => askNow(action, more));
    line = answer.catch(() => {});
    return answer;
  }

  async function askNow(action, more) {
    const before = typings;
    const page = await Line.post(gate, form, { action, touched: [...touched].join(" "), ...more });
    if (!page) {
      submitAs("preview");
      return null;
    }
    const [old, note] = [byId("draft-note"), page.getElementById("draft-note")];
    if (old.querySelector("[role=alert]") || note.querySelector("[role=alert]")) old.replaceWith(document.importNode(note, true));
    byId("draft").value = page.getElementById("draft").value;
    if (page.getElementById("gate").dataset.kept && before === typings) forget();
    return page;
  }

  // Everything typed so far, as the form would post it.
  const OWN = /^(leaf:|remove:|add:)|^(base|tab|raw|draft|window|reason|reject_reason|feedback)$/;
  let typings = 0;
  let unkept = false;
  function forget() {
    unkept = false;
    Line.forget(gate);
  }

  function typed() {
    typings += 1;
    unkept = true;
    const own = {};
    for (const field of all("[data-leaf]", form).filter(isEdited)) {
      own[field.name] = field.value;
      own[field.name.replace(/^leaf:/, "shown:")] = shownOf(field);
    }
    for (const field of form.elements) {
      const whole = OWN.test(field.name) && !field.name.startsWith("leaf:") && field.type !== "submit";
      if (whole && field.value && (field.type !== "checkbox" || field.checked)) own[field.name] = field.value;
    }
    Line.keep(gate, own);
  }

  // What this browser kept and the server did not get goes there the way a form does, and the page comes back with it.
  function restore() {
    const own = Line.kept(gate);
    const { method, kept, decider, person, digest } = gate.dataset;
    if (kept || decider === person) Line.forget(gate);
    if (!own || method === "POST" || decider === person) return false;
    const again = document.createElement("form");
    again.method = "post";
    again.hidden = true;
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    for (const [name, value] of Object.entries({ ...own, person, digest, action: "preview", csrfmiddlewaretoken: token })) {
      const field = document.createElement("textarea");
      field.name = name;
      field.value = value;
      again.append(field);
    }
    document.body.append(again);
    leaving = true;
    again.submit();
    return true;
  }

  // What stands between the person and the server, in a sentence; approving waits until the checks are known again.
  function trouble(error) {
    const place = byId("trouble");
    if (!(error instanceof Line.Trouble)) throw error;
    place.replaceChildren(`${error.message} `);
    if (error.login) {
      const link = document.createElement("a");
      Object.assign(link, { href: error.login, target: "_blank", rel: "noopener", textContent: "Log in" });
      place.append(link, " ");
    }
    const again = document.createElement("button");
    Object.assign(again, { type: "button", className: "quiet", textContent: "Try again" });
    again.addEventListener("click", check);
    place.append(again);
    place.hidden = false;
    byId("busy").hidden = true;
    setKnown(false);
  }

  function setKnown(known) {
    gate.classList.toggle("is-unchecked", !known);
    byId("approve").disabled = !known;
    if (known) byId("trouble").hidden = true;
    else byId("bar-state").replaceChildren(countEdits() ? "Your edits are not checked yet" : "Not checked");
  }

  function submitAs(action) {
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

  // A part of a long form comes when it is opened, and what has been opened goes with the decision.
  const touched = new Set();
  const FEW = ["csrfmiddlewaretoken", "digest", "person", "tab", "base", "window", "draft", "filter"];
  async function showPart(key) {
    const page = await Line.post(gate, form, { action: "show", show: key }, FEW);
    const part = page?.querySelector(".part");
    if (part) byId(part.id).replaceWith(document.importNode(part, true));
    look();
    return part;
  }

  gate.addEventListener("toggle", (event) => {
    const part = event.target;
    if (part.open) look(part);
    if (!form || !part.open || !part.dataset.show || part.ariaBusy) return;
    part.ariaBusy = "true";
    showPart(part.dataset.show).catch((error) => {
      part.ariaBusy = null;
      part.open = false;
      trouble(error);
    });
  }, true);

  gate.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-unfold]");
    if (!button) return;
    event.preventDefault();
    for (const item of all("details[data-item]", button.closest("[data-section]"))) item.open = true;
    button.hidden = true;
  });

  // One more blank item: the section comes back from the server with it.
  async function addItem(button) {
    form.elements.namedItem(`add:${button.value}`).closest("[data-section]").setAttribute("aria-busy", "true");
    const old = button.closest("[data-section]");
    const parts = all(".part", old).map((part) => part.id);
    const page = await ask("preview", { more: button.value, touched: [...touched, ...parts].join(" ") });
    if (!page) return;
    refresh(page);
    old.replaceWith(document.importNode(page.getElementById(old.id), true));
    look();
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
      if (page && mine === asked) {
        refresh(page);
        setKnown(true);
        byId("busy").hidden = true;
      }
    } catch (error) {
      trouble(error);
    }
  }

  function soon() {
    clearTimeout(timer);
    asked += 1; // an answer that is on its way speaks of older edits
    setKnown(false);
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
    const mine = ++asked;
    try {
      const page = await ask("confirm");
      if (!page || mine !== asked) return; // edited meanwhile: to be confirmed anew
      refresh(page);
      setKnown(true);
      const panel = page.getElementById("confirm");
      if (panel) openDialog(document.importNode(panel, true));
      else byId("problems").scrollIntoView({ block: "center" });
    } catch (error) {
      trouble(error);
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

  if (restore() || !form) return;
  look();

  form.addEventListener("input", (event) => {
    const field = event.target;
    if (OWN.test(field.name)) typed();
    if (field.closest(".part")) touched.add(field.closest(".part").id);
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
      typed();
      if (field.closest(".part")) touched.add(field.closest(".part").id);
      mark(field);
      field.focus();
      showCount();
      soon();
    } else if (event.target.closest("[data-more]")) {
      event.preventDefault();
      addItem(event.target.closest("[data-more]")).catch(trouble);
    } else if (event.target.closest("[data-show-part], .part-closed button")) {
      event.preventDefault();
      document.querySelector("dialog[open]")?.close();
      const { value } = event.target.closest("button");
      showPart(value).then((part) => part && jump(part.id)).catch(trouble);
    } else if (event.target.closest("[data-keep]")) {
      event.preventDefault();
      byId("draft").value = event.target.value;
      check();
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

  // Before the form leaves the page: is this still the same person, is the result still there? Only then is it sent.
  form.addEventListener("submit", async (event) => {
    if (leaving) return;
    event.preventDefault();
    try {
      await line;
      await Line.stand(gate, form);
    } catch (error) {
      document.querySelector("dialog[open]")?.close();
      trouble(error);
      return;
    }
    leaving = true;
    form.requestSubmit(event.submitter);
  });
  window.addEventListener("pageshow", () => {
    leaving = false;
  });
  // Whoever has logged in in another tab comes back to a page that goes on by itself.
  window.addEventListener("focus", () => {
    if (!byId("trouble").hidden) check();
  });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && unkept) event.preventDefault();
  });
  if ("unchecked" in gate.dataset && form.elements.tab.value === "fields") check();
})();
