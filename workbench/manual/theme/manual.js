// Search over the index above: entries [name, kind, address, summary, keywords, text].
(function () {
  "use strict";
  const form = document.getElementById("manual-search-form");
  const input = document.getElementById("manual-search");
  const list = document.getElementById("manual-results");
  const most = 12;
  let selected = -1;

  const entries = manualIndex.map(([name, kind, url, summary, keywords, text]) => ({
    name, kind, url, summary,
    lower: name.toLowerCase(),
    short: name.toLowerCase().split(/[.:]/).pop(),
    keywords: keywords.toLowerCase().split("|").filter(Boolean),
    about: summary.toLowerCase(),
    text: text.toLowerCase(),
  }));

  // How well an entry answers a word; 0 if not at all.
  function score(e, word) {
    if (e.short === word || e.lower === word) return 100;
    if (e.keywords.includes(word)) return 80;
    if (e.short.startsWith(word)) return 60;
    if (e.lower.includes(word)) return 40;
    if (e.keywords.some((k) => k.includes(word))) return 30;
    if (e.about.includes(word)) return 20;
    return e.text.includes(word) ? 10 : 0;
  }

  // Letters to insert, delete or replace to make b of a.
  function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      }
      row = next;
    }
    return row[b.length];
  }

  // Plain questions, as answered by "workbench doc": the entries that hold most of the words,
  // rare words and words in titles counting more.
  const fillers = new Set(("a about am an and any are at be by can do does for from get have how i if in is it me my of on or should so that the their there this to use using want was we what when where which who why will with would you your").split(" "));

  function questionWords(text) {
    return text.toLowerCase().split(/[^\p{L}\p{Nd}._-]+/u).filter(Boolean);
  }

  function stem(word) {
    for (const ending of ["ing", "ed", "s", "e"]) {
      const rest = word.length - ending.length;
      if (word.endsWith(ending) && rest >= (ending.length === 3 ? 3 : 4)) return word.slice(0, rest);
    }
    return word;
  }

  function spaced(text) {
    return " " + questionWords(text).join(" ");
  }

  function weightOf(e, start) {
    const begins = (text) => text.includes(" " + start);
    e.spaced = e.spaced || [e.name, e.summary, e.text].map(spaced);
    if (begins(e.spaced[0]) || e.keywords.some((k) => begins(spaced(k)))) return 8;
    return begins(e.spaced[1]) ? 3 : begins(e.spaced[2]) ? 1 : 0;
  }

  function answers(question) {
    const stems = new Set(questionWords(question).filter((w) => !fillers.has(w)).map(stem));
    const scores = entries.map(() => 0);
    for (const start of stems) {
      const found = entries.map((e) => weightOf(e, start));
      const rare = Math.log(1 + entries.length / (1 + found.filter((w) => w > 0).length));
      found.forEach((w, i) => { scores[i] += rare * w; });
    }
    const best = entries.map((e, i) => [scores[i] * (e.kind === "guide" ? 1.5 : 1), e]);
    return best.filter((s) => s[0] > 0).sort((a, b) => b[0] - a[0]).map((s) => s[1]);
  }

  function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const e of entries) {
      const scores = words.map((w) => score(e, w));
      if (scores.every((s) => s > 0)) found.push([scores.reduce((a, b) => a + b), e]);
    }
    found.sort((a, b) => b[0] - a[0]);
    if (words.some((w) => fillers.has(w))) return answers(text);
    if (found.length || !words.length) return found.map((f) => f[1]);
    const near = Math.max(1, Math.floor(words[0].length / 3));
    return entries.filter((e) => distance(words[0], e.short) <= near);
  }

  function element(tag, text, className) {
    const e = document.createElement(tag);
    e.textContent = text;
    if (className) e.className = className;
    return e;
  }

  function show() {
    const text = input.value.trim();
    const found = text ? find(text).slice(0, most) : [];
    list.replaceChildren(...found.map((e, i) => {
      const item = element("li", "", e.kind);
      const a = element("a", "");
      item.id = "manual-result-" + i;
      item.setAttribute("role", "option");
      a.href = e.url;
      a.tabIndex = -1;
      a.append(element("i", e.kind), element("b", e.name), element("span", e.summary));
      item.append(a);
      return item;
    }));
    if (text && !found.length) list.append(element("li", "Nothing about “" + text + "”", "none"));
    list.hidden = !text;
    input.setAttribute("aria-expanded", String(!!text));
    select(found.length ? 0 : -1);
  }

  function select(i) {
    const items = list.querySelectorAll("[role=option]");
    selected = items.length ? (i + items.length) % items.length : -1;
    items.forEach((item, j) => item.setAttribute("aria-selected", String(j === selected)));
    if (selected < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", items[selected].id);
    items[selected].scrollIntoView({ block: "nearest" });
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  form.hidden = false;
  input.addEventListener("input", show);
  input.addEventListener("focus", () => input.value && show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = list.hidden ? null : list.querySelectorAll("[role=option] a")[selected];
    if (!chosen) return;
    close();
    input.blur();
    location.href = chosen.href;
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      select(selected + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      close();
      input.blur();
    }
  });
  document.addEventListener("click", (event) => {
    if (!input.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
})();
