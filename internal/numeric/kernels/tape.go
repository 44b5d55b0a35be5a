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
