// What a save of the card page is: what its form would send, so that it needs neither the form nor the page that it was
// made on; and what a list of them becomes when one is added.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !document.getElementById("keys")) return;
  document.documentElement.classList.add("js");
  // What a later visit has to fill in anew.
  const OF_THE_PAGE = ["csrfmiddlewaretoken", "selected", "raw"];
  const TEXTS = ["note", "evidence", "reason"];

  function saveOf(form, address, submitter) {
    const entries = Array.from(new FormData(form));
    if (submitter && submitter.name) entries.push([submitter.name, submitter.value]);
    const values = entries.filter(function (pair) { return !OF_THE_PAGE.includes(pair[0]) && typeof pair[1] === "string"; });
    return { form: form.id, address: address, values: values, words: wordsOf(form, values), drafts: draftsOf(form) };
  }

  // Under which names a copy of what is sent lies in this browser, and what it says.
  function draftsOf(form) {
    return Array.from(form.querySelectorAll("[data-draft]"), function (field) { return [field.dataset.draft, field.value]; });
  }

  function wordsOf(form, values) {
    const chosen = values.filter(function (pair) { return !["version", "form_key"].includes(pair[0]) && pair[1]; });
    const verdict = chosen.find(function (pair) { return pair[0] === "verdict"; });
    const button = verdict && form.querySelector('button[name=verdict][value="' + CSS.escape(verdict[1]) + '"]');
    const name = form.dataset.criterion || nameOf(button || form.querySelector("[type=submit]"));
    const said = chosen.filter(function (pair) { return pair !== verdict; }).map(function (pair) { return pair[1]; });
    return { name: name, said: said.join(", ") };
  }

  function nameOf(element) {
    return element ? (element.title || element.textContent).replace(/\s+/g, " ").trim() : "";
  }

  function versionOf(save) {
    const pair = save.values.find(function (each) { return each[0] === "version"; });
    return pair ? pair[1] : "";
  }

  function setVersion(save, version) {
    save.values = save.values.map(function (pair) { return pair[0] === "version" ? ["version", version] : pair; });
  }

  // Two forms ask for more than to be saved: one answers a conflict, which comes first, and one leaves the card.
  function isSaveForm(form) { return Boolean(form.querySelector("[name=form_key]")) && form.id !== "form-keep"; }
  function leaves(save) { return save.form === "approval"; }

  function without(save, names) {
    return JSON.stringify(save.values.filter(function (pair) { return !names.includes(pair[0]); }));
  }

  // What a page that is gone had sent of a text, and what the next one put back into its field, have two keys.
  function isSameText(save, other) {
    const hasText = save.values.some(function (pair) { return TEXTS.includes(pair[0]) && pair[1]; });
    return hasText && without(save, ["version", "form_key"]) === without(other, ["version", "form_key"]);
  }

  // The same form sent twice is one save; of text that grows the last state counts. `current`: what is on its way.
  function add(list, save, current) {
    const last = list[list.length - 1] || current;
    if (last && last.address === save.address && without(last, []) === without(save, [])) return;
    const before = (current ? [current] : []).concat(list).filter(function (each) { return each.address === save.address; }).pop();
    if (before && isSameText(before, save)) return;
    if (last && last !== current && last.address === save.address && without(last, TEXTS) === without(save, TEXTS)) list.pop();
    // What is changed after an approval was asked for has to be looked at before it.
    if (list.length && leaves(list[list.length - 1])) list.pop();
    list.push(save);
  }

  window.review = {
    saves: { of: saveOf, isForm: isSaveForm, leaves: leaves, add: add, versionOf: versionOf, setVersion: setVersion },
    mayLeave: function () { return true; }, sendForm: function () { return false; }, wantsAll: function () { return false; },
  };
})();
