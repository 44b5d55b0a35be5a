package plot

import (
	"bytes"
	"context"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func panelOf(t *testing.T, f interface{ panel() (*Panel, error) }) *Panel {
	t.Helper()
	p, err := f.panel()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A step holds each value until the next point: between two points the line is level.
func TestSteps(t *testing.T) {
	c := panelOf(t, Lines{Series: []Series{{X: []float64{0, 1, 3}, Y: []float64{5, 7, 6}, Kind: "step"}}}).Curves[0]
	if want := []float64{0, 1, 1, 3, 3}; !slices.Equal(c.X, want) {
		t.Errorf("x %v, want %v", c.X, want)
	}
	if want := []float64{5, 5, 7, 7, 6}; !slices.Equal(c.Y, want) {
		t.Errorf("y %v, want %v", c.Y, want)
	}
}

// Bars of several series stand beside each other without overlap, in the order of the
// series, and leave room to the next place; stacked ones stand on each other.
func TestBars(t *testing.T) {
	series := []Series{{X: []float64{1, 2, 4}, Y: []float64{3, -1, 2}}, {X: []float64{1, 2, 4}, Y: []float64{1, 1, 1}}}
	p := panelOf(t, BarChart{Series: series})
	a, b := p.Curves[0].Shapes, p.Curves[1].Shapes
	for k := range a {
		if !(a[k].X[0] < a[k].X[1] && a[k].X[1] <= b[k].X[0]+1e-12 && b[k].X[0] < b[k].X[1]) {
			t.Errorf("bars at %v: %v and %v", series[0].X[k], a[k].X, b[k].X)
		}
		if k > 0 && b[k-1].X[1] >= a[k].X[0] {
			t.Errorf("bars %d and %d touch", k, k+1)
		}
		if a[k].Y[2] != series[0].Y[k] || a[k].Y[0] != 0 {
			t.Errorf("bar %d from %v to %v, want 0 to %v", k+1, a[k].Y[0], a[k].Y[2], series[0].Y[k])
		}
	}
	series[0].Y[1] = 1
	p = panelOf(t, BarChart{Series: series, Stacked: true})
	for k, s := range p.Curves[1].Shapes {
		if s.Y[0] != series[0].Y[k] || s.Y[2] != series[0].Y[k]+1 {
			t.Errorf("stacked bar %d from %v to %v, want %v to %v", k+1, s.Y[0], s.Y[2], series[0].Y[k], series[0].Y[k]+1)
		}
	}
	if p.Y.Lo != 0 {
		t.Errorf("the axis begins at %v: bars must stand on it", p.Y.Lo)
	}
}

// What stands on zero, or has a limit below it, runs off a log axis however many decades it has.
func TestBelowALogAxis(t *testing.T) {
	for _, decades := range []float64{1, 3, 4, 8, 100, 590} {
		top := math.Pow(10, decades/2)
		y := []float64{1 / top, 1, top}
		axes := Axes{LogY: true}
		bars := panelOf(t, BarChart{Series: []Series{{Y: y}}, Axes: axes}).Fills(30, 40)
		for _, row := range []int{39, 2} {
			if bars == nil || bars.NRGBAAt(26, row).A == 0 {
				t.Errorf("%v decades: nothing of the third bar in row %d", decades, row)
			}
		}
		p := panelOf(t, Lines{Series: []Series{{Y: y, Low: []float64{0, -1, 0}, High: y, Bars: true}}, Axes: axes})
		for i := range y {
			if low, high, ok := p.ErrorBar(p.Curves[0], i, 30, 40); !ok || low.Y != 0 || !(high.Y > 0) {
				t.Errorf("%v decades: error bar %d from %v to %v", decades, i+1, low, high)
			}
		}
	}
}

// The counts are those of the definition, number by number; densities have area one.
func TestHistogramCounts(t *testing.T) {
	sample := []float64{0, 0.1, 1, 1, 1.5, 2, 2.5, 3, math.NaN(), 7}
	h := Histogram{Samples: Samples{sample}, Edges: []float64{0, 1, 2, 3}}
	want := []float64{2, 3, 3} // the last bin holds its right border, 7 lies beyond
	for k, s := range panelOf(t, h).Curves[0].Shapes {
		if s.Y[2] != want[k] {
			t.Errorf("bin %d holds %v, want %v", k+1, s.Y[2], want[k])
		}
	}
	h = Histogram{Samples: Samples{sample}, Density: true}
	area := 0.0
	for _, s := range panelOf(t, h).Curves[0].Shapes {
		area += (s.X[1] - s.X[0]) * s.Y[2]
	}
	if math.Abs(area-1) > 1e-12 {
		t.Errorf("the bars have area %v, want 1", area)
	}
}

// Quartiles and whiskers of a sample worked out by hand: quartiles 2, 3 and 4, so
// whiskers reach at most to -1 and 7, and 20 is beyond.
func TestBoxes(t *testing.T) {
	p := panelOf(t, BoxPlot{Samples: Samples{{1, 2, 2, 3, 4, 4, 20}}})
	box, median, beyond := p.Curves[0], p.Curves[1], p.Curves[2]
	if y := box.Shapes[0].Y; y[0] != 2 || y[2] != 4 {
		t.Errorf("box from %v to %v, want 2 to 4", y[0], y[2])
	}
	if median.Arrows[0].Y != 3 {
		t.Errorf("median %v, want 3", median.Arrows[0].Y)
	}
	if box.Arrows[0].ToY != 1 || box.Arrows[1].ToY != 4 {
		t.Errorf("whiskers to %v and %v, want 1 and 4", box.Arrows[0].ToY, box.Arrows[1].ToY)
	}
	if !slices.Equal(beyond.Y, []float64{20}) {
		t.Errorf("beyond: %v, want 20", beyond.Y)
	}
}

// An axis for both signs is increasing, symmetric, linear around zero, has its own inverse, and
// gives each power of ten the same length.
func TestBentAxis(t *testing.T) {
	a := Axis{Lo: -1000, Hi: 1000, Linear: 0.1}
	last := math.Inf(-1)
	for _, v := range []float64{-1000, -10, -0.1, -0.05, 0, 0.03, 0.1, 1, 10, 1000} {
		n := a.Norm(v)
		if n <= last {
			t.Errorf("%v stands at %v, left of what is smaller", v, n)
		}
		last = n
		if got := a.value(n); math.Abs(got-v) > 1e-12*(1+math.Abs(v)) {
			t.Errorf("%v stands at %v, where %v is", v, n, got)
		}
		if s := n + a.Norm(-v); math.Abs(s-1) > 1e-12 {
			t.Errorf("%v and its negative are not symmetric: %v", v, s)
		}
	}
	if d, e := a.Norm(10)-a.Norm(1), a.Norm(1)-a.Norm(0.1); math.Abs(d-e) > 1e-12 {
		t.Errorf("powers of ten are %v and %v apart", d, e)
	}
}

// Lines follow the field: along each, the direction is that of the vectors, here those of a
// rotation, so that every line keeps its distance from the middle.
func TestStreamlines(t *testing.T) {
	x := linspace(-1, 1, 21)
	u := table(x, x, func(_, y float64) float64 { return -y })
	v := table(x, x, func(x, _ float64) float64 { return x })
	c := panelOf(t, Stream{U: u, V: v, X: x, Y: x}).Curves[0]
	lines, radius := 0, math.NaN()
	for i := range c.X {
		r := math.Hypot(c.X[i], c.Y[i])
		switch {
		case math.IsNaN(r):
			radius = r
		case math.IsNaN(radius):
			radius = r
			lines++
		case math.Abs(r-radius) > 5e-3:
			t.Fatalf("a line begins at distance %v from the middle and comes to %v", radius, r)
		}
	}
	if lines < 10 {
		t.Errorf("%d lines, want at least 10", lines)
	}
}

// The far side of a surface is drawn before the near side: the facet that is drawn last is
// the one nearest to the eye.
func TestSurfaceIsDrawnFromAfar(t *testing.T) {
	x := linspace(0, 1, 5)
	flat := table(x, x, func(_, _ float64) float64 { return 1 })
	for _, azimuth := range []float64{-60, 20, 130, 250} {
		p := panelOf(t, Surface{Values: flat, X: x, Y: x, Azimuth: azimuth, Elevation: 30, Most: 60})
		shapes := p.Curves[len(p.Curves)-1].Shapes
		if len(shapes) != 16 {
			t.Fatalf("%d facets, want 16", len(shapes))
		}
		height := func(s Shape) float64 { return (s.Y[0] + s.Y[1] + s.Y[2] + s.Y[3]) / 4 }
		if height(shapes[0]) <= height(shapes[15]) { // seen from above, far is high
			t.Errorf("azimuth %v: the first facet stands at %v, the last at %v", azimuth, height(shapes[0]), height(shapes[15]))
		}
	}
}

// Both formats decode, hold every figure, and show what the figures show: an animated PNG
// is a PNG of the first.
func TestAnimation(t *testing.T) {
	var frames []Figure
	for k := range 3 {
		frames = append(frames, Lines{Series: []Series{{Y: []float64{0, float64(k), 1}}}, Axes: Axes{YMax: new(2.5)}})
	}
	a := Animation{Frames: frames, FPS: 4}
	dir := t.TempDir()
	for _, name := range []string{"a.gif", "a.png"} {
		if err := SaveAnimation(context.Background(), a, filepath.Join(dir, name), Size{DPI: 40}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.gif"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 3 || g.Delay[0] != 25 || g.LoopCount != 0 {
		t.Errorf("%d figures, %d hundredths of a second each, loop %d; want 3, 25, 0", len(g.Image), g.Delay[0], g.LoopCount)
	}
	if bytes.Equal(g.Image[0].Pix, g.Image[2].Pix) {
		t.Error("the first and the last figure are the same")
	}
	data, err = os.ReadFile(filepath.Join(dir, "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	first, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		n    int
	}{{"acTL", 1}, {"fcTL", 3}, {"IDAT", 1}, {"fdAT", 2}} {
		if n := bytes.Count(data, []byte(c.name)); n != c.n {
			t.Errorf("%d chunks %s, want %d", n, c.name, c.n)
		}
	}
	if first.Bounds() != g.Image[0].Bounds() {
		t.Errorf("%v pixels as PNG, %v as GIF", first.Bounds(), g.Image[0].Bounds())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := SaveAnimation(ctx, a, filepath.Join(dir, "b.gif"), Size{}); err == nil {
		t.Error("a cancelled context still writes")
	}
}

// A point between two that are missing is a piece of its line, as a dot.
func TestLonePoints(t *testing.T) {
	nan := math.NaN()
	p := panelOf(t, Lines{Series: []Series{{Y: []float64{1, 2, nan, 3, nan, nan, 1}}}})
	pieces := p.Trace(p.Curves[0].X, p.Curves[0].Y, 60, 20)
	if len(pieces) != 3 || len(pieces[1]) != 1 || len(pieces[2]) != 1 {
		t.Errorf("pieces %v, want a line and two points", pieces)
	}
}
