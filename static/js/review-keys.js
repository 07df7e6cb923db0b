// The keyboard of the card page. Which key does what stands in the key sheet of the page, made by the server from one
// registry; this script only listens and finds the element that the key stands for.
(function () {
  "use strict";

  const main = document.getElementById("main");
  const sheet = document.getElementById("keys");
  if (!main || !main.dataset.card || !sheet || !window.review || !window.review.whenIdle) return;
  const whenIdle = window.review.whenIdle;
  const markedWords = window.review.markedInAnswer;

  const bindings = Array.from(sheet.querySelectorAll("[data-key]"), function (row) {
    const words = row.querySelector("dd").textContent;
    return Object.assign({ words: words }, row.dataset);
  });
  const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];
  const one = function (selector) { return document.querySelector(selector); };
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };

  // What the keys stand for, where it is more than pressing the element of that name. Each says whether it did anything.
  const acts = {
    "next-citation": function () { return step(1, ".cite"); },
    "previous-citation": function () { return step(-1, ".cite"); },
    "next-open": function () { return step(1, ".cite[data-open]"); },
    "next-criterion": nextCriterion,
    "toggle-source": toggleSource,
    "earlier-edition": function () { return press(one("#source a[rel=prev]")); },
    "later-edition": function () { return press(one("#source a[rel=next]")); },
    "show-keys": function () { sheet.showModal(); return true; },
    "new-finding": newFinding,
    "missed-citation": missedCitation,
    "fold-question": function () { return toggle("fold-question"); },
    "fold-key": function () { return toggle("fold-key"); },
    "fold-trace": function () { return toggle("fold-trace"); },
    "no-error": noError,
    "park": function () { return ask("park"); },
    "ask-ruling": function () { return ask("ruling"); },
    "edit-evidence": editEvidence,
    "edit-finding": editFinding,
    "rule": function () { return unfold(focusedCriterion(), ""); },
    "classes": function () { return toggle("rule-citation"); },
    "approve": approve,
  };

  function press(element) {
    const isThere = Boolean(element) && !element.disabled && element.matches("a, button, summary, label");
    if (isThere) element.click();
    return isThere;
  }

  function run(name) {
    // What is marked now counts, not what is left of it after a reply.
    const marked = markedWords();
    whenIdle(function () {
      const did = acts[name] ? acts[name](marked) : press(one('[data-do="' + name + '"], [data-also="' + name + '"]'));
      if (!did) explain(name);
    });
  }

  // A key that can do nothing says why: where it looks, and where a screen reader hears it.
  function explain(name) {
    const binding = bindings.find(function (each) { return each.run === name && each.lacks; });
    if (!binding) return;
    const closed = "changes" in binding && one("#foot").dataset.closed;
    const isAlone = binding.context === "citation" && !one("#citation") && "citation";
    shown.textContent = one("#form-keep") ? shown.dataset.conflict
      : closed || one("#key-lacks").getAttribute("data-" + (isAlone || binding.lacks));
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
      if (place < 0 || place >= list.length) return false;
      if (wanted.includes(list[place]) && place !== here) {
        window.review.choose(list[place]);
        return true;
      }
    }
    return false;
  }

  function nextCriterion() {
    const forms = all("form.crit");
    const here = forms.indexOf(focusedCriterion());
    const order = forms.slice(here + 1).concat(forms.slice(0, here + 1));
    const first = function (state) { return order.find(function (form) { return form.classList.contains(state); }); };
    const target = first("undecided") || first("unfounded") || order[0];
    const field = target && (target.querySelector("input[name=points]:checked") || target.querySelector("input[name=points]"));
    if (field) field.focus();
    return Boolean(field) && document.activeElement === field;
  }

  function focusedCriterion() {
    return document.activeElement && document.activeElement.closest("form.crit");
  }

  function unfold(root, field) {
    const fold = root && root.querySelector("details");
    const target = field && fold && fold.querySelector(field);
    if (!fold || (field && !target)) return false;
    fold.open = field ? true : !fold.open;
    if (target) target.focus();
    return true;
  }

  // The evidence of a criterion; its reason, where only that is missing.
  function editEvidence() {
    const form = focusedCriterion();
    const evidence = form && form.querySelector("details [name=evidence]");
    const reason = form && form.querySelector("details [name=reason]");
    const isReason = reason && !reason.value.trim() && evidence && evidence.value.trim();
    return unfold(form, isReason ? "[name=reason]" : "textarea");
  }

  // The evidence of the error that the chosen citation has.
  function editFinding() {
    const number = one("#citation[data-finding]") && one("#citation").dataset.finding;
    const fold = number && document.getElementById("edit-finding-" + number);
    if (!fold) return false;
    fold.closest(".finding").open = true;
    fold.open = true;
    fold.querySelector("[name=source_says]").focus();
    return true;
  }

  function toggle(id) {
    const fold = document.getElementById(id);
    if (fold) fold.open = !fold.open;
    return Boolean(fold);
  }

  function setPoints(digit) {
    const form = focusedCriterion();
    if (!form) return false;
    const options = Array.from(form.querySelectorAll("input[name=points][type=radio]"));
    const option = options.find(function (each) { return each.value === digit; });
    if (option && !option.matches(":disabled") && !option.checked) {
      option.focus();
      option.checked = true;
      option.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
      explain("points");
    }
    return true;
  }

  function toggleSource() {
    main.classList.toggle("no-source");
    const hidden = main.classList.contains("no-source");
    try { window.localStorage.setItem("lexreview:no-source", hidden ? "1" : ""); } catch (error) { /* not remembered */ }
    // What is hidden cannot have the focus.
    const at = document.activeElement;
    if (hidden && at.closest("#pane-source") && !at.getClientRects().length) (one(".cite[aria-current]") || main).focus({ preventScroll: true });
    return true;
  }

  function ask(name) {
    const fold = document.getElementById(name);
    if (!fold) return false;
    fold.open = true;
    const field = fold.querySelector("textarea, select");
    if (field) field.focus();
    return true;
  }

  function noError() {
    const reason = document.getElementById("why-no-error");
    if (reason && !reason.value.trim()) {
      document.getElementById("no-error-fold").open = true;
      reason.focus();
      return true;
    }
    return press(document.getElementById("no-error") || document.getElementById("confirm-without-error"));
  }

  function approve() {
    const confirmation = document.getElementById("confirm-unchecked");
    const button = document.getElementById("approve");
    if (!button) return false;
    if (button.getAttribute("aria-disabled") === "true") {
      const offer = document.getElementById("with-proposals");
      if (offer) { offer.open = true; document.getElementById("accept-and-approve").focus(); return true; }
      const blocked = document.getElementById("blocked");
      if (blocked) { blocked.open = true; blocked.querySelector("a").focus(); }
    } else if (confirmation && !confirmation.checked) {
      confirmation.focus();
      confirmation.checked = true;
    } else {
      return press(button);
    }
    return true;
  }

  // Two saves, each with its way back: the proposals that were listed, then the approval, which was listed with them.
  function acceptAndApprove() {
    if (!window.review.mayLeave() || !press(document.getElementById("accept-proposals"))) return;
    whenIdle(function () {
      const confirmation = document.getElementById("confirm-unchecked");
      if (confirmation) confirmation.checked = true;
      approve();
    });
  }

  // The words that are marked in the answer become the claim; the server looks up where they stand.
  function newFinding(marked) {
    const fold = document.getElementById("new-finding");
    if (!fold) return false;
    fold.open = true;
    if (marked) {
      fill(fold, "claim", marked.text);
      fill(fold, "occurrence", marked.occurrence);
    }
    const source = document.getElementById("source");
    if (source && source.dataset.edition) {
      // Where it was checked is what is open beside it now, which may be another edition than the page came with.
      fill(fold, "checked_source", source.dataset.source);
      fill(fold, "checked_address", source.dataset.address);
      fill(fold, "checked_edition", source.dataset.edition);
    }
    fill(fold, "source_says", window.review.markedInSource());
    fold.querySelector("select").focus();
    fold.scrollIntoView({ block: "nearest" });
    return true;
  }

  function fill(root, name, value) {
    const field = root.querySelector("[name=" + name + "]");
    if (!field || !value) return;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function missedCitation(marked) {
    const fold = document.getElementById("missed");
    if (!fold) return false;
    const quote = document.getElementById("missed-quote");
    if (marked) {
      quote.value = marked.text;
      document.getElementById("missed-occurrence").value = marked.occurrence;
      press(document.getElementById("add-citation"));
    } else {
      fold.open = true;
      quote.focus();
    }
    return true;
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

  function find(key) {
    const contexts = focusedCriterion() ? [["criterion"], ["card", "citation"]] : [["card", "citation"]];
    return contexts.map(function (heard) {
      return bindings.find(function (binding) { return binding.key === key && heard.includes(binding.context); });
    }).find(Boolean);
  }

  // The first key of two that follow one another: it is shown, with what can follow, until the second comes.
  const shown = document.getElementById("begun");
  let first = "";

  function begin(key) {
    const rest = bindings.filter(function (binding) { return binding.key.startsWith(key + " "); });
    first = rest.length ? key : "";
    shown.textContent = rest.map(function (binding) { return binding.key + ": " + binding.words; }).join(" · ");
  }

  function finish(key) {
    const binding = find(first + " " + key);
    begin("");
    if (binding) run(binding.run);
  }

  function keysAreOn() { return document.getElementById("keys-on").checked; }

  // Whoever sent a form by key goes on with keys: the focus leaves the place of the form, where Enter would fold it, unless
  // there is something to put right in it.
  let isSentByKey = false;
  document.addEventListener("review:settled", function () {
    const isDone = isSentByKey && !one("#refused, #form-keep, #not-saved:not([hidden])");
    isSentByKey = false;
    if (isDone) (one(".cite[aria-current]") || main).focus({ preventScroll: true });
  });

  document.addEventListener("keydown", function (event) {
    // 229: a key of an input method, also the last one, which some browsers no longer call composing.
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    const element = event.target instanceof Element ? event.target : document.body;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      if (element.closest("dialog")) return;
      event.preventDefault();
      if (isField(element) && window.review.sendForm(element)) {
        isSentByKey = element.form.checkValidity();
        return;
      }
      element.blur();
      run("approve");
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !isField(element)) {
      event.preventDefault();
      begin("");
      run("undo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(element)) {
      if (event.key === "Escape" && !element.closest("dialog")) { element.blur(); main.focus({ preventScroll: true }); }
      return;
    }
    const key = typed(event);
    if (!keysAreOn() || MODIFIERS.includes(key)) return;
    if (!first) begin("");
    if (first) {
      // Tab goes on its way; whatever else follows is the second key, or the end of it.
      if (key !== "Tab") event.preventDefault();
      finish(key);
      return;
    }
    if (/^\d$/.test(key) && setPoints(key)) { event.preventDefault(); return; }
    if (key === "Enter" && !enterIsFree(element)) return;
    if (key.startsWith("Arrow") && element.matches("input")) return;
    const binding = find(key);
    if (!binding) {
      begin(key);
      return;
    }
    event.preventDefault();
    run(binding.run);
  });

  // What digits set at the moment is outlined, and told when it becomes another kind of thing.
  const originHasDigits = bindings.some(function (binding) { return /^origin-/.test(binding.run) && /^\d$/.test(binding.key); });
  let told = "";

  function groupOfDigits() {
    const element = document.activeElement || document.body;
    if (!keysAreOn() || isField(element)) return null;
    const form = focusedCriterion();
    return form ? form.querySelector("fieldset.seg:enabled") : originHasDigits ? document.getElementById("origins") : null;
  }

  function showDigits(isFirst) {
    const group = groupOfDigits();
    all(".digits").forEach(function (other) { if (other !== group) other.classList.remove("digits"); });
    if (!group) return;
    group.classList.add("digits");
    const live = document.getElementById("live");
    if (live && !isFirst && told !== group.dataset.digits) live.textContent = group.dataset.digits;
    told = group.dataset.digits;
  }

  ["focusin", "focusout", "review:settled", "review:shown", "change"].forEach(function (name) {
    document.addEventListener(name, function () { window.setTimeout(showDigits, 0, false); });
  });
  showDigits(true);

  document.addEventListener("pointerdown", function () { begin(""); });
  document.addEventListener("focusin", function () { if (first) begin(""); });
  document.addEventListener("review:shown", function () { begin(""); });
  document.addEventListener("click", function (event) {
    const own = event.target.closest('[data-do="show-keys"], [data-do="toggle-source"]');
    if (event.target.closest("#accept-and-approve")) acceptAndApprove();
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

  try { if (window.localStorage.getItem("lexreview:no-source")) main.classList.add("no-source"); } catch (error) { /* shown */ }
})();
