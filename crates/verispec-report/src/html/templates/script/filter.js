  // Filters work on letters, one a specification: m met, u unmet; M, U, s members of a panel
  // differ; h repeats differ; g graded; ? unjudged; . pending. A whole output is ! failed or
  // # not judgeable.
  const state = { judge: 0, show: "", model: "", track: "", dimension: "", category: "", q: "", words: false };
  const isMet = (c) => c === "m" || c === "M";
  const isUnmet = (c) => c === "u" || c === "U";

  /** Verdicts on a result: by judge, a word of letters. */
  const codeOf = (judge, at) => data.codes[judge][at];
  const bit = (c) => (isMet(c) ? 1 : isUnmet(c) ? 2 : 0);

  const disagreeAt = (at, spec) => {
    let seen = 0;
    for (const codes of data.codes) {
      const c = codes[at][spec];
      if (c === "M" || c === "U" || c === "s") return true;
      if (codes[at].length > spec && codes[at] !== "!" && codes[at] !== "#") seen |= bit(c);
    }
    return seen === 3;
  };

  /** Unmet by this model, met by every other that has a verdict, and by at least two. */
  const aloneAt = (judge, at, spec) => {
    if (!isUnmet(codeOf(judge, at)[spec])) return false;
    const task = Math.floor(at / models) * models;
    let others = 0;
    for (let other = task; other < task + models; other += 1) {
      if (other === at) continue;
      const c = codeOf(judge, other)[spec];
      if (isUnmet(c) || c === "s" || c === "h") return false;
      if (isMet(c)) others += 1;
    }
    return others >= Math.min(2, models - 1) && others > 0;
  };

  /** Whether one specification of a result is what is looked for. */
  const shows = {
    unmet: (judge, at, spec) => isUnmet(codeOf(judge, at)[spec]) || "sh".includes(codeOf(judge, at)[spec]),
    unjudged: (judge, at, spec) => codeOf(judge, at)[spec] === "?",
    pending: (judge, at, spec) => codeOf(judge, at)[spec] === ".",
    disagree: (judge, at, spec) => disagreeAt(at, spec),
    alone: (judge, at, spec) => aloneAt(judge, at, spec),
  };

  const wholeStates = {
    failed: (code) => code === "!",
    unjudgeable: (code) => code === "#",
    met: (code) => code !== "" && /^[mM ]+$/.test(code),
  };

  const wanted = (at, specs) => {
    const code = codeOf(state.judge, at);
    const whole = wholeStates[state.show];
    if (whole && !whole(code)) return false;
    const show = shows[state.show];
    if (!show && state.category === "") return true;
    if (show && (code === "!" || code === "#") && state.show !== "disagree") return false;
    const category = state.category === "" ? -1 : Number(state.category);
    for (let spec = 0; spec < specs.length; spec += 1) {
      if (category >= 0 && specs[spec][CATEGORY] !== category) continue;
      if (!show || show(state.judge, at, spec)) return true;
    }
    return false;
  };

  let haystacks = null;
  /** Lower-case text of a task: id, prompt, dimension, categories, questions. */
  const taskText = (task) => {
    haystacks ??= new Array(data.tasks.length);
    if (haystacks[task] === undefined) {
      const t = data.tasks[task];
      const parts = [t[ID], t[PROMPT] ?? "", names.tracks[t[TRACK]], data.dimensions[t[DIMENSION]]];
      for (const spec of t[SPECS]) parts.push(spec[QUESTION], data.categories[spec[CATEGORY]]);
      haystacks[task] = parts.join("\n").toLowerCase();
    }
    return haystacks[task];
  };

  let spoken = null;
  /** Lower-case words of judges and outputs, by result; loads everything once. */
  const loadSpoken = async (progress) => {
    if (spoken) return;
    const texts = new Map();
    const last = data.tasks.length ? data.tasks[data.tasks.length - 1][CHUNK] : -1;
    for (let number = 0; number <= last; number += 1) {
      const chunk = await words(number);
      chunk.items.forEach((item, i) => {
        for (const [model, parts, judges] of item.res) {
          const all = parts.map((p) => p.text ?? "");
          for (const judge of judges) if (judge) for (const o of judge[1]) if (o[6]) all.push(o[6]);
          texts.set((chunk.first + i) * models + model, all.join("\n").toLowerCase());
        }
      });
      progress((number + 1) / (last + 1));
    }
    spoken = texts;
  };

  /** Positions of results that pass all filters, in order. */
  const filtered = () => {
    const found = [];
    const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const lower = names.models.map((m) => m.toLowerCase());
    const only = state.model === "" ? -1 : Number(state.model);
    const track = state.track === "" ? -1 : Number(state.track);
    const dimension = state.dimension === "" ? -1 : Number(state.dimension);
    data.tasks.forEach((task, t) => {
      if (track >= 0 && task[TRACK] !== track) return;
      if (dimension >= 0 && task[DIMENSION] !== dimension) return;
      const missing = terms.filter((term) => !taskText(t).includes(term));
      const searchModels = missing.length > 0;
      for (let m = only >= 0 ? only : 0; m < (only >= 0 ? only + 1 : models); m += 1) {
        const at = t * models + m;
        if (!data.codes.some((codes) => codes[at] !== "")) continue;
        if (codeOf(state.judge, at) === "" && state.show !== "disagree" && data.codes.length > 1 && state.show) continue;
        if (searchModels) {
          const own = state.words && spoken ? (spoken.get(at) ?? "") : "";
          if (!missing.every((term) => lower[m].includes(term) || own.includes(term))) continue;
        }
        if (wanted(at, task[SPECS])) found.push(at);
      }
    });
    return found;
  };

