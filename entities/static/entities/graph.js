// The picture of an entity's tree can be moved and zoomed. Without this script it is the same picture in a box that scrolls.
"use strict";
(() => {
  const LEAST = 0.15, MOST = 4, STEP = 1.25;

  function live(canvas) {
    const svg = canvas.querySelector("svg");
    if (!svg) return;
    const { y: top, width, height } = svg.viewBox.baseVal, whole = { top, width, height };
    const view = { x: 0, y: 0, scale: 1 };
    canvas.classList.add("is-live");
    if (whole.height < 330) canvas.classList.add("is-low");
    svg.removeAttribute("width");
    svg.removeAttribute("height");

    const size = () => canvas.getBoundingClientRect();
    function show() {
      const box = size();
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${box.width / view.scale} ${box.height / view.scale}`);
    }
    function zoom(factor, x, y) {
      const box = size(), scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
      const px = x === undefined ? box.width / 2 : x - box.left, py = y === undefined ? box.height / 2 : y - box.top;
      view.x += px / view.scale - px / scale;
      view.y += py / view.scale - py / scale;
      view.scale = scale;
      show();
    }
    function move(dx, dy) {
      view.x -= dx / view.scale;
      view.y -= dy / view.scale;
      show();
    }
    // Begin with the entity itself in the middle, as large as can be read; "all" shows the whole picture.
    function begin() {
      const box = size(), root = svg.querySelector(".root rect");
      view.scale = Math.min(1, Math.max(0.7, box.width / whole.width));
      const wide = box.width / view.scale, high = box.height / view.scale;
      const cx = +root.getAttribute("x") + root.getAttribute("width") / 2;
      const cy = +root.getAttribute("y") + root.getAttribute("height") / 2;
      view.x = whole.width <= wide ? (whole.width - wide) / 2 : cx - wide / 2;
      view.y = whole.height <= high ? whole.top + (whole.height - high) / 2 : cy - high / 2;
      show();
    }
    function all() {
      const box = size();
      view.scale = Math.min(1, box.width / whole.width, box.height / whole.height);
      view.x = (whole.width - box.width / view.scale) / 2;
      view.y = whole.top + (whole.height - box.height / view.scale) / 2;
      show();
    }

    const bar = document.createElement("div");
    bar.className = "entity-zoom";
    for (const [sign, title, act] of [
      ["+", "Larger", () => zoom(STEP)],
      ["\u2212", "Smaller", () => zoom(1 / STEP)],
      ["\u25a1", "The whole picture", all],
      ["\u25cf", "Back to the entity", begin],
    ]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", act);
      bar.append(button);
    }
    canvas.append(bar);

    let from = null, moved = false;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".entity-zoom")) return;
      from = { x: event.clientX, y: event.clientY };
      moved = false;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (!moved) canvas.setPointerCapture(event.pointerId);
      moved = true;
      canvas.classList.add("is-moving");
      move(dx, dy);
      from = { x: event.clientX, y: event.clientY };
    });
    const end = () => { from = null; canvas.classList.remove("is-moving"); };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("click", (event) => { if (moved) { event.preventDefault(); moved = false; } }, true);
    canvas.addEventListener("dragstart", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !canvas.matches(":focus-within")) return; // the page itself can be scrolled past it
      event.preventDefault();
      zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const keys = {
        "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), "0": begin,
        ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    window.addEventListener("resize", show);
    begin();
  }

  document.querySelectorAll("[data-graph]").forEach(live);
})();
