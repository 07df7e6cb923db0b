// What is not saved yet is on the disk of this computer before it is sent, until the server has it. Each page has a list of
// its own, and holds a lock as long as it lives: a list whose page is gone is taken over by the next page of that card,
// once. The database of the browser is used because what it confirms outlives a browser that is killed.
(function () {
  "use strict";

  const main = document.getElementById("main");
  if (!main || !main.dataset.card || !window.review) return;
  const STORE = "unsent";
  // A save does not wait for ever for a browser that keeps nothing; a page that was closed or left is gone within a moment.
  const LONGEST_WAIT_MS = 500, MOMENT_MS = 1000;

  let page = "", held = null, release = null;
  // Lists of pages that are gone, by their keys; `done`: those that go with the next write.
  let adopted = [], done = [];

  const opened = new Promise(function (resolve, reject) {
    const asked = window.indexedDB.open("lexreview", 1);
    asked.onupgradeneeded = function () { asked.result.createObjectStore(STORE); };
    asked.onsuccess = function () { resolve(asked.result); };
    asked.onerror = function () { reject(asked.error); };
  });
  opened.catch(function () { /* nothing is kept, and everything is sent */ });

  // `act` is given the store and says what is to be read; the promise is kept once the disk has it.
  function inStore(mode, act) {
    return Promise.all([opened, held]).then(function (both) {
      return new Promise(function (resolve, reject) {
        const change = both[0].transaction(STORE, mode, { durability: "strict" });
        let read = null;
        change.oncomplete = function () { resolve(read); };
        change.onabort = change.onerror = function () { reject(change.error); };
        act(change.objectStore(STORE), function (value) { read = value; });
      });
    });
  }

  function atMost(wait, promise) {
    return Promise.race([promise, new Promise(function (resolve) { window.setTimeout(resolve, wait); })]);
  }

  function write(saves) {
    const gone = done.splice(0);
    const own = { owner: page, person: main.dataset.person, card: main.dataset.card, at: Date.now(), saves: saves };
    // As it is now, whatever becomes of the saves before the database is open.
    const copy = JSON.parse(JSON.stringify(own));
    return atMost(LONGEST_WAIT_MS, inStore("readwrite", function (store) {
      if (saves.length) store.put(copy, copy.owner);
      else store.delete(copy.owner);
      gone.forEach(function (key) { store.delete(key); });
    })).catch(function () { /* as above */ });
  }

  // Every page is another one, also a copy of a tab and what is loaded again.
  function begin() {
    if (release) release();
    page = window.crypto.randomUUID ? window.crypto.randomUUID() : Date.now() + "-" + Math.random();
    adopted = [];
    held = navigator.locks && new Promise(function (resolve) {
      navigator.locks.request(page, function () {
        return new Promise(function (end) { release = end; resolve(); });
      });
    });
  }

  function all() {
    return inStore("readonly", function (store, say) {
      const records = store.getAll();
      store.getAllKeys().onsuccess = function (event) {
        say(event.target.result.map(function (key, place) { return { key: key, record: records.result[place] }; }));
      };
    });
  }

  function isOfCard(each) {
    return each.record.person === main.dataset.person && each.record.card === main.dataset.card && each.record.owner !== page;
  }

  function adopt(each) {
    return inStore("readwrite", function (store, say) {
      store.get(each.key).onsuccess = function (event) {
        const record = event.target.result;
        if (!record || record.owner !== each.record.owner) return;
        record.owner = page;
        store.put(record, each.key);
        say(record);
      };
    }).then(function (record) {
      if (record) adopted.push(each.key);
      return record ? record.saves : [];
    });
  }

  // Where the browser has no locks, as without HTTPS, no page can be told to be alive: what is found is taken.
  function ifGone(each) {
    const owner = each.record.owner;
    if (!navigator.locks) return adopt(each);
    return navigator.locks.request(owner, { signal: AbortSignal.timeout(MOMENT_MS) }, function () { return adopt(each); })
      .catch(function () { return []; });
  }

  // Saves that pages of this card left behind, in the order in which they were made.
  function look() {
    return all().then(function (records) {
      const left = records.filter(isOfCard).sort(function (one, other) { return one.record.at - other.record.at; });
      return Promise.all(left.map(ifGone)).then(function (lists) { return lists.flat(); });
    }).catch(function () { return []; });
  }

  // What was taken over is on this page's own list from its next write on, or thrown away with it.
  function settle() { done = done.concat(adopted.splice(0)); }

  begin();
  document.addEventListener("review:shown", begin);
  window.review.kept = { write: write, look: look, settle: settle };
})();
