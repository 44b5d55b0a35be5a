package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

const (
	barelyNonlinear = 1e-6  // of its size: what a term has beyond linear that is too little to be told
	roundedLinear   = 1e-12 // the same, where only rounding can make it
	linearTrials    = 64    // values that tell whether a formula is linear whatever the data are
)

// linear tells whether the channel is linear in the output, or in it and the inputs together,
// whatever they are: what it stands for is in the linear terms already. A formula with kinks,
// such as |u|, has second derivatives of 0 and is not: the test is of values of either sign, of
// sizes from 1e-6 to 1e6. A constant beside it is a part of β.
func (c *channel) linear() bool {
	if len(c.output) == 0 {
		return false
	}
	draw := rand.New(rand.NewPCG(1, 2))
	vars := make([]expr.Operand, len(c.Atoms))
	var atoms [][]float64
	for _, i := range slices.Concat(c.output, c.other) {
		v := make([]float64, linearTrials)
		for k := range v {
			v[k] = math.Pow(1e6, 2*draw.Float64()-1) * float64(1-2*draw.IntN(2))
		}
		vars[i].Vector, atoms = v, append(atoms, v)
	}
	values := make([]float64, linearTrials)
	c.value.Block(values, vars) // may overflow, or be NaN: largest is then infinite, or beyond NaN
	beyond, size, _ := beyondAffine(values, atoms)
	return largest(values) < math.MaxFloat64/linearTrials && beyond <= roundedLinear*size
}

// linearOn tells the same of the values that the channel has on data, u and in: at every point,
// from sample to sample, it is linear in its functions but for a part too small to be told. So
// |u| is where u has the same sign in all samples.
func (c *channel) linearOn(in []*mat.Dense, u *mat.Dense) bool {
	n, _ := u.Dims()
	k := len(c.output) + len(c.other)
	if len(c.output) == 0 {
		return false
	}
	m := c.on.Size()
	values, atoms := mat.NewDense(n, m, nil), make([]*mat.Dense, k)
	for j := range atoms {
		atoms[j] = mat.NewDense(n, m, nil)
	}
	for s := range n {
		vars := c.operands(in, s, u.RawRowView(s))
		c.value.Block(values.RawRowView(s), vars)
		for j, i := range slices.Concat(c.output, c.other) {
			atoms[j].SetRow(s, vars[i].Vector)
		}
	}
	scale := largest(values.RawMatrix().Data)
	if scale == 0 {
		return false // that is refused as the same in every sample
	}
	values.Scale(1/scale, values)
	var beyond, size, rounding float64
	for p := range m {
		var at [][]float64
		for _, a := range atoms {
			at = append(at, mat.Col(nil, p, a))
		}
		b, s, r := beyondAffine(mat.Col(nil, p, values), at)
		beyond, size, rounding = math.Hypot(beyond, b), math.Hypot(size, s), math.Hypot(rounding, r)
	}
	return size > rounding && beyond <= barelyNonlinear*size+rounding
}

// beyondAffine are the norms of v less its best affine function of columns, of v less its mean,
// and of what rounding makes of either.
func beyondAffine(v []float64, columns [][]float64) (beyond, size, rounding float64) {
	const eps = 0x1p-50
	rounding = eps * norm(v)
	v = centred(v)
	size = norm(v)
	var basis [][]float64
	for _, a := range columns {
		most := largest(a)
		if most == 0 {
			continue
		}
		a = slices.Clone(a)
		floats.Scale(1/most, a)
		whole := norm(a)
		a = centred(a)
		removeSpan(a, basis)
		if rest := norm(a); rest > eps*whole {
			floats.Scale(1/rest, a)
			basis = append(basis, a)
		}
	}
	removeSpan(v, basis)
	return norm(v), size, rounding
}

// centred is v less its mean.
func centred(v []float64) []float64 {
	out := slices.Clone(v)
	floats.AddConst(-floats.Sum(v)/float64(len(v)), out)
	return out
}

// removeSpan takes from v what is in the span of orthonormal vectors, twice as rounding asks.
func removeSpan(v []float64, basis [][]float64) {
	for range 2 {
		for _, b := range basis {
			floats.AddScaled(v, -floats.Dot(v, b), b)
		}
	}
}

// variables are what the channel is made of, u and names of inputs.
func (c *channel) variables() string {
	all := []string{"u"}
	for _, i := range c.other {
		if name := c.Atoms[i].Input; !slices.Contains(all[1:], name) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}

// notLinear refuses channels that are linear, always or on the data; has is what is linear in
// the model.
func (c *channel) notLinear(in []*mat.Dense, u *mat.Dense, has string) error {
	n, _ := u.Dims()
	always, of := c.linear(), c.variables()
	switch {
	case n <= len(c.output)+len(c.other)+1 && !always: // so few samples are affine in anything
	case n > len(c.output)+len(c.other)+1 && !c.linearOn(in, u): // max(u, -1000) may be linear to all but these
	case always:
		return fmt.Errorf("is linear in %s, and so u is an integral of it whatever the data are: %s has what is linear already; leave it out", of, has)
	default:
		return fmt.Errorf("is linear in %s on these data, but for less than %.0e of its size, and so u is an integral of it: %s has what is linear already; leave it out, or add data where it is not", of, barelyNonlinear, has)
	}
	return nil
}
