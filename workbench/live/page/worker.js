// A session in a worker: the program (workbench/browser) with files in memory. The page sends
//
//   {start: {module, safe, files}}, {id, call: "run" | "complete" | …, given: […]},
//   {interrupt: true}, {put: name, bytes}, {id, get: name}
//
// and is sent {event: kind, text}, {id, result}, {files: [{name, size, bytes}]} after a run,
// {ready: true}, and {ended: why} when the program is no more.
"use strict";

importScripts("wasm_exec.js", "files.js");

const calls = ["complete", "help", "incomplete"];
const pictures = /\.(png|svg|jpe?g)$/i;
const shownAtMost = 8; // pictures of one run that are sent at once
let said = ""; // on standard error, by Go itself
let files;

onmessage = ({ data: message }) => {
  if (message.start) start(message.start);
  else if (message.interrupt) globalThis.workbench?.interrupt?.();
  else if (message.put) files.put(message.put, message.bytes);
  else if (message.get) postMessage({ id: message.id, result: files.get(message.get) });
  else if (message.call === "run") run(message);
  else if (calls.includes(message.call)) postMessage({ id: message.id, result: workbench[message.call](...message.given) });
};

async function start({ module, safe, given }) {
  files = makeFiles((text) => { said = (said + text).slice(-4000); });
  for (const [name, bytes] of given) files.put(name, bytes);
  globalThis.fs = files;
  globalThis.path = { resolve: files.resolve };
  globalThis.process = {
    pid: 1, ppid: 0, umask: () => 0, cwd: () => files.folder,
    chdir() { throw Object.assign(new Error("one folder"), { code: "ENOSYS" }); },
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0],
  };
  globalThis.workbench = {
    safe,
    seed: crypto.getRandomValues(new Uint32Array(1))[0],
    send: (kind, text) => postMessage({ event: kind, text }),
    ready: () => postMessage({ ready: true }),
  };
  try {
    const go = new Go();
    go.exit = () => {};
    go.env = { HOME: "/work", TMPDIR: "/tmp" };
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    postMessage({ ended: why(said) });
  } catch (error) {
    postMessage({ ended: why(String(error) + said) });
  }
}

async function run({ id, given }) {
  const before = files.list();
  let ok = false;
  try {
    ok = await workbench.run(...given);
  } catch (error) { // the program does not go on after an error of the machine below it
    postMessage({ ended: why(String(error) + said) });
    return;
  }
  const changed = [];
  for (const [name, file] of files.list()) {
    const was = before.get(name);
    if (was && was.id === file.id && was.changed === file.changed && was.size === file.size) continue;
    const shows = pictures.test(name) && changed.filter((f) => f.bytes).length < shownAtMost;
    changed.push({ name, size: file.size, bytes: shows ? files.get(name) : undefined });
  }
  if (changed.length > 0) postMessage({ files: changed });
  postMessage({ id, result: ok });
}

onerror = (event) => {
  postMessage({ ended: why(String(event.message ?? event) + said) });
};
onunhandledrejection = (event) => {
  postMessage({ ended: why(String(event.reason) + said) });
};

// why says for people what Go or the browser said.
function why(text) {
  if (/out of memory|allocation failed|cannot allocate|Out of memory/i.test(text)) {
    return "The memory of the tab, at most 4 GB, is used up. Try fewer or smaller arrays; the program on your own machine has more.";
  }
  if (/call stack|stack exceeds|stack overflow/i.test(text)) {
    return "Calls are nested deeper than the browser allows. Does a function call itself without end?";
  }
  return "The program has ended: " + (text.trim().split("\n")[0] || "no reason given") + ".";
}
