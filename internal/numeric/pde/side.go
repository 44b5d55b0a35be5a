package pde

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Side is what is known of u on one side of the domain: the conditions that are set
// hold together, so a clamped plate has Dirichlet and Neumann. Values are functions
// of the coordinates, and of time where there is one; [InputValue] stands for the
// input. The normal points outwards, so at "x-" the normal derivative is -∂u/∂x.
type Side struct {
	Dirichlet  Coefficient `arg:"dirichlet" doc:"value of u" default:"nil"`
	Neumann    Coefficient `arg:"neumann" doc:"value of ∂u/∂n, n outwards" default:"nil"`
	Second     Coefficient `arg:"second" doc:"value of ∂²u/∂n²" default:"nil"`
	Third      Coefficient `arg:"third" doc:"value of ∂³u/∂n³, n outwards" default:"nil"`
	Robin      *Robin      `arg:"robin" doc:"a u + b ∂u/∂n = value" default:"nil"`
	Periodic   bool        `arg:"periodic" doc:"the side is joined to the opposite one; the mesh must be periodic there" default:"false"`
	Reflecting bool        `arg:"reflecting" doc:"the flux of the operator through this side is zero" default:"false"`
}

// Robin is the condition A u + B ∂u/∂n = Value, n outwards.
type Robin struct {
	A     Coefficient `arg:"a" doc:"factor of u"`
	B     Coefficient `arg:"b" doc:"factor of ∂u/∂n, not zero"`
	Value Coefficient `arg:"value" doc:"right-hand side" default:"0"`
}

// InputValue is the value of a condition that the input gives, when input is
// "boundary".
type InputValue struct{}

// at implements Coefficient; the input takes its place.
func (InputValue) at([]float64) float64 { return 0 }

func (InputValue) String() string { return `"input"` }

// condition is Σ_k factor_k ∂ᵏu/∂nᵏ = value.
type condition struct {
	name    string // of the kind
	factors [MaxOrder]Coefficient
	order   int // of the highest derivative
	value   Coefficient
}

func (c condition) isInput() bool { _, ok := c.value.(InputValue); return ok }

// conditions lists what a side sets, the value of u first.
func (s Side) conditions() []condition {
	var list []condition
	for k, v := range []Coefficient{s.Dirichlet, s.Neumann, s.Second, s.Third} {
		if v != nil {
			c := condition{name: []string{"dirichlet", "neumann", "second", "third"}[k], order: k, value: v}
			c.factors[k] = Constant(1)
			list = append(list, c)
		}
	}
	if s.Robin != nil {
		c := condition{name: "robin", order: 1, value: s.Robin.Value}
		if c.value == nil {
			c.value = Constant(0)
		}
		c.factors[0], c.factors[1] = s.Robin.A, s.Robin.B
		list = append(list, c)
	}
	return list
}

// sideNames are the keys that a boundary may have: "x-", "x+", "y-", "y+".
func sideNames(names []string) []string {
	var s []string
	for _, n := range names {
		s = append(s, n+"-", n+"+")
	}
	return s
}

// checkSides refuses a boundary with sides that are not there, or with conditions
// that exclude each other.
func checkSides(sides map[string]Side, names []string) error {
	allowed := sideNames(names)
	for _, key := range slices.Sorted(maps.Keys(sides)) {
		if !slices.Contains(allowed, key) {
			return fmt.Errorf("boundary: side %q: must be one of %s", key, quoted(allowed))
		}
		s := sides[key]
		if s.Robin != nil && (s.Robin.A == nil || s.Robin.B == nil) {
			return fmt.Errorf("boundary: %q: robin: needs a and b, in a u + b ∂u/∂n = value", key)
		}
		if s.Robin != nil {
			if v, ok := constantOf(s.Robin.B); ok && v == 0 {
				return fmt.Errorf("boundary: %q: robin: b 0: must not be zero; give u itself by dirichlet", key)
			}
		}
		alone := 0
		for _, set := range []bool{s.Periodic, s.Reflecting, len(s.conditions()) > 0} {
			if set {
				alone++
			}
		}
		if alone > 1 {
			return fmt.Errorf("boundary: %q: periodic and reflecting stand alone", key)
		}
		if s.Neumann != nil && s.Robin != nil {
			return fmt.Errorf("boundary: %q: neumann and robin: give one of them", key)
		}
	}
	return nil
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
