// Blocks of Lua on a page of the manual: each can be run and changed. The blocks of a page share
// one session; of a guide, those above that have not run go first.
"use strict";

(() => {
  const { Engine, Output } = Workbench;
  const blocks = [];
  let current = null; // the block that loads or runs

  const engine = new Engine({
    listener: {
      status: (text) => current?.say(text),
      restarted: () => blocks.forEach((block) => { block.ran = false; }),
    },
  });

  function button(text, action, title) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.title = title;
    b.onclick = action;
    return b;
  }

  class Block {
    constructor(pre) {
      this.code = pre.querySelector("code");
      this.given = this.code.innerHTML;
      this.inGuide = pre.dataset.lua === "guide";
      this.ran = false;
      this.bar = document.createElement("div");
      this.bar.className = "live-bar";
      this.go = button("Run", () => runTo(this), "Run this block (Ctrl-Enter while you edit it)");
      this.go.className = "live-run";
      this.edit = button("Edit", () => this.open(), "Change this block");
      this.reset = button("Reset", () => this.close(), "The block as the manual has it");
      this.stop = button("Stop", () => engine.stop(), "Stop what runs");
      this.state = document.createElement("span");
      this.state.className = "live-state";
      this.state.setAttribute("role", "status");
      this.bar.append(this.go, this.stop, this.edit, this.reset, this.state);
      this.out = document.createElement("div");
      this.out.className = "live-output";
      this.out.hidden = true;
      this.stop.hidden = this.reset.hidden = true;
      pre.classList.add("live");
      pre.after(this.bar, this.out);
      this.code.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
          event.preventDefault();
          runTo(this);
        }
      });
    }

    // text is the code as it stands; browsers end what is edited with a line of its own.
    text() { return this.code.textContent.replaceAll("\u00a0", " ").replace(/\n+$/, ""); }

    open() {
      this.code.contentEditable = "plaintext-only";
      if (this.code.contentEditable !== "plaintext-only") this.code.contentEditable = "true";
      this.code.spellcheck = false;
      this.code.setAttribute("aria-label", "Lua");
      this.code.focus();
      this.edit.hidden = true;
      this.reset.hidden = false;
    }

    close() {
      this.code.contentEditable = "false";
      this.code.innerHTML = this.given;
      this.edit.hidden = false;
      this.reset.hidden = true;
    }

    say(text) { this.state.textContent = text; }

    async run() {
      current = this;
      this.go.hidden = true;
      this.stop.hidden = false;
      this.out.replaceChildren();
      this.out.hidden = false;
      this.out.classList.remove("failed");
      const output = new Output(this.out);
      output.engine = engine;
      output.elapsed = (seconds, limit) => {
        if (seconds > 1) this.say(`Running, ${Math.floor(seconds)} s of at most ${limit} s`);
      };
      this.say("");
      let ok = false;
      const began = performance.now();
      try {
        await engine.ready();
        const from = performance.now();
        ok = await engine.run(this.text(), output);
        const seconds = (performance.now() - from) / 1000;
        this.say(ok ? (seconds < 0.1 ? "Done" : `Done in ${seconds.toFixed(1)} s`) : "Failed");
      } catch (error) {
        output.event("ended", error.message + "\n");
        this.say("");
      }
      output.progress("");
      this.ran = ok;
      this.took = performance.now() - began;
      this.out.classList.toggle("failed", !ok);
      this.out.hidden = this.out.childNodes.length === 0;
      this.go.hidden = false;
      this.stop.hidden = true;
      current = null;
      return ok;
    }
  }

  // runTo runs a block, and before it those of the guide that it may need.
  async function runTo(block) {
    if (current) return false;
    if (block.inGuide) {
      for (const above of blocks.slice(0, blocks.indexOf(block))) {
        if (above.inGuide && !above.ran && !(await above.run())) {
          block.say("A block above has failed");
          return false;
        }
      }
    }
    return block.run();
  }

  for (const pre of document.querySelectorAll("pre[data-lua]")) blocks.push(new Block(pre));
  Object.assign(Workbench, { blocks, runTo, engine });
})();
