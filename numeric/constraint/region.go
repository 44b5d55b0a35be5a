package constraint

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Region makes functions that vanish where a function of the coordinates is
// zero. Where must return 1 or 0.
type Region struct {
	Where func(p kernel.Point) (*expr.Node, error)
	Text  string // how it was written
}

func (c Region) laws(s kernel.Space) (Laws, error) {
	p, _ := kernel.Points(s)
	chi, err := c.Where(p)
	if err != nil {
		return Laws{}, fmt.Errorf("%s: %w", c, err)
	}
	return Laws{Masks: []*expr.Node{chi}}, nil
}

func (c Region) String() string {
	if c.Text == "" {
		return "mask(…)"
	}
	return "mask(" + c.Text + ")"
}
