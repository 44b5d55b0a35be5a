package manual_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

var screenshots = flag.String("screenshots", "", "write pictures of all pages into this directory, to look at")

func isBelow(url, base string) bool {
	return strings.HasPrefix(url, base) || strings.HasPrefix(url, "data:")
}

// widths are those of a telephone and of a large window.
var widths = []int{390, 1600}

// The manual in a browser.
func TestBrowser(t *testing.T) {
	if !testmain.EveryCase() {
		t.Skip("with WORKBENCH_TESTS=all, as in CI")
	}
	dir, names := pages(t)
	b := startBrowser(t)
	files := "file://" + filepath.ToSlash(dir) + "/"
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	t.Run("pages", func(t *testing.T) { checkPages(t, b, files, names) })
	t.Run("search", func(t *testing.T) {
		for _, base := range []string{files, server.URL + "/"} {
			checkSearch(t, b, base)
		}
	})
	t.Run("results", func(t *testing.T) { checkResults(t, b, files) })
}

// checkPages opens every page from a file: there is no complaint, nothing sticks
// out at the side in any width of the window, and all pictures are there.
func checkPages(t *testing.T, b *browser, base string, names []string) {
	schemes := []string{"light"}
	if *screenshots != "" {
		schemes = append(schemes, "dark")
	}
	for _, scheme := range schemes {
		b.look(t, widths[0], 900, scheme)
		for _, name := range names {
			b.open(t, base+name)
			for _, width := range widths {
				b.look(t, width, 900, scheme)
				checkLayout(t, b, fmt.Sprintf("%s at %d pixels", name, width))
				b.screenshot(t, width, fmt.Sprintf("%s-%d-%s.png", strings.TrimSuffix(name, ".html"), width, scheme))
			}
			for _, c := range b.complaints(base) {
				t.Errorf("%s: %s", name, c)
			}
		}
	}
}

// checkLayout looks for what is wider than the window and for broken pictures.
func checkLayout(t *testing.T, b *browser, page string) {
	t.Helper()
	var layout struct {
		Over   int
		Wide   []string
		Broken []string
	}
	b.eval(t, `(() => {
		const width = document.documentElement.clientWidth;
		const scrolls = (e) => e && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
		const wide = [...document.querySelectorAll("main *, nav *, header *")].filter((e) =>
			e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement));
		return {
			over: document.documentElement.scrollWidth - width,
			wide: wide.slice(0, 3).map((e) => e.outerHTML.slice(0, 120)),
			broken: [...document.images].filter((i) => !i.complete || !i.naturalWidth).map((i) => i.src),
		};
	})()`, &layout)
	if layout.Over > 0 || len(layout.Wide) > 0 {
		t.Errorf("%s: %d pixels too wide: %q", page, layout.Over, layout.Wide)
	}
	for _, src := range layout.Broken {
		t.Errorf("%s: broken picture %s", page, src)
	}
}

// checkSearch types "matern" into the search field, which finds kernel.matern,
// and Enter goes there.
func checkSearch(t *testing.T, b *browser, base string) {
	for _, width := range widths {
		b.look(t, width, 900, "light")
		b.open(t, base+"index.html")
		b.press(t, "/", "/", 191)
		if got := b.typed(t, "matern"); len(got) == 0 || got[0] != "kernel.matern" {
			t.Fatalf("%s at %d pixels: matern finds %q", base, width, got)
		}
		checkLayout(t, b, "index.html with results")
		b.screenshot(t, width, fmt.Sprintf("search-%d.png", width))
		b.events = nil
		b.press(t, "Enter", "\r", 13)
		b.await(t, "Page.loadEventFired")
		var url string
		b.eval(t, "location.href", &url)
		if url != base+"kernel.html#matern" {
			t.Errorf("Enter leads to %s", url)
		}
		for _, c := range b.complaints(base) {
			t.Error(c)
		}
	}
}

// checkResults types what people type: several words, other names, mistakes,
// guides. The arrow keys choose, Escape closes.
func checkResults(t *testing.T, b *browser, base string) {
	b.look(t, 1400, 900, "light")
	b.open(t, base+"index.html")
	for text, want := range map[string]string{
		"matren":           "kernel.matern",
		"random functions": "random.field",
		"rbf":              "kernel.se",
		"certificate":      "The certificate",
		"FIT":              "green.fit",
		"csv":              "data.load",
	} {
		b.press(t, "/", "/", 191)
		if got := b.typed(t, text); !strings.Contains(" "+strings.Join(got, " ")+" ", " "+want+" ") {
			t.Errorf("%q finds %q, not %s", text, got, want)
		}
		b.press(t, "Escape", "", 27)
	}
	for question, want := range questions {
		b.press(t, "/", "/", 191)
		b.typed(t, question)
		var first string
		if b.eval(t, `document.querySelector("#manual-results [role=option] a").href`, &first); first != base+want {
			t.Errorf("%q is answered by %s, not by %s", question, first, want)
		}
		b.press(t, "Escape", "", 27)
	}
	b.press(t, "/", "/", 191)
	b.typed(t, "kernel")
	b.press(t, "ArrowDown", "", 40)
	var selected int
	b.eval(t, `[...document.querySelectorAll("#manual-results [role=option]")].findIndex((e) => e.getAttribute("aria-selected") === "true")`, &selected)
	if selected != 1 {
		t.Errorf("the arrow key selects %d", selected)
	}
	if got := b.typed(t, "xyzzyxyzzy"); len(got) != 0 {
		t.Errorf("nonsense finds %q", got)
	}
	b.press(t, "Escape", "", 27)
	var open bool
	b.eval(t, `!document.getElementById("manual-results").hidden`, &open)
	if open {
		t.Error("Escape leaves the results open")
	}
}

// typed types a text over what the focused field holds, and returns the names
// found.
func (b *browser) typed(t *testing.T, text string) (names []string) {
	t.Helper()
	b.eval(t, `(document.activeElement.select(), document.activeElement.id)`, new(string))
	b.call(t, "Input.insertText", map[string]any{"text": text}, nil)
	b.eval(t, `[...document.querySelectorAll("#manual-results [role=option] b")].map((e) => e.textContent)`, &names)
	return names
}

// screenshot writes a picture of the whole page, if pictures are wanted.
func (b *browser) screenshot(t *testing.T, width int, name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	var height int
	b.eval(t, "Math.min(document.documentElement.scrollHeight, 6000)", &height)
	var shot struct{ Data string }
	b.call(t, "Page.captureScreenshot", map[string]any{
		"captureBeyondViewport": true,
		"clip":                  map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
	}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}
