// What a reply must not take away: the focus, what is unfolded, and the chosen citation in view.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review || !window.review.whenIdle) return;
  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const one = function (selector) { return document.querySelector(selector); };
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };

  // The focus never falls back to the top of the page: what had it, else what it stood in, else the pane.
  let trail = [];
  let pane = null;
  // What a person unfolded stays so; only what the form itself stands in is drawn as the server says.
  let unfolded = [];
  document.addEventListener("htmx:beforeSwap", function (event) {
    const config = event.detail.requestConfig;
    const form = config && window.review.formOf(config);
    unfolded = all("#card details[id][open], #citations details[id][open]").filter(function (fold) {
      return fold.id !== "no-error-fold" && !(form && (fold.contains(form) || form.contains(fold)));
    }).map(function (fold) { return fold.id; });
    trail = [];
    pane = document.activeElement && document.activeElement.closest(".pane");
    for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) if (at.id) trail.push(at.id);
  });

  function keepFocus() {
    if (document.activeElement && document.activeElement !== document.body) return;
    // Nothing has it on a page that was just loaded; then it goes where the next key is meant to go.
    if (!trail.length || trail.includes("citation")) trail.unshift("citation");
    for (const id of trail) {
      const place = id === "citation" ? one(".cite[aria-current]") : document.getElementById(id);
      const target = place && (place.matches(FOCUSABLE) ? place : place.id === "card" || place.matches(".pane, main") ? null : place.querySelector(FOCUSABLE));
      // What stands in a fold that was closed takes no focus; the fold does.
      if (target && !target.disabled) target.focus({ preventScroll: true });
      if (target && document.activeElement === target) return;
    }
    const refused = document.getElementById("refused");
    (refused || (pane && pane.isConnected ? pane : main)).focus({ preventScroll: true });
  }

  let choice = "";
  let seen = "";

  // A citation that was gone to by a key has the focus once it is shown.
  function choose(item) {
    choice = item.id;
    item.click();
  }

  function showChosen() {
    const number = document.getElementById("citation") && document.getElementById("citation").dataset.number;
    const item = number && document.getElementById("cite-" + number);
    if (!item) return;
    if (choice === item.id) item.focus({ preventScroll: true });
    choice = "";
    item.scrollIntoView({ block: "nearest" });
    // The answer and the source stay where they were read until another citation is chosen.
    if (seen === number) return;
    if (seen) document.getElementById("pane-source").scrollTop = 0;
    seen = number;
    const place = document.getElementById("citation-" + number);
    // On a narrow window the panes lie side by side: what was chosen in one does not pull the other into view.
    if (place && window.matchMedia("(min-width: 800px)").matches) place.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("review:settled", function () {
    const refused = document.getElementById("refused");
    if (refused) refused.scrollIntoView({ block: "nearest" });
    else showChosen();
    unfolded.splice(0).forEach(function (id) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    });
    keepFocus();
  });
  document.addEventListener("review:shown", function () {
    trail = [];
    unfolded = [];
    choice = "";
    seen = "";
    showChosen();
  });

  window.review.choose = choose;
  showChosen();
})();
