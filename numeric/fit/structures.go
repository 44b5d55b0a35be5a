package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/mesh"
)

// DefaultTolerance is the relative residual at which solvers stop where a [Spec] asks for no
// other.
const DefaultTolerance = solve.DefaultTolerance

// Structure names a form that the matrix of a kernel on meshes may take, such as "toeplitz"
// or "kronecker"; [Structures] lists them. The empty one stands for the best that there is.
type Structure = gram.Structure

// Structures are the names that a [Spec] may ask for, the preferred ones first.
func Structures() []Structure { return gram.Structures() }

// DescribeStructure says which structure a kernel of the coordinates of x, then of y, takes on
// the two meshes, of what size, and why. It takes as long as making it does.
func DescribeStructure(ctx context.Context, k *kernels.Function, x, y mesh.Mesh) (string, error) {
	p, why, err := gram.Self(ctx, k, x, y, gram.Options{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, because %s", p.Describe(), why), nil
}
