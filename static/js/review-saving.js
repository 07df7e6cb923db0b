// Requests of the card page go one after another, and what the page says of them is true: "Saved" is the server's word, and
// a bar stands until the server has what was asked for. Other scripts wait their turn with review.whenIdle().
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !document.getElementById("keys")) return;
  document.documentElement.classList.add("js");
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };

  // One request at a time. What is asked for meanwhile waits and is then done on the page as it has become.
  let busy = false;
  const waiting = [];

  function whenIdle(act) {
    if (busy) waiting.push(act);
    else act();
  }

  function next() {
    busy = false;
    const act = waiting.shift();
    if (act) act();
  }

  function snapshot(form) {
    return Array.from(form.elements).filter(function (field) { return field.id && field.type !== "hidden"; })
      .map(function (field) { return { id: field.id, value: field.value, checked: field.checked }; });
  }

  function replay(form, fields, button) {
    fields.forEach(function (was) {
      const field = document.getElementById(was.id);
      if (!field || field.form !== form) return;
      if (field.type === "radio" || field.type === "checkbox") field.checked = was.checked;
      else field.value = was.value;
    });
    // A click and not a submission: htmx learns from the click which button it was.
    if (button && button.form === form) button.click();
    else form.requestSubmit();
  }

  // Evidence that is written before the points are chosen waits in its field.
  function isEarly(form, event) {
    if (!form || !form.matches("form.crit") || !event || event.type !== "change") return false;
    return event.target.matches("[data-draft]") && !form.querySelector("[name=points]:checked, [name=points][type=number]");
  }

  document.addEventListener("htmx:confirm", function (event) {
    const element = event.detail.elt;
    if (!element.closest(".screen")) return;
    const cause = event.detail.triggeringEvent;
    const form = element.closest("form");
    if (isEarly(form, cause)) event.preventDefault();
    if (!busy || event.defaultPrevented) return;
    event.preventDefault();
    const submitter = cause && cause.submitter;
    const fields = form ? snapshot(form) : [];
    waiting.push(function () {
      const target = document.getElementById(element.id);
      if (!target) next();
      else if (target.tagName === "FORM") replay(target, fields, submitter && document.getElementById(submitter.id));
      else target.click();
    });
  });
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (event.detail.elt.closest(".screen")) busy = true;
  });
  // The server is told which version the page shows. Where an act was the one step from it, the reply brings only what
  // it changed, and what stays here is right for the new version.
  document.addEventListener("htmx:configRequest", function (event) {
    const saved = document.getElementById("saved");
    if (saved && event.detail.elt.closest(".screen")) event.detail.headers["Page-Version"] = saved.dataset.version;
  });

  function renewForms() {
    const version = document.getElementById("saved").dataset.version;
    const citation = document.getElementById("citation");
    all(".screen input[name=version]").forEach(function (field) { field.value = version; });
    if (citation) all(".screen input[name=selected]").forEach(function (field) { field.value = citation.dataset.number; });
  }

  // A part that is as it was stays untouched: marked words stay marked, nothing flickers.
  document.addEventListener("htmx:oobBeforeSwap", function (event) {
    const part = event.detail.fragment.firstElementChild;
    if (part && part.id === event.detail.target.id && part.innerHTML === event.detail.target.innerHTML) event.detail.shouldSwap = false;
  });
  // The last word of a request, after everything of its reply is in place; "review:settled" is for what else must be.
  document.addEventListener("htmx:afterRequest", function (event) {
    const status = event.detail.xhr.status;
    if (event.detail.xhr.getResponseHeader("HX-Reswap") === "none") renewForms();
    if (!event.detail.successful) waiting.length = 0;
    if (event.detail.requestConfig.verb !== "get") {
      if (event.detail.successful || status === 409 || status === 422) allSaved();
      else notSaved(event.detail);
    }
    document.dispatchEvent(new CustomEvent("review:settled"));
    next();
  });
  ["htmx:sendError", "htmx:sendAbort", "htmx:timeout"].forEach(function (name) {
    document.addEventListener(name, function () { waiting.length = 0; busy = false; });
  });

  // "Saved" is only ever written by the server. When a reply does not come, this takes it back, and a bar stays until
  // the server has what was asked for.
  const bar = document.getElementById("not-saved");
  let failed = null;

  function notSaved(detail) {
    const saved = document.getElementById("saved");
    if (saved) {
      saved.classList.remove("ok");
      saved.classList.add("unsaved");
      saved.textContent = saved.dataset.unsaved;
    }
    const form = detail.elt.closest("form");
    const cause = detail.requestConfig.triggeringEvent;
    const button = cause && cause.submitter;
    if (form) failed = { form: form.id, fields: snapshot(form), button: button ? button.id : "" };
    showBar(detail.xhr.status);
  }

  function showBar(status) {
    if (!bar) return;
    bar.hidden = false;
    const said = bar.querySelector("[data-status]");
    said.textContent = said.getAttribute("data-" + status) || said.getAttribute(status ? "data-other" : "data-offline");
  }

  function allSaved() {
    failed = null;
    if (bar) bar.hidden = true;
  }

  function tryAgain() {
    const was = failed;
    const form = was && document.getElementById(was.form);
    if (!form) { window.location.reload(); return; }
    whenIdle(function () { replay(form, was.fields, was.button && document.getElementById(was.button)); });
  }

  if (bar) bar.querySelector("button").addEventListener("click", tryAgain);
  window.addEventListener("offline", function () { showBar(0); });
  window.addEventListener("online", function () {
    if (failed) tryAgain();
    else allSaved();
  });

  // Another card is shown in this page: nothing of the one before is left, and what other cards did to it is read again.
  document.addEventListener("review:shown", function (event) {
    waiting.length = 0;
    allSaved();
    if (event.detail.kept) whenIdle(function () {
      window.htmx.ajax("GET", main.dataset.beside, { source: main, target: "#card", swap: "outerHTML" });
    });
  });

  window.review = { whenIdle: whenIdle };
})();
