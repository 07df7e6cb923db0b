// Typed text outlives a reply that redraws the card, a closed tab and a lost connection: a copy stays in this browser
// until the server has it. Fields with data-draft take part, choices and numbers too; the page works without this.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review || !window.review.whenIdle) return;
  const PAUSE_MS = 1500;

  function store(change) {
    try { return change(window.localStorage); } catch (error) { return null; }
  }

  // What one person typed is not offered to the next one at the same computer.
  function prefix() { return "lexreview:card:" + main.dataset.person + ":" + main.dataset.card + ":"; }
  function keyOf(field) { return prefix() + field.dataset.draft; }

  // What the server sent as the value of the field.
  function servedIn(field) {
    if (field.tagName !== "SELECT") return field.defaultValue;
    const option = Array.from(field.options).find(function (each) { return each.defaultSelected; }) || field.options[0];
    return option ? option.value : "";
  }

  function isAsServed(field) { return field.value === servedIn(field); }

  function savesItself(form) { return Boolean(form) && (form.getAttribute("hx-trigger") || "").startsWith("change"); }

  // A copy remembers what the server had: it is offered again only over that same value.
  function keep(field, base) {
    store(function (storage) {
      if (field.value === base) { storage.removeItem(keyOf(field)); return; }
      const copy = { base: base, text: field.value, label: nameOf(field), asked: !savesItself(field.form) };
      storage.setItem(keyOf(field), JSON.stringify(copy));
    });
    field.classList.toggle("draft", !isAsServed(field));
  }

  function draftOf(field) {
    const saved = store(function (storage) { return storage.getItem(keyOf(field)); });
    if (!saved) return null;
    const draft = JSON.parse(saved);
    if (draft.text !== servedIn(field)) return draft;
    // The server has it now, unless it only shows what it refused.
    if (!document.getElementById("refused")) store(function (storage) { storage.removeItem(keyOf(field)); });
    return null;
  }

  // Put kept text back into fields that were drawn anew. Text whose field has been left already is sent at once.
  function restore(send) {
    const found = [];
    const other = [];
    document.querySelectorAll("[data-draft]").forEach(function (field) {
      const draft = draftOf(field);
      if (!draft || !isAsServed(field)) return;
      if (draft.base !== servedIn(field)) { other.push({ field: field, text: draft.text }); return; }
      put(field, draft.text);
      found.push(field);
      const fold = field.closest("details");
      if (fold && !fold.matches(".menu")) fold.open = true;
      if (send && field !== document.activeElement) announce(field);
    });
    if (send) return;
    left = { found: found, other: other };
    offer();
  }

  // Setting a value moves the caret to the end; whoever types on must not notice.
  function put(field, text) {
    field.value = text;
    // A choice that is not offered any more.
    if (field.tagName === "SELECT" && field.selectedIndex < 0) { field.value = servedIn(field); return; }
    field.classList.add("draft");
    if (caret && caret.id === field.id && field === document.activeElement && field.setSelectionRange) {
      field.setSelectionRange(caret.start, caret.end);
    }
  }

  let caret = null;
  document.addEventListener("htmx:beforeSwap", function () {
    const field = document.activeElement;
    const typed = field && field.id && field.matches("textarea, input[data-draft]") && field.selectionStart !== null;
    caret = typed ? { id: field.id, start: field.selectionStart, end: field.selectionEnd } : null;
  });

  // What an earlier visit left unsaved: put back where it stood, or, where the card has other words now, shown beside.
  let left = { found: [], other: [] };
  function offer() {
    const found = left.found, other = left.other;
    const bar = document.getElementById("kept");
    const saves = window.review.fromEarlierVisit();
    if (!bar || !(found.length || other.length || saves.length)) return;
    bar.hidden = false;
    const list = bar.querySelector("ul");
    list.replaceChildren();
    saves.forEach(function (save) { list.append(line(save.words.name, save.words.said)); });
    const isTold = function (field) {
      return saves.some(function (save) {
        return (save.drafts || []).some(function (pair) { return pair[0] === field.dataset.draft && pair[1] === field.value; });
      });
    };
    found.filter(function (field) { return !isTold(field); }).forEach(function (field) {
      list.append(line(nameOf(field), field.value));
    });
    other.forEach(function (each) {
      list.append(withButton(line(nameOf(each.field), each.text), list.dataset.put, function () {
        put(each.field, each.text);
        keep(each.field, servedIn(each.field));
        each.field.focus();
      }));
    });
    bar.querySelector("[data-save]").onclick = function () {
      answered(bar);
      window.review.sendFromEarlierVisit();
      found.map(function (field) { return field.id; }).forEach(function (id) {
        const field = document.getElementById(id);
        if (field) announce(field);
      });
    };
    bar.querySelector("[data-drop]").onclick = function () {
      answered(bar);
      window.review.dropFromEarlierVisit();
      found.concat(other.map(function (each) { return each.field; })).forEach(dropFrom);
    };
  }

  function answered(bar) {
    bar.hidden = true;
    left = { found: [], other: [] };
  }

  function dropFrom(field) {
    field.value = servedIn(field);
    keep(field, field.value);
  }

  function nameOf(field) {
    const label = field.labels && field.labels[0];
    return (label ? label.textContent : field.getAttribute("aria-label")) || field.name;
  }

  function line(name, text) {
    const item = document.createElement("li");
    const quote = document.createElement("q");
    quote.textContent = text;
    item.append(name.trim() + ": ", quote);
    return item;
  }

  function withButton(item, words, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn sm";
    button.textContent = words;
    button.addEventListener("click", act);
    item.append(" ", button);
    return item;
  }

  // Every copy of this card, also of fields that the page does not show now.
  function stored() {
    return store(function (storage) {
      return Object.keys(storage).filter(function (key) { return key.startsWith(prefix()); }).map(function (key) {
        return Object.assign(JSON.parse(storage.getItem(key)), { name: key.slice(prefix().length) });
      });
    }) || [];
  }

  function drop(draft) { store(function (storage) { storage.removeItem(prefix() + draft.name); }); }

  function announce(field) { field.dispatchEvent(new Event("change", { bubbles: true })); }

  function eachDraft(form, act) { form.querySelectorAll("[data-draft]").forEach(act); }

  document.addEventListener("input", function (event) {
    if (!event.target.dataset || !event.target.dataset.draft) return;
    keep(event.target, servedIn(event.target));
    saveSoon(event.target);
  });

  // A pause in typing saves what stands in a form that saves by itself.
  let timer = 0;
  function saveSoon(field) {
    window.clearTimeout(timer);
    if (!savesItself(field.form)) return;
    const id = field.id;
    timer = window.setTimeout(function () {
      const now = document.getElementById(id);
      if (now && !isAsServed(now) && now.told !== now.value) announce(now);
    }, PAUSE_MS);
  }
  // A browser tells of a change only if the text differs from that at the time of focus; restored text does not.
  document.addEventListener("change", function (event) { event.target.told = event.target.value; });
  document.addEventListener("focusout", function (event) {
    const field = event.target;
    if (field.dataset && field.dataset.draft && !isAsServed(field) && field.told !== field.value) announce(field);
  });

  document.addEventListener("htmx:beforeSwap", function (event) {
    const config = event.detail.requestConfig;
    const form = config && window.review.formOf(config);
    if (!form || event.detail.isError || event.detail.xhr.status < 200 || event.detail.xhr.status > 299) return;
    eachDraft(form, function (field) {
      const sent = config.formData && config.formData.get(field.name);
      keep(field, typeof sent === "string" ? sent : servedIn(field));
    });
  });
  document.addEventListener("htmx:afterRequest", function () {
    restore(true);
    const bar = document.getElementById("kept");
    const isDone = !document.querySelector(".draft") && !window.review.fromEarlierVisit().length;
    if (bar && !bar.hidden && isDone) bar.hidden = true;
  });
  // Without htmx the page is left; a refusal comes back with the text in its fields.
  document.addEventListener("submit", function (event) {
    if (event.target.hasAttribute("hx-post") && window.htmx) return;
    eachDraft(event.target, function (field) {
      store(function (storage) { storage.removeItem(keyOf(field)); });
    });
  });
  // What the server has of an earlier visit, or of a page that is left, is no draft any more: also where the field is not
  // on the page, and where what was sent had been put back into it.
  document.addEventListener("review:acknowledged", function (event) {
    const copies = stored();
    (event.detail.drafts || []).forEach(function (pair) {
      const copy = copies.find(function (each) { return each.name === pair[0]; });
      if (copy && copy.text === pair[1]) drop(copy);
      const field = document.querySelector('[data-draft="' + CSS.escape(pair[0]) + '"]');
      const isLeft = field && event.detail.isEarlier && !savesItself(field.form) && field.value === pair[1];
      if (isLeft && !isAsServed(field)) dropFrom(field);
    });
  });
  document.addEventListener("review:found", offer);
  // Another card in this page: what an earlier visit to that one left is offered, and nothing of this one.
  document.addEventListener("review:shown", function () {
    window.clearTimeout(timer);
    const bar = document.getElementById("kept");
    if (bar) bar.hidden = true;
    restore(false);
  });
  window.review.drafts = {
    isAsServed: isAsServed, nameOf: nameOf, line: line, stored: stored, drop: drop, dropFrom: dropFrom,
  };
  restore(false);
})();
