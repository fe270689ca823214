// Runs in a world of its own inside the page: it sees the same elements, and nothing that the page's scripts replaced.
(() => {
  const world = globalThis;
  if (world.dossier) return;
  const ITEMS = 500, TEXT = 2_000_000, LABEL = 200, OPTIONS = 50;
  const OFFERS = "a[href],area[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab]," +
    "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=checkbox],[role=radio],[role=switch]," +
    "[role=option],[role=treeitem],[role=combobox],[role=textbox],[role=searchbox],[role=slider],[onclick]," +
    "[contenteditable=''],[contenteditable=true]";
  const KINDS = {tab: "TAB", button: "BUTTON", link: "LINK", menuitem: "MENUITEM", menuitemcheckbox: "MENUITEM",
    menuitemradio: "MENUITEM", checkbox: "INPUT", radio: "INPUT", switch: "INPUT", textbox: "INPUT",
    searchbox: "INPUT", combobox: "INPUT", option: "OTHER", treeitem: "OTHER", slider: "OTHER"};
  const PRESSED = ["button", "submit", "reset", "image"];
  let kept = [];

  // every element with those of open shadow roots and of frames of the same origin, in the order of the page
  function* elements(root) {
    const walker = root.ownerDocument?.createTreeWalker(root, 1) ?? root.createTreeWalker(root, 1);
    for (let at = walker.nextNode(); at; at = walker.nextNode()) {
      yield at;
      if (at.shadowRoot) yield* elements(at.shadowRoot);
      if (at.localName === "iframe" || at.localName === "frame") {
        let inner = null;
        try { inner = at.contentDocument; } catch { inner = null; }
        if (inner && seen(at)) yield* elements(inner);
      }
    }
  }
  const up = (at) => at.assignedSlot ?? at.parentElement ?? at.getRootNode().host ?? null;
  const within = (at, test) => { for (let one = at; one; one = up(one)) if (test(one)) return one; return null; };
  const seen = (at) => {
    if (!at.checkVisibility({visibilityProperty: true})) return false;
    const box = at.getBoundingClientRect();
    return (box.width > 1 && box.height > 1) || at.getClientRects().length > 1;
  };
  const modal = (doc) => [...doc.querySelectorAll("dialog:modal,[aria-modal=true]")].filter(seen).pop() ?? null;

  function covered(at) {
    const box = at.getBoundingClientRect(), view = at.ownerDocument.defaultView;
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) return false;
    let hit = at.ownerDocument.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (!hit || within(hit, (one) => one === at) || within(at, (one) => one === hit)) return false;
    return !(at.labels && [...at.labels].some((label) => within(hit, (one) => one === label)));
  }

  function kind(at) {
    const role = (at.getAttribute("role") ?? "").trim().toLowerCase(), tag = at.localName;
    if (KINDS[role]) return KINDS[role];
    if ((tag === "a" || tag === "area") && at.hasAttribute("href")) return "LINK";
    if (tag === "button" || tag === "summary") return "BUTTON";
    if (tag === "input") return PRESSED.includes(at.type) ? "BUTTON" : "INPUT";
    if (tag === "select") return "SELECT";
    if (tag === "textarea" || at.isContentEditable) return "INPUT";
    return "OTHER";
  }

  function href(at) {
    if ((at.localName !== "a" && at.localName !== "area") || !at.hasAttribute("href")) return "";
    const said = at.getAttribute("href").trim();
    if (said.startsWith("#") && !/^#[/!]/.test(said)) return "#";
    return /^https?:/.test(at.href) ? at.href : (/^(mailto|tel|sms|data|blob):/.test(at.href) ? null : "");
  }

  function hint(at) {
    const hints = [], type = at.localName === "input" ? at.type : "";
    if (at.target && !["_self", "_top", "_parent"].includes(at.target)) hints.push("new window");
    if (at.hasAttribute("download")) hints.push("download");
    if (type === "password" || type === "file") hints.push(`${type} field`);
    if (type === "checkbox" || type === "radio") hints.push(type, ...(at.checked ? ["checked"] : []));
    for (const name of ["selected", "checked", "pressed"]) if (at.getAttribute(`aria-${name}`) === "true") hints.push(name);
    const open = at.getAttribute("aria-expanded");
    if (open) hints.push(open === "true" ? "expanded" : "collapsed");
    if ((at.getAttribute("aria-current") ?? "false") !== "false") hints.push("current page");
    if (kind(at) === "INPUT" && at.value && type !== "password" && !["checkbox", "radio"].includes(type))
      hints.push(`filled in: ${String(at.value).slice(0, 40)}`);
    return hints.join(", ");
  }

  const field = (at) => {
    if ((at.autocomplete ?? "").startsWith("cc-")) return "card";
    return at.localName === "input" ? at.type : at.localName;
  };
  const name = (at) => (at.computedName ?? at.getAttribute("aria-label") ?? at.innerText ?? "").trim()
    || at.title || at.placeholder || at.getAttribute("name") || "";

  function read(selector) {
    kept = [];
    const items = [], forms = [], numbers = new Map();
    const number = (form) => {
      if (!form) return null;
      if (!numbers.has(form)) {
        numbers.set(form, forms.length);
        const kinds = [...new Set([...form.elements].map(field))].sort();
        forms.push({action: form.action?.href ?? String(form.getAttribute("action") ? form.action : form.baseURI),
          method: (form.getAttribute("method") ?? "get").toLowerCase(), values: [], names: [], kinds,
          searches: form.getAttribute("role") === "search" || kinds.includes("search")});
      }
      return numbers.get(form);
    };
    const top = modal(document);
    for (const at of elements(document)) {
      if (items.length >= ITEMS) break;
      if (!at.matches(OFFERS) || (at.localName === "input" && at.type === "hidden")) continue;
      if (top && at.ownerDocument === document && !within(at, (one) => one === top)) continue;
      if (within(at, (one) => one.inert || one.getAttribute("aria-hidden") === "true")) continue;
      const link = href(at);
      if (link === null) continue;
      const shown = seen(at) || (at.labels && [...at.labels].some(seen));
      if (!shown || covered(at)) continue;
      const label = name(at).slice(0, LABEL), type = kind(at);
      if (link === "#" && !at.hasAttribute("role") && !at.onclick && !at.hasAttribute("onclick") && !label) continue;
      if (!label && (type === "OTHER" || (type === "LINK" && !link))) continue;
      const how = {kind: "element", ref: kept.length, is: ["INPUT", "SELECT"].includes(type) ? field(at) : ""};
      const form = number(at.form ?? null);
      if (form !== null) { how.form = form; if (at.type === "submit" || at.type === "image") how.kind = "submit"; }
      if (selector) how.within = within(at, (one) => one.matches(selector)) !== null;
      if (at.localName === "select") how.options = [...at.options].slice(0, OPTIONS).map((one) => one.label.slice(0, 80));
      kept.push(at);
      items.push({type, label, href: link === "#" ? "" : link, hint: hint(at),
        disabled: at.matches(":disabled") || at.getAttribute("aria-disabled") === "true", how});
    }
    const links = [...document.querySelectorAll("a[href]")].slice(0, 1000).map((one) => one.href)
      .filter((one) => /^https?:/.test(one));
    return {url: location.href, title: document.title, language: document.documentElement?.lang ?? "", items, forms, links,
      text: text().slice(0, TEXT)};
  }

  // innerText knows nothing of shadow roots and frames; where there are some their text stands at their place
  function told(root) {
    const hosts = [...elements(root)].filter((at) => at.shadowRoot || at.localName === "iframe");
    const own = root.innerText ?? "";
    if (!hosts.length) return own;
    const parts = [own];
    for (const host of hosts) {
      if (!seen(host)) continue;
      const inside = host.shadowRoot ? [...host.shadowRoot.children] : [host.contentDocument?.body].filter(Boolean);
      for (const part of inside)
        if (part.localName !== "style" && part.localName !== "script" && part.innerText) parts.push(part.innerText);
    }
    return parts.join("\n");
  }
  function text() {
    const mains = [...document.querySelectorAll("article,[role=main],main,#content,.content")].filter((at) => seen(at));
    const outer = mains.filter((at) => !mains.some((other) => other !== at && other.contains(at)));
    const main = outer.map(told).join("\n").trim();
    return main.length >= 200 ? main : (document.body ? told(document.body).trim() : "");
  }

  // quiet: no new or changed text for so long; what changes again and again (clocks, carousels) does not count
  function quiet(ms, bound) {
    return new Promise((done) => {
      const often = new WeakMap(), begun = performance.now();
      let last = begun;
      const watch = new MutationObserver((changes) => {
        for (const {target, type} of changes) {
          const place = type === "characterData" ? target.parentNode ?? target : target;
          const times = (often.get(place) ?? 0) + 1;
          often.set(place, times);
          if (times <= 3) last = performance.now();
        }
      });
      watch.observe(document, {subtree: true, childList: true, characterData: true});
      const look = () => {
        const now = performance.now();
        if (now - last < ms && now - begun < bound) return void setTimeout(look, Math.min(ms, 50));
        watch.disconnect();
        done(now - last >= ms);
      };
      look();
    });
  }

  const NO = /^(?:(?:reject|refuse|decline|deny)(?: all)?(?: (?:optional )?cookies)?|(?:use |allow |accept )?(?:only )?(?:strictly )?(?:necessary|essential)(?: cookies)?(?: only)?|continue without accepting|no,? thanks?|(?:alle(?:s)? )?ablehnen|(?:nur )?(?:notwendige|erforderliche|essenzielle)(?: cookies)?(?: akzeptieren| zulassen)?|(?:tout )?refuser(?: tout)?|continuer sans accepter|rifiuta(?: tutt[io])?|solo necessari)$/i;
  const YES = /^(?:accept|agree|allow|ok|got it|i understand|akzeptieren|zustimmen|einverstanden|accepter|accetta)\b/i;
  // a wall about cookies: the button that stores least, as its label; "" where there is none
  function wall() {
    for (const at of elements(document)) {
      if (!/cookie|consent|gdpr/i.test(`${at.id} ${at.className} ${at.getAttribute("aria-label") ?? ""} ${at.getAttribute("role") === "dialog" ? (at.innerText ?? "").slice(0, 400) : ""}`)) continue;
      const words = at.innerText ?? "";
      if (!/cookie|consent/i.test(words) || words.length > 3000 || !seen(at) || at === document.body) continue;
      const buttons = [...elements(at)].filter((one) => one.matches("button,[role=button],input[type=button],input[type=submit],a") && seen(one));
      const by = (pattern) => buttons.find((one) => pattern.test(name(one)));
      const chosen = by(NO) ?? (buttons.length <= 2 ? by(YES) : null);
      if (chosen) { const label = name(chosen); chosen.click(); return label; }
    }
    return "";
  }

  // where to press: the middle of the element in the view of the page; null when it is gone or something lies over it
  function place(ref) {
    const at = kept[ref];
    if (!at?.isConnected) return {gone: true};
    at.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const box = at.getClientRects()[0] ?? at.getBoundingClientRect();
    let x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hidden = !seen(at) || covered(at);
    for (let view = at.ownerDocument.defaultView; view !== world.top && view.frameElement; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.left + view.frameElement.clientLeft;
      y += frame.top + view.frameElement.clientTop;
    }
    return {x, y, hidden};
  }
  function press(ref) { kept[ref].click(); }
  function focus(ref) {
    const at = kept[ref];
    if (!at?.isConnected) return {gone: true};
    at.scrollIntoView({block: "center", behavior: "instant"});
    at.focus();
    if (at.select) at.select(); else at.ownerDocument.getSelection().selectAllChildren(at);
    return {};
  }
  function pick(ref, wanted) {
    const at = kept[ref];
    if (!at?.isConnected) return {gone: true};
    const plain = (said) => said.trim().toLowerCase();
    const option = [...at.options].find((one) => one.value === wanted) ?? [...at.options].find((one) => plain(one.label) === plain(wanted));
    if (!option || option.disabled) return {options: [...at.options].slice(0, OPTIONS).map((one) => one.label)};
    at.value = option.value;
    for (const said of ["input", "change"]) at.dispatchEvent(new Event(said, {bubbles: true}));
    return {};
  }
  world.dossier = {read, quiet, wall, place, press, focus, pick};
})();
