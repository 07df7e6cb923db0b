// A save that somebody else's change came before: both sides stand on the card until one is taken. Until then mine is still
// kept in this browser, and the saves behind it wait.
(function () {
  "use strict";

  if (!window.review) return;
  let disputed = [];

  function isOpen() { return Boolean(document.getElementById("form-keep")); }

  document.addEventListener("htmx:afterRequest", function (event) {
    const status = event.detail.xhr.status;
    if (event.detail.requestConfig.elt.id === "form-keep" && (event.detail.successful || status === 422)) disputed = [];
  });

  // Theirs is taken in place: a load would forget what waits.
  document.addEventListener("click", function (event) {
    const link = event.target.closest("#take-theirs");
    if (!link || !window.review.show || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    disputed = [];
    window.review.show(link.getAttribute("href"));
  });
  document.addEventListener("review:shown", function () { disputed = []; });

  window.review.conflict = {
    isOpen: isOpen,
    begin: function (save) { disputed = [save]; },
    saves: function () { return disputed; },
  };
})();
