package plot

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func lab(p paletteSpec, i int) oklab { return oklabOf(packed(p.at(float64(i) / (colors - 1)))) }

// distance is the perceived difference of two colours: Euclidean in Oklab.
func (c oklab) distance(d oklab) float64 {
	return math.Sqrt((c.l-d.l)*(c.l-d.l) + (c.a-d.a)*(c.a-d.a) + (c.b-d.b)*(c.b-d.b))
}

// Sequential palettes grow lighter all the way, so they survive a black and
// white printer; diverging ones rise to the middle and fall after it.
func TestPaletteLightness(t *testing.T) {
	for _, p := range palettes() {
		for i := 1; i < colors; i++ {
			up := lab(p, i).l > lab(p, i-1).l-1e-3
			if p.diverging && i > colors/2 {
				up = lab(p, i).l < lab(p, i-1).l+1e-3
			}
			if !up {
				t.Errorf("%s: lightness goes the wrong way at colour %d", p.name, i)
			}
		}
	}
}

// Steps of a tenth of the scale look about equal: within a factor of 2 of the
// mean. (Rainbow palettes have factors above 4.)
func TestPaletteIsEven(t *testing.T) {
	for _, p := range palettes() {
		const n = 10
		var steps [n]float64
		mean := 0.0
		for k := range n {
			steps[k] = lab(p, (k+1)*(colors-1)/n).distance(lab(p, k*(colors-1)/n))
			mean += steps[k] / n
		}
		for k, s := range steps {
			if s < mean/2 || s > 2*mean {
				t.Errorf("%s: step %d is %.3f, the mean %.3f", p.name, k, s, mean)
			}
		}
	}
}

// Values of opposite sign have opposite hues of the same lightness, and zero
// has no hue.
func TestDivergingPalettes(t *testing.T) {
	for _, p := range palettes() {
		if !p.diverging {
			continue
		}
		middle := lab(p, colors/2)
		if math.Hypot(middle.a, middle.b) > 0.01 || middle.l < 0.95 {
			t.Errorf("%s: zero is %+v, not white", p.name, middle)
		}
		for i := range colors / 2 {
			a, b := lab(p, i), lab(p, colors-1-i)
			if math.Abs(a.l-b.l) > 0.04 { // the reddest red that a screen can show is a little off
				t.Errorf("%s: lightness of colours %d and %d: %.3f, %.3f", p.name, i, colors-1-i, a.l, b.l)
			}
		}
	}
}

// The ends of viridis are those of matplotlib.
func TestViridis(t *testing.T) {
	p, err := findPalette("viridis")
	if err != nil {
		t.Fatal(err)
	}
	if got := [2]string{hexColor(p.at(0)), hexColor(p.at(1))}; got != [2]string{"#440154", "#fde725"} {
		t.Errorf("viridis goes from %s to %s", got[0], got[1])
	}
}

// Oklab values of pure colours: B. Ottosson, "A perceptual color space for
// image processing" (2020), by his reference implementation.
func TestOklab(t *testing.T) {
	for rgb, want := range map[uint32]oklab{
		0xffffff: {1, 0, 0}, 0xff0000: {0.62796, 0.22486, 0.12585}, 0x00ff00: {0.86644, -0.23389, 0.17950}, 0x0000ff: {0.45201, -0.03246, -0.31153},
	} {
		got := oklabOf(rgb)
		if got.distance(want) > 1e-4 {
			t.Errorf("%06x: %+v, want %+v", rgb, got, want)
		}
		if back := got.hex(); back != rgb {
			t.Errorf("%06x comes back as %06x", rgb, back)
		}
	}
}

// The range and the palette follow from the data, unless they are given.
func TestColormapChoice(t *testing.T) {
	for _, c := range []struct {
		name    string
		c       coloring
		lo, hi  float64
		palette string
		want    [2]float64
	}{
		{"one sign", coloring{}, 0, 0.25, "viridis", [2]float64{0, 0.25}},
		{"both signs", coloring{}, -1, 3, "bluered", [2]float64{-3, 3}},
		{"hardly negative", coloring{}, -0.01, 1, "viridis", [2]float64{-0.01, 1}},
		{"symmetric", coloring{symmetric: true}, 0, 2, "bluered", [2]float64{-2, 2}},
		{"own palette", coloring{palette: "magma"}, -1, 3, "magma", [2]float64{-1, 3}},
		{"own range", coloring{lo: new(-1.0), hi: new(2.0)}, -5, 5, "bluered", [2]float64{-1, 2}},
		{"constant", coloring{}, 4, 4, "viridis", [2]float64{2, 6}},
		{"all zero", coloring{}, 0, 0, "viridis", [2]float64{-1, 1}},
		{"log", coloring{log: true}, 1e-3, 10, "viridis", [2]float64{1e-3, 10}},
	} {
		m, err := c.c.colormap(extent{lo: c.lo, hi: c.hi})
		if err != nil {
			t.Fatal(err)
		}
		if m.spec.name != c.palette || m.lo != c.want[0] || m.hi != c.want[1] {
			t.Errorf("%s: %s from %v to %v, want %s %v", c.name, m.spec.name, m.lo, m.hi, c.palette, c.want)
		}
	}
}

// Zero is the middle of a diverging scale exactly; infinities are its ends.
func TestColormapIndex(t *testing.T) {
	m, err := coloring{}.colormap(extent{lo: -3, hi: 1})
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[float64]uint8{0: colors / 2, -3: 0, 3: colors - 1, -1e9: 0, math.Inf(1): colors - 1, math.Inf(-1): 0} {
		if got := m.index(v); got != want {
			t.Errorf("colour of %v is %d, want %d", v, got, want)
		}
	}
	if got := m.index(math.NaN()); got != Missing {
		t.Errorf("colour of NaN is %d, want %d", got, Missing)
	}
}

// Every argument that names a palette offers all of them.
func TestPalettesAreOffered(t *testing.T) {
	want := strings.Join(paletteNames(), "|")
	for _, f := range []any{Heatmap{}, Lines{}, Scatter{}, Surface{}} {
		field, ok := reflect.TypeOf(f).FieldByName("Palette")
		if !ok || field.Tag.Get("allow") != want {
			t.Errorf("%T offers %q, want %q", f, field.Tag.Get("allow"), want)
		}
	}
}
