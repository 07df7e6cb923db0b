// Where a person was on a card: the citation and the field. Whoever opens the card again by an address that names no
// citation, as the queue's do, is brought back there.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review || !window.review.whenIdle) return;

  function store(change) {
    try { return change(window.localStorage); } catch (error) { return null; }
  }

  function key() { return "lexreview:place:" + main.dataset.person + ":" + main.dataset.card; }

  function chosen() {
    const citation = document.getElementById("citation");
    return citation ? citation.dataset.number : "";
  }

  function remember(field) {
    const isDone = !document.getElementById("approve");
    store(function (storage) {
      if (isDone) storage.removeItem(key());
      else storage.setItem(key(), JSON.stringify({ citation: chosen(), field: field }));
    });
  }

  function fieldOf(element) { return element && element.id && element.matches(".screen [data-draft]") ? element.id : ""; }

  // A field that is left on purpose is no place to come back to; one whose window was closed is.
  document.addEventListener("focusin", function (event) { remember(fieldOf(event.target)); });
  document.addEventListener("focusout", function (event) {
    if (!fieldOf(event.target)) return;
    window.setTimeout(function () {
      if (document.hasFocus() && !fieldOf(document.activeElement)) remember("");
    });
  });
  document.addEventListener("review:settled", function () { remember(fieldOf(document.activeElement)); });

  function comeBack() {
    const was = JSON.parse(store(function (storage) { return storage.getItem(key()); }) || "null");
    const isNamed = new URLSearchParams(window.location.search).has("citation");
    if (isNamed || !was || !document.getElementById("cite-" + was.citation)) {
      remember("");
    } else if (was.citation === chosen()) {
      toField(was.field);
    } else {
      document.addEventListener("review:settled", function () { toField(was.field); }, { once: true });
      window.review.show(window.location.pathname + "?citation=" + was.citation);
    }
  }

  function toField(id) {
    const field = id && document.getElementById(id);
    if (!field) return;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    field.focus();
  }

  document.addEventListener("review:shown", comeBack);
  comeBack();
})();
