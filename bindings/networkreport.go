package bindings

import (
	"fmt"
	"math"
	"strings"
)

// networkReport is net.report.
type networkReport struct {
	Implicit bool              `arg:"implicit" doc:"u is on both sides"`
	Terms    []networkTermRow  `arg:"terms" doc:"the terms given, and what they come to"`
	Tried    []networkTriedRow `arg:"tried" doc:"with choose = \"reml\", the sets of terms that were tried"`
	Layers   []networkLayerRow `arg:"layers" doc:"the fit of each layer, with its certificate; an implicit network has one"`
	LeftOut  float64           `arg:"left_out" doc:"error of predicting fifths of the pairs from the others, relative: root of the sum of squares over that of the outputs"`
	Linear   float64           `arg:"linear" doc:"the same without terms"`
	Failed   int               `arg:"failed" doc:"pairs that had no fixed point when they were left out"`
	Rounds   int               `arg:"rounds" doc:"fits with terms of predictions in place of noisy outputs"`
	Radius   float64           `arg:"radius" doc:"largest spectral radius of the map of an implicit network at predictions of the data"`
	Noise    float64           `arg:"noise" doc:"standard deviation of the noise over the spread of the outputs"`
	Seconds  float64           `arg:"seconds" doc:"wall time"`
	Advice   string            `arg:"advice" doc:"what is suspicious, one line each"`
}

type networkTermRow struct {
	Name        string   `arg:"name"`
	Formula     string   `arg:"formula"`
	Chosen      bool     `arg:"chosen"`
	Deviation   float64  `arg:"deviation" doc:"standard deviation of what it adds to the output"`
	Coefficient *float64 `arg:"coefficient" doc:"see network_term:coefficient"`
	Band        *float64 `arg:"band" doc:"of 95 %; nil of layers of many pairs"`
}

type networkTriedRow struct {
	Terms []string `arg:"terms"`
	REML  float64  `arg:"reml" doc:"in nats; lower is better"`
	Sigma float64  `arg:"sigma" doc:"noise that is left"`
}

type networkLayerRow struct {
	LeftOut   float64 `arg:"left_out" doc:"error of predicting fifths of the pairs from the others"`
	Newton    bool    `arg:"newton" doc:"it is a step of Newton's method: u on both sides, linearised at the layer before"`
	Residual  float64 `arg:"residual" doc:"relative residual of the optimality system"`
	Gap       float64 `arg:"gap" doc:"upper bound of the objective minus its minimum"`
	Objective float64 `arg:"objective" doc:"value of the minimised functional"`
	Lambda    float64 `arg:"lambda"`
	Sigma     float64 `arg:"sigma" doc:"standard deviation of what is not explained"`
	Converged bool    `arg:"converged"`
}

func (n trained) report() networkReport {
	r := n.Report
	out := networkReport{
		Implicit: r.Implicit, LeftOut: r.LeftOut, Linear: r.Linear, Failed: r.Failed, Rounds: r.Rounds,
		Radius: r.Radius, Noise: r.Noise, Seconds: r.Seconds, Advice: r.Advice,
	}
	for _, t := range r.Terms {
		row := networkTermRow{Name: t.Name, Formula: t.Text, Chosen: t.Chosen, Deviation: t.Deviation}
		if !math.IsNaN(t.Coefficient) {
			row.Coefficient = &t.Coefficient
		}
		if !math.IsNaN(t.Band) {
			row.Band = &t.Band
		}
		out.Terms = append(out.Terms, row)
	}
	for _, t := range r.Tried {
		out.Tried = append(out.Tried, networkTriedRow{t.Terms, t.REML, t.Sigma})
	}
	for _, l := range r.Layers {
		out.Layers = append(out.Layers, networkLayerRow{l.LeftOut, l.Newton, l.Residual, l.Gap, l.Objective, l.Lambda, l.Sigma, l.Converged})
	}
	return out
}

// String shows the terms as a table.
func (n trained) String() string {
	r := n.Report
	kind := "implicit network"
	if !r.Implicit {
		if kind = fmt.Sprintf("network of %d layers", len(n.Layers)); len(n.Layers) == 1 {
			kind = "network of 1 layer"
		}
	}
	lines := []string{fmt.Sprintf("%s of %s from %d samples: left-out pairs to %.2g, %.2g without terms", kind, n.Data.Outputs[0].Name, n.Data.N(), r.LeftOut, r.Linear)}
	for _, t := range r.Terms {
		line := fmt.Sprintf("  %-8s %s", t.Name, t.Text)
		switch {
		case !t.Chosen:
			line += ", not chosen"
		case !math.IsNaN(t.Coefficient) && math.IsNaN(t.Band):
			line += fmt.Sprintf(", coefficient %.5g, deviation %.3g", t.Coefficient, t.Deviation)
		case !math.IsNaN(t.Coefficient):
			line += fmt.Sprintf(", coefficient %.5g ± %.2g, deviation %.3g", t.Coefficient, t.Band, t.Deviation)
		default:
			line += fmt.Sprintf(", deviation %.3g", t.Deviation)
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, notesOf(r.Advice)...), "\n")
}
