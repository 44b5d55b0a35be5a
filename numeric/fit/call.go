package fit

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/numeric/solve"
)

// call is the Lua call that makes the choices of a fit by hand, for data called d.
func (s *Spec) call(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "green.fit{data = d, kernel = %s", s.Kernel)
	switch {
	case s.NoBias:
		b.WriteString(", bias = false")
	case s.Bias != nil:
		fmt.Fprintf(&b, ", bias = %s", s.Bias)
	}
	if s.Constraint != nil {
		fmt.Fprintf(&b, ", constraint = %s", s.Constraint)
	}
	fmt.Fprintf(&b, ", lambda = %v", r.Lambda)
	if !s.NoBias {
		if r.Rho != r.Lambda {
			fmt.Fprintf(&b, ", rho = %v", r.Rho)
		}
		if s.flat() {
			fmt.Fprintf(&b, ", intercept = %q", Flat)
		}
	}
	if s.Structure != "" {
		fmt.Fprintf(&b, ", structure = %q", s.Structure)
	}
	if s.Tolerance != 0 && s.Tolerance != solve.DefaultTolerance {
		fmt.Fprintf(&b, ", tolerance = %v", s.Tolerance)
	}
	b.WriteString("}")
	return b.String()
}
