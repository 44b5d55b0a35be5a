package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func named(n int) Lines {
	l := Lines{Axes: Axes{Legend: "right"}}
	for i := range n {
		l.Series = append(l.Series, Series{Y: []float64{float64(i), 1}, Label: fmt.Sprintf("series %d", i+1)})
	}
	return l
}

// Legends of any length keep apart from each other and from the boxes, and name every series.
func TestLegendsKeepApart(t *testing.T) {
	for _, n := range []int{1, 7, 14, 40} {
		boxes := arranged(t, Grid{Figures: [][]Figure{{named(n), named(2)}, {named(n + 1), named(n)}}}, Size{}).boxes
		for i, b := range boxes {
			if len(b.legend.entries) < 2-n%2 {
				t.Errorf("%d series: %d are named", n, len(b.legend.entries))
			}
			for j, o := range boxes {
				if overlap(b.legend.rect(), o.rect) {
					t.Errorf("%d series: the legend of panel %d covers panel %d", n, i+1, j+1)
				}
				if i != j && overlap(b.legend.rect(), o.legend.rect()) {
					t.Errorf("%d series: the legends of panels %d and %d are on each other", n, i+1, j+1)
				}
			}
		}
	}
}

// Words at a point stand beside the curve where there is room, not on it.
func TestTextsLeaveCurves(t *testing.T) {
	x, y := linspace(0, 10, 200), make([]float64, 200)
	for i, v := range x {
		y[i] = math.Sin(v)
	}
	axes := Axes{YMin: new(-1.6), YMax: new(1.6)}
	for _, v := range []float64{math.Pi / 2, 3 * math.Pi / 2, 5 * math.Pi / 2} {
		axes.Texts = append(axes.Texts, Text{X: v, Y: math.Sin(v), Text: "extreme"})
	}
	b := arranged(t, Lines{Series: []Series{{X: x, Y: y}}, Axes: axes}, Size{}).boxes[0]
	for _, text := range b.Texts {
		point, _ := b.at(text.X, text.Y)
		at := b.free(point, 15, 3, func(p vg.Point) vg.Point { return p })
		if outside := float64(at.Y-point.Y) * text.Y; outside <= 0 {
			t.Errorf("the text at %v, %v stands inside the curve", text.X, text.Y)
		}
	}
}

// Labels around a surface do not touch, from wherever it is seen, and stand apart from its colour bar.
func TestSurfaceLabelsKeepApart(t *testing.T) {
	x, y := linspace(-2e4, 2e4, 5), linspace(-2, 2, 5)
	values := table(x, y, func(x, y float64) float64 { return x * y * 1e-9 })
	for azimuth := -175.0; azimuth < 180; azimuth += 10 {
		for _, elevation := range []float64{10, 30, 45, 60, 75, 90} {
			s := Surface{
				Values: values, X: x, Y: y, XLabel: "distance in m", YLabel: "time in s", ZLabel: "$u$ in m", Azimuth: azimuth,
				Elevation: elevation, Colorbar: "u", Lines: true, Most: 60,
			}
			l := arranged(t, s, Size{})
			b := l.boxes[0]
			set := b.sided(l.text)
			names := 0
			for i, k := range set {
				if k.rect.Max.X > b.bar.rect.Min.X {
					t.Errorf("from %v, %v: %q is on the colour bar", azimuth, elevation, k.text)
				}
				for _, o := range set[:i] {
					if overlap(k.rect, o.rect) {
						t.Errorf("from %v, %v: %q is on %q", azimuth, elevation, k.text, o.text)
					}
				}
				if strings.Contains(k.text, " in ") {
					names++
				}
			}
			if wanted := len(b.Texts) - 2; len(set) < wanted || names < 2 || elevation < 80 && names < 3 {
				t.Errorf("from %v, %v: %d of %d labels, with the names of %d axes: %v", azimuth, elevation, len(set), len(b.Texts), names, set)
			}
		}
	}
}
