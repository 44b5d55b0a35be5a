// What pages need of the program: it is fetched when it is first needed, runs in a worker, and
// can be stopped. One Engine is one session; after a stop that nobody hears it is a new one.
"use strict";

globalThis.Workbench = {};

(() => {
  const here = document.currentScript.src;
  const address = (name) => new URL(name, here).href;
  const patience = 2000; // ms that what runs has to hear an interrupt
  const timeLimit = 300; // seconds that a run may take

  // peek gives a stream and its first bytes: a server may have decompressed the file.
  async function peek(stream) {
    const reader = stream.getReader();
    const first = await reader.read();
    const rest = new ReadableStream({
      start(to) { if (first.value) to.enqueue(first.value); },
      async pull(to) {
        const { done, value } = await reader.read();
        if (done) to.close();
        else to.enqueue(value);
      },
    });
    return [rest, first.value ?? new Uint8Array(0)];
  }

  // load fetches and compiles the program; tell(share) hears how much of it is there.
  async function load(tell) {
    if (location.protocol === "file:") {
      throw new Error("A browser runs programs only of pages that a server gives it. In the folder of the manual, run “python3 -m http.server” and open http://localhost:8000.");
    }
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream || !globalThis.Worker) {
      throw new Error("This browser is too old to run the program: WebAssembly and DecompressionStream are needed (Chromium 80, Firefox 113, Safari 16.4).");
    }
    const response = await fetch(address("workbench.wasm.gz"));
    if (!response.ok) throw new Error(`workbench.wasm.gz: the server says ${response.status}.`);
    const total = Number(response.headers.get("Content-Length")) || 10e6;
    let seen = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, to) {
        seen += chunk.length;
        tell(Math.min(seen / total, 1));
        to.enqueue(chunk);
      },
    }));
    let [bytes, first] = await peek(counted);
    if (first[0] === 0x1f && first[1] === 0x8b) bytes = bytes.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
  }

  class Engine {
    // listener: status(text) while nothing can run yet, restarted(why) when variables are gone.
    constructor({ safe = false, listener = {} } = {}) {
      this.safe = safe;
      this.listener = listener;
      this.given = new Map(); // files of the user, which a new session has again
      this.waiting = new Map(); // answers, by number
      this.calls = 0;
      this.running = null; // what hears the events of the present run
    }

    // ready is kept when the worker waits for code.
    ready() {
      this.started ??= this.start().catch((error) => {
        this.started = null;
        throw error;
      });
      return this.started;
    }

    async start() {
      const tell = (share) => this.listener.status?.(`Loading the program: ${Math.round(100 * share)} %`);
      Engine.module ??= load(tell).catch((error) => {
        Engine.module = null;
        throw error;
      });
      const module = await Engine.module;
      this.listener.status?.("Starting …");
      this.worker = new Worker(address("worker.js"));
      await new Promise((resolve, reject) => {
        this.begun = resolve;
        this.failed = reject;
        this.worker.onmessage = ({ data }) => this.hear(data);
        this.worker.onerror = (event) => this.end(`The program has ended: ${event.message}`);
        this.worker.postMessage({ start: { module, safe: this.safe, given: [...this.given] } });
      });
      this.listener.status?.("");
    }

    hear(message) {
      if (message.ready) this.begun();
      else if (message.event) this.running?.event(message.event, message.text);
      else if (message.files) this.running?.files(message.files);
      else if (message.ended !== undefined) this.end(message.ended);
      else {
        const answer = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        answer?.resolve(message.result);
      }
    }

    ask(message) {
      return new Promise((resolve, reject) => {
        const id = ++this.calls;
        this.waiting.set(id, { resolve, reject });
        this.worker.postMessage({ id, ...message });
      });
    }

    // run runs code; shows has event(kind, text), files(list) and elapsed(seconds, limit). The
    // result is whether all went well; it throws when the program could not run it to its end.
    async run(code, shows) {
      await this.ready();
      const began = performance.now();
      const clock = setInterval(() => {
        const seconds = (performance.now() - began) / 1000;
        shows.elapsed?.(seconds, timeLimit);
        if (seconds > timeLimit && !this.stopping) {
          shows.event("note", `The time limit of ${timeLimit} s is over.\n`);
          this.stop();
        }
      }, 200);
      this.running = shows;
      try {
        return await this.ask({ call: "run", given: [code] });
      } finally {
        clearInterval(clock);
        clearTimeout(this.stopping);
        this.stopping = null;
        this.running = null;
      }
    }

    // stop interrupts what runs; if that is not heard, the session ends.
    stop() {
      if (!this.running || this.stopping) return;
      this.worker.postMessage({ interrupt: true });
      this.stopping = setTimeout(() => this.end("Stopped. What ran did not listen."), patience);
    }

    // end ends the session: its variables are gone, the next run begins a new one.
    end(why) {
      this.worker?.terminate();
      this.started = null;
      const error = new Error(`${why} A new session begins with the next run; variables of this one are gone.`);
      this.failed?.(error);
      for (const answer of this.waiting.values()) answer.reject(error);
      this.waiting.clear();
      this.listener.restarted?.(why);
    }

    // put gives the session a file; get is its bytes again.
    async put(name, bytes) {
      this.given.set(name, bytes);
      if (this.started) {
        await this.ready();
        this.worker.postMessage({ put: name, bytes });
      }
    }

    async get(name) {
      await this.ready();
      return this.ask({ get: name });
    }

    // call asks for completion or help; while something runs, there is none.
    async call(name, ...given) {
      if (this.running) return null;
      await this.ready();
      return this.running ? null : this.ask({ call: name, given });
    }
  }

  // Output is what a run shows, in an element.
  class Output {
    constructor(element) {
      this.element = element;
      this.last = null;
      this.bar = null;
    }

    event(kind, text) {
      if (kind === "progress") return this.progress(text);
      if (kind === "picture") return this.picture("data:image/svg+xml;charset=utf-8," + encodeURIComponent(text), "Figure");
      if (this.last?.dataset.kind !== kind) {
        this.last = document.createElement("pre");
        this.last.dataset.kind = kind;
        this.element.append(this.last);
        if (kind === "error") { // its first line is a sentence, which wraps; marks stand below the others
          const first = document.createElement("span");
          first.textContent = text.split("\n", 1)[0];
          this.last.append(first);
          text = text.slice(first.textContent.length);
        }
      }
      this.last.append(text);
    }

    progress(text) {
      if (text === "") {
        this.bar?.remove();
        this.bar = null;
        return;
      }
      if (!this.bar) {
        this.bar = document.createElement("pre");
        this.bar.dataset.kind = "progress";
      }
      this.bar.textContent = text;
      this.element.append(this.bar);
    }

    picture(source, name) {
      this.last = null;
      const image = document.createElement("img");
      image.src = source;
      image.alt = name;
      this.element.append(image);
    }

    files(list) {
      this.last = null;
      const line = document.createElement("p");
      line.className = "live-files";
      line.append("Files, in the memory of this tab: ");
      const drawn = this.element.querySelector("img"); // what is drawn and written is shown once
      list.forEach((file, i) => {
        if (file.bytes && !drawn) {
          const type = file.name.endsWith(".svg") ? "image/svg+xml" : "image/png";
          this.picture(URL.createObjectURL(new Blob([file.bytes], { type })), file.name);
        }
        const link = document.createElement("button");
        link.textContent = file.name;
        link.title = `Save (${size(file.size)})`;
        link.onclick = async () => save(file.name, file.bytes ?? (await this.engine.get(file.name)));
        line.append(i > 0 ? ", " : "", link);
      });
      this.element.append(line);
    }
  }

  function size(bytes) {
    if (bytes < 1e3) return `${bytes} bytes`;
    return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  }

  function save(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name.split("/").pop();
    link.click();
    URL.revokeObjectURL(link.href);
  }

  Object.assign(Workbench, { Engine, Output, size });
})();
