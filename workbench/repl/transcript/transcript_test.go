package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// The page holds inputs, output without the colours of a terminal, pictures and
// errors, in order and safe to open; not the input that asks for it.
func TestPage(t *testing.T) {
	var screen bytes.Buffer
	l := &Log{}
	out := l.Tee(&screen)
	io.WriteString(out, "greeting\n") // before the first input: kept by the screen only
	l.Begin("print('<b>')")
	io.WriteString(out, "\x1b[31m<b>\x1b[0m\n")
	l.End(1500*time.Millisecond, "")
	l.Begin("plot.heatmap(a)")
	if err := l.Picture(plot.Heatmap{Values: [][]float64{{1, 2}, {3, 4}}}); err != nil {
		t.Fatal(err)
	}
	l.End(0, "")
	l.Begin("wrong()")
	l.End(0, "attempt to call nil")
	l.Begin("report('x.html')")
	var page bytes.Buffer
	if err := l.Write(&page, "A session", []string{"workbench 1", "today"}); err != nil {
		t.Fatal(err)
	}
	text, from := page.String(), 0
	for _, want := range []string{
		"<title>A session</title>", "print(&#39;&lt;b&gt;&#39;)", "<pre>&lt;b&gt;\n", "plot.heatmap(a)", `<img src="data:image/svg+xml;base64,`,
		`class="failed"`, "wrong()", "attempt to call nil", "workbench 1", "today",
	} {
		at := strings.Index(text[from:], want)
		if at < 0 {
			t.Fatalf("no %q after %q in\n%s", want, text[:from], text)
		}
		from += at
	}
	for _, not := range []string{"greeting", "report(", "\x1b"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is on the page", not)
		}
	}
	if !strings.Contains(text, "1.5s") {
		t.Error("the time of a slow input is missing")
	}
	if screen.String() != "greeting\n\x1b[31m<b>\x1b[0m\n" {
		t.Errorf("the screen shows %q", screen.String())
	}
}

// Endless output is cut, and said to be.
func TestOutputIsBounded(t *testing.T) {
	l := &Log{}
	l.Begin("loop")
	out := l.Tee(io.Discard)
	for range 30 {
		io.WriteString(out, strings.Repeat("x", 10_000))
	}
	l.End(0, "")
	l.Begin("report")
	var page bytes.Buffer
	if err := l.Write(&page, "A session", nil); err != nil {
		t.Fatal(err)
	}
	if page.Len() > 2*maxOutput || !strings.Contains(page.String(), "the rest of the output is not kept") {
		t.Errorf("page of %d bytes", page.Len())
	}
}

// Without a transcript nothing is kept, and nothing fails; a screen that fails does.
func TestNone(t *testing.T) {
	var none *Log
	none.Begin("x")
	none.End(0, "")
	broken := errors.New("broken pipe")
	if _, err := (&Log{}).Tee(writer{broken}).Write([]byte("x")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type writer struct{ err error }

func (w writer) Write([]byte) (int, error) { return 0, w.err }
