package plot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"
)

// What of a line lies in a box is what of many points along it does, piece by piece.
func TestClippedLines(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: -1, Y: 2}, Max: vg.Point{X: 3, Y: 4}}
	rng := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		line := make([]vg.Point, 2+rng.IntN(6))
		for i := range line {
			line[i] = vg.Point{X: vg.Length(rng.NormFloat64() * 4), Y: vg.Length(3 + 3*rng.NormFloat64())}
		}
		want := 0.0
		const steps = 4000
		for i := 1; i < len(line); i++ {
			way := line[i].Sub(line[i-1])
			for s := range steps {
				q := line[i-1].Add(way.Scale((vg.Length(s) + 0.5) / steps))
				if q.X >= r.Min.X && q.X <= r.Max.X && q.Y >= r.Min.Y && q.Y <= r.Max.Y {
					want += math.Hypot(float64(way.X), float64(way.Y)) / steps
				}
			}
		}
		got := 0.0
		for _, piece := range clippedLine(r, line) {
			if len(piece) < 2 {
				t.Fatalf("a piece of %d points of %v", len(piece), line)
			}
			for i, q := range piece {
				if q.X < r.Min.X || q.X > r.Max.X || q.Y < r.Min.Y || q.Y > r.Max.Y {
					t.Fatalf("%v of %v lies outside", q, line)
				}
				if i > 0 {
					got += math.Hypot(float64(q.X-piece[i-1].X), float64(q.Y-piece[i-1].Y))
				}
			}
		}
		if math.Abs(got-want) > 0.1 {
			t.Errorf("%v: %g inside, want %g", line, got, want)
		}
	}
	if pieces := clippedLine(r, []vg.Point{{X: 0, Y: 3}, {X: 9, Y: 3}, {X: 9, Y: 3.5}, {X: 0, Y: 3.5}, {X: 0, Y: 3}}); len(pieces) != 2 || len(pieces[1]) != 3 {
		t.Errorf("a line that leaves and comes back: %v", pieces)
	}
	begin := vg.Point{X: r.Min.X - 1e-12, Y: 3}
	if pieces := clippedLine(r, []vg.Point{begin, {X: 1, Y: 3}}); len(pieces) != 1 || pieces[0][0].Sub(begin).X > 1e-11 {
		t.Errorf("a line that begins on a side but for rounding: %v", pieces)
	}
	if pieces := clippedLine(r, []vg.Point{{X: 0, Y: 3}}); pieces != nil {
		t.Errorf("one point is no line: %v", pieces)
	}
}

// The area of a triangle in a box is that of the points which lie in both.
func TestClippedPolygons(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: -1, Y: 2}, Max: vg.Point{X: 3, Y: 4}}
	rng := rand.New(rand.NewPCG(3, 2))
	cross := func(a, b, c vg.Point) float64 {
		return float64((b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X))
	}
	for range 200 {
		var corners [3]vg.Point
		for i := range corners {
			corners[i] = vg.Point{X: vg.Length(1 + rng.NormFloat64()*4), Y: vg.Length(3 + 3*rng.NormFloat64())}
		}
		hits := 0
		const n = 120
		for i := range n * n {
			q := vg.Point{X: r.Min.X + (r.Max.X-r.Min.X)*(vg.Length(i%n)+0.5)/n, Y: r.Min.Y + (r.Max.Y-r.Min.Y)*(vg.Length(i/n)+0.5)/n}
			a, b, c := cross(corners[0], corners[1], q), cross(corners[1], corners[2], q), cross(corners[2], corners[0], q)
			if a >= 0 && b >= 0 && c >= 0 || a <= 0 && b <= 0 && c <= 0 {
				hits++
			}
		}
		clipped := clippedPolygon(r, corners[:])
		area := 0.0
		for i := range clipped {
			area += cross(vg.Point{}, clipped[i], clipped[(i+1)%len(clipped)]) / 2
		}
		if want := 8 * float64(hits) / n / n; math.Abs(math.Abs(area)-want) > 0.15 {
			t.Errorf("%v: area %g, want %g", corners, math.Abs(area), want)
		}
	}
}
