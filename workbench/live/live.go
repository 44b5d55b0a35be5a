// Package live makes a manual whose code runs in the browser, and a playground, as static files:
// the pages of package manual, scripts that are ours (page), and the program compiled to
// WebAssembly (workbench/browser) with what Go needs to run it there. The program is not part of
// the workbench itself, which would be a third larger: "go run ./tools/live" builds it.
//
// Below it, session is the conversation of a page with the Lua state. Nothing but a server of
// files is needed, no header of its answers in particular; the pages read well without one.
//
// What runs has one thread, which is why the page is in another and can end it. The program
// sleeps a millisecond ten times a second (stdlib's breath), in which it hears the Stop button.
package live

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/hypertext"
	"github.com/greenbench/workbench/workbench/manual"
)

//go:embed page
var pageFiles embed.FS

// Folder is where everything live lies, below the pages.
const Folder = "live"

// Files are what tools/live makes: the program, Go's support for it, and the licences of both.
func Files() []string { return []string{"workbench.wasm.gz", "wasm_exec.js", "LICENSES.txt"} }

// ErrNoProgram says how to come by the program for browsers.
var ErrNoProgram = errors.New(`the program for browsers is not here: a checkout builds it by "go run ./tools/live" into bin/live; a release has it in the archive workbench_…_live, to be unpacked beside the program`)

// Find is the folder with the program for browsers: live beside the running program, or
// share/workbench/live, or bin/live below the present folder.
func Find() (dir string, err error) {
	var places []string
	if path, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		beside := filepath.Dir(path)
		places = append(places, filepath.Join(beside, Folder), filepath.Join(filepath.Dir(beside), "share", "workbench", Folder))
	}
	for _, dir := range append(places, filepath.Join("bin", Folder)) {
		if complete(dir) {
			return dir, nil
		}
	}
	return "", ErrNoProgram
}

// complete says whether a folder has all files.
func complete(dir string) bool {
	for _, name := range Files() {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || !s.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// Write writes the live manual of a registry into a folder; the folder program has [Files].
func Write(ctx context.Context, reg *bind.Registry, dir, program string) error {
	if err := manual.WriteHTML(ctx, reg, dir, pages()); err != nil {
		return err
	}
	to := filepath.Join(dir, Folder)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	scripts, err := fs.Sub(pageFiles, "page")
	if err != nil {
		return err
	}
	names, err := fs.Glob(scripts, "*")
	if err != nil {
		return err
	}
	if err := copyFiles(scripts, names, to); err != nil {
		return err
	}
	return copyFiles(os.DirFS(program), Files(), to)
}

func copyFiles(from fs.FS, names []string, to string) error {
	for _, name := range names {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
			return fmt.Errorf("live manual: %w", err)
		}
	}
	return nil
}

// scripts are elements that load scripts and styles of the folder page.
func scripts(names ...string) (head hypertext.HTML) {
	for _, name := range names {
		if strings.HasSuffix(name, ".css") {
			head += hypertext.Format("<link rel=\"stylesheet\" href=\"%s/%s\"/>\n", Folder, name)
			continue
		}
		head += hypertext.Format("<script defer=\"defer\" src=\"%s/%s\"></script>\n", Folder, name)
	}
	return head
}

// pages are what the manual has more of when it is live.
func pages() *manual.Live {
	return &manual.Live{
		Head:  scripts("live.css", "engine.js", "blocks.js"),
		Front: `<p>The code on these pages runs in your browser: press Run below a block, or type in the <a href="playground.html">playground</a>. Nothing is installed, and no data leave the tab.</p>` + "\n",
		Page:  manual.Page{Name: "playground.html", Title: "Playground", Head: scripts("prompt.js"), Body: playground},
	}
}

// playground is the body of its page; page/prompt.js makes it work.
const playground hypertext.HTML = `<p>A prompt in the browser. Enter runs a line, Shift-Enter begins another one, Tab completes, <code>?name</code> or F1 shows help, the arrow keys bring back what was typed. Drop files of data (.csv, .npz, .mat and others) on the page: they stay in the memory of this tab. The program, about 9 MB, is loaded with the first line.</p>
<noscript><p>The playground needs JavaScript.</p></noscript>
<div id="live-log" role="log" aria-label="Inputs and results"></div>
<div id="live-prompt">
<div id="live-offers" hidden="hidden"></div>
<div class="live-line"><textarea id="live-input" rows="1" aria-label="Lua" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="plot.heatmap(array.from(20, 20, function(i, j) return i * j end))"></textarea></div>
<div class="live-tools">
<button type="button" class="live-run" id="live-run">Run</button>
<button type="button" id="live-stop" hidden="hidden">Stop</button>
<label class="live-button"><input type="file" id="live-file" multiple="multiple"/><span>Add files</span></label>
<button type="button" id="live-share" title="A link that holds the code that ran">Share</button>
<button type="button" id="live-restart" title="A new session; files stay">Restart</button>
<label title="No files are written, calls nest less deep: for code that you have not read"><input type="checkbox" id="live-safe" checked="checked"/> Safe mode</label>
<span class="live-state" id="live-state" role="status"></span>
</div>
</div>
`
