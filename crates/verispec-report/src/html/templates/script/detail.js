  // One result in full: prompt, references, output, each specification with each judge's words.
  const SIGN = { m: "✓", M: "✓", u: "✗", U: "✗", s: "≠", h: "≠", g: "•", "?": "?", ".": "…", " ": "–" };
  const TONE = { m: "met", M: "met", u: "unmet", U: "unmet", s: "split", h: "split", g: "met", "?": "open", ".": "open" };

  const picture = ([url, name, problem]) => {
    const figure = make("figure", "picture");
    if (url) {
      const image = make("img");
      image.alt = name;
      image.loading = "lazy";
      image.src = url;
      image.addEventListener("error", () => image.replaceWith(make("span", "missing", "cannot be shown")));
      image.addEventListener("click", () => zoom(url, name));
      figure.append(image);
    } else {
      figure.append(make("span", "missing", problem ?? "no image"));
    }
    figure.append(make("figcaption", "", url && problem ? `${name} (${problem})` : name));
    return figure;
  };

  const zoom = (url, name) => {
    const box = byId("zoom");
    box.firstElementChild.src = url;
    box.firstElementChild.alt = name;
    box.hidden = false;
  };

  const image = (view) => picture([view.url, view.name, view.problem]);

  const block = (title, ...children) => make("section", "block", make("h4", "", title), ...children);

  const prose = (text) => {
    const element = make("p", "prose", text);
    element.dir = "auto";
    return element;
  };

  const outputOf = (parts, why) => {
    const box = make("div", "output");
    for (const part of parts) box.append(part.image ? image(part.image) : prose(part.text));
    if (why) box.append(make("p", "failure", why));
    if (!parts.length && !why) box.append(make("p", "quiet", "The output is not at hand."));
    return box;
  };

  /** Words of one judge on one specification. */
  const opinions = (list, name) =>
    list.map(([, level, member, answer, met, how, note]) => {
      const who = level ? member : [name, member].filter(Boolean).join(" ");
      const tone = met === true ? "met" : met === false ? "unmet" : "open";
      const head = make("span", "said", make("b", tone, answer));
      if (who) head.prepend(make("span", "who", `${who} `));
      if (how) head.append(make("span", "quiet", ` ${how}`));
      const line = make("div", level ? "opinion vote" : "opinion", head);
      if (note) {
        const text = make("span", "note", note);
        text.dir = "auto";
        line.append(text);
      }
      return line;
    });

  const others = (at, spec) => {
    const task = Math.floor(at / models) * models;
    let unmet = 0, judged = 0;
    for (let other = task; other < task + models; other += 1) {
      if (other === at) continue;
      const c = codeOf(state.judge, other)[spec];
      if (isUnmet(c)) unmet += 1;
      if (isUnmet(c) || isMet(c)) judged += 1;
    }
    return judged ? `unmet by ${unmet} of ${judged} others` : "";
  };

  const statement = (at, spec, position, judges) => {
    const code = codeOf(state.judge, at);
    const whole = code === "!" || code === "#" || code === "";
    const letter = whole ? " " : (code[position] ?? " ");
    const differ = disagreeAt(at, position);
    const alone = !whole && aloneAt(state.judge, at, position);
    const head = make("div", "ask");
    head.append(make("span", "label", String(spec[0])), make("span", "question", spec[QUESTION]));
    const facts = make("div", "about");
    const category = data.categories[spec[CATEGORY]];
    if (category) facts.append(make("span", "", category));
    if (spec[EXPECTED] !== null) facts.append(make("span", "", `expected ${spec[EXPECTED] ? "Yes" : "No"}`));
    if (models > 1) facts.append(make("span", "", others(at, position)));
    if (differ) facts.append(make("span", "flag", "judges disagree"));
    if (alone) facts.append(make("span", "flag", "only this model"));
    const body = make("div", "body", head, facts);
    judges.forEach((judge, j) => {
      if (!judge) return;
      const own = judge[1].filter((o) => o[0] === position);
      if (!own.length) return;
      body.append(make("div", "judge", ...opinions(own, judges.length > 1 ? names.judges[j] : "")));
    });
    const row = make("li", TONE[letter] ?? "", make("span", "sign", SIGN[letter] ?? "–"), body);
    return row;
  };

  /** All models on the same task, to go from one to the other. */
  const siblings = (at) => {
    const task = Math.floor(at / models);
    const strip = make("div", "siblings");
    for (let m = 0; m < models; m += 1) {
      const other = task * models + m;
      if (!data.codes.some((codes) => codes[other] !== "")) continue;
      const button = make("button", "", make("span", "", names.models[m]), make("b", "", percent(data.scores[state.judge][other])));
      button.type = "button";
      if (other === at) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => open(other));
      strip.append(button);
    }
    return strip;
  };

  const header = (at, task) => {
    const close = make("button", "back", "‹ list");
    close.type = "button";
    close.addEventListener("click", () => document.body.classList.remove("reading"));
    const place = `${names.tracks[task[TRACK]]} / ${data.dimensions[task[DIMENSION]]}`;
    const scores = make("p", "scores");
    names.judges.forEach((judge, j) => {
      if (codeOf(j, at) === "") return;
      const line = make("span", "", make("b", "", percent(data.scores[j][at])), ` ${summary(codeOf(j, at), task[SPECS].length)}`);
      if (names.judges.length > 1) line.append(make("span", "quiet", ` by ${judge}`));
      scores.append(line);
    });
    return make("header", "", close, make("p", "kicker", place), make("h3", "", task[ID]), make("p", "model", names.models[at % models]), scores);
  };

  let opened = 0;
  /** Shows a result; `quiet` leaves the address as it is. */
  const open = async (at, quiet) => {
    opened += 1;
    const turn = opened;
    const box = byId("detail");
    const index = list.found.indexOf(at);
    mark(index);
    if (index >= 0) scrollTo(index);
    const task = data.tasks[Math.floor(at / models)];
    box.dataset.at = String(at);
    if (!quiet) keep(at);
    let item;
    try {
      item = await wordsOf(Math.floor(at / models));
    } catch (error) {
      box.replaceChildren(header(at, task), make("p", "failure", `${error.message}.`));
      return;
    }
    if (turn !== opened) return;
    const own = item.res.find(([model]) => model === at % models) ?? [0, [], []];
    const [, parts, judges] = own;
    const why = judges.map((j) => j && j[0]).find(Boolean);
    const left = make("div", "made");
    left.append(block("Output", outputOf(parts, why)));
    if (task[PROMPT] !== null) left.append(block("Prompt", prose(task[PROMPT])));
    if (item.refs.length) left.append(block("References", make("div", "refs", ...item.refs.map(image))));
    const specs = make("ol", "specs", ...task[SPECS].map((spec, i) => statement(at, spec, i, judges)));
    const right = make("div", "judged-by", block("Specifications", specs));
    const strip = models > 1 ? siblings(at) : null;
    box.replaceChildren(header(at, task), ...(strip ? [strip] : []), make("div", "columns", left, right));
    box.scrollTop = 0;
  };

