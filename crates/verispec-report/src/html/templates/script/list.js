  // The list draws only the rows in view.
  const ROW = 56;
  const list = { found: [], current: -1, rows: new Map() };

  const tally = (code, specs) => {
    const n = { met: 0, unmet: 0, open: 0 };
    for (const c of code.slice(0, specs)) {
      if (isMet(c) || c === "g") n.met += 1;
      else if (isUnmet(c) || c === "s" || c === "h") n.unmet += 1;
      else if (c !== " ") n.open += 1;
    }
    return n;
  };

  const meter = (code, specs) => {
    const bar = make("span", "parts");
    if (code === "!" || code === "#") {
      bar.append(make("i", code === "!" ? "failed" : "unjudgeable"));
      bar.firstChild.style.flexGrow = "1";
      return bar;
    }
    const n = tally(code, specs);
    for (const [name, count] of [["met", n.met], ["unmet", n.unmet], ["open", n.open]]) {
      if (!count) continue;
      const part = make("i", name);
      part.style.flexGrow = String(count);
      bar.append(part);
    }
    return bar;
  };

  const summary = (code, specs) => {
    if (code === "") return "not judged by this judge";
    if (code === "!") return "output failed";
    if (code === "#") return "not judgeable";
    const n = tally(code, specs);
    const open = n.open ? `, ${n.open} open` : "";
    return `${n.met} of ${n.met + n.unmet + n.open} met${open}`;
  };

  const rowOf = (index) => {
    const at = list.found[index];
    const task = data.tasks[Math.floor(at / models)];
    const code = codeOf(state.judge, at);
    const specs = task[SPECS].length;
    const head = make("span", "head", make("b", "", task[ID]), make("span", "quiet", names.models[at % models]));
    const text = make("span", "prompt", task[PROMPT] ?? data.dimensions[task[DIMENSION]]);
    const score = make("span", "score", percent(data.scores[state.judge][at]));
    const row = make("div", "row", make("span", "main", head, text), make("span", "side", score, meter(code, specs)));
    row.title = summary(code, specs);
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(index === list.current));
    row.style.top = `${index * ROW}px`;
    row.dataset.index = String(index);
    return row;
  };

  const draw = () => {
    const box = byId("list");
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 6);
    const last = Math.min(list.found.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 6);
    for (const [index, row] of list.rows) {
      if (index < first || index >= last) {
        row.remove();
        list.rows.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      if (list.rows.has(index)) continue;
      const row = rowOf(index);
      list.rows.set(index, row);
      byId("space").append(row);
    }
  };

  const redraw = () => {
    for (const row of list.rows.values()) row.remove();
    list.rows.clear();
    byId("space").style.height = `${list.found.length * ROW}px`;
    draw();
  };

  const mark = (index) => {
    list.current = index;
    for (const [i, row] of list.rows) row.setAttribute("aria-selected", String(i === index));
  };

  const scrollTo = (index) => {
    const box = byId("list");
    const top = index * ROW;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
    draw();
  };

