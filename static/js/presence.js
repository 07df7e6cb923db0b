// Says every half minute that a card is open and for how many of these seconds the page was visible and used; the reply
// says who else has it open. A beat that fails is silent: nothing of the work depends on it.
(function () {
  "use strict";

  const BEAT = 30, IDLE = 120;
  const place = document.getElementById("presence");
  if (!place || !window.fetch) return;

  let active = 0, used = Date.now(), since = 0, card = cardShown();

  function cardShown() {
    const main = document.querySelector("main[data-card]");
    return main ? main.getAttribute("data-card") : "";
  }

  function address(of) { return place.getAttribute("data-beat").replace("/0/", "/" + of + "/"); }

  function token() {
    try { return JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]; } catch (_) { return ""; }
  }

  function body(leaving) {
    const form = new FormData();
    form.set("csrfmiddlewaretoken", token());
    form.set("active", String(active));
    if (leaving) form.set("leaving", "1");
    active = 0;
    since = 0;
    return form;
  }

  function show(html) {
    const parsed = new DOMParser().parseFromString(html, "text/html").getElementById("presence-words");
    const now = document.getElementById("presence-words");
    if (parsed && now && parsed.innerHTML.trim() !== now.innerHTML.trim()) now.innerHTML = parsed.innerHTML;
  }

  function beat() {
    const of = card;
    fetch(address(of), { method: "POST", body: body(false), credentials: "same-origin", redirect: "error" })
      .then(function (reply) { return reply.ok ? reply.text() : ""; })
      .then(function (html) { if (html && of === cardShown()) show(html); })
      .catch(function () {});
  }

  function leave(of) {
    if (navigator.sendBeacon) navigator.sendBeacon(address(of), body(true));
  }

  ["keydown", "pointerdown", "pointermove", "wheel", "scroll"].forEach(function (name) {
    document.addEventListener(name, function () { used = Date.now(); }, { passive: true, capture: true });
  });
  window.addEventListener("pagehide", function () { leave(card); });

  window.setInterval(function () {
    const shown = cardShown();
    if (shown !== card) {
      leave(card);
      card = shown;
      beat();
      return;
    }
    const visible = document.visibilityState === "visible";
    if (visible && Date.now() - used < IDLE * 1000) active += 1;
    since += 1;
    if (since >= BEAT && visible) beat();
  }, 1000);
  beat();
})();
