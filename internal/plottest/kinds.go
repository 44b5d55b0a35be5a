package plottest

import (
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// kinds are figures of the kinds that show more than lines and colours.
func kinds() []Shown {
	r := rand.New(rand.NewPCG(3, 4))
	normal := func(n int, mean, sd float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = mean + sd*r.NormFloat64()
		}
		return v
	}
	x, coarse := linspace(0, 1, 40), linspace(-2, 2, 24)
	hills := table(x, x, func(x, y float64) float64 { return math.Sin(7*x) * math.Cos(5*y) * math.Exp(-x) })
	u := table(coarse, coarse, func(x, y float64) float64 { return y - x*x - 1 })
	v := table(coarse, coarse, func(x, y float64) float64 { return 1 + x - y*y })
	cubic := plot.Series{X: linspace(-2, 2, 81)}
	for _, x := range cubic.X {
		cubic.Y = append(cubic.Y, 1000*x*x*x)
	}
	return []Shown{
		{"kinds", plot.Lines{Series: []plot.Series{
			{X: x, Y: normal(40, 1, 0.1), Kind: "area", Label: "area"},
			{X: linspace(0, 1, 8), Y: normal(8, 2, 0.2), Kind: "step", Label: "step"},
			{X: linspace(0.05, 0.95, 9), Y: normal(9, 3, 0.3), Kind: "stem", Label: "stem"},
			{X: x, Y: normal(40, 1000, 300), Right: true, Label: "right", Style: "k--"},
		}, Axes: plot.Axes{RightLabel: "pressure (Pa)", XLabel: "$x$", YLabel: "$u$", Texts: []plot.Text{
			{X: 0.5, Y: 3, Text: "the peak", TextX: new(0.2), TextY: new(3.5)}, {X: 0.8, Y: 1, Text: "here"},
		}}}},
		{"symlog", plot.Lines{Series: []plot.Series{cubic}, Axes: plot.Axes{YLin: 0.1, Title: "both signs"}}},
		{"bar", plot.BarChart{Names: []string{"Matérn", "SE", "exponential", "hat"}, Series: []plot.Series{
			{Y: []float64{3, 5, 2, 4}, Label: "clean"},
			{Y: []float64{2, 3, 4, 1}, Low: []float64{1.5, 2.5, 3.5, 0.5}, High: []float64{2.5, 3.5, 4.5, 1.5}, Label: "noisy"},
		}, Axes: plot.Axes{YLabel: "error (%)"}}},
		{"stacked", plot.BarChart{Stacked: true, Series: []plot.Series{
			{Y: []float64{3, 5, 2, 4}, Label: "a"}, {Y: []float64{2, 3, 4, 1}, Label: "b"},
		}}},
		{"histogram", plot.Histogram{Samples: [][]float64{normal(500, 0, 1), normal(400, 2, 0.7)}, Labels: []string{"before", "after"}, Density: true, Axes: plot.Axes{XLabel: "residual"}}},
		{"boxes", plot.BoxPlot{Samples: [][]float64{normal(50, 0, 1), normal(60, 1, 2), append(normal(30, 2, 0.5), 6, 7)}, Names: []string{"a", "b", "c"}}},
		{"scatter", plot.Scatter{X: normal(120, 0, 1), Y: normal(120, 0, 1), Values: normal(120, 0, 1), Sizes: linspace(0, 3, 120), Marker: "o", Colorbar: "value"}},
		{"quiver", plot.Quiver{U: u, V: v, X: coarse, Y: coarse, Axes: plot.Axes{XLabel: "$x$"}}},
		{"stream", plot.Stream{U: u, V: v, X: coarse, Y: coarse}},
		{"surface", plot.Surface{Values: hills, X: x, Y: x, Azimuth: -60, Elevation: 30, Lines: true, Most: 30, XLabel: "$x$", YLabel: "$y$", ZLabel: "$G(x,y)$"}},
		{"picture", plot.Picture{Pixels: sunset(30, 48), Title: "a picture"}},
	}
}

// sunset is a picture of h × w pixels that runs through many colours.
func sunset(h, w int) [][][]float64 {
	p := make([][][]float64, h)
	for i := range p {
		p[i] = make([][]float64, w)
		for j := range p[i] {
			p[i][j] = []float64{float64(i) / float64(h), float64(j) / float64(w), 0.4}
		}
	}
	return p
}

// hardKinds are figures of the other kinds of data that tends to break plotting programs.
func hardKinds() []Shown {
	nan, inf := math.NaN(), math.Inf(1)
	var all []Shown
	for _, y := range [][]float64{{3}, {0, 0}, {nan, 1, inf}, {1e300, -1e300, 1}, {1e-310, 2e-310}, {5, 5, 5}} {
		field := [][]float64{y, y}
		for _, kind := range []string{"step", "stem", "bar", "area"} {
			all = append(all, Shown{kind, plot.Lines{Series: []plot.Series{{Y: y, Kind: kind, Label: "a"}, {Y: y, Kind: kind, Right: true}}, Axes: plot.Axes{YLin: 1e-3}}})
		}
		all = append(
			all, Shown{"bars", plot.BarChart{Series: []plot.Series{{Y: y}}, Axes: plot.Axes{XMin: new(7.0)}}},
			Shown{"samples", plot.Histogram{Samples: plot.Samples{y}}}, Shown{"samples", plot.BoxPlot{Samples: plot.Samples{y, {1}}}},
			Shown{"points", plot.Scatter{X: y, Y: y, Values: y, Marker: "x"}}, Shown{"arrows", plot.Quiver{U: field, V: field}},
		)
		if len(y) > 1 {
			all = append(all, Shown{"flow", plot.Stream{U: field, V: field}}, Shown{"relief", plot.Surface{Values: field, Elevation: 90, Most: 60}})
		}
	}
	return append(all, Shown{"pixel", plot.Picture{Pixels: [][][]float64{{{nan, 2, -1}}}}})
}
