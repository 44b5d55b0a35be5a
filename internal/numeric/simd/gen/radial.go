package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The radial families as functions of the squared distance s² of coordinates scaled so that the exponent is in base 2:
// 2^(−s²) for se, 2^(−s) q(s) for the others, q of degree 0, 1 and 2.
var families = []struct {
	name string
	q    []float64
}{
	{"SE", nil},
	{"Exponential", []float64{1}},
	{"Matern32", []float64{1, math.Ln2}},
	{"Matern52", []float64{1, math.Ln2, math.Ln2 * math.Ln2 / 3}},
}

// dimensions is up to how many coordinates the fused loops go.
const dimensions = 4

func radial(u unit) {
	for f := range families {
		profile(u, f)
	}
	for d := 1; d <= dimensions; d++ {
		squares(u, d)
	}
	addSquares(u)
	for f := range families {
		for d := 1; d <= dimensions; d++ {
			mulVec(u, f, d)
		}
	}
}

// evaluator turns squared distances into kernel values.
type evaluator struct {
	*exponential
	square bool  // the exponent is s² itself
	q      []Mem // memory, since registers are scarce
	far    Op    // AVX-512: a squared distance at which all kernels with a root are zero
}

func newEvaluator(u unit, family int) *evaluator {
	v := &evaluator{exponential: newExponential(u, true), square: families[family].q == nil}
	if u.zmm && !v.square {
		v.far = u.constant("far", 1e8)
	}
	if q := families[family].q; len(q) > 1 {
		for k, c := range q {
			v.q = append(v.q, u.memory(fmt.Sprintf("%sQ%d", families[family].name, k), c))
		}
	}
	return v
}

// values replaces every s² of us by the power of two and returns the other factors of the kernel, nil if it has none.
func (v *evaluator) values(us []reg.VecVirtual) []reg.VecVirtual {
	var factors []reg.VecVirtual
	if !v.square {
		for i, s := range us {
			v.root(i, s)
		}
	}
	small := v.bounded(us)
	if len(v.q) > 1 {
		for _, s := range us {
			f := v.reg()
			last := len(v.q) - 1
			VBROADCASTSD(v.q[last], f)
			for k := last - 1; k >= 0; k-- {
				if v.zmm {
					VFMADD213PD_BCST(v.q[k], s, f)
				} else {
					VFMADD213PD(v.q[k], s, f)
				}
			}
			factors = append(factors, f)
		}
	}
	v.powers(us)
	for i, mask := range small {
		VANDPD(mask, us[i], us[i])
	}
	return factors
}

// root replaces s² by s. The divider is the bottleneck of the loop, so with AVX-512 every other vector goes to the
// multipliers: an approximation of 14 bits to 1/s and two steps of Newton's method, within 1 ulp.
func (v *evaluator) root(i int, s reg.VecVirtual) {
	if v.zmm {
		VMINPD(s, v.far, s) // so that factors stay finite; NaN stays, being the second operand
	}
	if !v.zmm || i%2 == 0 {
		VSQRTPD(s, s)
		return
	}
	// Bounded 1/s keeps everything finite: 0 gives 0, and below 1e-200 any tiny number will do. NaN comes back in with g.
	y, g, e := v.reg(), v.reg(), v.reg()
	VMAXPD_BCST(float64s("tiny", 1e-200), s, y)
	VRSQRT14PD(y, y)
	VMULPD(s, y, g)
	VMULPD_BCST(float64s("half", 0.5), y, y)
	VMOVAPD(g, e)
	VFNMADD213PD_BCST(float64s("half", 0.5), y, e)
	VFMADD231PD(e, g, g)
	VFMADD231PD(e, y, y)
	VFNMADD231PD(g, g, s)
	VFMADD213PD(g, y, s)
}

// profile emits dst[i] = k(squared distance u[i]).
func profile(u unit, family int) {
	TEXT(u.name("profile"+families[family].name), NOSPLIT, "func(dst, u *float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	from := Load(Param("u"), GP64())
	n := Load(Param("n"), GP64())
	v := newEvaluator(u, family)
	u.loop("loop", n, 2, func(count int, at func(reg.Register, int) Mem, t *tail) {
		us := u.regs(count)
		for i, s := range us {
			u.load(at(from, i), s, t)
		}
		factors := v.values(us)
		for i, s := range us {
			if factors != nil {
				VMULPD(factors[i], s, s)
			}
			u.store(s, at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// squares emits dst[j] = Σ_k (x[k*stride+j] − q[k*step])², strides in bytes.
func squares(u unit, dim int) {
	TEXT(u.name(fmt.Sprintf("squaresDim%d", dim)), NOSPLIT, "func(dst, x, q *float64, n, stride, step int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	q := Load(Param("q"), GP64())
	n := Load(Param("n"), GP64())
	columns := []reg.Register{x}
	centers := []Op{u.center()}
	u.setCenter(Mem{Base: q}, centers[0])
	for k := 1; k < dim; k++ {
		next := GP64()
		MOVQ(columns[k-1], next)
		ADDQ(NewParamAddr("stride", 32), next)
		columns = append(columns, next)
		ADDQ(NewParamAddr("step", 40), q)
		centers = append(centers, u.center())
		u.setCenter(Mem{Base: q}, centers[k])
	}
	u.loop("loop", n, 2, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			s := u.distances([][]Op{centers}, func(k int) Mem { return at(columns[k], i) }, t)
			u.store(s[0], at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// distances returns the squared distances of the points at the given addresses from every center.
func (u unit) distances(centers [][]Op, column func(k int) Mem, t *tail) []reg.VecVirtual {
	s := u.regs(len(centers))
	for k := range centers[0] {
		x := u.reg()
		u.load(column(k), x, t)
		for w, c := range centers {
			d := s[w]
			if k > 0 {
				d = u.reg()
			}
			VSUBPD(c[k], x, d)
			if k == 0 {
				VMULPD(d, d, d)
			} else {
				VFMADD231PD(d, d, s[w])
			}
		}
	}
	return s
}

// addSquares emits dst[j] += (x[j] − q)², for more coordinates than the fused loops have.
func addSquares(u unit) {
	TEXT(u.name("addSquares"), NOSPLIT, "func(dst, x *float64, n int, q float64)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	center := u.reg()
	VBROADCASTSD(NewParamAddr("q", 24), center)
	u.loop("loop", n, 4, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			s, d := u.reg(), u.reg()
			u.load(at(x, i), d, t)
			u.load(at(dst, i), s, t)
			VSUBPD(d, center, d)
			VFMADD231PD(d, d, s)
			u.store(s, at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// mulVec emits y[i] += Σ_j k(p_i, x_j) v[j] for i < m and j < n, two rows at a time. Coordinate k of point i is at
// p[k*ps+i], of point j at x[k*xs+j]; m and n are at least 1.
func mulVec(u unit, family, dim int) {
	TEXT(u.name(fmt.Sprintf("mulVec%sDim%d", families[family].name, dim)), NOSPLIT,
		"func(y, p, x, v *float64, m, n, ps, xs int)")
	Pragma("noescape")
	y := Load(Param("y"), GP64())
	p := Load(Param("p"), GP64())
	v := Load(Param("v"), GP64())
	m := Load(Param("m"), GP64())
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	xs := Load(Param("xs"), GP64())
	SHLQ(U8(3), xs)
	columns := []reg.Register{x}
	for k := 1; k < dim; k++ {
		next := GP64()
		LEAQ(Mem{Base: columns[k-1], Index: xs, Scale: 1}, next)
		columns = append(columns, next)
	}
	eval := newEvaluator(u, family)
	second, at, ps := GP64(), GP64(), GP64()

	Label("rows")
	// The second row is the next one, or the first again if it is the last: it is then stored twice, equal.
	MOVQ(U32(8), second)
	CMPQ(m, U8(2))
	JGE(LabelRef("pair"))
	XORQ(second, second)
	Label("pair")
	centers := make([][]Op, 2)
	for range dim {
		centers[0], centers[1] = append(centers[0], u.center()), append(centers[1], u.center())
	}
	MOVQ(p, at)
	MOVQ(NewParamAddr("ps", 48), ps)
	for k := range dim {
		u.setCenter(Mem{Base: at}, centers[0][k])
		u.setCenter(Mem{Base: at, Index: second, Scale: 1}, centers[1][k])
		if k < dim-1 {
			LEAQ(Mem{Base: at, Index: ps, Scale: 8}, at)
		}
	}
	sums := []reg.VecVirtual{u.zero(), u.zero()}
	u.loop("loop", n, 1, func(_ int, at func(reg.Register, int) Mem, t *tail) {
		us := u.distances(centers, func(k int) Mem { return at(columns[k], 0) }, t)
		factors := eval.values(us)
		var weight Op = at(v, 0)
		if t != nil {
			r := u.reg()
			u.load(at(v, 0), r, t)
			weight = r
		}
		for w, s := range us {
			if factors != nil {
				VMULPD(weight, factors[w], factors[w])
				VFMADD231PD(factors[w], s, sums[w])
			} else {
				VFMADD231PD(weight, s, sums[w])
			}
		}
	})
	first, next := u.sum(sums[0]), u.sum(sums[1])
	VADDSD(Mem{Base: y}, first, first)
	VADDSD(Mem{Base: y, Index: second, Scale: 1}, next, next)
	VMOVSD(first, Mem{Base: y})
	VMOVSD(next, Mem{Base: y, Index: second, Scale: 1})
	ADDQ(U8(16), y)
	ADDQ(U8(16), p)
	SUBQ(U8(2), m)
	JG(LabelRef("rows"))
	VZEROUPPER()
	RET()
}
