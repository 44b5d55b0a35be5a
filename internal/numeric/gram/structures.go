package gram

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Self returns K on X × Y and the reason for its structure. The coordinates of
// f are those of x, then those of y. What is not evaluated from the kernel itself has
// been held against it: see [Check]. A structure that fails is not taken, or refused
// if it was asked for.
func Self(ctx context.Context, f *kernels.Function, x, y mesh.Mesh, o Options) (Product, string, error) {
	g, err := newChooser(ctx, f, x, y, structures())
	if err != nil {
		return nil, "", err
	}
	if o.Structure == Automatic {
		return g.choose()
	}
	return g.insist(o.Structure)
}

// structures lists them as gram prefers them, each in its own file. The first that is apt, made, and found
// to be the kernel is taken; those at the end are evaluated from the kernel itself.
func structures() []structure {
	return []structure{
		partsStructure(), coupledStructure(), familyStructure(), mixtureStructure(), kroneckerStructure(), fftStructure(),
		ranksStructure(), scaledStructure(), longKroneckerStructure(), denseStructure(), blocksStructure(),
	}
}

// Structures are the names of those that can be asked for, as gram prefers them.
func Structures() []Structure { return names(structures()) }
