// Forms that are sent only when asked: a finding, a missed citation, a reason. Ctrl+Enter in one of their fields sends
// that form, and a card is not approved over one that was begun and not sent, nor over what an earlier visit left unsaved.
(function () {
  "use strict";

  const main = document.getElementById("main");
  const bar = document.getElementById("half-written");
  if (!main || !main.dataset.card || !window.review || !window.review.drafts || !bar) return;
  const drafts = window.review.drafts;

  function savesItself(form) { return (form.getAttribute("hx-trigger") || "").startsWith("change"); }

  function formOf(field) {
    const form = field.closest("form[hx-post]");
    return form && form.closest(".screen") && !savesItself(form) ? form : null;
  }

  function sendForm(field) {
    const form = formOf(field);
    if (form) form.requestSubmit();
    return Boolean(form);
  }

  // What is begun: on the page, or kept for another citation than the one that is shown.
  function begun() {
    const fields = Array.from(document.querySelectorAll(".screen [data-draft]"));
    const onPage = fields.filter(function (field) { return formOf(field) && !drafts.isAsServed(field); });
    const names = fields.filter(function (field) { return !formOf(field) || onPage.includes(field); })
      .map(function (field) { return field.dataset.draft; });
    const elsewhere = drafts.stored().filter(function (draft) { return draft.asked && !names.includes(draft.name); });
    return { onPage: onPage, elsewhere: elsewhere };
  }

  function mayLeave() {
    const kept = document.getElementById("kept");
    if (kept && !kept.hidden) {
      kept.querySelector("[data-save]").focus();
      return false;
    }
    const found = begun();
    const isClear = !found.onPage.length && !found.elsewhere.length;
    if (!isClear) show(found);
    return isClear;
  }

  function show(found) {
    const list = bar.querySelector("ul");
    list.replaceChildren();
    found.onPage.forEach(function (field) { list.append(drafts.line(drafts.nameOf(field), field.value)); });
    found.elsewhere.forEach(function (draft) { list.append(drafts.line(draft.label, draft.text)); });
    bar.hidden = false;
    const field = found.onPage[0];
    if (!field) return;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    field.focus();
  }

  function recheck() {
    if (bar.hidden) return;
    const found = begun();
    if (!found.onPage.length && !found.elsewhere.length) bar.hidden = true;
  }

  bar.querySelector("button").addEventListener("click", function () {
    const found = begun();
    found.onPage.forEach(drafts.dropFrom);
    found.elsewhere.forEach(drafts.drop);
    bar.hidden = true;
    const approve = document.getElementById("approve");
    if (approve) approve.focus();
  });
  document.addEventListener("input", recheck);
  document.addEventListener("htmx:afterRequest", recheck);
  document.addEventListener("review:shown", function () { bar.hidden = true; });

  Object.assign(window.review, { mayLeave: mayLeave, sendForm: sendForm });
})();
