package kernels

import (
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// tape is a kernel without a loop of its own, for the pairs of two sets of points:
// what depends on one point only, such as the lengthscale there, is computed once
// for each.
type tape struct {
	program Evaluator
	parts   []expr.Part
	time    float64 // of a value in a row, in nanoseconds
	p, q    []int   // the slots of program that each point fills: its coordinates, then its parts
}

// newTape returns the tape of a program for points of d coordinates.
func newTape(e Evaluator, d int) *tape {
	t := &tape{program: e}
	if p, ok := e.(*expr.Program); ok {
		t.program, t.parts = p.Separate(d)
	}
	for i := range d {
		t.p, t.q = append(t.p, i), append(t.q, d+i)
	}
	for i, part := range t.parts {
		if part.Second {
			t.q = append(t.q, 2*d+i)
		} else {
			t.p = append(t.p, 2*d+i)
		}
	}
	t.time = perValue(t.program, func(slot int) bool { return slices.Contains(t.q, slot) })
	return t
}

// columns returns what the tape takes of the points of a mesh, one slice each.
func (t *tape) columns(m mesh.Mesh, second bool) [][]float64 {
	d := m.Dim()
	columns := m.Columns()
	vars := make([]expr.Operand, 2*d)
	for i, c := range columns {
		if second {
			i += d
		}
		vars[i].Vector = c
	}
	for _, part := range t.parts {
		if part.Second == second {
			values := make([]float64, m.Size())
			part.Block(values, vars)
			columns = append(columns, values)
		}
	}
	return columns
}

// manyPairs are worth writing the formula for the points that there are, which takes as long as some 10⁵ pairs.
const manyPairs = 1 << 18

// tapeFor returns the tape for the pairs of two meshes.
func (f *Function) tapeFor(p, q mesh.Mesh) *tape {
	if f.Node == nil || float64(p.Size())*float64(q.Size()) < manyPairs {
		return f.tape()
	}
	var slots []expr.Interval
	for _, c := range slices.Concat(p.Columns(), q.Columns()) {
		slots = append(slots, expr.Values(c))
	}
	program, err := expr.CompilePairs(f.Node, p.Dim(), slots)
	if err != nil { // too long a formula
		return f.tape()
	}
	return newTape(program, p.Dim())
}

// evaluated prepares a matrix whose values the tape computes.
func (m *Matrix) evaluated(p, q mesh.Mesh) {
	m.tape = m.f.tapeFor(p, q)
	m.rows, m.cols = m.tape.columns(p, false), m.tape.columns(q, true)
}

// operands is scratch of one goroutine for evaluations by the tape.
type operands struct {
	m            *Matrix
	vars         []expr.Operand
	fixed, along []int // the slots of vars for the row's point and the columns' points
}

func (m *Matrix) operands() *operands {
	t := m.tape
	o := &operands{m: m, vars: make([]expr.Operand, len(t.p)+len(t.q)), fixed: t.p, along: t.q}
	if m.swapped {
		o.fixed, o.along = o.along, o.fixed
	}
	return o
}

// evaluate stores k(p_i, q_j) for len(dst) columns from the given one.
func (o *operands) evaluate(dst []float64, i, from int) {
	for k, slot := range o.fixed {
		o.vars[slot].Scalar = o.m.rows[k][i]
	}
	for k, slot := range o.along {
		o.vars[slot].Vector = o.m.cols[k][from : from+len(dst)]
	}
	o.m.tape.program.Block(dst, o.vars)
}
