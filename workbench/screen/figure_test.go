package screen

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/plottest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden files are rewritten by: go test ./workbench/screen -run Golden -update
func TestTerminalGolden(t *testing.T) {
	for _, mode := range []struct {
		name    string
		options Options
		only    string // figures, all if empty
	}{
		{"ascii", Options{}, ""},
		{"unicode", Options{Unicode: true}, ""},
		{"256", Options{Width: 40, Height: 14, Unicode: true, Color: Color256}, "poisson errors"},
		{"true", Options{Width: 40, Height: 14, Unicode: true, Color: TrueColor}, "helmholtz slices same"},
	} {
		for _, s := range plottest.Gallery() {
			if mode.only != "" && !strings.Contains(mode.only, s.Name) {
				continue
			}
			got, err := Text(s.Figure, mode.options)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "figures", s.Name+"."+mode.name)
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readFile(t, path); got != want {
				t.Errorf("%s:\n%s\nwant:\n%s", path, got, want)
			}
		}
	}
}

// Lines are never wider than the terminal and never more than asked for, in
// ASCII mode every byte is ASCII, without colour there are no control
// sequences, and with colour every line ends in the terminal's own colours.
func TestTerminalKeepsItsPromises(t *testing.T) {
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, s := range append(plottest.Gallery(), plottest.Hard()...) {
		for _, o := range []Options{
			{}, {Unicode: true}, {Color: Color256}, {Unicode: true, Color: TrueColor}, {Width: 30}, {Width: 1, Unicode: true}, {Width: 200, Height: 60, Unicode: true}, {Width: 120, Height: 40, Color: TrueColor},
		} {
			out, err := Text(s.Figure, o)
			if err != nil {
				t.Fatalf("%s %+v: %v", s.Name, o, err)
			}
			width := o.Width
			switch {
			case width == 0:
				width = 80
			case width < 20:
				width = 20
			}
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if o.Height > 0 && len(lines) > o.Height {
				t.Errorf("%s %+v: %d lines", s.Name, o, len(lines))
			}
			for _, line := range lines {
				if o.Color == NoColor && strings.Contains(line, "\x1b") {
					t.Errorf("%s %+v: a control sequence in %q", s.Name, o, line)
				}
				if last := escape.FindAllString(line, -1); len(last) > 0 && last[len(last)-1] != "\x1b[0m" {
					t.Errorf("%s %+v: the line ends in colour: %q", s.Name, o, line)
				}
				plain := escape.ReplaceAllString(line, "")
				if textWidth(plain) > width {
					t.Errorf("%s %+v: %d columns: %q", s.Name, o, textWidth(plain), plain)
				}
				for _, r := range plain {
					if !o.Unicode && (r < ' ' || r > '~') {
						t.Errorf("%s %+v: %q is not ASCII", s.Name, o, r)
					}
				}
			}
		}
	}
}

// Each shade, from the lowest to the highest, is used where it should be, and
// NaN is blank.
func TestShades(t *testing.T) {
	for i, r := range shades {
		if got := shade(uint8((2*i + 1) * plot.Missing / (2 * len(shades)))); got != r {
			t.Errorf("shade of step %d is %q, want %q", i, got, r)
		}
	}
	if shade(0) != '.' || shade(plot.Missing-1) != '@' || shade(plot.Missing) != ' ' {
		t.Errorf("ends %q %q, missing %q", shade(0), shade(plot.Missing-1), shade(plot.Missing))
	}
}

// Colours 16, 231 and 244 of xterm are black, white and 128-grey (ctlseqs).
func TestXtermColors(t *testing.T) {
	for _, c := range []struct{ r, g, b, want int }{
		{0, 0, 0, 16}, {255, 255, 255, 231}, {128, 128, 128, 244}, {255, 0, 0, 196}, {0, 95, 135, 24}, {9, 9, 9, 232},
	} {
		if got := xterm(c.r, c.g, c.b); got != c.want {
			t.Errorf("%d %d %d is colour %d, want %d", c.r, c.g, c.b, got, c.want)
		}
	}
}

func TestTerminalErrors(t *testing.T) {
	if _, err := Text(nil, Options{}); err == nil || !strings.Contains(err.Error(), "must be a Heatmap, Lines, Scatter, Grid or another") {
		t.Errorf("error %v", err)
	}
	if _, err := Text(plot.Lines{}, Options{}); err == nil || err.Error() != "series: empty: must hold at least one" {
		t.Errorf("error %v", err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
