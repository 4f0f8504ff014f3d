"use strict";
/* Keys, and what was typed but not saved. Everything else is plain pages and forms. */
(() => {
  const help = document.getElementById("help");
  const item = document.querySelector(".item");
  const typing = (element) => /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

  /** A key clicks what carries it; a field gets the cursor. */
  const press = (element) => {
    if (typing(element)) element.focus();
    else element.click();
  };

  addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (typing(event.target)) event.target.blur();
      for (const open of document.querySelectorAll(".actions details[open]")) open.open = false;
      return;
    }
    if (typing(event.target)) {
      const send = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (send && event.target.form) {
        event.preventDefault();
        const form = event.target.form;
        if (form.querySelector("button:not([name]):not([disabled])")) form.requestSubmit();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || help.open) return;
    // Enter on a link or a button is that link's or button's.
    if (event.key === "Enter" && event.target !== document.body) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!target) return;
    event.preventDefault();
    press(target);
  });

  document.querySelector('[data-key="?"]').addEventListener("click", () => help.showModal());

  for (const details of document.querySelectorAll(".actions details")) {
    details.addEventListener("toggle", () => {
      if (details.open) details.querySelector("textarea, input:not([type=hidden])").focus();
    });
  }

  // A form is sent once, however often it is asked to; a page that comes back may send again.
  addEventListener("submit", (event) => {
    if (event.target.method === "dialog") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "true";
  });
  addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });

  const name = (id, version) => `verispec-review ${document.body.dataset.person} ${id} ${version}`;
  const { savedItem, savedVersion } = document.body.dataset;
  if (savedItem) localStorage.removeItem(name(savedItem, savedVersion));

  const fields = () => [...document.querySelectorAll("[data-draft]")];
  const drafts = () => {
    const own = name(item.dataset.item, item.dataset.version);
    const fresh = fields().map((field) => field.value);
    addEventListener("input", () => {
      localStorage.setItem(own, JSON.stringify(fields().map((field) => field.value)));
    });
    document.getElementById("discard").addEventListener("click", () => {
      localStorage.removeItem(own);
      fields().forEach((field, at) => (field.value = fresh[at]));
      document.getElementById("restored").hidden = true;
    });
    const kept = JSON.parse(localStorage.getItem(own) ?? "null");
    if (!Array.isArray(kept) || kept.length !== fresh.length) return;
    if (kept.every((value, at) => value === fresh[at])) return;
    fields().forEach((field, at) => {
      field.value = kept[at];
      const details = field.closest("details");
      if (details && kept[at] !== fresh[at]) details.open = true;
    });
    document.getElementById("restored").hidden = false;
  };
  if (item) drafts();
  document.documentElement.dataset.ready = "true";
})();
