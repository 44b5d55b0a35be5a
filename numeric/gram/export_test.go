package gram

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// CrossForms makes every form that the kernel has between meshes, with what its
// check says: "" where it is the kernel.
func CrossForms(ctx context.Context, f *kernel.Function, xs, ys, x, y mesh.Mesh) (ops []linop.Operator, verdicts []string, err error) {
	r, err := newReference(ctx, f, xs, ys, x, y)
	if err != nil {
		return nil, nil, err
	}
	c := &crosser{reference: r, xs: xs, ys: ys, x: x, y: y, most: math.Inf(1)}
	for _, form := range c.forms() {
		op, err := form()
		if err != nil {
			return nil, nil, err
		}
		if op == nil {
			continue
		}
		_, verdict, err := c.check(op)
		if err != nil {
			return nil, nil, err
		}
		ops, verdicts = append(ops, op), append(verdicts, verdict)
	}
	return ops, verdicts, nil
}

// Entries stores entries of an operator that is not evaluated from the kernel.
func Entries(op linop.Operator, dst []float64, i, j []int) bool {
	c, ok := op.(compressed)
	if ok {
		c.entries(dst, i, j)
	}
	return ok
}

// Hold is the check of an operator on x × y that claims to be the kernel.
func Hold(ctx context.Context, f *kernel.Function, x, y mesh.Mesh, op linop.Operator, entry func(i, j int) float64, seed uint64) (c *Check, verdict string, err error) {
	r, err := newReference(ctx, f, x, y, x, y)
	if err != nil {
		return nil, "", err
	}
	r.rng = rand.New(rand.NewPCG(seed, 1))
	return r.check(claim{op, entry})
}

type claim struct {
	linop.Operator
	entry func(i, j int) float64
}

func (c claim) entries(dst []float64, i, j []int) {
	for k := range dst {
		dst[k] = c.entry(i[k], j[k])
	}
}

func (c claim) certain() bool { return false }
