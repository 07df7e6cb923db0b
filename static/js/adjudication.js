// Keys of the adjudication page. Everything is a plain form; this only moves the focus and ticks a side.
(function () {
  "use strict";

  document.documentElement.classList.add("js");
  const items = Array.from(document.querySelectorAll("[data-item]"));
  const finish = document.getElementById("finish-reason");

  function current() {
    return document.activeElement.closest("[data-item]");
  }

  function go(item) {
    if (item) item.focus();
  }

  function take(item, side) {
    const radio = item && item.querySelector('[data-take="' + side + '"]');
    if (!radio) return false;
    radio.checked = true;
    const next = item.querySelector(side === "o" ? "[name=own]" : "[name=reason]");
    if (next) next.focus();
    return true;
  }

  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey) {
      const form = event.key === "Enter" && event.target.closest("main form");
      if (form) {
        event.preventDefault();
        form.requestSubmit();
      }
      return;
    }
    const field = event.target.closest("input:not([type=radio]), select, textarea");
    if (event.key === "Escape" && field) {
      go(field.closest("[data-item]"));
      return;
    }
    if (field) return;
    const item = current();
    const place = items.indexOf(item);
    const digit = /^Digit([1-9])$/.exec(event.code);
    let done = true;
    if (event.key === "j") go(items[Math.min(place + 1, items.length - 1)]);
    else if (event.key === "k") go(items[Math.max(place - 1, 0)]);
    else if (digit && !event.shiftKey) done = take(item, digit[1]);
    else if (event.key === "o") done = take(item, "o");
    else done = false;
    if (done) event.preventDefault();
  });

  // After a decision the page comes back at the thing decided: go on to the next that is open, or to the end.
  const open = items.filter((item) => !item.classList.contains("chosen"));
  const refused = document.getElementById("refused");
  if (refused) refused.focus();
  else if (open.length) go(open[0]);
  else if (finish) finish.focus();
})();
