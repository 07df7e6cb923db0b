// The saves of the card page: one request at a time, each on the page as it has become, and none lost. A save that
// fails stays in a list, in the order in which it was made; the list is kept in this browser too, and is sent again as
// soon as the server can be reached. "Saved" is only ever written by the server.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !document.getElementById("keys")) return;
  document.documentElement.classList.add("js");
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };
  const FIRST_PAUSE_MS = 2000, LONGEST_PAUSE_MS = 60000;
  // What a later visit has to fill in anew.
  const OF_THE_PAGE = ["csrfmiddlewaretoken", "selected", "raw"];
  const TEXTS = ["note", "evidence", "reason"];
  const bar = document.getElementById("not-saved");

  let busy = false;
  let current = null;
  // Behind the request that is under way: saves, and functions for all other acts. `ahead`: those of them that meant the
  // page after a save that then failed; they are done once it is there, unless something else is done before.
  let waiting = [], ahead = [];
  let unsent = [];
  // Those of `unsent` whose turn it is; what failed in this round by itself waits for the next one.
  let round = [];
  let skipped = [];
  let pause = FIRST_PAUSE_MS, timer = 0;

  // A save is what a form would send, so that it needs neither the form nor the page that it was made on.
  function saveOf(form, address, entries) {
    const values = entries.filter(function (pair) { return !OF_THE_PAGE.includes(pair[0]) && typeof pair[1] === "string"; });
    return { form: form.id, address: address, values: values, words: wordsOf(form, values) };
  }

  function wordsOf(form, values) {
    const chosen = values.filter(function (pair) { return !["version", "form_key"].includes(pair[0]) && pair[1]; });
    const verdict = chosen.find(function (pair) { return pair[0] === "verdict"; });
    const button = verdict && form.querySelector('[name=verdict][value="' + CSS.escape(verdict[1]) + '"]');
    const name = form.dataset.criterion || nameOf(button || form.querySelector("[type=submit]"));
    const said = chosen.filter(function (pair) { return pair !== verdict; }).map(function (pair) { return pair[1]; });
    return { name: name, said: said.join(", ") };
  }

  function nameOf(element) {
    return element ? (element.title || element.textContent).replace(/\s+/g, " ").trim() : "";
  }

  function valueOf(save, name) {
    const pair = save.values.find(function (each) { return each[0] === name; });
    return pair ? pair[1] : "";
  }

  // Two forms ask for more than to be saved: one answers a conflict, which comes first, and one leaves the card.
  function isSave(form) { return Boolean(form.querySelector("[name=form_key]")) && form.id !== "form-keep"; }
  function leaves(save) { return save.form === "approval"; }

  function without(save, names) {
    return JSON.stringify(save.values.filter(function (pair) { return !names.includes(pair[0]); }));
  }

  function isSaveInLine(act) { return typeof act !== "function"; }

  // The same form sent twice is one save; of text that grows the last state counts.
  function add(list, save) {
    const last = list[list.length - 1] || current;
    if (last && last.address === save.address && without(last, []) === without(save, [])) return;
    if (last && last !== current && last.address === save.address && without(last, TEXTS) === without(save, TEXTS)) list.pop();
    // What is changed after an approval was asked for has to be looked at before it.
    if (list.length && leaves(list[list.length - 1])) list.pop();
    list.push(save);
  }

  function take(save) {
    ahead = [];
    add(unsent.length ? unsent : waiting, save);
    if (unsent.length) again();
    told();
  }

  // While what is unsent is only tried again, the page is the one that a person sees and means.
  function whenIdle(act) {
    ahead = [];
    if (busy && !unsent.length) waiting.push(act);
    else act();
  }

  function next() {
    busy = false;
    while (!busy && waiting.length) {
      const act = waiting.shift();
      if (isSaveInLine(act)) send(act);
      else act();
    }
    if (!busy) forward();
  }

  // Try what is unsent, in order, unless a conflict has to be settled first.
  function again() {
    window.clearTimeout(timer);
    round = unsent.slice();
    skipped = [];
    if (!busy) forward();
  }

  function isConflict() { return Boolean(document.getElementById("form-keep")); }

  function forward() {
    if (isConflict()) round = [];
    while (round.length) {
      const save = round.shift();
      if (!unsent.includes(save)) continue;
      if (skipped.includes(save.address)) continue;
      send(save);
      return;
    }
    const worthTrying = unsent.some(function (save) { return save.status === 0 || save.status >= 500; });
    window.clearTimeout(timer);
    if (!worthTrying || isConflict()) return;
    timer = window.setTimeout(again, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  function send(save) {
    const values = new FormData();
    save.values.forEach(function (pair) { values.append(pair[0], pair[1]); });
    const citation = document.getElementById("citation");
    if (citation) values.set("selected", citation.dataset.number);
    if (new URLSearchParams(window.location.search).get("raw") === "1") values.set("raw", "1");
    current = save;
    window.htmx.ajax("POST", save.address, { source: main, target: "#card", swap: "outerHTML", values: values })
      .catch(function () { /* said by the events of the request */ });
  }

  // Evidence that is written before the points are chosen waits in its field.
  function isEarly(form, event) {
    if (!form || !form.matches("form.crit") || !event || event.type !== "change") return false;
    return event.target.matches("[data-draft]") && !form.querySelector("[name=points]:checked, [name=points][type=number]");
  }

  document.addEventListener("htmx:confirm", function (event) {
    const element = event.detail.elt;
    const cause = event.detail.triggeringEvent;
    if (element === main || !element.closest(".screen")) return;
    const form = element.tagName === "FORM" ? element : null;
    if (isEarly(form, cause) || (form && form.id === "approval" && !window.review.mayLeave())) { event.preventDefault(); return; }
    const saves = form && isSave(form);
    if (!busy && !(saves && unsent.length)) return;
    event.preventDefault();
    if (!saves) waiting.push(function () { repeat(element.id, cause && cause.submitter && cause.submitter.id); });
    else if (form.noValidate || form.reportValidity()) take(saveOf(form, event.detail.path, entriesOf(form, cause && cause.submitter)));
  });

  // A choice that was made before htmx listened only stands on the page: it is saved now. Nothing else can differ from
  // what the server sent, as these forms tell the browser not to bring choices back.
  document.addEventListener("htmx:load", function () {
    all('.screen form[hx-trigger^="change"]').forEach(function (form) {
      const early = Array.from(form.elements).filter(function (field) { return field.checked !== field.defaultChecked; });
      const said = early.find(function (field) { return field.checked; }) || early[0];
      if (said) said.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }, { once: true });

  function entriesOf(form, submitter) {
    const entries = Array.from(new FormData(form));
    if (submitter && submitter.name) entries.push([submitter.name, submitter.value]);
    return entries;
  }

  // A citation that was opened meanwhile is a link where it was a form.
  function repeat(id, button) {
    const target = document.getElementById(id);
    if (!target) press(document.getElementById(id.replace(/^open-/, "cite-")));
    else if (target.tagName !== "FORM") press(target);
    else if (button) press(document.getElementById(button));
    else target.requestSubmit();
  }

  function press(element) {
    if (element && !element.disabled) element.click();
  }

  document.addEventListener("htmx:beforeRequest", function (event) {
    const element = event.detail.elt;
    if (!element.closest(".screen")) return;
    busy = true;
    if (element.tagName === "FORM" && isSave(element)) {
      current = saveOf(element, event.detail.requestConfig.path, Array.from(event.detail.requestConfig.formData));
    }
    told();
  });

  // The server is told which version the page shows. Where an act was the one step from it, the reply brings only what
  // it changed, and what stays here is right for the new version. In place of a conflict, and with the last save that
  // had failed, everything is to come.
  document.addEventListener("htmx:configRequest", function (event) {
    const saved = document.getElementById("saved");
    if (!saved || !event.detail.elt.closest(".screen")) return;
    if (isConflict() || (unsent.length === 1 && unsent[0] === current)) return;
    event.detail.headers["Page-Version"] = saved.dataset.version;
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
    if (!event.detail.elt.closest(".screen")) return;
    if (event.detail.xhr.getResponseHeader("HX-Reswap") === "none") renewForms();
    settle(event.detail);
    document.dispatchEvent(new CustomEvent("review:settled"));
    // htmx is done with a request a moment after it has said so.
    window.queueMicrotask(next);
  });

  function settle(detail) {
    const save = current;
    const status = detail.xhr.getResponseHeader("Session-Ended") ? 401 : detail.xhr.status;
    isSignedOut = status === 401;
    const isLeaving = status === 200 && detail.xhr.getResponseHeader("HX-Redirect");
    current = null;
    if (status === 409 || status === 422) refused(save);
    else if (detail.successful || isLeaving) done(save);
    else failed(save, status, detail.requestConfig.verb);
    keep();
    told();
  }

  function done(save) {
    pause = FIRST_PAUSE_MS;
    if (save) {
      unsent = unsent.filter(function (each) { return each !== save; });
      advance(Number(valueOf(save, "version")));
    }
    if (unsent.length && !round.length) again();
    if (unsent.length) return;
    hideBar();
    waiting = ahead.splice(0).concat(waiting);
  }

  // A save that was made on the same page as this one is now the next step from it.
  function advance(version) {
    const saved = document.getElementById("saved");
    const reached = String(Math.min(version + 1, Number(saved ? saved.dataset.version : version)));
    unsent.concat(waiting).forEach(function (save) {
      if (!isSaveInLine(save) || valueOf(save, "version") !== String(version)) return;
      save.values = save.values.map(function (pair) { return pair[0] === "version" ? ["version", reached] : pair; });
    });
  }

  // What was refused stands on the page with its reason. The rest waits until that is settled.
  function refused(save) {
    unsent = unsent.filter(function (each) { return each !== save; });
    stop();
    ahead = [];
    unsent = unsent.filter(function (each) { return !leaves(each); });
    if (unsent.length) showBar(409);
    else hideBar();
  }

  function failed(save, status, verb) {
    if (save) {
      save.status = status;
      if (!unsent.includes(save)) unsent.push(save);
    }
    // A refusal concerns this save alone; without a connection the others would fare no better.
    if (save && status >= 400 && status <= 500 && status !== 401 && status !== 429) {
      skipped.push(save.address);
      stop(round);
      ahead = [];
    } else {
      stop();
    }
    if (save || verb !== "get") showBar(status);
  }

  // Keys that were pressed meanwhile meant a page that did not come; saves meant the one that is here.
  function stop(going) {
    const saves = waiting.filter(isSaveInLine);
    ahead = ahead.concat(waiting.filter(function (act) { return !isSaveInLine(act); }));
    waiting = [];
    saves.forEach(function (save) { add(unsent, save); });
    round = going ? going.concat(saves) : [];
  }

  function showBar(status) {
    if (!bar) return;
    bar.hidden = false;
    const said = bar.querySelector("[data-status]");
    said.textContent = said.getAttribute("data-" + status) || said.getAttribute(status ? "data-other" : "data-offline");
  }

  function hideBar() { if (bar) bar.hidden = true; }

  // The sign in the top bar: the server's words, or that they do not hold for what was done since.
  function told() {
    const saved = document.getElementById("saved");
    if (!saved) return;
    if (saved.dataset.said === undefined) saved.dataset.said = saved.textContent;
    const isSaving = current || waiting.some(isSaveInLine);
    const state = unsent.length ? "unsaved" : isSaving ? "saving" : "said";
    saved.textContent = saved.dataset[state];
    saved.classList.toggle("unsaved", state === "unsaved");
    saved.classList.toggle("saving", state === "saving");
  }

  function tryAgain() {
    if (!unsent.length) window.location.reload();
    else again();
  }

  if (bar) bar.querySelector("button").addEventListener("click", tryAgain);
  window.addEventListener("offline", function () { showBar(0); });
  window.addEventListener("online", function () {
    pause = FIRST_PAUSE_MS;
    if (unsent.length) again();
    else hideBar();
  });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && timer && unsent.length) again();
  });

  // The browser asks before the page is left; who is led to the sign-in page comes back to what is kept.
  let isSignedOut = false;
  window.addEventListener("beforeunload", function (event) {
    if (unsent.length && !isSignedOut) event.preventDefault();
  });

  // Theirs is taken in place while other saves wait: a load would forget them.
  document.addEventListener("click", function (event) {
    const link = event.target.closest("#take-theirs");
    if (!link || !unsent.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.getAttribute("href"));
  });

  // What is unsent outlives the page. A save has the key of its form, so that nothing is done twice if the server has
  // it after all.
  function storage(change) {
    try { return change(window.localStorage); } catch (error) { return null; }
  }

  function place() { return "lexreview:unsent:" + main.dataset.person + ":" + main.dataset.card; }

  let earlier = [];

  function readEarlier() {
    const saves = storage(function (store) { return store.getItem(place()); });
    earlier = saves ? JSON.parse(saves).filter(function (save) { return !leaves(save); }) : [];
  }

  function keep() {
    const saves = earlier.concat(unsent);
    storage(function (store) {
      if (saves.length) store.setItem(place(), JSON.stringify(saves));
      else store.removeItem(place());
    });
  }

  function sendFromEarlierVisit() {
    unsent = earlier.concat(unsent);
    earlier = [];
    if (!unsent.length) return;
    again();
    told();
  }

  function dropFromEarlierVisit() {
    earlier = [];
    keep();
  }

  // The form that a request sends for, also where it is sent again without it.
  function formOf(config) {
    const id = config.elt === main && current && current.form;
    return id ? document.getElementById(id) : config.elt && config.elt.closest("form");
  }

  // Another card is shown in this page: nothing of the one before is left, and what other cards did to it is read again.
  document.addEventListener("review:shown", function (event) {
    waiting = [];
    ahead = [];
    unsent = [];
    round = [];
    current = null;
    hideBar();
    readEarlier();
    told();
    if (event.detail.kept) show(main.dataset.beside);
  });

  // Read something into this page, in its turn.
  function show(address) {
    whenIdle(function () {
      window.htmx.ajax("GET", address, { source: main, target: "#card", swap: "outerHTML" })
        .catch(function () { /* said by the events of the request */ });
    });
  }

  readEarlier();
  window.review = {
    whenIdle: whenIdle, show: show, formOf: formOf,
    fromEarlierVisit: function () { return earlier; },
    sendFromEarlierVisit: sendFromEarlierVisit, dropFromEarlierVisit: dropFromEarlierVisit,
    mayLeave: function () { return true; }, sendForm: function () { return false; },
  };
})();
