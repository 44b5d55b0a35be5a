package plot

import (
	"fmt"
	"math"
	"testing"
)

func arranged(t *testing.T, fig Figure, size Size) *layout {
	t.Helper()
	s, err := fig.sheet()
	if err != nil {
		t.Fatal(err)
	}
	l, err := arrange(s, newTypesetter(), size)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A unit of x is as long as a unit of y, in any page.
func TestEqualAspect(t *testing.T) {
	x, y := linspace(0, 2, 40), linspace(0, 1, 40)
	for _, size := range []Size{{}, {Width: 6, Height: 2}, {Width: 3, Height: 6}} {
		l := arranged(t, Heatmap{Values: table(x, y, poisson), X: x, Y: y, Aspect: "equal"}, size)
		if box := l.boxes[0].rect.Size(); math.Abs(float64(box.X/box.Y)-2) > 1e-9 {
			t.Errorf("%v: the box is %v, want 2:1", size, box)
		}
	}
}

// In a grid only the outer panels show labels that all share; where ranges
// differ every panel shows its own, and where names differ also those.
func TestOuterLabels(t *testing.T) {
	line := func(ylabel string, y ...float64) Lines {
		return Lines{Series: []Series{{Y: y}}, Axes: Axes{XLabel: "x", YLabel: ylabel}}
	}
	for _, c := range []struct {
		name    string
		figures [][]Figure
		want    string // of the panels in order: x ticks, x name, y ticks, y name
	}{
		{"all the same", [][]Figure{{line("u", 1, 2), line("u", 1, 2)}, {line("u", 1, 2), line("u", 1, 2)}}, "··YN ···· XNYN XN··"},
		{"other ranges", [][]Figure{{line("u", 1, 2), line("u", 1, 3)}}, "XNYN XNY·"},
		{"other names", [][]Figure{{line("u", 1, 2), line("v", 1, 2)}}, "XNYN XNYN"},
		{"other x", [][]Figure{{line("u", 1, 2)}, {line("u", 1, 2, 1)}}, "X·YN XNYN"},
	} {
		got := ""
		for _, b := range arranged(t, Grid{Figures: c.figures}, Size{}).boxes {
			for _, part := range []struct {
				shown bool
				sign  string
			}{{b.showX, "X"}, {b.nameX, "N"}, {b.showY, "Y"}, {b.nameY, "N"}} {
				if part.shown {
					got += part.sign
				} else {
					got += "·"
				}
			}
			got += " "
		}
		if got != c.want+" " {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The legend takes the corner that the curve leaves free, and goes beside the
// box if there is none.
func TestLegendPlace(t *testing.T) {
	x := linspace(0, 1, 400)
	curve := func(f func(x float64) float64) Series {
		s := Series{X: x, Label: "a curve"}
		for _, x := range x {
			s.Y = append(s.Y, f(x))
		}
		return s
	}
	up, down := curve(func(x float64) float64 { return x }), curve(func(x float64) float64 { return -x })
	noise := curve(func(x float64) float64 { return math.Sin(100 * x) })
	for _, c := range []struct {
		lines Lines
		want  string
	}{
		{Lines{Series: []Series{up}}, "top left"},
		{Lines{Series: []Series{down}}, "top right"},
		{Lines{Series: []Series{noise}}, "beside"},
		{Lines{Series: []Series{noise}, Axes: Axes{Legend: "bottom left"}}, "bottom left"},
		{Lines{Series: []Series{up}, Axes: Axes{Legend: "right"}}, "beside"},
		{Lines{Series: []Series{up}, Axes: Axes{Legend: none}}, "none"},
		{Lines{Series: []Series{{Y: x}}}, "none"},
	} {
		b := arranged(t, c.lines, Size{}).boxes[0]
		got := "none"
		if b.legend != nil {
			got = b.legend.place
			inside := b.legend.at.X+b.legend.width <= b.rect.Max.X
			if b.legend.beside {
				got = "beside"
			}
			if inside == b.legend.beside {
				t.Errorf("%s: the legend is at %v, the box %v", got, b.legend.at, b.rect)
			}
		}
		if got != c.want {
			t.Errorf("legend %q, want %q", got, c.want)
		}
	}
}

// A legend that all panels share is shown once; different ones are not shared.
func TestSharedLegend(t *testing.T) {
	one := Lines{Series: []Series{{Y: []float64{1, 2}, Label: "a"}}}
	two := Lines{Series: []Series{{Y: []float64{1, 2}, Label: "b"}}}
	for _, c := range []struct {
		figures []Figure
		shared  bool
	}{{[]Figure{one, one}, true}, {[]Figure{one, two}, false}, {[]Figure{one}, false}} {
		l := arranged(t, Grid{Figures: [][]Figure{c.figures}}, Size{})
		if got := l.legend != nil; got != c.shared {
			t.Errorf("%d figures: shared %v, want %v", len(c.figures), got, c.shared)
		}
		for _, b := range l.boxes {
			if (b.legend == nil) != c.shared {
				t.Errorf("%d figures: a panel has a legend: %v", len(c.figures), b.legend != nil)
			}
		}
	}
}

// With SameColors, the range is that of all panels together.
func TestSameColors(t *testing.T) {
	g := Grid{SameColors: true, Figures: [][]Figure{{
		Heatmap{Values: [][]float64{{0, 1}}, Colorbar: "G"},
		&Heatmap{Values: [][]float64{{-3, 2}}},
		Contour{Heatmap: Heatmap{Values: [][]float64{{0, 1}, {1, 2}}}, Filled: true},
	}}}
	s, err := g.sheet()
	if err != nil {
		t.Fatal(err)
	}
	if s.Bar == nil || s.Bar.Label != "G" {
		t.Fatalf("the bar is %+v", s.Bar)
	}
	s.each(func(_, column int, p *Panel) {
		m := p.Field.colors
		if got := fmt.Sprintf("%v %v %s", m.lo, m.hi, m.spec.name); got != "-3 3 bluered" || p.Bar != nil {
			t.Errorf("panel %d: %s, own bar %v", column, got, p.Bar != nil)
		}
	})
	if h := g.Figures[0][0].(Heatmap); h.Min != nil {
		t.Error("the figure was changed")
	}
}
