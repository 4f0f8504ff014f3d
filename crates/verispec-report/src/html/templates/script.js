"use strict";
(() => {
  // Opens the instance that the address names, with everything around it.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") e.open = true;
      e.hidden = false;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  const form = document.getElementById("filter");
  if (!form) return;
  form.hidden = false;
  const field = form.elements;
  const cards = [...document.querySelectorAll(".card")];
  const groups = [...document.querySelectorAll(".dimension, .track")];
  const shown = document.getElementById("shown");
  const value = (name) => (field[name] ? field[name].value : "");

  const apply = () => {
    const [model, track, state] = ["model", "track", "state"].map(value);
    const text = value("text").trim().toLowerCase();
    let count = 0;
    for (const card of cards) {
      const data = card.dataset;
      const visible =
        (!model || data.model === model) &&
        (!track || data.track === track) &&
        (!state || data.state.split(" ").includes(state)) &&
        (!text || card.textContent.toLowerCase().includes(text));
      card.hidden = !visible;
      if (visible) count += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector(".card:not([hidden])");
    shown.textContent = count.toLocaleString("en");
    document.body.classList.toggle("only-open", field.hide.checked);
  };
  const setAll = (open) => {
    for (const card of cards) if (!card.hidden) card.open = open;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  field.open.addEventListener("click", () => setAll(true));
  field.close.addEventListener("click", () => setAll(false));
  apply();
})();
