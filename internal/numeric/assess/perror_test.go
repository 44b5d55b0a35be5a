package assess_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// With other seeds p differs by its standard error.
func TestStandardErrorOfP(t *testing.T) {
	m := line(6)
	checked := 0
	for data := range uint64(4) {
		f, white := inputs(t, m, 12, 7+data), inputs(t, m, 12, 1007+data)
		u := array.New(12, 6)
		for i, v := range white.Data {
			u.Data[i] = v + .25*f.Data[i]
		}
		e := fitted(t, fit.Spec{Data: testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m}))(t), Kernel: se(.3), Lambda: .1})
		var p, said []float64
		for seed := range uint64(40) {
			term := testmain.Must(assess.Summarise(ctx, e, seed))(t).Terms[0]
			p, said = append(p, *term.P), append(said, *term.PError)
		}
		is, says := stat.StdDev(p, nil), stat.Mean(said, nil)
		t.Logf("p %.3f: standard deviation %.4f over 40 seeds, said %.4f", stat.Mean(p, nil), is, says)
		if stat.Mean(p, nil) < .005 {
			continue
		}
		checked++
		// Of 40 numbers the standard deviation is known to 11 %.
		if !(math.Abs(math.Log(is/says)) <= .4) {
			t.Errorf("p %.3f: standard deviation %.4f over 40 seeds, said to be %.4f", stat.Mean(p, nil), is, says)
		}
	}
	if checked < 2 {
		t.Error("none of the p is of middle size")
	}
}
