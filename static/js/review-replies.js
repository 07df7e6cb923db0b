// The server is told which version the page shows. Where an act was the one step from it, the reply brings only what it
// changed, and what stays on the page is right for the new version.
(function () {
  "use strict";

  if (!window.review) return;
  const all = function (selector) { return document.querySelectorAll(selector); };

  document.addEventListener("htmx:configRequest", function (event) {
    const saved = document.getElementById("saved");
    if (!saved || !event.detail.elt.closest(".screen") || window.review.wantsAll()) return;
    event.detail.headers["Page-Version"] = saved.dataset.version;
  });

  // A part that is as it was stays untouched: marked words stay marked, nothing flickers.
  document.addEventListener("htmx:oobBeforeSwap", function (event) {
    const part = event.detail.fragment.firstElementChild;
    if (part && part.id === event.detail.target.id && part.innerHTML === event.detail.target.innerHTML) event.detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterRequest", function (event) {
    if (!event.detail.elt.closest(".screen") || event.detail.xhr.getResponseHeader("HX-Reswap") !== "none") return;
    const version = document.getElementById("saved").dataset.version;
    const citation = document.getElementById("citation");
    all(".screen input[name=version]").forEach(function (field) { field.value = version; });
    if (citation) all(".screen input[name=selected]").forEach(function (field) { field.value = citation.dataset.number; });
  });
})();
