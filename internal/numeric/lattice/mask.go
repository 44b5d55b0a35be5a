package lattice

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/mesh"
)

// findMask evaluates the mask.
func (l *Lattice) findMask(ctx context.Context, t *laws.Transform) error {
	if l.chi == nil {
		return nil
	}
	var err error
	if l.mask, err = evaluate(l.chi, l.columns()); err != nil {
		return err
	}
	for i, v := range l.mask {
		if v != 0 && v != 1 {
			return fmt.Errorf("mask: returns %g at weight %d, must be 1 or 0", v, i+1)
		}
	}
	if len(t.Obeyed) > 0 { // to rounding, the mask is that at the images of each point
		maps, why, err := l.IndexMaps(ctx, l.lift(t.Obeyed))
		if l.off = why; err != nil || why != "" {
			return err
		}
		o := newOrbits(len(l.mask), maps)
		o.mean(l.mask)
		for i, v := range l.mask {
			l.mask[i] = math.Floor(v + 1e-12)
		}
	}
	if floats.Sum(l.mask) == 0 {
		return fmt.Errorf("mask: leaves no point of the meshes")
	}
	return nil
}

const maskPoints = 4000 // at random in the box of the meshes

// checkMask refuses masks that leave nothing of a function that obeys the maps of the list,
// and masks of more than the lag; x and y are the meshes before the reduction.
func (l *Lattice) checkMask(t *laws.Transform, x, y mesh.Mesh) error {
	if l.chi == nil {
		return nil
	}
	p := inBox(maskPoints, x, y)
	symbols, _ := kernels.Points(l.full)
	by := map[int]*expr.Node{}
	for i, v := range l.reduced(symbols.X) {
		by[i] = v
	}
	chi, err := evaluate(expr.Substitute(l.chi, by), p)
	if err != nil {
		return err
	}
	wide := true // all masks, each alone
	for _, m := range t.Masks {
		given, err := evaluate(m, p)
		if err != nil {
			return err
		}
		wide = wide && floats.Sum(given) > maskPoints/100
	}
	if wide && floats.Sum(chi) == 0 {
		return fmt.Errorf("leaves nothing of G: where it vanishes, as causality has it, it vanishes at the images under the maps of the list and where any other mask cuts it too, and here these are all points; leave one of the constraints out")
	}
	if l.lag == nil {
		return nil
	}
	moved := slices.Clone(p) // both times, to the input time of the next point
	for _, i := range []int{l.lag.Input, l.lag.Output} {
		moved[i] = slices.Clone(p[i])
		for k := range moved[i] {
			moved[i][k] += p[l.lag.Input][(k+1)%maskPoints] - p[l.lag.Input][k]
		}
	}
	given, err := evaluate(product(t.Masks), p)
	if err != nil {
		return err
	}
	other, err := evaluate(product(t.Masks), moved)
	if err != nil {
		return err
	}
	for i, v := range given {
		if v != other[i] {
			return fmt.Errorf("with time invariance a mask may depend on the times only by their difference, and this one does not: cut by t - s, or leave one of the two out")
		}
	}
	return nil
}

// product is 1 without factors.
func product(factors []*expr.Node) *expr.Node {
	out := expr.Const(1)
	for _, f := range factors {
		out = expr.Mul(out, f)
	}
	return out
}

// inBox returns the columns of random points in the box of two meshes.
func inBox(count int, x, y mesh.Mesh) [][]float64 {
	rng := rand.New(rand.NewPCG(13, 14))
	var p [][]float64
	for _, a := range append(x.Axes(), y.Axes()...) {
		for i, low := range a.Lower {
			column := make([]float64, count)
			for k := range column {
				column[k] = low + rng.Float64()*(a.Upper[i]-low)
			}
			p = append(p, column)
		}
	}
	return p
}

// Mask sets to zero what the mask forbids.
func (l *Lattice) Mask(v []float64) {
	for i, m := range l.mask {
		if m == 0 {
			v[i] = 0
		}
	}
}

// LastAxisMask is the mask along the last axis when it depends on nothing else,
// nil otherwise.
func (l *Lattice) LastAxisMask() []float64 {
	if l.mask == nil {
		return nil
	}
	axes := l.y.Axes()
	n := axes[len(axes)-1].Size()
	first := l.mask[:n]
	for at := n; at < len(l.mask); at += n {
		if !floats.Equal(first, l.mask[at:at+n]) {
			return nil
		}
	}
	return first
}

// OnLastAxis applies the average and then the mask to functions of the last coordinate, the columns
// of v, where they act on that coordinate alone; elsewhere ok is false.
func (l *Lattice) OnLastAxis(v *mat.Dense) (ok bool) {
	n, cols := v.Dims()
	mask, on := l.LastAxisMask(), &Lattice{}
	if ok = l.mask == nil || mask != nil; ok && l.orbits != nil {
		on.orbits, ok = l.orbits.first(n)
	}
	for j := 0; j < cols && ok; j++ {
		c := mat.Col(nil, j, v)
		on.Average(c)
		if mask != nil {
			floats.Mul(c, mask)
		}
		v.SetCol(j, c)
	}
	return ok
}
