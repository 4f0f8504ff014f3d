  // Wiring: filters and address, keys, the key to charts, judges, theme.
  const form = byId("filter");
  const field = form.elements;
  const FIELDS = ["show", "model", "track", "dimension", "category", "q"];

  /** Filters by name, for the address: positions would change with the next run. */
  const NAMES = {
    model: () => names.models,
    track: () => names.tracks,
    dimension: () => data.dimensions,
    category: () => data.categories,
  };

  const keep = (at) => {
    const query = new URLSearchParams();
    for (const name of FIELDS) {
      if (state[name] === "") continue;
      query.set(name, NAMES[name] ? NAMES[name]()[Number(state[name])] : state[name]);
    }
    if (state.judge) query.set("judge", names.judges[state.judge]);
    if (at !== undefined && at >= 0) {
      const task = data.tasks[Math.floor(at / models)];
      query.set("at", [names.tracks[task[TRACK]], task[ID], names.models[at % models]].join("|"));
    }
    const text = query.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };

  /** Takes filters from the address; gives the result to open, or -1. */
  const recall = () => {
    const query = new URLSearchParams(location.hash.slice(1));
    for (const name of FIELDS) {
      const value = query.get(name);
      if (value === null) continue;
      const at = NAMES[name] ? NAMES[name]().indexOf(value) : value;
      state[name] = at === -1 ? "" : String(at);
      field[name].value = state[name];
    }
    const judge = names.judges.indexOf(query.get("judge"));
    if (judge > 0) pickJudge(judge);
    const [track, id, model] = (query.get("at") ?? "").split("|");
    const task = data.tasks.findIndex((t) => t[ID] === id && names.tracks[t[TRACK]] === track);
    const m = names.models.indexOf(model);
    return task >= 0 && m >= 0 ? task * models + m : -1;
  };

  const apply = () => {
    list.found = filtered();
    list.current = -1;
    byId("list").scrollTop = 0;
    byId("count").textContent = `${number(list.found.length)} of ${number(total)}`;
    redraw();
    if (!list.found.length) byId("space").append(make("p", "nothing", "Nothing matches these filters."));
    else byId("space").querySelector(".nothing")?.remove();
  };

  let total = 0;
  const countAll = () => {
    for (let at = 0; at < data.tasks.length * models; at += 1) {
      if (data.codes.some((codes) => codes[at] !== "")) total += 1;
    }
  };

  const read = () => {
    for (const name of FIELDS) state[name] = field[name].value;
    state.words = field.words.checked;
  };

  const onInput = async () => {
    read();
    if (state.words && !spoken) {
      try {
        await loadSpoken((share) => (byId("count").textContent = `reading ${Math.round(share * 100)} %`));
      } catch (error) {
        byId("count").textContent = error.message;
        return;
      }
    }
    refresh();
  };

  /** Applies the filters and opens the first result, beside the list where there is room. */
  const refresh = () => {
    apply();
    if (list.found.length && matchMedia("(min-width: 60rem)").matches) open(list.found[0]);
    else if (!list.found.length) byId("detail").replaceChildren();
    else keep();
  };

  const step = (by) => {
    if (!list.found.length) return;
    const next = Math.min(list.found.length - 1, Math.max(0, list.current + by));
    open(list.found[next]);
  };

  const stepModel = (by) => {
    const at = Number(byId("detail").dataset.at ?? -1);
    if (at < 0) return;
    const task = Math.floor(at / models) * models;
    for (let i = 1; i <= models; i += 1) {
      const other = task + ((((at - task + by * i) % models) + models) % models);
      if (data.codes.some((codes) => codes[other] !== "")) return void open(other);
    }
  };

  /** Where `verispec review` serves unless told otherwise. */
  const REVIEW = "http://127.0.0.1:8017/at";

  /** Opens the shown output in a review, for a person to label it anew. */
  const review = () => {
    const at = Number(byId("detail").dataset.at ?? -1);
    if (at < 0) return;
    const task = data.tasks[Math.floor(at / models)];
    const place = { track: names.tracks[task[TRACK]], instance: task[ID], model: names.models[at % models] };
    window.open(`${REVIEW}?${new URLSearchParams(place)}`, "_blank", "noopener");
  };

  const setShow = (value) => {
    field.show.value = field.show.value === value ? "" : value;
    onInput();
    byId("instances").scrollIntoView();
  };

  const clear = () => {
    form.reset();
    onInput();
  };

  const themes = ["", "dark", "light"];
  const theme = () => {
    const root = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const order = dark ? ["", "light"] : ["", "dark"];
    const at = order.indexOf(root.dataset.theme ?? "");
    root.dataset.theme = order[(at + 1) % order.length] ?? themes[0];
  };

  const KEYS = {
    "/": () => {
      byId("instances").scrollIntoView();
      field.q.focus({ preventScroll: true });
    },
    j: () => step(1),
    k: () => step(-1),
    "]": () => stepModel(1),
    "[": () => stepModel(-1),
    d: () => setShow("disagree"),
    a: () => setShow("alone"),
    u: () => setShow("unjudged"),
    v: review,
    x: clear,
    t: theme,
    "?": () => byId("help").showModal(),
  };

  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape") {
      byId("zoom").hidden = true;
      document.body.classList.remove("reading");
      if (typing) event.target.blur();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  const show = (element) => {
    if (element) element.hidden = false;
  };

  const pickJudge = (judge) => {
    state.judge = judge;
    if (byId("judge")) byId("judge").value = String(judge);
    for (const part of document.querySelectorAll(".judged")) {
      part.hidden = part.dataset.judge !== String(judge);
    }
  };

  /** The key lights up a model in all charts. */
  const light = () => {
    for (const button of byId("key").querySelectorAll("button")) {
      const on = button.getAttribute("aria-pressed") === "true";
      for (const part of document.querySelectorAll(`svg.chart [data-m="${button.dataset.m}"]`)) {
        part.classList.toggle("on", on);
        if (on) part.parentNode.append(part);
      }
    }
  };

  byId("key").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    light();
  });

  byId("theme").addEventListener("click", theme);
  byId("help-open").addEventListener("click", KEYS["?"]);
  byId("zoom").addEventListener("click", () => (byId("zoom").hidden = true));
  byId("list").addEventListener("scroll", draw, { passive: true });
  byId("space").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    document.body.classList.add("reading");
    open(list.found[Number(row.dataset.index)]);
  });
  byId("judge")?.addEventListener("change", (event) => {
    pickJudge(Number(event.target.value));
    refresh();
  });
  form.addEventListener("input", onInput);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(onInput));
  addEventListener("resize", () => data.tasks.length && draw());

  const fill = (select, values, used) => {
    values.forEach((value, at) => {
      if (!used || used.has(at)) select.append(option(String(at), value || "(none)"));
    });
    select.hidden = select.options.length <= 2;
  };

  const boot = async () => {
    for (const id of ["theme", "help-open", "judge-pick", "browser"]) show(byId(id));
    pickJudge(0);
    light();
    try {
      await start();
    } catch (error) {
      const hint = names.single ? "" : "; keep index.html and report.data together";
      byId("count").textContent = `${error.message}${hint}.`;
      return;
    }
    fill(field.model, names.models);
    fill(field.track, names.tracks, new Set(data.tasks.map((t) => t[TRACK])));
    fill(field.dimension, data.dimensions);
    fill(field.category, data.categories);
    countAll();
    const at = recall();
    apply();
    performance.mark("first-result");
    document.documentElement.dataset.ready = "true";
    const first = at >= 0 ? at : list.found[0];
    if (first === undefined) return;
    if (at >= 0) byId("instances").scrollIntoView();
    if (at >= 0 || matchMedia("(min-width: 60rem)").matches) await open(first, at < 0);
  };
  boot();
