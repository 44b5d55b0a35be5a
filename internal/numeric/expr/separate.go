package expr

import "slices"

// maxParts bounds the memory that the parts of a program take for each point.
const maxParts = 32

// Part is what a program of two points needs of one of them, besides its coordinates.
type Part struct {
	*Program
	Second bool // of the second point
}

// Separate takes out of p what depends on one of its two points only: the largest such
// values are parts, programs in the slots of p, and rest takes them in slots that follow
// those of p, in order. Over the pairs of two sets of points each part is then computed
// for every point once, not for every pair. The slots from second on are those of the
// second point.
//
// Rest gives what p gives, to the bit if the parts are computed alike.
func (p *Program) Separate(second int) (rest *Program, parts []Part) {
	sides := p.sides(second)
	whole, c := compiler{values: p.values}, compiler{values: slices.Clone(p.values)}
	for i := range p.values {
		if sides[i] != bothSides {
			continue
		}
		for _, a := range p.values[i].arguments() {
			if v := &c.values[a]; v.op == OpVar || sides[a] == 0 || sides[a] == bothSides || len(parts) == maxParts {
				continue
			}
			parts = append(parts, Part{p.with(whole.prune(a), p.slots), sides[a] == 2})
			c.values[a] = value{op: OpVar, slot: p.slots + len(parts) - 1}
		}
	}
	if len(parts) == 0 {
		return p, nil
	}
	return p.with(c.prune(int32(len(c.values)-1)), p.slots+len(parts)), parts
}

// sides tells of each value which points it depends on: 1, 2, or both.
func (p *Program) sides(second int) []uint8 {
	sides := make([]uint8, len(p.values))
	for i := range p.values {
		v := &p.values[i]
		switch {
		case v.op != OpVar:
		case v.slot < second:
			sides[i] = 1
		default:
			sides[i] = 2
		}
		for _, a := range v.arguments() {
			sides[i] |= sides[a]
		}
	}
	return sides
}

// with is a program of other steps with the operations and tables of p.
func (p *Program) with(values []value, slots int) *Program {
	q := &Program{slots: slots, ops: p.ops, values: values}
	q.plans.Store(&[]*plan{})
	return q
}
