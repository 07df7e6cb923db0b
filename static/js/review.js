// The keyboard of the card page. Which key does what stands in the key sheet of the page, made by the server from one
// registry; this script only listens, finds the element that the key stands for, and keeps requests in order.
(function () {
  "use strict";

  const main = document.getElementById("main");
  const sheet = document.getElementById("keys");
  if (!main || !main.dataset.card || !sheet) return;
  document.documentElement.classList.add("js");

  const bindings = Array.from(sheet.querySelectorAll("[data-key]"), function (row) {
    return { key: row.dataset.key, run: row.dataset.run, context: row.dataset.context };
  });
  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const one = function (selector) { return document.querySelector(selector); };
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };

  // One request at a time. What is asked for meanwhile waits and is then done on the page as it has become.
  let busy = false;
  const waiting = [];
  let choice = "";

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
  // The last word of a request, after everything of its reply is in place.
  document.addEventListener("htmx:afterRequest", function (event) {
    const status = event.detail.xhr.status;
    if (event.detail.xhr.getResponseHeader("HX-Reswap") === "none") renewForms();
    const refused = document.getElementById("refused");
    if (refused) refused.scrollIntoView({ block: "nearest" });
    else showChosen();
    if (!event.detail.successful) waiting.length = 0;
    if (event.detail.requestConfig.verb !== "get") {
      if (event.detail.successful || status === 409 || status === 422) allSaved();
      else notSaved(event.detail);
    }
    unfolded.splice(0).forEach(function (id) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    });
    keepFocus();
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

  // The focus never falls back to the top of the page: what had it, else what it stood in, else the pane.
  let trail = [];
  let pane = null;
  // What a person unfolded stays so; only what the form itself stands in is drawn as the server says.
  let unfolded = [];
  document.addEventListener("htmx:beforeSwap", function (event) {
    const config = event.detail.requestConfig;
    const form = config && config.elt && config.elt.closest("form");
    unfolded = all("#card details[id][open], #citations details[id][open]").filter(function (fold) {
      return fold.id !== "no-error-fold" && !(form && (fold.contains(form) || form.contains(fold)));
    }).map(function (fold) { return fold.id; });
    trail = [];
    pane = document.activeElement && document.activeElement.closest(".pane");
    for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) if (at.id) trail.push(at.id);
  });

  function keepFocus() {
    if (document.activeElement && document.activeElement !== document.body) return;
    if (!trail.length) return;
    if (trail.includes("citation")) trail.unshift("citation");
    for (const id of trail) {
      const place = id === "citation" ? one(".cite[aria-current]") : document.getElementById(id);
      const target = place && (place.matches(FOCUSABLE) ? place : place.id === "card" || place.matches(".pane, main") ? null : place.querySelector(FOCUSABLE));
      if (target && !target.disabled) { target.focus({ preventScroll: true }); return; }
    }
    (pane && pane.isConnected ? pane : main).focus({ preventScroll: true });
  }

  // What the keys stand for, where it is more than pressing the element of that name.
  const acts = {
    "next-citation": function () { step(1, ".cite"); },
    "previous-citation": function () { step(-1, ".cite"); },
    "next-open": function () { step(1, ".cite[data-open]"); },
    "next-criterion": nextCriterion,
    "toggle-source": toggleSource,
    "earlier-edition": function () { press(one("#source a[rel=prev]")); },
    "later-edition": function () { press(one("#source a[rel=next]")); },
    "show-keys": function () { sheet.showModal(); },
    "new-finding": function () { newFinding(markedWords()); },
    "missed-citation": function () { missedCitation(markedWords()); },
    "fold-question": function () { toggle("fold-question"); },
    "fold-key": function () { toggle("fold-key"); },
    "fold-trace": function () { toggle("fold-trace"); },
    "no-error": noError,
    "park": function () { ask("park"); },
    "ask-ruling": function () { ask("ruling"); },
    "edit-evidence": function () { unfold(focusedCriterion(), "textarea"); },
    "rule": function () {
      if (focusedCriterion()) unfold(focusedCriterion(), "");
      else toggle("rule-citation");
    },
    "approve": approve,
  };

  function press(element) {
    if (element && !element.disabled) element.click();
  }

  function run(name) {
    if (name === "new-finding" || name === "missed-citation") {
      // What is marked now counts, not what is left of it after a reply.
      const marked = markedWords();
      whenIdle(function () { (name === "new-finding" ? newFinding : missedCitation)(marked); });
      return;
    }
    whenIdle(acts[name] || function () { press(one('[data-do="' + name + '"]')); });
  }

  // After a citation was decided the list shows the next one only when asked: the eye stays where it is.
  function step(by, selector) {
    const list = all(".cite");
    const here = list.findIndex(function (item) { return item.hasAttribute("aria-current"); });
    const wanted = all(selector);
    // What is open is looked for all round: one decided in between must not hide those before it.
    const round = selector !== ".cite";
    let place = here;
    for (let tried = 0; tried < list.length; tried += 1) {
      place += by;
      if (round) place = (place + list.length) % list.length;
      if (place < 0 || place >= list.length) return;
      if (wanted.includes(list[place])) {
        choice = list[place].id;
        press(list[place]);
        return;
      }
    }
  }

  function showChosen() {
    const number = document.getElementById("citation") && document.getElementById("citation").dataset.number;
    const item = number && document.getElementById("cite-" + number);
    if (!item) return;
    if (choice === item.id) item.focus({ preventScroll: true });
    choice = "";
    item.scrollIntoView({ block: "nearest" });
    const place = document.getElementById("citation-" + number);
    // On a narrow window the panes lie side by side: what was chosen in one does not pull the other into view.
    if (place && window.matchMedia("(min-width: 800px)").matches) place.scrollIntoView({ block: "nearest" });
  }

  function nextCriterion() {
    const forms = all("form.crit");
    const here = forms.indexOf(focusedCriterion());
    const order = forms.slice(here + 1).concat(forms.slice(0, here + 1));
    const target = order.find(function (form) { return form.classList.contains("undecided"); }) || order[0];
    const field = target && (target.querySelector("input[name=points]:checked") || target.querySelector("input[name=points]"));
    if (field) field.focus();
  }

  function focusedCriterion() {
    return document.activeElement && document.activeElement.closest("form.crit");
  }

  function unfold(root, field) {
    const fold = root && root.querySelector("details");
    if (!fold) return;
    fold.open = field ? true : !fold.open;
    const target = field && fold.querySelector(field);
    if (target) target.focus();
  }

  function toggle(id) {
    const fold = document.getElementById(id);
    if (fold) fold.open = !fold.open;
  }

  function setPoints(digit) {
    const form = focusedCriterion();
    if (!form) return false;
    const options = Array.from(form.querySelectorAll("input[name=points][type=radio]"));
    const option = options.find(function (each) { return each.value === digit; });
    if (option && !option.disabled && !option.checked) {
      option.focus();
      option.checked = true;
      option.dispatchEvent(new Event("change", { bubbles: true }));
    }
    return true;
  }

  function toggleSource() {
    main.classList.toggle("no-source");
    const hidden = main.classList.contains("no-source");
    try { window.localStorage.setItem("lexreview:no-source", hidden ? "1" : ""); } catch (error) { /* not remembered */ }
  }

  function ask(name) {
    const fold = document.getElementById(name);
    if (!fold) return;
    fold.open = true;
    const field = fold.querySelector("textarea, select");
    if (field) field.focus();
  }

  function noError() {
    const reason = document.getElementById("why-no-error");
    if (reason && !reason.value.trim()) {
      document.getElementById("no-error-fold").open = true;
      reason.focus();
    } else {
      press(document.getElementById("no-error") || document.getElementById("confirm-without-error"));
    }
  }

  function approve() {
    const confirmation = document.getElementById("confirm-unchecked");
    const button = document.getElementById("approve");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") {
      const blocked = document.getElementById("blocked");
      if (blocked) { blocked.open = true; blocked.querySelector("a").focus(); }
    } else if (confirmation && !confirmation.checked) {
      confirmation.focus();
      confirmation.checked = true;
    } else {
      press(button);
    }
  }

  // The words that are marked in the answer become the claim; the server looks up where they stand.
  function newFinding(marked) {
    const fold = document.getElementById("new-finding");
    if (!fold) return;
    fold.open = true;
    if (marked) {
      fill(fold, "claim", marked.text);
      fold.querySelector("[name=occurrence]").value = marked.occurrence;
    }
    const source = document.getElementById("source");
    if (source && source.dataset.edition) {
      // Where it was checked is what is open beside it now, which may be another edition than the page came with.
      fill(fold, "checked_source", source.dataset.source);
      fill(fold, "checked_address", source.dataset.address);
      fill(fold, "checked_edition", source.dataset.edition);
    }
    if (markedInSource) fill(fold, "source_says", markedInSource);
    fold.querySelector("select").focus();
    fold.scrollIntoView({ block: "nearest" });
  }

  function fill(root, name, value) {
    const field = root.querySelector("[name=" + name + "]");
    if (!field || !value) return;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

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

  function missedCitation(marked) {
    const fold = document.getElementById("missed");
    if (!fold) return;
    const quote = document.getElementById("missed-quote");
    if (marked) {
      quote.value = marked.text;
      document.getElementById("missed-occurrence").value = marked.occurrence;
      press(document.getElementById("add-citation"));
    } else {
      fold.open = true;
      quote.focus();
    }
  }

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

  // Letters by what is typed, digits by their place, so that every keyboard has them.
  function typed(event) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    if (digit && !event.shiftKey) return digit[1];
    if (event.key.length !== 1) return event.key;
    // Caps Lock changes the letter that arrives, and not what is meant.
    return event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
  }

  function isField(element) {
    if (element.closest("dialog")) return true;
    if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
    return element.tagName === "INPUT" && !["radio", "checkbox", "button", "submit"].includes(element.type);
  }

  // Enter belongs to the control that has the focus, except on what it would only do again.
  function enterIsFree(element) {
    if (element.matches(".cite[aria-current]")) return true;
    return !element.closest("a, button, summary, dialog");
  }

  function find(key, contexts) {
    return bindings.find(function (binding) { return binding.key === key && contexts.includes(binding.context); });
  }

  function keysAreOn() { return document.getElementById("keys-on").checked; }

  document.addEventListener("keydown", function (event) {
    if (event.defaultPrevented || event.isComposing) return;
    const element = event.target instanceof Element ? event.target : document.body;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      if (element.closest("dialog") || element.closest(".menu")) return;
      event.preventDefault();
      element.blur();
      run("approve");
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !isField(element)) {
      event.preventDefault();
      run("undo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(element)) {
      if (event.key === "Escape" && !element.closest("dialog")) { element.blur(); main.focus({ preventScroll: true }); }
      return;
    }
    const key = typed(event);
    if (!keysAreOn()) return;
    if (/^\d$/.test(key) && setPoints(key)) { event.preventDefault(); return; }
    if (key === "Enter" && !enterIsFree(element)) return;
    if (key.startsWith("Arrow") && element.matches("input")) return;
    const binding = (focusedCriterion() && find(key, ["criterion"])) || find(key, ["card", "citation"]);
    if (!binding) return;
    event.preventDefault();
    run(binding.run);
  });

  document.addEventListener("click", function (event) {
    const own = event.target.closest('[data-do="show-keys"], [data-do="toggle-source"]');
    const missed = event.target.closest('summary[data-do="missed-citation"]');
    if (missed && markedWords()) {
      event.preventDefault();
      run("missed-citation");
      return;
    }
    if (own) {
      event.preventDefault();
      acts[own.dataset.do]();
      return;
    }
    // A citation in the answer is chosen by its line in the list, which also notes that it was opened.
    const place = event.target.closest("a.hl[data-citation]");
    const line = place && document.getElementById("cite-" + place.dataset.citation);
    if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    whenIdle(function () { press(document.getElementById(line.id)); });
  });

  // Another card is shown in this page: nothing of the one before is left, and what other cards did to it is read again.
  document.addEventListener("review:shown", function (event) {
    waiting.length = 0;
    trail = [];
    unfolded = [];
    choice = "";
    markedInSource = "";
    allSaved();
    showChosen();
    if (event.detail.kept) whenIdle(function () {
      window.htmx.ajax("GET", main.dataset.beside, { source: main, target: "#card", swap: "outerHTML" });
    });
  });

  try { if (window.localStorage.getItem("lexreview:no-source")) main.classList.add("no-source"); } catch (error) { /* shown */ }
  showChosen();
})();
