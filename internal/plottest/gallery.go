// Package plottest has figures to test renderers of plot figures with.
package plottest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// Shown is a figure that every renderer must show well.
type Shown struct {
	Name   string
	Figure plot.Figure
}

func linspace(a, b float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	return v
}

func table(x, y []float64, f func(x, y float64) float64) [][]float64 {
	v := make([][]float64, len(x))
	for i := range v {
		v[i] = make([]float64, len(y))
		for j := range v[i] {
			v[i][j] = f(x[i], y[j])
		}
	}
	return v
}

// poisson is the Green's function of −u″ = f with u(0) = u(1) = 0.
func poisson(x, y float64) float64 { return math.Min(x, y) - x*y }

// helmholtz is the Green's function of −u″ − ω²u = f with u(0) = u(1) = 0, ω = 20.
func helmholtz(x, y float64) float64 {
	const omega = 20
	a, b := math.Min(x, y), math.Max(x, y)
	return math.Sin(omega*a) * math.Sin(omega*(1-b)) / (omega * math.Sin(omega))
}

// heat is the heat kernel on the line after time t.
func heat(t float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return math.Exp(-(x-y)*(x-y)/(4*t)) / math.Sqrt(4*math.Pi*t) }
}

// errorCurves are four series as of errors against the number of samples.
func errorCurves() []plot.Series {
	r := rand.New(rand.NewPCG(1, 2))
	n := []float64{10, 20, 50, 100, 200, 500, 1000}
	styles := []string{"o-", "s-", "^-", "d--"}
	var all []plot.Series
	for k, name := range []string{"exponential", "Matérn 3/2", "Matérn 5/2", "squared exponential"} {
		s := plot.Series{X: n, Label: name, Style: styles[k]}
		for _, n := range n {
			e := 0.8*math.Pow(n, -0.4-0.2*float64(k))*math.Exp(0.1*r.NormFloat64()) + 1e-3
			s.Y, s.Low, s.High = append(s.Y, e), append(s.Low, 0.75*e), append(s.High, 1.3*e)
		}
		all = append(all, s)
	}
	return all
}

func bars(series []plot.Series) []plot.Series {
	for i := range series {
		series[i].Bars = true
	}
	return series
}

func crossSections() []plot.Series {
	x := linspace(-2, 2, 101)
	var all []plot.Series
	for _, t := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
		s := plot.Series{X: x, Label: "$t = " + t + "$"}
		width := float64(t[2] - '0')
		for _, x := range x {
			s.Y = append(s.Y, math.Exp(-10*x*x/width)/math.Sqrt(width))
		}
		all = append(all, s)
	}
	return all
}

func heatGrid(same bool) plot.Grid {
	x := linspace(0, 1, 40)
	g := plot.Grid{Title: "Heat kernel $G(x,y,t)$", SameColors: same}
	for _, times := range [][]float64{{0.01, 0.02, 0.03}, {0.05, 0.1, 0.2}} {
		var row []plot.Figure
		for _, t := range times {
			row = append(row, plot.Heatmap{Values: table(x, x, heat(t)), X: x, Y: x, Title: fmt.Sprintf("$t = %g$", t), XLabel: "$x$", YLabel: "$y$"})
		}
		g.Figures = append(g.Figures, row)
	}
	return g
}

func predictions() plot.Grid {
	y := linspace(0, 1, 50)
	g := plot.Grid{Title: "Best and worst predictions"}
	for i, title := range []string{"best", "worst"} {
		var row []plot.Figure
		for j := range 2 {
			truth, guess := make([]float64, len(y)), make([]float64, len(y))
			low, high := make([]float64, len(y)), make([]float64, len(y))
			for k, y := range y {
				truth[k] = 1e-3 * math.Sin(float64(3*i+2*j+3)*y)
				guess[k] = truth[k] + 1e-4*math.Sin(30*y)
				low[k], high[k] = guess[k]-2e-4, guess[k]+2e-4
			}
			row = append(row, &plot.Lines{Series: []plot.Series{
				{X: y, Y: truth, Label: "truth", Style: "k-"},
				{X: y, Y: guess, Label: "prediction", Style: "--", Color: "red", Low: low, High: high},
			}, Axes: plot.Axes{Title: title, XLabel: "$y$", YLabel: "$u(y)$"}})
		}
		g.Figures = append(g.Figures, row)
	}
	return g
}

// sweep is a table of errors over logarithmic axes, with cells never computed.
func sweep() plot.Heatmap {
	m := []float64{20, 30, 50, 70, 100, 150, 200}
	sigma := []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}
	return plot.Heatmap{
		X: m, Y: sigma, LogX: true, LogY: true, Log: true,
		Values: table(m, sigma, func(m, s float64) float64 {
			if m*s < 0.1 {
				return math.NaN()
			}
			return 0.01 + 0.1*math.Pow(math.Log(m*s/2), 2)
		}),
		Title: "Sweep", XLabel: "mesh size $m$", YLabel: `lengthscale $\sigma$`, Colorbar: "relative error",
		Lines: []plot.Series{{X: []float64{10, 1000}, Y: []float64{0.2, 0.002}, Style: "r--", Label: `$\sigma = 2/m$`}},
	}
}

// Gallery returns figures of every kind, as the paper needs them.
func Gallery() []Shown {
	x := linspace(0, 1, 60)
	uneven := []float64{0, 0.01, 0.03, 0.1, 0.3, 0.6, 1}
	g := table(x, x, helmholtz)
	return append([]Shown{
		{"poisson", plot.Heatmap{Values: table(x, x, poisson), X: x, Y: x, Title: `Poisson: $G(x,y) = \min(x,y) - xy$`, XLabel: "$x$", YLabel: "$y$"}},
		{"helmholtz", plot.Heatmap{Values: g, X: x, Y: x, Title: `Helmholtz, $\omega = 20$`, XLabel: "$x$", YLabel: "$y$", Colorbar: `$\hat{G}(x,y)$`}},
		{"uneven", plot.Heatmap{Values: table(uneven, x, poisson), X: uneven, Y: x, Aspect: "fill"}},
		{"sweep", sweep()},
		{"errors", plot.Lines{Series: errorCurves(), Axes: plot.Axes{LogX: true, LogY: true, Title: "Error of the Green's function", XLabel: "number of pairs $n$", YLabel: `RE($\hat{G}$)`}}},
		{"errorbars", plot.Lines{Series: bars(errorCurves()), Axes: plot.Axes{LogX: true, LogY: true, XLabel: "number of pairs $n$", YLabel: "relative error", Rules: []plot.Rule{{X: new(100.0), Label: "training"}, {Y: new(0.01), Style: "r:"}}}}},
		{"slices", plot.Lines{Series: crossSections(), Palette: "viridis", Axes: plot.Axes{XLabel: "$x$", YLabel: `$\hat{G}(x, 0, t)$`, Title: "Cross-sections"}}},
		{"contour", plot.Contour{Heatmap: plot.Heatmap{Values: g, X: x, Y: x, XLabel: "$x$", YLabel: "$y$", Title: "Contour"}}},
		{"bands", plot.Contour{Heatmap: plot.Heatmap{Values: table(x, x, poisson), X: x, Y: x, Colorbar: "$G$"}, Filled: true}},
		{"grid", heatGrid(false)},
		{"same", heatGrid(true)},
		{"predictions", predictions()},
		{"mixed", plot.Grid{Figures: [][]plot.Figure{
			{plot.Heatmap{Values: g, X: x, Y: x}, nil, plot.Lines{Series: []plot.Series{{Y: []float64{1e-6, 3e-6, 2e-6}}}, Axes: plot.Axes{YLabel: "u"}}},
			{plot.Contour{Heatmap: plot.Heatmap{Values: g, X: x, Y: x, Colorbar: "none"}}},
		}}},
	}, kinds()...)
}

// Hard returns figures of data that tends to break plotting programs.
func Hard() []Shown {
	nan, inf := math.NaN(), math.Inf(1)
	one := []float64{1}
	all := []Shown{
		{"one cell", plot.Heatmap{Values: [][]float64{{3}}}},
		{"one row", plot.Heatmap{Values: [][]float64{{1, 2, 3}}}},
		{"constant", plot.Heatmap{Values: [][]float64{{2, 2}, {2, 2}}}},
		{"zero", plot.Heatmap{Values: [][]float64{{0, 0}, {0, 0}}}},
		{"constant log", plot.Heatmap{Values: [][]float64{{2, 2}, {2, 2}}, Log: true, LogX: true, LogY: true}},
		{"no number", plot.Heatmap{Values: [][]float64{{nan, nan}, {nan, nan}}}},
		{"no number log", plot.Heatmap{Values: [][]float64{{nan, nan}, {nan, nan}}, Log: true}},
		{"infinite", plot.Heatmap{Values: [][]float64{{inf, -inf}, {1, nan}}}},
		{"huge", plot.Heatmap{Values: [][]float64{{-math.MaxFloat64, math.MaxFloat64}, {0, 1}}}},
		{"tiny", plot.Heatmap{Values: [][]float64{{5e-324, 1e-323}, {0, 1e-310}}}},
		{"tiny log", plot.Heatmap{Values: [][]float64{{5e-324, 1e308}, {1, 1}}, Log: true}},
		{"far", plot.Heatmap{Values: [][]float64{{1, 2}, {3, 4}}, X: []float64{-1e308, 1e308}, Y: []float64{1e15, 1e15 + 1}}},
		{"noise", plot.Heatmap{Values: [][]float64{{1, 1 + 1e-16}, {1 - 1e-16, 1}}}},
		{"beyond", plot.Heatmap{Values: [][]float64{{1, 2}, {3, 4}}, Min: new(10.0)}},
		{"flat contour", plot.Contour{Heatmap: plot.Heatmap{Values: [][]float64{{1, 1}, {1, 1}}}, Filled: true}},
		{"empty contour", plot.Contour{Heatmap: plot.Heatmap{Values: [][]float64{{nan, nan}, {nan, 1}}}}},
		{"huge contour", plot.Contour{Heatmap: plot.Heatmap{Values: [][]float64{{-math.MaxFloat64, 1}, {inf, math.MaxFloat64}}}}},
		{"log contour", plot.Contour{Heatmap: plot.Heatmap{Values: [][]float64{{1e-9, 1e9}, {1, 1e-3}}, Log: true}, Filled: true}},
		{"long", plot.Lines{Series: []plot.Series{{Y: one, Label: "a name that is far too long for any legend to hold, and then some more of it"}, {Y: one, Right: true}}, Axes: plot.Axes{
			Title: "a title that is much longer than the figure below it is wide, whatever the size", XLabel: "a label below the figure that is much longer than it is wide, whatever the size and the font may be of",
			YLabel: "a label beside the figure that is much longer than it is high, whatever the size and the font may be of", RightLabel: "and another one beside it",
		}}},
	}
	for _, y := range [][]float64{
		one, {nan}, {0}, {inf}, {nan, 1, nan, 2}, {5, 5, 5}, {-math.MaxFloat64, math.MaxFloat64}, {5e-324, 0}, {1e300, 1e300 * (1 + 1e-15)}, {1e9, 1e9 + 1},
	} {
		all = append(all, Shown{"line", plot.Lines{Series: []plot.Series{{Y: y}}}},
			Shown{"band", plot.Lines{Series: []plot.Series{{Y: y, Low: y, High: y, Style: "o"}, {Y: y, Low: y, High: y, Bars: true}}}},
			Shown{"limits", plot.Lines{Series: []plot.Series{{Y: y}}, Axes: plot.Axes{XMin: new(5.0), YMax: new(-3.0)}}})
	}
	for _, y := range [][]float64{one, {5e-324, math.MaxFloat64}, {1, nan, 1.0001}, {1e-300, 1e-299}, {3, 4}} {
		all = append(all, Shown{"log line", plot.Lines{Series: []plot.Series{{Y: y, Low: make([]float64, len(y)), High: y, Label: "$"}}, Axes: plot.Axes{LogX: true, LogY: true, XMin: new(7.0)}}})
	}
	return append(all, hardKinds()...)
}
