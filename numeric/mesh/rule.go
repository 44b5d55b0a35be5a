package mesh

import "fmt"

// A Rule places points on an interval and weights them for quadrature. To add one, write a
// file with a function that returns it, and a line in [Rules]: that it can be called,
// described, refined, saved and read follows from what it says of itself.
type Rule struct {
	Points string // name of the points, by which meshes of the rule are made and described: "chebyshev"
	Name   string // name of the weights, [Axis.Rule]: "clenshaw-curtis"
	Doc    string // what it is, one sentence

	Least int // number of points that it needs
	Most  int // and can take in reasonable time; 0: as many as memory has room for

	// Nodes returns n points of [a, b], increasing, and their weights.
	Nodes func(a, b float64, n int) (x, w []float64)
	// Degree is the highest degree of the polynomials that n points integrate exactly.
	Degree func(n int) int

	Ends     bool // the first point is a, the last is b
	Even     bool // the points are equally spaced
	Periodic bool // the interval is a circle, and b is a
}

// Rules lists the quadrature rules of intervals.
func Rules() []Rule {
	return []Rule{
		trapezoidal(),
		periodic(),
		gaussLegendre(),
		clenshawCurtis(),
		simpson(),
	}
}

// ruleOf returns the rule by which the points of an axis were made; false where they were given.
func ruleOf(a Axis) (Rule, bool) {
	for _, r := range Rules() {
		if r.Name == a.Rule {
			return r, !r.Even || a.Step > 0
		}
	}
	return Rule{}, false
}

// Axis returns n points of [a, b] with their weights; name is that of the coordinate, ""
// for the next of x, y, z in a mesh. The interval must be finite and not empty, and n
// within the limits of the rule.
func (r Rule) Axis(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, r.Least); err != nil {
		return Axis{}, err
	}
	if r.Most > 0 && n > r.Most {
		return Axis{}, fmt.Errorf("n %d: must be at most %d for this rule, which is accurate with few points", n, r.Most)
	}
	x, w := r.Nodes(a, b, n)
	ax := interval(a, b, name, r.Name, x, w)
	if r.Even {
		ax.Step = (b - a) / float64(n-r.ends())
	}
	if r.Periodic {
		ax.Period = b - a
	}
	return ax, nil
}

// refined is the number of points with spacings k times finer than those of n points.
func (r Rule) refined(n, k int) int { return (n-r.ends())*k + r.ends() }

// ends is by how much points are more than steps.
func (r Rule) ends() int {
	if r.Ends {
		return 1
	}
	return 0
}
