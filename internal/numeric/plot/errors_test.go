package plot

import (
	"math"
	"testing"
)

// Each message names the argument, its value and what is allowed; rows, columns,
// points and series are counted from one.
func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	v := [][]float64{{1, 2, 3}, {4, 5, 6}}
	y := []float64{1, 2}
	lines := func(s ...Series) Lines { return Lines{Series: s} }
	for _, c := range []struct {
		figure Figure
		want   string
	}{
		{Heatmap{}, "values: empty: must hold at least one row and one column"},
		{Heatmap{Values: [][]float64{{}}}, "values: empty: must hold at least one row and one column"},
		{Heatmap{Values: [][]float64{{1, 2}, {3}}}, "values: row 2 has 1 columns, row 1 has 2: must be the same"},
		{Heatmap{Values: v, X: y, Y: y}, "y: 2 coordinates for 3 columns of values: must be as many"},
		{Heatmap{Values: v, X: []float64{1, 1}}, "x: coordinate 2 is 1 after 1: must increase"},
		{Heatmap{Values: v, X: []float64{1, nan}}, "x: coordinate 2 is NaN: must be a finite number"},
		{Heatmap{Values: v, Y: []float64{0, 1, 2}, LogY: true}, "y: coordinate 1 is 0: must be > 0 on a log axis"},
		{Heatmap{Values: [][]float64{{1, 2}, {nan, -0.5}}, Log: true}, "values: -0.5 in row 2, column 2: must be > 0 with log (NaN leaves a cell empty)"},
		{Heatmap{Values: v, Palette: "jet"}, `palette "jet": must be one of viridis, magma, plasma, inferno, cividis, grey, bluered, purplegreen`},
		{Heatmap{Values: v, Min: new(3.0), Max: new(2.0)}, "max 2: must be greater than min 3"},
		{Heatmap{Values: v, Max: &inf}, "max +Inf: must be a finite number"},
		{Heatmap{Values: v, Log: true, Min: new(0.0)}, "min 0: must be > 0 with log"},
		{Heatmap{Values: v, Aspect: "square"}, `aspect "square": must be equal or fill`},
		{Heatmap{Values: v, Aspect: "equal", LogX: true}, `aspect "equal": must not be equal on a log axis`},
		{Heatmap{Values: v, Aspect: "equal", X: []float64{0, 1000}}, `aspect "equal": y covers 3 and x 2e+03: too unlike to be drawn to the same scale`},
		{Heatmap{Values: v, Lines: []Series{{}}}, "lines 1: y: empty: must hold at least one value"},
		{Contour{Heatmap: Heatmap{Values: [][]float64{{1, 2}}}}, "values: 1 rows and 2 columns: must be at least two of each"},
		{Contour{Heatmap: Heatmap{Values: v}, Levels: []float64{1, 3, 2}}, "levels: level 3 is 2 after 3: must increase"},
		{Contour{Heatmap: Heatmap{Values: v}, Levels: []float64{nan}}, "levels: level 1 is NaN: must be a finite number, and > 0 with log"},
		{Contour{Heatmap: Heatmap{Values: v}, Count: -1}, "count -1: must be > 0"},
		{Lines{}, "series: empty: must hold at least one"},
		{lines(Series{X: y, Y: y}, Series{Label: "exp"}), "series 2 (exp): y: empty: must hold at least one value"},
		{lines(Series{X: []float64{1}, Y: y}), "series 1: x: 1 value for 2 of y: must be as many"},
		{lines(Series{Y: y, Low: y}), "series 1: low and high: must be given together"},
		{lines(Series{Y: y, Low: y, High: y[:1]}), "series 1: high: 1 value for 2 of y: must be as many"},
		{lines(Series{Y: y, Bars: true}), "series 1: bars: need low and high"},
		{Lines{Series: []Series{{Y: []float64{1, nan, 0, -1}}}, Axes: Axes{LogY: true}}, "series 1: y: value 3 is 0: must be > 0 on a log axis; a linear part of the y axis shows both signs"},
		{Lines{Series: []Series{{X: []float64{-1, 1}, Y: y}}, Axes: Axes{LogX: true}}, "series 1: x: value 1 is -1: must be > 0 on a log axis; a linear part of the x axis shows both signs"},
		{lines(Series{Y: y, Style: "zz"}), `series 1: style "zz": must be made of a line (- -- : -.), a marker (one of os^vd+x*.) and a colour (one of bgrcmykw)`},
		{lines(Series{Y: y, Color: "mauve"}), `series 1: color "mauve": must be #rrggbb or one of black, blue, red, green, pink, orange, cyan, white, grey`},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Legend: "middle"}}, `legend "middle": must be one of none, right, top left, top right, bottom left, bottom right`},
		{Lines{Series: []Series{{Y: y}}, Palette: "jet"}, `palette "jet": must be one of viridis, magma, plasma, inferno, cividis, grey, bluered, purplegreen`},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{XMin: new(2.0), XMax: new(1.0)}}, "xmax 1: must be greater than xmin 2"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{YMin: &nan}}, "ymin NaN: must be a finite number"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{YMax: new(-1.0), LogY: true}}, "ymax -1: must be > 0 on a log axis"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Rules: []Rule{{}}}}, "rules 1: must have either x or y"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Rules: []Rule{{X: new(1.0)}, {X: new(0.0)}}, LogX: true}}, "rules 2: x 0: must be > 0 on a log axis"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Rules: []Rule{{Y: &inf}}}}, "rules 1: y +Inf: must be a finite number"},
		{lines(Series{Y: y, Kind: "steps"}), `series 1: kind "steps": must be one of line, step, stem, bar, area`},
		{Heatmap{Values: v, Lines: []Series{{Y: y, Right: true}}}, "lines 1: right: only figures of lines have a second y axis"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{LogRight: true}}, "right_label, logright: no series belongs to the second y axis: one must have right set"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{YLin: -1}}, "ylin -1: must be a finite number >= 0"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{LogY: true, YLin: 1}}, "ylin 1: must not be given together with logy, which shows positive numbers only"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Texts: []Text{{TextX: new(1.0)}}}}, "texts 1: text_x and text_y: must be given together"},
		{Lines{Series: []Series{{Y: y}}, Axes: Axes{Texts: []Text{{X: nan}}}}, "texts 1: x NaN: must be a finite number"},
		{BarChart{}, "series: empty: must hold at least one"},
		{BarChart{Series: []Series{{Y: y}}, Names: []string{"a"}}, "names: 1 for the 2 values of series 1: must be as many"},
		{BarChart{Series: []Series{{Y: y}, {Y: []float64{1}}}, Stacked: true}, "series 2: must be bars at the same x as series 1 to be stacked on it"},
		{BarChart{Series: []Series{{Y: []float64{1, -1}}}, Stacked: true}, "series 1: y: value 2 is -1: must be >= 0 where bars are stacked"},
		{Histogram{}, "samples: empty: must hold at least one"},
		{Histogram{Samples: Samples{{nan, inf}}}, "samples: sample 1 holds no finite number: must hold at least one"},
		{Histogram{Samples: Samples{y}, Bins: -1}, "bins -1: must be between 0 (chosen) and 10000"},
		{Histogram{Samples: Samples{y}, Edges: []float64{1, 1}}, "edges: edge 2 is 1: must be finite and increase"},
		{Histogram{Samples: Samples{y}, Edges: y, Bins: 2}, "bins 2: must not be given together with edges"},
		{Histogram{Samples: Samples{y}, Labels: []string{"a", "b"}}, "labels: 2 for 1 samples: must be as many"},
		{Scatter{X: y, Y: []float64{1}}, "x, y: 2 and 1 coordinates: must be as many, and at least one"},
		{Scatter{X: y, Y: y, Marker: "-"}, `marker "-": must be one of os^vd+x*.`},
		{Scatter{X: y, Y: y, Values: []float64{1}}, "values: 1 for 2 points: must be as many"},
		{Scatter{X: y, Y: y, Values: []float64{1, 0}, Log: true}, "values: value 2 is 0: must be > 0 with log"},
		{Scatter{X: y, Y: y, Sizes: []float64{1, -1}}, "sizes: size 2 is -1: must be finite and >= 0"},
		{Quiver{U: v, V: [][]float64{{1}}}, "v: 1 rows for 2 of u: must be as many"},
		{Quiver{U: v, V: v, Axes: Axes{LogX: true}}, "logx, logy: arrows have no direction on a logarithmic axis: must be false"},
		{Stream{U: [][]float64{{1}}, V: [][]float64{{1}}}, "u: 1 rows and 1 columns: must be at least two of each"},
		{Stream{U: v, V: v, Density: 11}, "density 11: must be in (0, 10]"},
		{Surface{Values: [][]float64{{1}}}, "values: 1 rows and 1 columns: must be at least two of each"},
		{Surface{Values: v, Elevation: 91, Most: 9}, "elevation 91: must be in (0, 90]"},
		{Picture{}, "pixels: empty: must hold at least one row and one column"},
		{Picture{Pixels: [][][]float64{{{0, 1, 2}, {0, 128, 255}}}}, "pixels: row 1, column 2 has 128: must be between 0 and 1; divide bytes by 255"},
		{Picture{Pixels: [][][]float64{{{1}}}}, "pixels: row 1, column 1 has 1 numbers: must be 3, for red, green and blue (a heat map shows one number as a colour)"},
		{Grid{}, "figures: empty: must hold at least one figure"},
		{Grid{Figures: [][]Figure{{nil}, {}}}, "figures: empty: must hold at least one figure"},
		{Grid{Figures: [][]Figure{{lines(Series{Y: y}), Heatmap{}}}}, "figures: row 1, column 2: values: empty: must hold at least one row and one column"},
		{Grid{Figures: [][]Figure{{}, {Grid{Figures: [][]Figure{{Heatmap{Values: v}, nil}}}}}}, "figures: row 2, column 1: is a grid: grids must not be nested"},
		{Grid{Figures: [][]Figure{{Heatmap{Values: v}, Contour{Heatmap: Heatmap{Values: v, Log: true}}}}, SameColors: true}, "figures: row 1, column 2: log true: must be the same in all figures with same_colors"},
	} {
		err := c.figure.check()
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v\n want %s", err, c.want)
		}
	}
}
