package solve

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// dissection is an order of the unknowns of a grid by nested dissection (George, SIAM J. Numer.
// Anal. 10, 1973): unknowns that separate two parts of it come after both, so that neither
// fills what belongs to the other. Fronts are in the order of elimination, children before
// their parent.
type dissection struct {
	order  []int // order[k] is the unknown at place k
	fronts []front
	work   float64 // multiplications to factor it by LU
	lower  int     // numbers in L
	upper  int     // numbers in U
}

// leafSize is the number of unknowns that are not dissected any more: as many numbers are
// wasted in larger parts as in the calls for smaller ones.
const leafSize = 24

// dissect orders the unknowns of a matrix, of which places tells where on a grid each is.
func dissect(ctx context.Context, a *linop.Sparse, places [][2]int) (*dissection, error) {
	neighbours, err := graph(ctx, a)
	if err != nil {
		return nil, err
	}
	d := &dissector{neighbours: neighbours, places: places, part: make([]int8, len(places)), result: &dissection{order: make([]int, 0, len(places))}}
	all := make([]int, len(places))
	for k := range all {
		all[k] = k
	}
	d.split(ctx, all)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	d.borders()
	for _, f := range d.result.fronts {
		k, m := float64(f.pivots), float64(len(f.border))
		d.result.work += k*k*k/3 + k*k*m + k*m*m
		lower, upper := f.lengths()
		d.result.lower, d.result.upper = d.result.lower+lower, d.result.upper+upper
	}
	return d.result, linop.Stopped(ctx)
}

type dissector struct {
	neighbours [][]int
	places     [][2]int
	part       []int8 // of an unknown: 1 in the lower part of what is being split
	result     *dissection
}

// split adds the fronts of a part of the grid, and returns how many of them have no parent.
func (d *dissector) split(ctx context.Context, part []int) int {
	if len(part) == 0 || ctx.Err() != nil {
		return 0
	}
	axis, at := d.middle(part)
	if len(part) <= leafSize || at < 0 {
		return d.add(part, 0)
	}
	var lower, upper, between []int
	for _, i := range part {
		if d.places[i][axis] < at {
			d.part[i] = 1
			lower = append(lower, i)
		}
	}
	for _, i := range part {
		switch {
		case d.part[i] == 1:
		case slices.ContainsFunc(d.neighbours[i], func(j int) bool { return d.part[j] == 1 }):
			between = append(between, i)
		default:
			upper = append(upper, i)
		}
	}
	for _, i := range lower {
		d.part[i] = 0
	}
	children := d.split(ctx, lower)
	children += d.split(ctx, upper)
	if len(between) == 0 {
		return children
	}
	return d.add(between, children)
}

// middle is where to cut a part: through the middle of its longer side; at is negative where
// all is at one place.
func (d *dissector) middle(part []int) (axis, at int) {
	least, most := d.places[part[0]], d.places[part[0]]
	for _, i := range part {
		for q, v := range d.places[i] {
			least[q], most[q] = min(least[q], v), max(most[q], v)
		}
	}
	if most[1]-least[1] > most[0]-least[0] {
		axis = 1
	}
	if most[axis] == least[axis] {
		return axis, -1
	}
	return axis, (least[axis] + most[axis] + 1) / 2
}

func (d *dissector) add(own []int, children int) int {
	r := d.result
	r.fronts = append(r.fronts, front{first: len(r.order), pivots: len(own), children: children})
	r.order = append(r.order, own...)
	return 1
}

// borders finds what each front is joined to: neighbours of its own unknowns, and the borders
// of its children.
func (d *dissector) borders() {
	order := d.result.order
	place, seen := make([]int32, len(order)), make([]int32, len(order))
	for k, i := range order {
		place[i] = int32(k)
	}
	var open []int // fronts without a parent so far
	total := 0
	for q := range d.result.fronts {
		f := &d.result.fronts[q]
		end := int32(f.first + f.pivots)
		add := func(k int32) {
			if k >= end && seen[k] != int32(q)+1 {
				seen[k] = int32(q) + 1
				f.border = append(f.border, k)
			}
		}
		for _, i := range order[f.first:end] {
			for _, j := range d.neighbours[i] {
				add(place[j])
			}
		}
		from := len(open) - f.children
		for _, c := range open[from:] {
			for _, k := range d.result.fronts[c].border {
				add(k)
			}
		}
		open = append(open[:from], q)
		slices.Sort(f.border)
		total += len(f.border)
	}
	together := make([]int32, 0, total) // as they are read, one after the other
	for q := range d.result.fronts {
		f := &d.result.fronts[q]
		together = append(together, f.border...)
		f.border = together[len(together)-len(f.border):]
	}
}
