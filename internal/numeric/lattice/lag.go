package lattice

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/mesh"
)

// lagAxis is the axis of the lags t - s of two uniform time axes with one step, and of
// the images of these: the causal average mirrors the lag, so it needs both signs of
// each, whatever the windows of input and output are. Of the lags on it, before are less
// than all that the axes have. Images that are off the step are left out.
func lagAxis(s, t mesh.Axis, images []laws.Image) (lags mesh.Axis, before int, err error) {
	step, n := t.Step, s.Size()+t.Size()-1
	offset := t.Coordinates[0] - s.Coordinates[0]
	first := 1 - s.Size() // lags are offset + step times first, …, last
	last := first + n - 1
	low, high := first, last
	for _, im := range images {
		k := len(im.At) - 1
		if im.Permutation == nil || im.Permutation[k] != k {
			continue
		}
		for _, i := range []int{first, last} {
			at := make([]float64, len(im.At))
			at[k] = offset + float64(i)*step
			image := (expr.Eval(im.At[k], at) - offset) / step
			if whole := math.Round(image); math.Abs(image-whole) <= 1e-6 {
				low, high = min(low, int(whole)), max(high, int(whole))
			}
		}
	}
	if high-low+1 > 4*n { // mirrored far away
		low, high = first, last
	}
	start := offset + float64(low)*step
	lags, err = mesh.Uniform(start, start+float64(high-low)*step, high-low+1, laws.LagName)
	if err != nil {
		return lags, 0, err
	}
	for i := range lags.Coordinates {
		v := offset + float64(low+i)*step
		if math.Abs(v) <= 1e-9*step { // the mask must see zero, not its rounding
			v = 0
		}
		lags.Coordinates[i] = v
	}
	return lags, first - low, nil
}

// reduce replaces the two time axes by the axis of their lags, and of the images of
// these, as far as they have its step.
func (l *Lattice) reduce(images []laws.Image) error {
	s, xs, err := takeAxis(l.x, l.lag.Input)
	if err != nil {
		return fmt.Errorf("input time: %w", err)
	}
	t, ys, err := takeAxis(l.y, l.lag.Output-l.x.Dim())
	if err != nil {
		return fmt.Errorf("output time: %w", err)
	}
	if s.Step == 0 || t.Step == 0 || math.Abs(s.Step-t.Step) > 1e-9*s.Step {
		return fmt.Errorf("the time axes must be uniform with one step; that of the input is %s and that of the output %s: sample both on one step, or leave time invariance out",
			step(s), step(t))
	}
	lags, before, err := lagAxis(s, t, images)
	if err != nil {
		return err
	}
	l.before = before
	if len(xs) == 0 { // time alone: one point keeps the side from being empty
		xs, l.point = []mesh.Axis{gram.Point()}, true
		l.space.Names, l.space.Inputs = append([]string{gram.PointName}, l.space.Names...), 1
	}
	if l.x, err = renamed(xs, l.space.Names[:l.space.Inputs]); err != nil {
		return err
	}
	out, err := renamed(append(ys, lags), l.space.Names[l.space.Inputs:])
	l.y = out
	return err
}

func step(a mesh.Axis) string {
	switch {
	case a.Scattered():
		return "unknown, for its points are scattered (a trapezoid axis of them finds it)"
	case a.Step == 0:
		return "uneven"
	}
	return fmt.Sprintf("%.6g", a.Step)
}
