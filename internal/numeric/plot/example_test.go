package plot_test

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// The Green's function of the Poisson equation, to a file.
func Example() {
	const n = 21
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i) / (n - 1)
	}
	values := make([][]float64, n)
	for i := range values {
		values[i] = make([]float64, n)
		for j := range values[i] {
			values[i][j] = math.Min(x[i], x[j]) - x[i]*x[j]
		}
	}
	fig := plot.Heatmap{Values: values, X: x, Y: x, Title: "$G(x,y)$", XLabel: "$x$", YLabel: "$y$"}

	dir, err := os.MkdirTemp("", "plot")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := plot.Save(fig, filepath.Join(dir, "green.pdf"), plot.Size{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plot.Check(fig))
	// Output: <nil>
}

// Errors against the number of samples, with a band, on logarithmic axes.
func ExampleLines() {
	n := []float64{10, 100, 1000}
	fig := plot.Lines{Series: []plot.Series{
		{X: n, Y: []float64{0.5, 0.1, 0.02}, Label: "Matérn 5/2", Style: "o-", Low: []float64{0.4, 0.08, 0.015}, High: []float64{0.6, 0.13, 0.03}},
		{X: n, Y: []float64{0.6, 0.3, 0.15}, Label: "exponential", Style: "s--"},
	}, Axes: plot.Axes{Rules: []plot.Rule{{X: new(100.0), Label: "training"}}, LogX: true, LogY: true, XLabel: "samples", YLabel: `RE($\hat{G}$)`}}
	fmt.Println(plot.Check(fig))
	// Output: <nil>
}

// Two panels under one title, with one scale of colours.
func ExampleGrid() {
	panel := func(t float64) plot.Figure {
		values := make([][]float64, 30)
		for i := range values {
			values[i] = make([]float64, 30)
			for j := range values[i] {
				d := float64(i-j) / 30
				values[i][j] = math.Exp(-d * d / (4 * t))
			}
		}
		return plot.Heatmap{Values: values, Title: fmt.Sprintf("$t = %g$", t)}
	}
	fig := plot.Grid{Figures: [][]plot.Figure{{panel(0.01), panel(0.05)}}, Title: "Heat", SameColors: true}
	fmt.Println(plot.Check(fig))
	// Output: <nil>
}

// What cannot be drawn is refused by name.
func ExampleCheck() {
	fig := plot.Lines{Series: []plot.Series{{Y: []float64{0.1, 0, 0.01}}}, Axes: plot.Axes{LogY: true}}
	fmt.Println(plot.Check(fig))
	// Output: series 1: y: value 2 is 0: must be > 0 on a log axis; a linear part of the y axis shows both signs
}
