  // Data comes from script files beside the page, so that it also works from `file://`, or from
  // compressed blocks inside it.
  const names = JSON.parse(byId("index").textContent);
  const waiting = new Map();
  const loaded = new Map();

  window.verispec = {
    take(name, value) {
      const wait = waiting.get(name);
      if (wait) wait.resolve(value);
    },
  };

  const unpack = async (name) => {
    const block = byId(`data-${name}`);
    if (!block) throw new Error(`no data ${name}`);
    const packed = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };

  const fromFile = (name) =>
    new Promise((resolve, reject) => {
      waiting.set(name, { resolve });
      const script = make("script");
      script.src = `report.data/${name}.js`;
      script.onload = () => script.remove();
      script.onerror = () => reject(new Error(`report.data/${name}.js cannot be read`));
      document.head.append(script);
    });

  /** The data of this name, loaded at most once. */
  const load = (name) => {
    if (!loaded.has(name)) {
      const promise = names.single ? unpack(name) : fromFile(name);
      promise.catch(() => loaded.delete(name));
      loaded.set(name, promise);
    }
    return loaded.get(name);
  };

  // A task is [track, dimension, id, prompt, chunk, specifications], a specification is
  // [label, question, expected, category].
  const TRACK = 0, DIMENSION = 1, ID = 2, PROMPT = 3, CHUNK = 4, SPECS = 5;
  const QUESTION = 1, EXPECTED = 2, CATEGORY = 3;
  const data = { tasks: [], dimensions: [], categories: [], codes: [], scores: [] };
  const models = names.models.length;

  const words = (chunk) => load(`instances-${String(chunk + 1).padStart(3, "0")}`);

  /** References, and for each model `[model, parts, judges]`, of one task. */
  const wordsOf = async (task) => {
    const chunk = await words(data.tasks[task][CHUNK]);
    return chunk.items[task - chunk.first];
  };

  const start = async () => {
    const [tasks, verdicts] = await Promise.all([load("tasks"), load("verdicts")]);
    Object.assign(data, tasks, verdicts);
  };

