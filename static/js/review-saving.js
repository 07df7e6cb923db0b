// The saves of the card page: one request at a time, each on the page as it has become, and none lost. A save is kept in
// this browser before it is sent. One that fails stays in a list, in the order in which it was made, and is sent again as
// soon as the server can be reached.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review) return;
  const saves = window.review.saves, kept = window.review.kept, sign = window.review.sign, conflict = window.review.conflict;
  // Without them htmx sends each form by itself.
  if (!kept || !sign || !conflict) return;
  const FIRST_PAUSE_MS = 2000, LONGEST_PAUSE_MS = 60000;

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
  // What an earlier page left, until the person says what becomes of it.
  let earlier = [];

  function isSave(act) { return typeof act !== "function"; }

  function take(save) {
    ahead = [];
    // What waits was asked for after it.
    if (!busy && !unsent.length) { send(save); return; }
    saves.add(unsent.length ? unsent : waiting, save, current);
    keep();
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
      if (isSave(act)) send(act);
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

  function forward() {
    if (conflict.isOpen()) round = [];
    while (round.length) {
      const save = round.shift();
      if (!unsent.includes(save)) continue;
      if (skipped.includes(save.address)) continue;
      send(save);
      return;
    }
    const worthTrying = unsent.some(function (save) { return save.status === 0 || save.status === 429 || save.status >= 500; });
    window.clearTimeout(timer);
    if (!worthTrying || conflict.isOpen()) return;
    timer = window.setTimeout(again, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  // All that the server has not acknowledged. An approval is asked for anew.
  function keep() {
    const underWay = current && !unsent.includes(current) ? [current] : [];
    const open = conflict.saves().concat(unsent, underWay, waiting.filter(isSave));
    return kept.write(open.filter(function (save) { return !saves.leaves(save); }));
  }

  function send(save) {
    busy = true;
    current = save;
    told();
    keep().then(function () { if (current === save) post(save); });
  }

  function post(save) {
    const values = new FormData();
    save.values.forEach(function (pair) { values.append(pair[0], pair[1]); });
    const citation = document.getElementById("citation");
    if (citation) values.set("selected", citation.dataset.number);
    if (new URLSearchParams(window.location.search).get("raw") === "1") values.set("raw", "1");
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
    const submitter = cause && cause.submitter;
    if (form && saves.isForm(form)) {
      event.preventDefault();
      if (form.noValidate || form.reportValidity()) take(saves.of(form, event.detail.path, submitter));
    } else if (busy) {
      event.preventDefault();
      waiting.push(function () { repeat(element.id, submitter && submitter.id); });
    }
  });

  // A choice that was made before htmx listened only stands on the page: it is saved now. Nothing else can differ from
  // what the server sent, as these forms tell the browser not to bring choices back.
  document.addEventListener("htmx:load", function () {
    document.querySelectorAll('.screen form[hx-trigger^="change"]').forEach(function (form) {
      const early = Array.from(form.elements).filter(function (field) { return field.checked !== field.defaultChecked; });
      const said = early.find(function (field) { return field.checked; }) || early[0];
      if (said) said.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }, { once: true });

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
    if (!event.detail.elt.closest(".screen")) return;
    busy = true;
    told();
  });

  // The last word of a request, after everything of its reply is in place; "review:settled" is for what else must be.
  document.addEventListener("htmx:afterRequest", function (event) {
    if (!event.detail.elt.closest(".screen")) return;
    settle(event.detail);
    document.dispatchEvent(new CustomEvent("review:settled"));
    // htmx is done with a request a moment after it has said so.
    window.queueMicrotask(next);
  });

  function settle(detail) {
    const save = current;
    const status = statusOf(detail);
    isSignedOut = status === 401;
    const isLeaving = status === 200 && detail.xhr.getResponseHeader("HX-Redirect");
    current = null;
    if (status === 409 || status === 422) refused(save, status);
    else if (detail.successful || isLeaving) done(save);
    else failed(save, status, detail.requestConfig.verb);
    keep();
    told();
  }

  // 0 where the server was not reached: somebody else may answer in its place as if all was well.
  function statusOf(detail) {
    if (detail.xhr.getResponseHeader("Session-Ended")) return 401;
    return detail.failed && detail.xhr.status < 400 ? 0 : detail.xhr.status;
  }

  function done(save) {
    pause = FIRST_PAUSE_MS;
    if (save) {
      unsent = unsent.filter(function (each) { return each !== save; });
      advance(Number(saves.versionOf(save)));
      document.dispatchEvent(new CustomEvent("review:acknowledged", { detail: save }));
    }
    if (unsent.length && !round.length) again();
    if (unsent.length) return;
    sign.clear();
    waiting = ahead.splice(0).concat(waiting);
  }

  // A save that was made on the same page as this one is now the next step from it.
  function advance(version) {
    const saved = document.getElementById("saved");
    const reached = String(Math.min(version + 1, Number(saved ? saved.dataset.version : version)));
    unsent.concat(waiting).forEach(function (save) {
      if (isSave(save) && saves.versionOf(save) === String(version)) saves.setVersion(save, reached);
    });
  }

  // What was refused stands on the page with its reason. The rest waits until that is settled.
  function refused(save, status) {
    unsent = unsent.filter(function (each) { return each !== save; });
    if (save && status === 409) conflict.begin(Object.assign(save, { status: status }));
    stop();
    ahead = [];
    unsent = unsent.filter(function (each) { return !saves.leaves(each); });
    if (unsent.length) sign.warn(409);
    else sign.clear();
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
    if (save || verb !== "get") sign.warn(status);
  }

  // Keys that were pressed meanwhile meant a page that did not come; saves meant the one that is here.
  function stop(going) {
    const left = waiting.filter(isSave);
    ahead = ahead.concat(waiting.filter(function (act) { return !isSave(act); }));
    waiting = [];
    left.forEach(function (save) { saves.add(unsent, save, current); });
    round = going ? going.concat(left) : [];
  }

  function told() {
    const isSettled = !unsent.length && !conflict.isOpen();
    sign.tell(!isSettled ? "unsaved" : current || waiting.some(isSave) ? "saving" : "said");
  }

  window.addEventListener("online", function () {
    pause = FIRST_PAUSE_MS;
    if (unsent.length) again();
    else sign.clear();
  });
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) return;
    if (timer && unsent.length) again();
    lookForEarlier();
  });

  // The browser asks before the page is left; who is led to the sign-in page comes back to what is kept.
  let isSignedOut = false;
  window.addEventListener("beforeunload", function (event) {
    if (unsent.length && !isSignedOut) event.preventDefault();
  });

  // A page that is gone may have left saves. Where it had heard of a failure the person is asked; what was only under way
  // is sent on, under the key of its form, so that nothing is done twice if the server has it after all.
  function lookForEarlier() {
    const card = main.dataset.card;
    kept.look().then(function (found) {
      if (!found.length || card !== main.dataset.card) return;
      earlier = earlier.concat(found);
      if (earlier.every(function (save) { return save.status === undefined; })) sendFromEarlierVisit();
      else document.dispatchEvent(new CustomEvent("review:found"));
    });
  }

  function sendFromEarlierVisit() {
    kept.settle();
    unsent = earlier.splice(0).map(function (save) { return Object.assign(save, { isEarlier: true }); }).concat(unsent);
    if (!unsent.length) return;
    keep();
    again();
    told();
  }

  function dropFromEarlierVisit() {
    earlier = [];
    kept.settle();
    keep();
  }

  // The form that a request sends for, also where it is sent again without it. The form of an earlier page is not the one
  // that stands here: nothing was typed into it.
  function formOf(config) {
    if (config.elt !== main) return config.elt && config.elt.closest("form");
    return current && !current.isEarlier ? document.getElementById(current.form) : null;
  }

  // Another card is shown in this page: nothing of the one before is left, and what other cards did to it is read again.
  document.addEventListener("review:shown", function (event) {
    waiting = [];
    ahead = [];
    unsent = [];
    round = [];
    earlier = [];
    current = null;
    sign.clear();
    lookForEarlier();
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

  Object.assign(window.review, {
    whenIdle: whenIdle, show: show, formOf: formOf, again: again,
    isUnsent: function () { return unsent.length > 0; },
    // In place of a conflict, and with the last save that had failed, everything is to come.
    wantsAll: function () { return conflict.isOpen() || (unsent.length === 1 && unsent[0] === current); },
    fromEarlierVisit: function () { return earlier; },
    sendFromEarlierVisit: sendFromEarlierVisit, dropFromEarlierVisit: dropFromEarlierVisit,
  });
  lookForEarlier();
})();
