// Typed text outlives a reply that redraws the card, a closed tab and a lost connection: a copy stays in this browser
// until the server has it. Fields with data-draft take part; the page works without this.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card) return;
  const PAUSE_MS = 1500;

  function store(change) {
    try { return change(window.localStorage); } catch (error) { return null; }
  }

  function keyOf(field) { return "lexreview:card:" + main.dataset.card + ":" + field.dataset.draft; }

  // A copy remembers what the server had: it is offered again only over that same value.
  function keep(field, base) {
    store(function (storage) {
      if (field.value === base) storage.removeItem(keyOf(field));
      else storage.setItem(keyOf(field), JSON.stringify({ base: base, text: field.value }));
    });
    field.classList.toggle("draft", field.value !== field.defaultValue);
  }

  function draftOf(field) {
    const saved = store(function (storage) { return storage.getItem(keyOf(field)); });
    if (!saved) return null;
    const draft = JSON.parse(saved);
    if (draft.text !== field.defaultValue) return draft;
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
      if (!draft || field.value !== field.defaultValue) return;
      if (draft.base !== field.defaultValue) { other.push({ field: field, text: draft.text }); return; }
      put(field, draft.text);
      found.push(field);
      const fold = field.closest("details");
      if (fold && !fold.matches(".menu")) fold.open = true;
      if (send && field !== document.activeElement) announce(field);
    });
    if (!send) offer(found, other);
  }

  // Setting a value moves the caret to the end; whoever types on must not notice.
  function put(field, text) {
    field.value = text;
    field.classList.add("draft");
    if (caret && caret.id === field.id && field === document.activeElement && field.setSelectionRange) {
      field.setSelectionRange(caret.start, caret.end);
    }
  }

  let caret = null;
  document.addEventListener("htmx:beforeSwap", function () {
    const field = document.activeElement;
    const typed = field && field.id && field.matches("textarea, input[data-draft]");
    caret = typed ? { id: field.id, start: field.selectionStart, end: field.selectionEnd } : null;
  });

  // What an earlier visit left unsaved: put back where it stood, or, where the card has other words now, shown beside.
  function offer(found, other) {
    const bar = document.getElementById("kept");
    if (!bar || !(found.length || other.length)) return;
    bar.hidden = false;
    const list = bar.querySelector("ul");
    list.replaceChildren();
    found.forEach(function (field) { line(list, nameOf(field), field.value, null); });
    other.forEach(function (each) {
      line(list, nameOf(each.field), each.text, function () {
        put(each.field, each.text);
        keep(each.field, each.field.defaultValue);
        each.field.focus();
      });
    });
    bar.querySelector("[data-save]").onclick = function () {
      bar.hidden = true;
      found.map(function (field) { return field.id; }).forEach(function (id) {
        const field = document.getElementById(id);
        if (field) announce(field);
      });
    };
    bar.querySelector("[data-drop]").onclick = function () {
      bar.hidden = true;
      found.concat(other.map(function (each) { return each.field; })).forEach(function (field) {
        field.value = field.defaultValue;
        keep(field, field.defaultValue);
      });
    };
  }

  function nameOf(field) {
    const label = field.labels && field.labels[0];
    return (label ? label.textContent : field.getAttribute("aria-label")) || field.name;
  }

  function line(list, name, text, putBack) {
    const item = document.createElement("li");
    const quote = document.createElement("q");
    quote.textContent = text;
    item.append(name.trim() + ": ", quote);
    if (putBack) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn sm";
      button.textContent = list.dataset.put;
      button.addEventListener("click", putBack);
      item.append(" ", button);
    }
    list.append(item);
  }

  function announce(field) { field.dispatchEvent(new Event("change", { bubbles: true })); }

  function eachDraft(form, act) { form.querySelectorAll("[data-draft]").forEach(act); }

  document.addEventListener("input", function (event) {
    if (!event.target.dataset || !event.target.dataset.draft) return;
    keep(event.target, event.target.defaultValue);
    saveSoon(event.target);
  });

  // A pause in typing saves what stands in a form that saves by itself.
  let timer = 0;
  function saveSoon(field) {
    window.clearTimeout(timer);
    const form = field.form;
    if (!form || !(form.getAttribute("hx-trigger") || "").startsWith("change")) return;
    const id = field.id;
    timer = window.setTimeout(function () {
      const now = document.getElementById(id);
      if (now && now.value !== now.defaultValue && now.told !== now.value) announce(now);
    }, PAUSE_MS);
  }
  // A browser tells of a change only if the text differs from that at the time of focus; restored text does not.
  document.addEventListener("change", function (event) { event.target.told = event.target.value; });
  document.addEventListener("focusout", function (event) {
    const field = event.target;
    if (field.dataset && field.dataset.draft && field.value !== field.defaultValue && field.told !== field.value) announce(field);
  });

  document.addEventListener("htmx:beforeSwap", function (event) {
    const config = event.detail.requestConfig;
    const form = config && config.elt && config.elt.closest("form");
    if (!form || event.detail.xhr.status < 200 || event.detail.xhr.status > 299) return;
    eachDraft(form, function (field) {
      const sent = config.formData && config.formData.get(field.name);
      keep(field, typeof sent === "string" ? sent : field.defaultValue);
    });
  });
  document.addEventListener("htmx:afterRequest", function () {
    restore(true);
    const bar = document.getElementById("kept");
    if (bar && !bar.hidden && !document.querySelector(".draft")) bar.hidden = true;
  });
  // Without htmx the page is left; a refusal comes back with the text in its fields.
  document.addEventListener("submit", function (event) {
    if (event.target.hasAttribute("hx-post") && window.htmx) return;
    eachDraft(event.target, function (field) {
      store(function (storage) { storage.removeItem(keyOf(field)); });
    });
  });
  // Another card in this page: what an earlier visit to that one left is offered, and nothing of this one.
  document.addEventListener("review:shown", function () {
    window.clearTimeout(timer);
    const bar = document.getElementById("kept");
    if (bar) bar.hidden = true;
    restore(false);
  });
  restore(false);
})();
