// The only script of our own on every signed-in page: htmx is set up so that it needs neither eval nor inline style,
// errors of the server become visible words, and menus close as one expects. Pages work without it.
(function () {
  "use strict";

  if (window.htmx) {
    Object.assign(window.htmx.config, {
      allowEval: false,
      allowScriptTags: false,
      includeIndicatorStyles: false,
      selfRequestsOnly: true,
      historyCacheSize: 0,
      refreshOnHistoryMiss: true,
      scrollBehavior: "instant",
      defaultSwapDelay: 0,
      defaultSettleDelay: 0,
      // 409 and 422 carry a fragment made for the place that asked; all other refusals are told in the message area.
      responseHandling: [
        { code: "204", swap: false },
        { code: "[23]..", swap: true },
        { code: "409", swap: true, error: false },
        { code: "422", swap: true, error: false },
        { code: "[45]..", swap: false, error: true },
      ],
    });
  }

  const words = document.getElementById("live-words");

  function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  }

  function show(text) {
    const messages = document.getElementById("messages");
    const bar = document.getElementById("not-saved");
    if (!messages) return;
    if (bar && !bar.hidden) { say(text); return; }
    const item = document.createElement("li");
    item.className = "message error";
    item.textContent = text;
    messages.replaceChildren(item);
    say(text);
  }

  function wordFor(status) {
    if (!words) return String(status);
    return words.getAttribute("data-" + status) || words.getAttribute(status >= 500 ? "data-5xx" : "data-4xx");
  }

  // A network that asks for a sign-in, or a proxy that tells of maintenance, answers in place of the server, also with
  // 200: then the server was not reached.
  function isForeign(xhr) { return xhr.status < 400 && !xhr.getResponseHeader("Own-Reply"); }
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (isForeign(event.detail.xhr)) Object.assign(event.detail, { shouldSwap: false, isError: true });
  });

  document.addEventListener("htmx:responseError", function (event) {
    show(wordFor(isForeign(event.detail.xhr) ? "offline" : event.detail.xhr.status));
  });
  document.addEventListener("htmx:sendError", function () { show(wordFor("offline")); });
  document.addEventListener("htmx:timeout", function () { show(wordFor("offline")); });

  // A fragment may say aloud what it did: <div data-announce="Saved, version 8">.
  document.addEventListener("htmx:afterSwap", function (event) {
    const speaking = event.detail.elt.closest("[data-announce]") || event.detail.elt.querySelector("[data-announce]");
    if (speaking) say(speaking.getAttribute("data-announce"));
  });

  // The focus outlives what it stood on: where that is gone after a swap, the nearest place around it that is still there
  // has it. The card page looks after its own.
  let around = [];
  document.addEventListener("htmx:beforeSwap", function (event) {
    around = [];
    if (event.detail.isError || !event.detail.target.contains(document.activeElement) || event.detail.target.closest(".screen")) return;
    for (let at = document.activeElement; at; at = at.parentElement) if (at.id) around.push(at.id);
  });
  document.addEventListener("htmx:afterSettle", function () {
    const isLost = !document.activeElement || document.activeElement === document.body;
    const place = isLost && around.map(function (id) { return document.getElementById(id); }).find(Boolean);
    around = [];
    if (!place) return;
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });

  function closeMenus(except) {
    document.querySelectorAll("details.menu[open]").forEach(function (menu) {
      if (menu !== except) menu.open = false;
    });
  }
  document.addEventListener("click", function (event) { closeMenus(event.target.closest("details.menu")); });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape" || event.isComposing) return;
    const open = document.querySelector("details.menu[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
