package manual_test

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/live"
	"github.com/greenbench/workbench/workbench/live/session"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/runner/lint"
)

// newSession is a session like that of the program for browsers; what it sends is kept.
func newSession(t *testing.T, safe bool) (s *session.Session, said *transcript) {
	t.Helper()
	said = &transcript{}
	s, err := session.New(session.Options{
		Safe: safe, Send: said.add, Advise: func(h *host.Host, d *everywhere.Desk) { lint.Advise(h.L, d) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, said
}

// A transcript is what a page shows of a run: texts of one kind together, each begun by its kind.
type transcript struct {
	last session.Kind
	text strings.Builder
}

func (r *transcript) add(e session.Event) {
	switch e.Kind {
	case session.Progress:
		return
	case session.Picture:
		e.Text = ""
	}
	if e.Kind != r.last || e.Kind == session.Picture {
		fmt.Fprintf(&r.text, "[%s] ", e.Kind)
	}
	r.last = e.Kind
	r.text.WriteString(e.Text)
}

// take is what was said since the last time.
func (r *transcript) take() string {
	text := r.text.String()
	*r = transcript{}
	return text
}

// TestLiveSession: a page is told what the prompt tells.
func TestLiveSession(t *testing.T) {
	s, said := newSession(t, true)
	for _, c := range []struct {
		code, want string
		ok         bool
	}{
		{"1 + 1", "[output] 2\n", true},
		{"x = 5; x;", "", true},
		{"local a = 2\nlocal b = 3\na * b", "[output] 6\n", true},
		{"a\nb", "[output] 2\n3\n", true},
		{"print('before')\nerror('stop')\nprint('after')", "[output] before\n[error] error: stop\n  input[6]:2: error('stop')\n", false},
		{"print(x)\nnil + 1 --! attempt\nprint(x)", "[output] 5\n[error] error: attempt to do arithmetic (+) on nil\n  input[8]:1: nil + 1 --! attempt\n[output] 5\n", true},
		{"kernle", "[output] nil\n[note]   'kernle' is not defined; did you mean 'kernel'?\n", true},
		{"kernel = 1", "[note] note: 'kernel' is now your variable, not the module; kernel = require \"kernel\" brings the module back; use another name\n", true},
		{"os.exit(2)", "[note] note: os.exit(2): nothing ends here, the session goes on\n", false},
		{"io.open('x', 'w')", "[error] error: attempt to call nil: 'io.open' (safe mode has none)\n", false},
		{"plot.lines{{y = {1, 2}}}", "[picture] ", true},
		{"f = plot.lines{{y = {1, 2}}, show = false}\nf", "[picture] ", true},
		{"print(('x'):rep(2^20 + 7))", "[output] " + strings.Repeat("x", 1<<20) + "[note] note: 8 more bytes were printed and are not shown\n", true},
		{"print('é')", "[output] é\n", true},
	} {
		ok := s.Run(t.Context(), c.code)
		if got := said.take(); ok != c.ok || !strings.HasPrefix(c.want, "[error]") && clip(got) != clip(c.want) || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\ngot  %v %q\nwant %v %q", clip(c.code), ok, clip(got), c.ok, clip(c.want))
		}
	}
	s.Run(t.Context(), "?mesh.uniform")
	if got := said.take(); !strings.Contains(got, "Arguments") {
		t.Errorf("?mesh.uniform: %q", got)
	}
	// Places are bytes of the whole text.
	text := "é = 1\n  mesh.unif"
	c := s.Complete(text, len(text))
	if len(c.Candidates) == 0 || !strings.HasPrefix(c.Candidates[0].Text, "uniform") || text[c.From:] != "unif" {
		t.Errorf("completion of %q: %+v", text, c)
	}
	if c := s.Complete("?mesh.unif", 10); len(c.Candidates) == 0 || c.From != len("?mesh.") {
		t.Errorf("completion of a question: %+v", c)
	}
	for text, want := range map[string]bool{"f(": true, "for i = 1, 2 do": true, "f()": false, "?kernel": false, ")": false} {
		if session.Incomplete(text) != want {
			t.Errorf("incomplete %q: %v", text, !want)
		}
	}
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:200] + fmt.Sprintf("… %d bytes …", len(s)) + s[len(s)-200:]
	}
	return s
}

// TestLiveInterrupt: what was stopped is over, and the session is as it was.
func TestLiveInterrupt(t *testing.T) {
	s, said := newSession(t, false)
	s.Run(t.Context(), "x = 7")
	timer := time.AfterFunc(50*time.Millisecond, s.Interrupt)
	defer timer.Stop()
	if s.Run(t.Context(), "while true do end") {
		t.Error("a loop without end went well")
	}
	if got := said.take(); !strings.HasPrefix(got, "[error] interrupted at input[2]:1, after ") {
		t.Error(got)
	}
	if s.Run(t.Context(), "x"); said.take() != "[output] 7\n" {
		t.Error("the session has lost its variables")
	}
}

// TestLiveFiles: without the program for browsers nothing is written, and it is said how to get it.
func TestLiveFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if dir, err := live.Find(); err == nil || !strings.Contains(err.Error(), "go run ./tools/live") {
		t.Errorf("found %q, %v", dir, err)
	}
	if err := os.MkdirAll("bin/live", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range live.Files() {
		if err := os.WriteFile(filepath.Join("bin/live", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if dir, err := live.Find(); err != nil || dir != filepath.Join("bin", "live") {
		t.Errorf("found %q, %v", dir, err)
	}
}

// liveSite builds the program for browsers and serves the live manual.
func liveSite(t *testing.T) (address string) {
	t.Helper()
	program := os.Getenv("WORKBENCH_LIVE") // built before, for those who try often
	if program == "" {
		program = t.TempDir()
		build := exec.CommandContext(t.Context(), "go", "run", "./tools/live", "-out", program)
		build.Dir = filepath.Join("..", "..")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	dir := t.TempDir()
	if err := live.Write(t.Context(), registry(), dir, program); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// The live manual and the playground in a browser.
func TestLiveBrowser(t *testing.T) {
	testmain.Long(t)
	b := startBrowser(t)
	base := liveSite(t)
	t.Run("cold", func(t *testing.T) { checkCold(t, b, base) })
	t.Run("pages", func(t *testing.T) {
		_, names := pages(t)
		checkPages(t, b, base, append(names, "playground.html"))
	})
	t.Run("guides", func(t *testing.T) {
		b.look(t, 1400, 900, "light")
		for _, name := range manual.Guides() {
			t.Run(name, func(t *testing.T) { checkBlocks(t, b, base+name+".html") })
		}
	})
	t.Run("playground", func(t *testing.T) { checkPlayground(t, b, base) })
	t.Run("stop", func(t *testing.T) { checkStop(t, b, base) })
	t.Run("speed", func(t *testing.T) { checkSpeed(t, b, base) })
}

// shownIn is a script: what an element with the output of a run shows, as a transcript writes it.
const shownIn = `((out) => {
	let text = "", last = "";
	for (const e of out.children) {
		const kind = e.dataset.kind ?? (e.tagName === "IMG" && e.src.startsWith("data:") ? "picture" : "");
		if (kind === "" || kind === "progress") continue;
		if (kind !== last || kind === "picture") text += "[" + kind + "] ";
		last = kind;
		text += e.textContent;
	}
	return text;
})`

// checkBlocks runs all blocks of a guide, which show what a session shows that is no browser's.
func checkBlocks(t *testing.T, b *browser, page string) {
	b.open(t, page)
	var n int
	if b.eval(t, "Workbench.blocks.length", &n); n == 0 {
		return
	}
	t.Chdir(t.TempDir())
	s, said := newSession(t, false)
	for i := range n {
		block := fmt.Sprintf("Workbench.blocks[%d]", i)
		var run struct {
			Ok          bool
			Code, Shown string
			Broken      int
		}
		b.eval(t, `Workbench.runTo(`+block+`).then(async (ok) => {
			const images = [...`+block+`.out.querySelectorAll("img")];
			await Promise.allSettled(images.map((i) => i.decode()));
			return {ok, code: `+block+`.text(), shown: `+shownIn+`(`+block+`.out), broken: images.filter((i) => !i.naturalWidth).length};
		})`, &run)
		ok := s.Run(t.Context(), run.Code)
		if want := said.take(); run.Ok != ok || !alike(run.Shown, want) {
			t.Errorf("block %d:\n%s\nshows %v\n%s\nwant %v\n%s", i+1, clip(run.Code), run.Ok, clip(run.Shown), ok, clip(want))
		}
		if !ok {
			t.Errorf("block %d fails", i+1)
		}
		if run.Broken > 0 {
			t.Errorf("block %d: %d pictures are broken", i+1, run.Broken)
		}
	}
	for _, width := range widths {
		b.look(t, width, 900, "light")
		checkLayout(t, b, fmt.Sprintf("%s after Run at %d pixels", page, width))
		b.screenshot(t, width, fmt.Sprintf("live-%s-%d.png", filepath.Base(page), width))
	}
	b.look(t, 1400, 900, "light")
	for _, c := range b.complaints(page[:strings.LastIndex(page, "/")+1]) {
		if !strings.Contains(c, "blob:") {
			t.Error(c)
		}
	}
}

var (
	durations = regexp.MustCompile(`[0-9.]+ (ns|µs|ms|s|min)\b`)
	figures   = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)
)

// alike says whether two texts differ only in times and in what processors round differently.
func alike(a, b string) bool {
	a, b = durations.ReplaceAllString(a, "TIME"), durations.ReplaceAllString(b, "TIME")
	if squeeze(figures.ReplaceAllString(a, "#")) != squeeze(figures.ReplaceAllString(b, "#")) {
		return false
	}
	x, y := figures.FindAllString(a, -1), figures.FindAllString(b, -1)
	for i := range x {
		p, err1 := strconv.ParseFloat(x[i], 64)
		q, err2 := strconv.ParseFloat(y[i], 64)
		const rounding = 1e-7 // of what is near zero
		if err1 != nil || err2 != nil || math.Abs(p-q) > 1e-3*math.Max(math.Abs(p), math.Abs(q))+rounding {
			return false
		}
	}
	return true
}

// checkPlayground types, completes, drops a file and shares a link.
func checkPlayground(t *testing.T, b *browser, base string) {
	b.look(t, 1400, 900, "light")
	b.open(t, base+"playground.html")
	last := `document.querySelector("#live-log section:last-of-type .live-output")`
	submit := func(code, want string) {
		t.Helper()
		var got string
		b.eval(t, fmt.Sprintf(`Workbench.submit(%q).then(() => %s(%s))`, code, shownIn, last), &got)
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", code, clip(got), want)
		}
	}
	var example string
	b.eval(t, `document.getElementById("live-input").placeholder`, &example)
	submit(example, "[picture] ")
	submit("x = 6", "")
	submit("x * 7", "[output] 42\n")
	submit("prin(x)", "[error] error: attempt to call nil: 'prin'")
	submit("io.open('x', 'w')", "[error] error: attempt to call nil: 'io.open' (safe mode has none)")
	submit("array.zeros{40000, 40000}", "[error] error: array.zeros: shape 40000×40000: needs 11.9 GiB; the limit is 3 GiB")
	submit("t = setmetatable({}, {__index = function(t, k) return t[k + 1] end})", "")
	submit("t[1]", "[error] error: stack overflow: more than 5000 nested calls")
	submit("x", "[output] 6\n")

	// Completion of what is typed, and the arrow keys.
	var field string
	b.eval(t, `document.getElementById("live-input").focus(), ""`, &field)
	b.call(t, "Input.insertText", map[string]any{"text": "mesh.unif"}, nil)
	b.eval(t, `Workbench.complete().then(() => document.getElementById("live-input").value)`, &field)
	if field != "mesh.uniform(" {
		t.Errorf("mesh.unif completes to %q", field)
	}
	b.press(t, "ArrowUp", "", 38)
	b.press(t, "ArrowUp", "", 38)
	if b.eval(t, `document.getElementById("live-input").value`, &field); field != "t[1]" {
		t.Errorf("the second input back is %q", field)
	}

	// A file that is dropped becomes a picture.
	b.eval(t, `(async () => {
		const files = new DataTransfer();
		const rows = Array.from({length: 30}, (_, i) => Array.from({length: 30}, (_, j) => Math.sin(i * j / 50)).join(","));
		files.items.add(new File([rows.join("\n")], "waves.csv"));
		document.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
		await new Promise((done) => setTimeout(done, 100));
		return "";
	})()`, &field)
	submit(`plot.heatmap(array.load("waves.csv"))`, "[picture] ")
	var drawn int
	b.eval(t, last+`.querySelector("img").decode().then(() => `+last+`.querySelector("img").naturalWidth)`, &drawn)
	if drawn < 200 {
		t.Errorf("the picture is %d pixels wide", drawn)
	}
	for _, width := range widths {
		b.look(t, width, 900, "light")
		checkLayout(t, b, fmt.Sprintf("the playground at %d pixels", width))
		b.screenshot(t, width, fmt.Sprintf("live-playground-%d.png", width))
	}

	// A link brings the code, which waits to be run.
	var link string
	b.eval(t, `(document.getElementById("live-input").value = "λ = 1 -- +/=", Workbench.share().then(() => location.href))`, &link)
	b.open(t, "about:blank")
	b.open(t, link)
	b.eval(t, `new Promise((done) => setTimeout(() => done(document.getElementById("live-input").value), 300))`, &field)
	if !strings.HasPrefix(field, example+"\nx = 6\nx * 7\n") || !strings.HasSuffix(field, "λ = 1 -- +/=") {
		t.Errorf("the link %s brings %q", link, field)
	}
	for _, c := range b.complaints(base) {
		t.Error(c)
	}
}
