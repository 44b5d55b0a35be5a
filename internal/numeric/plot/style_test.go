package plot

import (
	"image/color"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func corner(at vg.Length) vg.Point { return vg.Point{X: at, Y: at} }

func TestParseStyle(t *testing.T) {
	blue := seriesColor(0)
	for _, c := range []struct {
		format string
		want   LineStyle
	}{
		{"", LineStyle{blue, true, Dotted, 0}}, // what is left open stays as it was
		{"-", LineStyle{blue, true, Solid, 0}},
		{"--", LineStyle{blue, true, Dashed, 0}},
		{"-.", LineStyle{blue, true, DashDot, 0}},
		{":", LineStyle{blue, true, Dotted, 0}},
		{"o", LineStyle{blue, false, Dotted, 'o'}},
		{"o--", LineStyle{blue, true, Dashed, 'o'}},
		{"--o", LineStyle{blue, true, Dashed, 'o'}},
		{"ks-", LineStyle{unhex(0), true, Solid, 's'}},
		{"r", LineStyle{unhex(0xd55e00), true, Dotted, 0}},
		{"-.^g", LineStyle{unhex(0x009e73), true, DashDot, '^'}},
	} {
		got, err := parseStyle(c.format, LineStyle{Color: blue, Dash: Dotted})
		if err != nil || got != c.want {
			t.Errorf("%q: %v %v, want %v", c.format, got, err, c.want)
		}
	}
	for _, bad := range []string{"q", "---", "oo", "kb", "- -", "-:", "é", "o--o"} {
		if _, err := parseStyle(bad, LineStyle{}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestParseColor(t *testing.T) {
	for s, want := range map[string]color.NRGBA{"#0a14ff": {10, 20, 255, 255}, "black": unhex(0), "k": unhex(0), "grey": unhex(0x808080)} {
		if got, err := parseColor(s); err != nil || got != want {
			t.Errorf("%q: %v %v, want %v", s, got, err, want)
		}
	}
	for _, bad := range []string{"", "#12", "#gggggg", "#1234567", "mauve"} {
		if _, err := parseColor(bad); err == nil || !strings.Contains(err.Error(), "must be #rrggbb or one of black, blue") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// After the last colour the first comes again, in another dash: no two of the
// first 28 series look alike.
func TestSeriesAreDistinct(t *testing.T) {
	seen := make(map[LineStyle]bool)
	for i := range 28 {
		s := seriesStyle(i)
		if seen[s] {
			t.Errorf("series %d looks like an earlier one", i+1)
		}
		seen[s] = true
	}
}

// Every style that can be written has a mark in the picture: all markers draw.
func TestMarkersDraw(t *testing.T) {
	for _, m := range markers {
		b := &bounded{}
		b.min, b.max = corner(100), corner(-100)
		p := painter{b, newTypesetter()}
		p.marker(LineStyle{Marker: m}, corner(0), markerSize)
		if w := b.max.X - b.min.X; w < markerSize*0.9 || w > 3*markerSize {
			t.Errorf("marker %q is %v points wide", m, w)
		}
	}
}

// No format makes the parser panic; what it accepts draws something.
func FuzzStyle(f *testing.F) {
	for _, seed := range []string{"", "o--", "k:", "-.-", "zé", "--o--"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, format string) {
		s, err := parseStyle(format, LineStyle{Dash: Solid})
		if err == nil && !s.Line && s.Marker == 0 {
			t.Errorf("%q draws nothing", format)
		}
	})
}
