// What the card page says of its saves: the sign in the top bar, and the bar for what is not saved. "Saved" is only ever
// written by the server.
(function () {
  "use strict";

  const bar = document.getElementById("not-saved");
  if (!window.review || !bar) return;

  function warn(status) {
    bar.hidden = false;
    const said = bar.querySelector("[data-status]");
    said.textContent = said.getAttribute("data-" + status) || said.getAttribute(status ? "data-other" : "data-offline");
  }

  function clear() { bar.hidden = true; }

  // The server's words ("said"), or that they do not hold for what was done since.
  function tell(state) {
    const saved = document.getElementById("saved");
    if (!saved) return;
    if (saved.dataset.said === undefined) saved.dataset.said = saved.textContent;
    saved.textContent = saved.dataset[state];
    saved.classList.toggle("unsaved", state === "unsaved");
    saved.classList.toggle("saving", state === "saving");
  }

  bar.querySelector("button").addEventListener("click", function () {
    if (window.review.isUnsent()) window.review.again();
    else window.location.reload();
  });
  window.addEventListener("offline", function () { warn(0); });

  window.review.sign = { warn: warn, clear: clear, tell: tell };
})();
