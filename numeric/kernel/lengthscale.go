package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Lengthscale holds one positive length for all coordinates, or one per
// coordinate. Nil means that the fit is to choose it.
type Lengthscale []float64

// Auto is the lengthscale that a fit chooses.
var Auto = Lengthscale(nil)

// String is the length, or the list of them in braces; auto where a fit is to choose.
func (l Lengthscale) String() string {
	switch len(l) {
	case 0:
		return "auto"
	case 1:
		return fmt.Sprintf("%v", l[0])
	}
	s := make([]string, len(l))
	for i, v := range l {
		s[i] = fmt.Sprintf("%v", v)
	}
	return "{" + strings.Join(s, ", ") + "}"
}

func (l Lengthscale) check() error {
	for i, v := range l {
		name := "lengthscale"
		if len(l) > 1 {
			name = fmt.Sprintf("lengthscale[%d] =", i+1)
		}
		switch {
		case !(v > 0) || math.IsInf(v, 0):
			return fmt.Errorf("%s %g: must be > 0 and finite", name, v)
		case math.IsInf(1/v, 0):
			return fmt.Errorf("%s %g: is too small for its reciprocal to be a number", name, v)
		}
	}
	return nil
}

// Lengths are a fraction of the lengths of the axes: one number where they agree. On an
// axis of one point any will do.
func Lengths(fraction float64, on ...mesh.Mesh) Lengthscale {
	var l Lengthscale
	same := true
	for _, m := range on {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				extent := a.Upper[i] - a.Lower[i]
				if extent == 0 {
					extent = 1
				}
				l = append(l, fraction*extent)
				same = same && l[len(l)-1] == l[0]
			}
		}
	}
	if same {
		return l[:1]
	}
	return l
}
