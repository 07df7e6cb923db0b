// The widths of the panes, moved by mouse or by arrow keys and remembered in this browser, and on a narrow window the tab of
// the pane that is in sight. Without it the widths are fixed and the tabs are links.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card) return;
  const KEY = "lexreview:widths";
  const STEP = 16;

  function stored() {
    try { return JSON.parse(window.localStorage.getItem(KEY)) || {}; } catch (error) { return {}; }
  }

  function remember(name, width) {
    const widths = stored();
    if (width === null) delete widths[name];
    else widths[name] = width;
    try { window.localStorage.setItem(KEY, JSON.stringify(widths)); } catch (error) { /* for this page only */ }
  }

  function limits(divider) {
    return { least: Number(divider.getAttribute("aria-valuemin")), most: Number(divider.getAttribute("aria-valuemax")) };
  }

  function paneOf(divider) { return document.getElementById(divider.getAttribute("aria-controls")); }

  function show(divider) {
    divider.setAttribute("aria-valuenow", Math.round(paneOf(divider).getBoundingClientRect().width));
  }

  function set(divider, width) {
    const between = limits(divider);
    const room = Math.max(between.least, Math.min(between.most, main.clientWidth - 2 * 260));
    const value = Math.round(Math.max(between.least, Math.min(room, width)));
    main.style.setProperty("--width-" + divider.dataset.pane, value + "px");
    divider.setAttribute("aria-valuenow", value);
    remember(divider.dataset.pane, value);
  }

  // The pane lies left of its divider, or right of it: then a move to the left makes it wider.
  function sign(divider) { return divider.dataset.side === "right" ? -1 : 1; }

  document.querySelectorAll(".divider").forEach(function (divider) {
    const name = divider.dataset.pane;
    const known = stored()[name];
    if (known) main.style.setProperty("--width-" + name, known + "px");
    show(divider);
    divider.addEventListener("focus", function () { show(divider); });

    divider.addEventListener("keydown", function (event) {
      const width = paneOf(divider).getBoundingClientRect().width;
      if (event.key === "ArrowLeft") set(divider, width - STEP * sign(divider));
      else if (event.key === "ArrowRight") set(divider, width + STEP * sign(divider));
      else if (event.key === "Home") set(divider, limits(divider).least);
      else if (event.key === "End") set(divider, limits(divider).most);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    divider.addEventListener("dblclick", function () {
      main.style.removeProperty("--width-" + name);
      remember(name, null);
      show(divider);
    });
    divider.addEventListener("pointerdown", function (event) {
      const from = event.clientX;
      const width = paneOf(divider).getBoundingClientRect().width;
      divider.setPointerCapture(event.pointerId);
      function move(moved) { set(divider, width + (moved.clientX - from) * sign(divider)); }
      function end() {
        divider.removeEventListener("pointermove", move);
        divider.removeEventListener("pointerup", end);
        divider.removeEventListener("pointercancel", end);
      }
      divider.addEventListener("pointermove", move);
      divider.addEventListener("pointerup", end);
      divider.addEventListener("pointercancel", end);
      event.preventDefault();
    });
  });

  const tabs = Array.from(document.querySelectorAll(".pane-tabs a"));
  function mark(id) {
    tabs.forEach(function (tab) {
      if (tab.hash === "#" + id) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
  }
  const inSight = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) { if (entry.isIntersecting) mark(entry.target.id); });
  }, { root: main, threshold: 0.6 });
  tabs.forEach(function (tab) {
    const pane = document.querySelector(tab.hash);
    inSight.observe(pane);
    // No step in the history of the browser: the way back leads to the page before, not to the tab before.
    tab.addEventListener("click", function (event) {
      event.preventDefault();
      pane.scrollIntoView({ block: "nearest", inline: "start" });
      pane.focus({ preventScroll: true });
    });
  });
})();
