// Words marked in an official text become a quotation: their places go into the form, the server copies the words.
(function () {
  "use strict";

  const official = document.getElementById("official");
  const form = document.getElementById("quote-form");
  if (!official || !form) return;
  const chosen = document.getElementById("chosen");
  const words = document.getElementById("chosen-words");

  // Places count code points, as the server does; a string of JavaScript counts UTF-16 units.
  function place(node, offset) {
    const holder = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".words");
    if (!holder || node.nodeType !== Node.TEXT_NODE) return null;
    return Number(holder.dataset.start) + Array.from(node.data.slice(0, offset)).length;
  }

  document.addEventListener("selectionchange", function () {
    const selection = window.getSelection();
    if (selection.isCollapsed || !official.contains(selection.anchorNode) || !official.contains(selection.focusNode)) return;
    const range = selection.getRangeAt(0);
    const start = place(range.startContainer, range.startOffset);
    const end = place(range.endContainer, range.endOffset);
    if (start === null || end === null || end <= start) return;
    form.elements.start.value = start;
    form.elements.end.value = end;
    words.textContent = selection.toString();
    chosen.hidden = false;
    official.querySelectorAll("input").forEach((box) => { box.checked = false; });
  });

  official.addEventListener("change", function () {
    form.elements.start.value = "";
    form.elements.end.value = "";
    chosen.hidden = true;
  });
})();
