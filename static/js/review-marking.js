// The words that a person has marked, in the answer with their place and in the source.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review || !window.review.whenIdle) return;

  // The last words marked in the source; marking in the answer afterwards leaves them standing.
  let markedInSource = "";
  document.addEventListener("selectionchange", function () {
    const selection = window.getSelection();
    const source = document.getElementById("source");
    if (!source || !selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    if (source.contains(range.commonAncestorContainer)) markedInSource = squeezed(selection.toString()).trim();
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.detail.target && event.detail.target.id === "source") markedInSource = "";
  });
  document.addEventListener("review:shown", function () { markedInSource = ""; });

  function markedWords() {
    const answer = document.getElementById("answer-text");
    const selection = window.getSelection();
    if (!answer || !selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!answer.contains(range.commonAncestorContainer)) return null;
    const words = squeezed(range.toString()).trim();
    if (!words) return null;
    const before = document.createRange();
    before.setStart(answer, 0);
    before.setEnd(range.startContainer, range.startOffset);
    return { text: words, occurrence: occurrencesBefore(squeezed(before.toString()), squeezed(answer.textContent), words) };
  }

  function squeezed(text) { return text.replace(/\s+/g, " "); }

  function occurrencesBefore(before, whole, words) {
    let count = 0;
    for (let place = whole.indexOf(words); place >= 0; place = whole.indexOf(words, place + 1)) {
      count += 1;
      if (place >= before.length - 1) break;
    }
    return count || 1;
  }

  window.review.markedInAnswer = markedWords;
  window.review.markedInSource = function () { return markedInSource; };
})();
