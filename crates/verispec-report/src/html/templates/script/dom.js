  // Small helpers. Text from data only ever becomes text: `textContent`, never markup.
  const byId = (id) => document.getElementById(id);

  /** An element with classes, children and properties; strings become text. */
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    for (const child of children) if (child !== null && child !== undefined) element.append(child);
    return element;
  };

  const option = (value, text) => {
    const element = make("option", "", text);
    element.value = value;
    return element;
  };

  const number = (n) => n.toLocaleString("en");
  const percent = (score) => (score === null || score === undefined ? "–" : score.toFixed(2));

