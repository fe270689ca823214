/* The line to the server: whatever comes back in the background is taken only if it is the answer to what was asked, for
   the person and the data of this page. All else (a log-in page, an error, a proxy) is trouble that is told in a
   sentence. What was typed is kept in the browser until the server says that it keeps it. */
"use strict";

const Line = (() => {
  const PATIENCE = 60_000; // milliseconds until an answer is given up
  const KEPT = 7 * 24 * 3600 * 1000; // milliseconds until what a browser keeps is thrown away
  const PREFIX = "dossier-draft:";
  const SAFE = "Nothing that you typed is lost.";
  let asked = 0;

  class Trouble extends Error {
    constructor(message, login = "") {
      super(message);
      this.login = login;
    }
  }

  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  async function get(address, options) {
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      return await fetch(address, { credentials: "same-origin", cache: "no-store", signal, ...options });
    } catch {
      throw new Trouble(`Dossier does not answer. ${SAFE}`);
    }
  }

  // Why an answer is none of this page.
  function refusal(answer, page, gate) {
    if (page?.getElementById("login-form")) {
      return new Trouble(`You are logged out. Log in in another tab, then come back here. ${SAFE}`, gate.dataset.login);
    }
    if (answer.status === 403) return new Trouble(`Dossier refused this: you may not review this result any more. ${SAFE}`);
    if (answer.status === 404) return new Trouble("This result is not there any more.");
    if (answer.status >= 500) return new Trouble(`Dossier failed (error ${answer.status}). ${SAFE}`);
    return new Trouble(`Something else than Dossier answered, perhaps a proxy or the log-in of a network. ${SAFE}`);
  }

  const isHtml = (answer) => (answer.headers.get("Content-Type") ?? "").startsWith("text/html");

  // How things stand: raises trouble unless this person may go on with this page; the form gets the token of now.
  async function stand(gate, form) {
    const answer = await get(gate.dataset.standing);
    const told = await answer.clone().json().catch(() => null);
    if (!answer.ok || told?.about !== gate.dataset.result) {
      throw refusal(answer, isHtml(answer) ? parse(await answer.text()) : null, gate);
    }
    if (String(told.person) !== gate.dataset.person) {
      throw new Trouble(`You are logged in as ${told.name} now, and somebody else opened this page. Log in as before, or load the page again. ${SAFE}`, gate.dataset.login);
    }
    form.elements.csrfmiddlewaretoken.value = told.token;
    return told;
  }

  // Post the form in the background. The answer is the page with what was posted in it; null if it is out of date.
  async function post(gate, form, more, only = null, again = true) {
    const fields = [...new FormData(form)].filter(([name]) => !only || only.includes(name));
    const body = new URLSearchParams(fields);
    const mine = String(++asked);
    for (const [name, value] of Object.entries({ ...more, asked: mine })) body.set(name, value);
    const answer = await get(form.getAttribute("action"), { method: "POST", body });
    const page = isHtml(answer) ? parse(await answer.text()) : null;
    const marks = page?.getElementById("gate")?.dataset;
    if (answer.status === 409 && marks?.answers === mine) return null;
    const fits = marks?.answers === mine && marks.result === gate.dataset.result && marks.digest === gate.dataset.digest;
    if (fits && marks.person === gate.dataset.person && answer.status < 500 && answer.status !== 403) return page;
    if (answer.status === 403 && again) {
      await stand(gate, form); // the token may be one of an earlier log-in
      return post(gate, form, more, only, false);
    }
    throw refusal(answer, page, gate);
  }

  // What the browser keeps, by person, result and digest.
  const key = (gate) => `${PREFIX}${gate.dataset.person}:${gate.dataset.result}:${gate.dataset.digest}`;

  function keep(gate, typed) {
    try {
      localStorage.setItem(key(gate), JSON.stringify({ at: Date.now(), typed }));
    } catch {
      // full or forbidden: the server keeps what it is sent
    }
  }

  function forget(gate) {
    try {
      localStorage.removeItem(key(gate));
    } catch {
      // forbidden: then there is nothing
    }
  }

  function kept(gate) {
    try {
      for (const name of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
        if (!(JSON.parse(localStorage.getItem(name))?.at > Date.now() - KEPT)) localStorage.removeItem(name);
      }
      return JSON.parse(localStorage.getItem(key(gate)))?.typed ?? null;
    } catch {
      return null;
    }
  }

  return { Trouble, stand, post, keep, forget, kept };
})();
