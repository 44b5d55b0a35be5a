package bindings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// drawnGroups is how many curves of groups a picture has.
const drawnGroups = 6

// termPanels are pictures of all terms of an output that have one, and of its bias.
func termPanels(c *bind.Call, o learnedOutput, ys mesh.Mesh, named bool) (panels []plot.Figure, err error) {
	title := func(of string) string {
		if named {
			return o.Output.Name + ": " + of
		}
		return of
	}
	for _, t := range o.Terms {
		if t.Kind == model.Noise || t.Form == model.Formless {
			continue
		}
		var f plot.Figure
		switch t.Form {
		case model.Function:
			f, err = greenPanel(c, o, t, ys, title(t.Name))
		case model.LabelCurves:
			f, err = curvesFigure(c, t, nil, ys, title(t.Name))
		default:
			f, err = covariateFigure(c, t, ys, title(t.Name))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		panels = append(panels, f)
	}
	if beta, err := o.Bias(c, ys); err != nil || len(beta) == 0 {
		return panels, err
	}
	f, err := curveFigure(onMesh(ys, o.Mesh), title("bias"), []string{""}, func(string) (v, sd []float64, err error) {
		if v, err = o.Bias(c, ys); err == nil {
			sd, err = o.BiasStd(c, ys)
		}
		return v, sd, err
	})
	return append(panels, f), err
}

// greenPanel is G of a term, of a family in the middle of its parameters.
func greenPanel(c *bind.Call, o learnedOutput, t *model.Term, ys mesh.Mesh, title string) (plot.Figure, error) {
	theta := o.of.theta
	if theta == nil {
		for i, p := range o.of.Data.Parameters {
			theta = append(theta, (slices.Min(p.Values)+slices.Max(p.Values))/2)
			title += fmt.Sprintf(", %s = %.4g", p.Name, theta[i])
		}
	}
	g, err := t.Green(theta...)
	if err != nil {
		return nil, err
	}
	f, err := estimateFigure(c, g, mesh.Mesh{}, ys, false)
	if err != nil {
		return nil, err
	}
	h := f.(plot.Heatmap)
	h.Title = title
	return h, nil
}

func covariateFigure(c *bind.Call, t *model.Term, ys mesh.Mesh, title string) (plot.Figure, error) {
	return curveFigure(onMesh(ys, t.OutputMesh()), title, []string{""}, func(label string) (v, sd []float64, err error) {
		return effectOf(c, t, label, ys)
	})
}

// effectOf is a curve with its deviations.
func effectOf(c *bind.Call, t *model.Term, label string, ys mesh.Mesh) (v, sd []float64, err error) {
	if v, err = t.Effect(c, label, ys); err == nil {
		sd, err = t.EffectStd(c, label, ys)
	}
	return v, sd, err
}

// curvesFigure are curves of some groups, or of those that differ most.
func curvesFigure(c *bind.Call, t *model.Term, labels []string, ys mesh.Mesh, title string) (plot.Figure, error) {
	if labels == nil {
		size := map[string]float64{}
		for _, l := range t.Labels() {
			v, err := t.Effect(c, l, ys)
			if err != nil {
				return nil, err
			}
			size[l] = floats.Norm(v, 2)
		}
		labels = slices.Clone(t.Labels())
		if len(labels) > drawnGroups {
			slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(size[b], size[a]) })
			title += fmt.Sprintf(", %d of %d groups", drawnGroups, len(labels))
			labels = labels[:drawnGroups]
		}
	}
	return curveFigure(onMesh(ys, t.OutputMesh()), title, labels, func(label string) (v, sd []float64, err error) {
		return effectOf(c, t, label, ys)
	})
}

// curveFigure shows curves on the output with their bands, dotted where these hold zero.
func curveFigure(ys mesh.Mesh, title string, labels []string, of func(label string) (v, sd []float64, err error)) (plot.Figure, error) {
	columns := ys.Columns()
	if len(columns) != 1 {
		return nil, fmt.Errorf("ymesh: the curve has %d coordinates, a picture of it one: take its numbers, such as est.u.age:effect(), to plot.heatmap", len(columns))
	}
	y := columns[0]
	if !increasing(y) || len(y) < 2 {
		return nil, errors.New("ymesh: want at least two points in increasing order, such as mesh.uniform(0, 1, 50)")
	}
	zero := 0.0
	f := plot.Lines{Axes: plot.Axes{Title: title, XLabel: ys.Names()[0], Rules: []plot.Rule{{Y: &zero, Style: "k:"}}}}
	for i, label := range labels {
		v, sd, err := of(label)
		if err != nil {
			return nil, err
		}
		color := string("bgrcmy"[i%6])
		low, high := make([]float64, len(v)), make([]float64, len(v))
		sure := make([]float64, len(v))
		for k := range v {
			low[k], high[k], sure[k] = v[k]-1.96*sd[k], v[k]+1.96*sd[k], v[k]
			if low[k] <= 0 && high[k] >= 0 {
				sure[k] = math.NaN()
			}
		}
		f.Series = append(f.Series,
			plot.Series{X: y, Y: v, Low: low, High: high, Style: color + ":", Label: label},
			plot.Series{X: y, Y: sure, Style: color + "-"})
	}
	if len(labels) == 1 {
		f.Legend = "none"
	}
	return f, nil
}

// onMesh is a mesh, or another where it has no points.
func onMesh(m, other mesh.Mesh) mesh.Mesh {
	if m.Size() == 0 {
		return other
	}
	return m
}

// inRows are pictures in rows of two, or of three where there are many.
func inRows(panels []plot.Figure) plot.Figure {
	wide := 2
	if len(panels) > 6 {
		wide = 3
	}
	g := plot.Grid{Title: "terms; hatched or dotted where the 95 % band holds zero"}
	for row := range slices.Chunk(panels, wide) {
		g.Figures = append(g.Figures, row)
	}
	return g
}
