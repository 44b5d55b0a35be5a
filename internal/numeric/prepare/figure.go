package prepare

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	mostCurves = 60 // in the background of one panel
	shown      = 3  // samples in colour
)

// Figure shows the functions of the samples, a panel for each: as curves, all of them (60
// spread over the samples where there are more) in grey and some in colour, the same colour
// for one sample in all panels; or as pictures, a row for each of the samples in colour,
// where a mesh is a product of two axes. some lists these, counted from 0; nil takes the
// smallest, the middle and the largest output. Functions on other meshes are not drawn; it is
// an error if none is left.
func Figure(t *dataset.Table, some []int) (plot.Figure, error) {
	for _, i := range some {
		if i < 0 || i >= t.N() {
			return nil, fmt.Errorf("%d: must be within 1 to %d", i+1, t.N())
		}
	}
	if some == nil {
		some = bySize(t)
	}
	curves, pictures := true, true
	all := panels(t)
	for _, f := range all {
		curves, pictures = curves && isLine(f.Mesh), pictures && isGrid(f.Mesh)
	}
	switch {
	case pictures:
		return heatmaps(t, all, some), nil
	case curves:
		row := make([]plot.Figure, len(all))
		for j, f := range all {
			row[j] = lines(f, some)
		}
		return plot.Grid{Figures: [][]plot.Figure{row}, Title: counted(t.N(), isPair(t))}, nil
	}
	return mixed(t, all, some)
}

// panel is a function with its title.
type panel struct {
	dataset.Field
	title string
}

func panels(t *dataset.Table) (all []panel) {
	for _, f := range t.Fields {
		all = append(all, panel{f, title(input, f.Name)})
	}
	for _, f := range t.Outputs {
		all = append(all, panel{f, title(output, f.Name)})
	}
	return all
}

func isLine(m mesh.Mesh) bool { return len(m.Axes()) == 1 && m.Dim() == 1 }

func isGrid(m mesh.Mesh) bool {
	a := m.Axes()
	return len(a) == 2 && m.Dim() == 2 && a[0].Size() > 1 && a[1].Size() > 1
}

// mixed draws curves, and leaves out what is none.
func mixed(t *dataset.Table, all []panel, some []int) (plot.Figure, error) {
	var row []plot.Figure
	for _, f := range all {
		switch {
		case isLine(f.Mesh):
			row = append(row, lines(f, some))
		case isGrid(f.Mesh):
			row = append(row, heatmap(f, some[len(some)/2]))
		}
	}
	if len(row) == 0 {
		return nil, fmt.Errorf("%s is on %s: only curves, and functions on products of two axes are drawn", all[0].title, all[0].Mesh)
	}
	return plot.Grid{Figures: [][]plot.Figure{row}, Title: counted(t.N(), isPair(t))}, nil
}

// lines is the panel of curves.
func lines(f panel, some []int) plot.Figure {
	axis := f.Mesh.Axes()[0]
	var series []plot.Series
	n := f.Values.Shape[0]
	style := ""
	if axis.Size() == 1 || axis.Scattered() || ownPoints(f.Mesh) {
		style = "o"
	}
	order := sortedBy(axis.Coordinates)
	curve := func(i int, s plot.Series) plot.Series {
		v := row(f.Field, i)
		for _, k := range order {
			if !math.IsNaN(v[k]) || !ownPoints(f.Mesh) { // a gap is one only where others are on the same mesh
				s.X, s.Y = append(s.X, axis.Coordinates[k]), append(s.Y, v[k])
			}
		}
		s.Style = style + "-"
		return s
	}
	every := max(1, (n+mostCurves-1)/mostCurves)
	for i := 0; i < n; i += every {
		if !slices.Contains(some, i) {
			series = append(series, curve(i, plot.Series{Color: "#c8ccd4"}))
		}
	}
	colors := []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}
	for j, i := range some {
		series = append(series, curve(i, plot.Series{Color: colors[j%len(colors)], Label: fmt.Sprintf("pair %d", i+1)}))
	}
	p := plot.Lines{Series: series}
	p.Title, p.XLabel = f.title, f.Mesh.Names()[0]
	return p
}

func sortedBy(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	return order
}

func heatmaps(t *dataset.Table, all []panel, some []int) plot.Figure {
	g := plot.Grid{Title: counted(t.N(), isPair(t))}
	for _, i := range some {
		var row []plot.Figure
		for _, f := range all {
			row = append(row, heatmap(f, i))
		}
		g.Figures = append(g.Figures, row)
	}
	return g
}

func heatmap(f panel, i int) plot.Figure {
	axes, v := f.Mesh.Axes(), row(f.Field, i)
	n := axes[1].Size()
	values := make([][]float64, axes[0].Size())
	for k := range values {
		values[k] = v[k*n : (k+1)*n]
	}
	h := plot.Heatmap{Values: values, X: axes[0].Coordinates, Y: axes[1].Coordinates}
	names := f.Mesh.Names()
	h.Title, h.XLabel, h.YLabel = fmt.Sprintf("%s, pair %d", f.title, i+1), names[0], names[1]
	return h
}

// bySize are the samples with the smallest, the middle and the largest first output.
func bySize(t *dataset.Table) []int {
	u := t.Outputs[0]
	size, order := make([]float64, t.N()), make([]int, t.N())
	for i := range order {
		order[i] = i
		for _, v := range observed(row(u, i)) {
			size[i] = math.Hypot(size[i], v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case size[a] < size[b]:
			return -1
		case size[a] > size[b]:
			return 1
		}
		return 0
	})
	if len(order) <= shown {
		return order
	}
	return []int{order[0], order[len(order)/2], order[len(order)-1]}
}
