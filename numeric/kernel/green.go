package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// Kink is base + |x - y|^p |ξ - η|^p jump on points (x, y) and (ξ, η) of input and output,
// with Euclidean distances: functions with a kink (p = 1, second-order operators) or a jump
// in a higher derivative (p = 3, fourth order) across the diagonal, as Green's functions
// have. Input and output must have equally many coordinates. With OneSided, which takes one
// coordinate each, (y - x)₊^p takes the place of |x - y|^p: 0 before the diagonal, as of
// responses in time to what was before; p = 0 is a jump from the diagonal on, as responses of
// first-order systems have.
type Kink struct {
	Base     Kernel  `arg:"base" doc:"kernel of the smooth part"`
	Jump     Kernel  `arg:"jump" doc:"kernel of the factor of |x - y|^power: how large the kink is along the diagonal"`
	Power    float64 `arg:"power" doc:"order of the kink: 1 for second-order operators, 3 for fourth; 0, with one_sided, for a jump" default:"1" allow:">=0"`
	OneSided bool    `arg:"one_sided" doc:"max(y - x, 0)^power in place of |x - y|^power, and 1 from x = y on for power 0: responses in time, which begin at the input's instant" default:"false"`
}

func (Kink) isKernel() {}

func (k Kink) check() error {
	switch {
	case !(k.Power >= 0):
		return fmt.Errorf("power %g: must be > 0, or 0 with one_sided", k.Power)
	case k.Power == 0 && !k.OneSided:
		return fmt.Errorf("power 0: |x - y|^0 is 1, and no kink; a jump across the diagonal is a kink with one_sided")
	}
	return checkAll([]Kernel{k.Base, k.Jump})
}

func (k Kink) String() string { return params.Text("kink", k) }

// Polynomial is (offset + Σ p_i q_i)^degree: polynomials of that degree.
type Polynomial struct {
	Degree int     `arg:"degree" doc:"highest degree" default:"1" allow:">=0"`
	Offset float64 `arg:"offset" doc:"weight of the lower degrees" default:"1" allow:">=0"`
}

func (Polynomial) isKernel() {}

func (k Polynomial) check() error {
	if k.Degree < 0 {
		return fmt.Errorf("degree %d: must be >= 0", k.Degree)
	}
	if !(k.Offset >= 0) {
		return fmt.Errorf("offset %g: must be >= 0", k.Offset)
	}
	return nil
}

func (k Polynomial) String() string { return params.Text("polynomial", k) }

// White is 1 where p = q and 0 elsewhere: independent noise at every point.
type White struct{}

func (White) isKernel() {}

func (White) String() string { return "white{}" }
