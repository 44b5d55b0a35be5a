// The playground: a prompt with history, completion and help by the engine of the program's own
// prompt, files that are dropped, and links that hold code.
"use strict";

(() => {
  const { Engine, Output, size } = Workbench;
  const at = (id) => document.getElementById(id);
  const log = at("live-log"), field = at("live-input"), offers = at("live-offers"), state = at("live-state");
  const run = at("live-run"), stop = at("live-stop"), safe = at("live-safe");
  const history = recall();
  const ran = []; // inputs of this session that went well
  let place = history.length, draft = "", busy = false;
  let engine = begin();

  function begin() {
    return new Engine({
      safe: safe.checked,
      listener: { status: (text) => { state.textContent = text; }, restarted: () => { ran.length = 0; } },
    });
  }

  // History: what was typed in earlier visits, in this browser only.

  function recall() {
    try {
      return JSON.parse(localStorage.getItem("workbench.history")) ?? [];
    } catch {
      return [];
    }
  }

  function remember(text) {
    if (history.at(-1) !== text) history.push(text);
    place = history.length;
    try {
      localStorage.setItem("workbench.history", JSON.stringify(history.slice(-500)));
    } catch { /* a browser that keeps nothing */ }
  }

  function older(step) {
    if (place === history.length) draft = field.value;
    place = Math.max(0, Math.min(history.length, place + step));
    set(place === history.length ? draft : history[place]);
  }

  function set(text, position = text.length) {
    field.value = text;
    field.setSelectionRange(position, position);
    fit();
  }

  function fit() {
    field.style.height = "auto";
    field.style.height = field.scrollHeight + 2 + "px";
  }

  // Running

  function entry(text) {
    const section = document.createElement("section");
    const typed = document.createElement("pre");
    typed.className = "live-typed";
    typed.textContent = text;
    const out = document.createElement("div");
    out.className = "live-output";
    section.append(typed, out);
    log.append(section);
    section.scrollIntoView({ block: "nearest" });
    return out;
  }

  async function submit(text) {
    if (busy || text.trim() === "") return false;
    busy = true;
    hide();
    remember(text);
    set("");
    run.hidden = true;
    stop.hidden = false;
    const element = entry(text);
    const output = new Output(element);
    output.engine = engine;
    output.elapsed = (seconds, limit) => {
      if (seconds > 1) state.textContent = `Running, ${Math.floor(seconds)} s of at most ${limit} s`;
    };
    let ok = false;
    try {
      await engine.ready();
      const from = performance.now();
      ok = await engine.run(text, output);
      const seconds = (performance.now() - from) / 1000;
      state.textContent = seconds < 0.5 ? "" : `${seconds.toFixed(1)} s`;
      if (ok) ran.push(text);
    } catch (error) {
      output.event("ended", error.message + "\n");
      state.textContent = "";
    }
    output.progress("");
    element.classList.toggle("failed", !ok);
    run.hidden = false;
    stop.hidden = true;
    busy = false;
    at("live-prompt").scrollIntoView({ block: "nearest" });
    return ok;
  }

  // Completion and help

  function hide() {
    offers.hidden = true;
    offers.replaceChildren();
  }

  function shared(texts) {
    let prefix = texts[0];
    for (const t of texts) while (!t.startsWith(prefix)) prefix = prefix.slice(0, -1);
    return prefix;
  }

  function take(from, text) {
    const cursor = field.selectionStart;
    set(field.value.slice(0, from) + text + field.value.slice(cursor), from + text.length);
    field.focus();
  }

  async function complete() {
    const text = field.value, cursor = field.selectionStart;
    if (text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor).trim() === "") {
      take(cursor, "  ");
      return;
    }
    const found = await engine.call("complete", text, cursor);
    state.textContent = "";
    if (!found || field.value !== text || field.selectionStart !== cursor) return;
    hide();
    if (found.candidates.length === 0 && !found.title) return;
    const word = text.slice(found.from, cursor);
    const prefix = found.candidates.length > 0 ? shared(found.candidates.map((c) => c.text)) : word;
    if (found.candidates.length === 1 || prefix.length > word.length) {
      take(found.from, prefix);
      if (found.candidates.length === 1) return;
    }
    list(found);
  }

  function list({ from, title, candidates }) {
    if (title) {
      const p = document.createElement("p");
      p.textContent = title;
      offers.append(p);
    }
    for (const c of candidates.slice(0, 200)) {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = c.show || c.text;
      b.onclick = () => { take(from, c.text); hide(); };
      offers.append(b);
    }
    offers.hidden = false;
  }

  async function help() {
    const before = /[\w.:]*$/.exec(field.value.slice(0, field.selectionStart))[0];
    const after = /^\w*/.exec(field.value.slice(field.selectionStart))[0];
    const page = await engine.call("help", (before + after).replace(/[.:]$/, ""));
    state.textContent = "";
    if (!page) return;
    hide();
    const pre = document.createElement("pre");
    pre.textContent = page;
    offers.append(pre);
    offers.hidden = false;
  }

  window.addEventListener("resize", fit);
  field.addEventListener("input", () => { fit(); hide(); });
  field.addEventListener("keydown", async (event) => {
    const first = !field.value.slice(0, field.selectionStart).includes("\n");
    const last = !field.value.slice(field.selectionStart).includes("\n");
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      const text = field.value;
      if (!busy && !event.ctrlKey && engine.started && (await engine.call("incomplete", text))) take(field.selectionStart, "\n");
      else submit(text);
    } else if (event.key === "Tab" && !event.shiftKey && field.value !== "") {
      event.preventDefault();
      guard(complete());
    } else if (event.key === "F1") {
      event.preventDefault();
      guard(help());
    } else if (event.key === "ArrowUp" && first && history.length > 0) {
      event.preventDefault();
      older(-1);
    } else if (event.key === "ArrowDown" && last && place < history.length) {
      event.preventDefault();
      older(1);
    } else if (event.key === "Escape") hide();
    else if (event.key === "c" && event.ctrlKey && busy && field.selectionStart === field.selectionEnd) engine.stop();
  });

  // guard shows why something could not be done.
  function guard(promise) {
    promise.catch((error) => { state.textContent = error.message; });
  }

  run.onclick = () => { submit(field.value); field.focus(); };
  stop.onclick = () => engine.stop();
  safe.onchange = () => restart("A new session" + (safe.checked ? ", in safe mode." : ", without safe mode: files are written, to the memory of this tab."));
  at("live-restart").onclick = () => restart("A new session.");

  function restart(text) {
    const files = engine.given;
    if (engine.started) engine.end("");
    engine = begin();
    engine.given = files;
    ran.length = 0;
    say(text);
  }

  function say(text) {
    const p = document.createElement("p");
    p.className = "live-said";
    p.textContent = text;
    log.append(p);
  }

  // Files

  const readers = { csv: "sheet.load", tsv: "sheet.load", txt: "array.load", xlsx: "sheet.load", npz: "data.load", npy: "array.load", mat: "data.load", h5: "data.load", nc: "data.load" };

  async function add(list) {
    for (const file of list) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      await engine.put(file.name, bytes);
      say(`${file.name}, ${size(file.size)}, is in the memory of this tab and goes nowhere else.`);
      const reader = readers[file.name.split(".").pop().toLowerCase()];
      if (reader && field.value === "") set(`t = ${reader}(${JSON.stringify(file.name)})`);
    }
    field.focus();
  }

  at("live-file").onchange = (event) => guard(add(event.target.files));
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("live-drop"); });
  document.addEventListener("dragleave", () => document.body.classList.remove("live-drop"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("live-drop");
    guard(add(event.dataTransfer.files));
  });

  // Links that hold code: in the part of the address that no server sees.

  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  async function link(code) {
    const bytes = await through(new TextEncoder().encode(code), new CompressionStream("deflate-raw"));
    const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    return location.href.split("#")[0] + "#code=" + text;
  }

  async function linked() {
    const text = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
    if (!text) return;
    try {
      const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
      set(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
      say("The code below came with the link. Read it, then press Enter or Run.");
    } catch {
      say("The link does not hold all of its code: it may have been cut off.");
    }
  }

  async function share() {
    const code = [...ran, ...(field.value.trim() ? [field.value] : [])].join("\n");
    if (code === "") {
      state.textContent = "Nothing to share: run something first.";
      return;
    }
    const url = await link(code);
    window.history.replaceState(null, "", url);
    try {
      await navigator.clipboard.writeText(url);
      state.textContent = "The link is in the clipboard; it holds what ran, not the files.";
    } catch {
      state.textContent = "The address above is the link; it holds what ran, not the files.";
    }
  }

  at("live-share").onclick = () => guard(share());
  window.addEventListener("hashchange", () => guard(linked()));
  guard(linked());
  fit();
  field.focus({ preventScroll: true });
  Object.assign(Workbench, { submit, add, complete, share, engineOf: () => engine });
})();
