package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// systemSize is about how many numbers a problem in the space of the data takes at a time,
// the kernel not counted: the data and what their factors and the preconditioner are made
// of, or the vectors of the solve.
func systemSize(n int, x, y mesh.Mesh) float64 {
	pairs, mx, my := float64(n), float64(x.Size()), float64(y.Size())
	rows := min(pairs, mx+1)
	data := 2*pairs*mx + 3*pairs*my
	if pairs > mx {
		data += 2 * pairs * mx // its orthonormal factor, and how that is made
	}
	preparing := 3*mx*mx + rows*mx
	if len(y.Axes()) > 1 {
		preparing += my * my
	}
	solving := 6*rows*my + 4*mx*my + criteria.ProbedSpace(rows*my)
	return data + max(preparing, solving)
}

// weightSpaceVectors is how many arrays of the size of the weights the solve of a
// constrained problem takes at least.
const weightSpaceVectors = 30

// checkMemory refuses a problem that there is no memory for before anything is computed. numbers is
// what it takes besides the kernel.
func checkMemory(f *kernel.Function, x, y mesh.Mesh, numbers float64) error {
	making, held := gram.Memory(f, x, y)
	what := fmt.Sprintf("fit on %s points of the input and %s of the output:", array.ShapeString(x.Shape()), array.ShapeString(y.Shape()))
	if err := array.CheckSize(what, max(making, held+numbers)); err != nil {
		return fmt.Errorf("%w; take meshes of fewer points, or fewer pairs", err)
	}
	return nil
}

// memoryShare is how many numbers a part of the memory limit holds, at most so many. The limit,
// not what of it is free, decides: results must not depend on what ran before.
func memoryShare(part float64, most int) int {
	return int(min(float64(most), part*array.MemoryLimit()/8))
}

// largeProduct is from how many weights on products with a kernel are made one at a time:
// each uses all processors, and takes arrays of that size.
const largeProduct = 1 << 19

// eachProduct calls do(i) for 0 <= i < count, for products of an operator on the given
// number of weights. The error is the context's.
func eachProduct(ctx context.Context, count, weights int, do func(i int)) error {
	if weights < largeProduct {
		return kernel.Rows(ctx, count, applyTime(weights), do)
	}
	for i := range count {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		do(i)
	}
	return linop.Stopped(ctx)
}

// applyTime is about what a product with an operator of n rows takes, in nanoseconds: some
// passes over vectors and transforms.
func applyTime(n int) float64 { return 50 * float64(n) }
