package lattice

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// mostImages is the largest group whose maps are written out one by one.
const mostImages = 4096

// Formulas are all that it takes to evaluate an [Expansion] elsewhere, beside its weights and
// their points: the parts of its definition as formulas of coordinates. Those of a point
// (x, y) are in the slots 0, 1, …, the input's first; those of a point of the lattice likewise.
type Formulas struct {
	Kernel *expr.Node   `json:"kernel"`           // k(z, z_j): the coordinates of z_j follow those of z
	Reduce []*expr.Node `json:"reduce"`           // coordinates of φ (x, y) on the lattice
	Images []SignedMap  `json:"images,omitempty"` // the group, on the lattice; none: the identity alone
	Mask   *expr.Node   `json:"mask,omitempty"`   // χ, of the coordinates that Seen gives; none: 1
	Seen   []*expr.Node `json:"seen,omitempty"`   // coordinates on the lattice as the mask sees them
}

// SignedMap is one g of the group with its sign.
type SignedMap struct {
	Sign float64      `json:"sign"`
	At   []*expr.Node `json:"at"`
}

// Formulas returns the formulas of the expansion, and false where a kernel or a group is too
// large to be written out.
func (e *Expansion) Formulas() (*Formulas, bool) {
	l := e.l
	p, q := kernels.Points(l.space)
	k, err := kernels.Symbolic(e.kernel.Kernel, p, q)
	if err != nil || len(l.images) > mostImages {
		return nil, false
	}
	full, _ := kernels.Points(l.full)
	f := &Formulas{Kernel: k, Reduce: l.reduced(full.X)}
	for _, im := range l.images {
		f.Images = append(f.Images, SignedMap{im.Sign, im.At})
	}
	if l.chi != nil {
		f.Mask, f.Seen = l.chi, l.seen(full.X)
	}
	return f, true
}
