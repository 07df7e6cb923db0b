// "Approve and next" shows the next card in place. While a card is read, the page of the next one is fetched and kept, so
// that it is there at once; it is shown only if the server says, after the approval, that nothing it depends on has
// changed: else the reply brings the page as it is now. Without this script the page is loaded as ever.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.fetch || !window.htmx) return;
  const SETTLED_MS = 1500;
  let kept = null;
  let timer = 0;

  function whenQuiet(act) {
    if (window.requestIdleCallback) window.requestIdleCallback(act, { timeout: 5000 });
    else act();
  }

  function fetchSoon() {
    window.clearTimeout(timer);
    timer = window.setTimeout(function () { whenQuiet(fetchNext); }, SETTLED_MS);
  }

  function fetchNext() {
    const card = main.dataset.card;
    const saving = navigator.connection && navigator.connection.saveData;
    if (!document.getElementById("approve") || saving || !navigator.onLine) return;
    fetch(main.dataset.following, { credentials: "same-origin", redirect: "error" })
      .then(function (reply) { return reply.status === 200 ? keep(reply, card) : null; })
      .catch(function () { /* the page is loaded when it is wanted */ });
  }

  function keep(reply, card) {
    const stamp = reply.headers.get("Card-Stamp");
    const next = reply.headers.get("Kept-Card");
    return reply.text().then(function (html) {
      if (stamp && next && main.dataset.card === card) kept = { card: next, stamp: stamp, html: html };
    });
  }

  document.addEventListener("htmx:configRequest", function (event) {
    if (event.detail.verb !== "post" || !event.detail.elt.closest(".screen")) return;
    event.detail.headers["Kept-Card"] = kept ? kept.card : "0";
    if (kept) event.detail.headers["Card-Stamp"] = kept.stamp;
  });

  // A reply that leads on to the next card has its address. If it brings no page, the one that is kept is still right.
  document.addEventListener("htmx:beforeOnLoad", function (event) {
    const xhr = event.detail.xhr;
    const address = xhr.getResponseHeader("Next-Card");
    if (!address || xhr.status !== 200) return;
    // What htmx would say of it once it had swapped the reply in.
    event.detail.successful = true;
    event.preventDefault();
    const html = xhr.responseText || (kept && kept.html);
    const was = !xhr.responseText;
    kept = null;
    const there = html ? new DOMParser().parseFromString(html, "text/html") : null;
    const theirs = there && there.getElementById("main");
    if (!theirs || !theirs.dataset.card) window.location.assign(address);
    else show(there, theirs, address, was);
  });

  function show(there, theirs, address, was) {
    window.history.replaceState({ htmx: true }, "", window.location.href);
    window.history.pushState({ htmx: true }, "", address);
    document.title = there.title;
    main.dataset.card = theirs.dataset.card;
    main.dataset.beside = theirs.dataset.beside;
    main.dataset.following = theirs.dataset.following;
    main.querySelector("h1").replaceWith(theirs.querySelector("h1"));
    ["bar", "foot", "messages"].forEach(function (id) { take(document.getElementById(id), there.getElementById(id)); });
    main.querySelectorAll(".pane").forEach(function (pane) {
      const parts = Array.from(there.getElementById(pane.id).childNodes);
      pane.replaceChildren.apply(pane, parts);
      pane.scrollTop = 0;
      window.htmx.process(pane);
    });
    document.getElementById("presence-words").replaceChildren();
    window.scrollTo(0, 0);
    const live = document.getElementById("live");
    if (live) live.textContent = there.title;
    const first = main.querySelector(".cite[aria-current]") || main;
    first.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("review:shown", { detail: { kept: was } }));
    fetchSoon();
  }

  function take(mine, other) {
    mine.replaceWith(other);
    window.htmx.process(other);
  }

  if (document.readyState === "complete") fetchSoon();
  else window.addEventListener("load", fetchSoon);
})();
