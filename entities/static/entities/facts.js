// The days on which something changed, as a slider beside their links. Each stop shows what its link leads to, without
// leaving the page; what was asked last wins.
"use strict";
(() => {
  const facts = document.getElementById("facts"), nav = facts && facts.querySelector(".entity-moments");
  const links = nav ? [...nav.querySelectorAll("a")] : [];
  if (links.length < 2) return;

  const slider = document.createElement("input"), shown = document.createElement("output");
  const here = links.findIndex(link => link.search === window.location.search);
  slider.type = "range";
  slider.min = 0;
  slider.max = links.length - 1;
  slider.value = here < 0 ? slider.max : here;
  slider.setAttribute("aria-label", "Day on which something changed");
  function tell(words) {
    shown.textContent = words || links[slider.value].textContent.trim().replace(/\s+/g, " ");
    slider.setAttribute("aria-valuetext", shown.textContent);
  }

  let asked = null;
  async function look() {
    const link = links[slider.value];
    if (asked) asked.abort();
    asked = new AbortController();
    try {
      const answer = await fetch(link.href, { signal: asked.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("facts");
      if (!answer.ok || !page) return window.location.assign(link.href);  // for example the log-in
      page.querySelector(".entity-moments")?.remove();
      [...facts.children].filter(part => part !== nav).forEach(part => part.remove());
      const parts = [...page.children], rest = parts.findIndex(part => part.matches(".entity-told, .entity-none"));
      nav.before(...parts.slice(0, rest));
      nav.after(...parts.slice(rest));
      window.history.replaceState(null, "", link.href);
    } catch (error) {
      if (error.name !== "AbortError") window.location.assign(link.href);
    }
  }
  slider.addEventListener("input", () => { tell(); look(); });
  tell(here < 0 ? "today" : "");

  const box = document.createElement("p");
  box.className = "entity-slider";
  box.append(slider, shown);
  nav.prepend(box);
})();
