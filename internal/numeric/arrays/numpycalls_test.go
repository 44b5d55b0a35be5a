package arrays

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// some is an array of random shape; lengths are 0 to 6, of which one is long at times.
func some(r *rand.Rand, rank int, least int) *array.Array {
	shape := make([]int, rank)
	for k := range shape {
		shape[k] = least + r.IntN(7-least)
	}
	if r.IntN(10) == 0 {
		shape[r.IntN(rank)] = 100 + r.IntN(1200)
	}
	return numbers(r, shape)
}

// numbers are small integers with ties, or normal, with NaN, infinite and negative
// zeros at times.
func numbers(r *rand.Rand, shape []int) *array.Array {
	a := array.New(shape...)
	kind, special := r.IntN(3), r.IntN(3) == 0
	for i := range a.Data {
		switch kind {
		case 0:
			a.Data[i] = float64(r.IntN(9) - 4)
		case 1:
			a.Data[i] = r.NormFloat64()
		default:
			a.Data[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(12)-6))
		}
		if special && r.IntN(8) == 0 {
			a.Data[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)]
		}
	}
	return a
}

// someAxis is an axis in both notations; All is None.
func someAxis(r *rand.Rand, a *array.Array, all bool) (int, string) {
	if all && r.IntN(3) == 0 {
		return All, "None"
	}
	axis := r.IntN(a.Rank())
	return axis, fmt.Sprint(axis)
}

func truth(b bool) string { return map[bool]string{true: "True", false: "False"}[b] }

func call(expression string, exact bool, out *array.Array, err error, in ...*array.Array) numpyCase {
	return numpyCase{expression, in, out, err, exact}
}

// numpyCalls make one random call each.
func numpyCalls() []func(r *rand.Rand) numpyCase {
	calls := []func(r *rand.Rand) numpyCase{
		func(r *rand.Rand) numpyCase { // reductions, twice as often as others
			return reductionCall(r)
		},
		reductionCall, reductionCall, functionCall, complexFunctionCall,
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			axis, text := someAxis(r, a, true)
			product := r.IntN(2) == 0
			out, err := Running(ctx(), a, product, axis)
			return call("np."+map[bool]string{true: "cumprod", false: "cumsum"}[product]+"(a, axis="+text+")", false, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			axis, text := someAxis(r, a, false)
			n := r.IntN(4)
			out, err := Diff(ctx(), a, n, axis)
			return call(fmt.Sprintf("np.diff(a, n=%d, axis=%s)", n, text), true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			axis, text := someAxis(r, a, false)
			out, err := Sort(ctx(), a, axis, false)
			return call("np.sort(a, axis="+text+")", true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			axis, text := someAxis(r, a, false)
			out, err := ArgSort(ctx(), a, axis, 0, false)
			return call("np.argsort(a, axis="+text+", kind='stable')", true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(2), 0)
			values, counts, at, inverse, err := Unique(ctx(), a, 0)
			switch r.IntN(4) {
			case 0:
				return call("np.unique(a)", true, values, err, a)
			case 1:
				return call("np.unique(a, return_counts=True)[1]", true, counts, err, a)
			case 2:
				return call("np.unique(a, return_index=True)[1]", true, at, err, a)
			}
			return call("np.unique(a, return_inverse=True)[1].reshape(a.shape)", true, inverse, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a, _ := Sort(ctx(), some(r, 1, 0), 0, false)
			v := some(r, 1+r.IntN(2), 0)
			right := r.IntN(2) == 0
			out, err := SearchSorted(ctx(), a, v, right, 0)
			return call("np.searchsorted(a, b, side='"+map[bool]string{true: "right", false: "left"}[right]+"')", true, out, err, a, v)
		},
		func(r *rand.Rand) numpyCase {
			a, n := some(r, 1+r.IntN(2), 0), r.IntN(7)-3
			out, err := Round(ctx(), a, n)
			return call(fmt.Sprintf("np.round(a, %d)", n), true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 2, 0)
			low, high := numbers(r, []int{1}), numbers(r, []int{a.Shape[1]})
			out, err := Clip(ctx(), a, low, high)
			return call("np.minimum(np.maximum(a, b), c)", true, out, err, a, low, high)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			axis, text := someAxis(r, a, true)
			n := r.IntN(20) - 10
			out, err := Roll(ctx(), a, n, axis)
			return call(fmt.Sprintf("np.roll(a, %d, axis=%s)", n, text), true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(2), 0)
			counts := make([]int, 1+r.IntN(3))
			for k := range counts {
				counts[k] = r.IntN(3)
			}
			out, err := Tile(ctx(), a, counts...)
			return call("np.tile(a, "+list2(counts)+")", true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			shape := slices.Clone(a.Shape)
			axis, text := someAxis(r, a, false)
			fresh := r.IntN(2) == 0
			if !fresh {
				shape[axis] = r.IntN(4)
			}
			b := numbers(r, shape)
			out, err := Join(ctx(), []*array.Array{a, b, a}, axis, fresh)
			return call("np."+map[bool]string{true: "stack", false: "concatenate"}[fresh]+"([a, b, a], axis="+text+")", true, out, err, a, b)
		},
		func(r *rand.Rand) numpyCase {
			a, b := some(r, 1+r.IntN(2), 1), some(r, 1+r.IntN(2), 1)
			if r.IntN(2) == 0 {
				out, err := Outer(ctx(), a, b)
				return call("np.outer(a, b)", true, out, err, a, b)
			}
			b = numbers(r, []int{2, 3}[:1+r.IntN(2)])
			out, err := Kron(ctx(), a, b)
			return call("np.kron(a, b)", true, out, err, a, b)
		},
		func(r *rand.Rand) numpyCase {
			a, b := numbers(r, []int{4, 3}), numbers(r, []int{3})
			out, err := Cross(ctx(), a, b)
			return call("np.cross(a, b)", true, out, err, a, b)
		},
		func(r *rand.Rand) numpyCase {
			a, k := some(r, 1+r.IntN(2), 1), r.IntN(5)-2
			if a.Size() > 50 {
				a = numbers(r, []int{3, 4})
			}
			out, err := Diagonal(ctx(), a, k)
			return call(fmt.Sprintf("np.diag(a, %d)", k), true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			v := []float64{float64(r.IntN(9)) - 4, r.NormFloat64() * 10, []float64{0.1, 1, -0.7, 3}[r.IntN(4)]}
			out, err := Arange(ctx(), v[0], v[1], v[2])
			return call("np.arange(*a)", true, out, err, array.Vector(v))
		},
		func(r *rand.Rand) numpyCase {
			a, b := some(r, 1, 0), some(r, 1, 0)
			swapped, k := r.IntN(2) == 0, r.IntN(2)
			grids, err := MeshGrid(ctx(), []*array.Array{a, b}, swapped)
			return call(fmt.Sprintf("np.meshgrid(a, b, indexing='%s')[%d]", map[bool]string{true: "xy", false: "ij"}[swapped], k), true, grids[k], err, a, b)
		},
		func(r *rand.Rand) numpyCase {
			a, n := some(r, 1+r.IntN(2), 0), 1+r.IntN(12)
			edges, err := Bins(ctx(), a, n, math.NaN(), 0)
			if err != nil {
				return call(fmt.Sprintf("np.histogram(a, %d)[0]", n), true, nil, err, a)
			}
			out, err := Histogram(ctx(), a, edges.Data, nil)
			return call(fmt.Sprintf("np.histogram(a, %d)[0]", n), true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1, 0)
			// NumPy takes differences of running sums, which infinite weights spoil.
			w := numbers(r, a.Shape).Map(func(x float64) float64 { return max(-99, min(99, x)) })
			for i, x := range w.Data {
				if math.IsNaN(x) {
					w.Data[i] = 2
				}
			}
			edges := []float64{-3, -1, 0, 0.5, 4}
			out, err := Histogram(ctx(), a, edges, w)
			return call("np.histogram(a[~np.isnan(a)], [-3, -1, 0, 0.5, 4], weights=b[~np.isnan(a)])[0]", false, out, err, a, w)
		},
		func(r *rand.Rand) numpyCase {
			a := array.New(r.IntN(20))
			for i := range a.Data {
				a.Data[i] = float64(r.IntN(9))
			}
			out, err := BinCount(ctx(), a, nil, 4)
			return call("np.bincount(a.astype(int), minlength=4)", true, out, err, a)
		},
		func(r *rand.Rand) numpyCase {
			pair := shapesThatFit()[r.IntN(len(shapesThatFit()))]
			a, b := numbers(r, pair[0]), numbers(r, pair[1])
			op := []string{"gt", "ge", "lt", "le", "eq", "ne"}[r.IntN(6)]
			m, err := Compare(ctx(), op, a, b)
			if err != nil {
				return call("0", true, nil, err, a)
			}
			out, err := m.Array(ctx())
			symbol := map[string]string{"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}[op]
			return call("a "+symbol+" b", true, out, err, a, b)
		},
		func(r *rand.Rand) numpyCase {
			a := some(r, 1+r.IntN(3), 0)
			b := numbers(r, []int{1})
			m, _ := Compare(ctx(), "gt", a, b)
			switch r.IntN(3) {
			case 0:
				out, err := Masked(ctx(), a, m)
				return call("a[a > b[0]]", true, out, err, a, b)
			case 1:
				out := a.Copy()
				err := PutMasked(ctx(), out, m, array.Scalar(7))
				return call("np.where(a > b[0], 7, a)", true, out, err, a, b)
			}
			axis, text := someAxis(r, a, true)
			keep := r.IntN(2) == 0
			out, _, err := m.Counts(ctx(), axis, keep)
			return call("np.count_nonzero(a > b[0], axis="+text+", keepdims="+truth(keep)+")", true, out, err, a, b)
		},
		func(r *rand.Rand) numpyCase { // slices, down too, and lists
			a := some(r, 2, 1)
			n := a.Shape[1]
			from, step := r.IntN(n), []int{1, 2, -1, -3}[r.IntN(4)]
			count := 0
			for i := from; i >= 0 && i < n; i += step {
				count++
			}
			at := []int{r.IntN(a.Shape[0]), 0, r.IntN(a.Shape[0])}
			out, err := Picked(ctx(), a, Pick{At: at}, Pick{From: from, Count: count, Step: step})
			return call(fmt.Sprintf("a[%s, %d::%d]", list2(at), from, step), true, out, err, a)
		},
		complexCall,
	}
	return calls
}

// complexCall is an operation of complex numbers made of four arrays.
func complexCall(r *rand.Rand) numpyCase {
	a := numbers(r, []int{2, 1 + r.IntN(5)})
	b := numbers(r, []int{2, 1})
	for _, x := range []*array.Array{a, b} { // infinite complex numbers have many names
		for i, v := range x.Data {
			if !dense.Finite(v) {
				x.Data[i] = 1
			}
			x.Data[i] += 0 // a[0] + 1j*a[1] has no -0
		}
	}
	z, err := Cartesian(ctx(), a.Index(0), a.Index(1))
	if err != nil {
		return call("0", false, nil, err, a)
	}
	w, err := Cartesian(ctx(), b.Index(0), b.Index(1))
	if err != nil {
		return call("0", false, nil, err, a)
	}
	op := []byte("+-*/")[r.IntN(4)]
	if op == '/' && w.Data[0] == 0 {
		op = '*'
	}
	q, err := Combine(ctx(), op, z, w)
	if err != nil {
		return call("0", false, nil, err, a)
	}
	expression := fmt.Sprintf("((a[0] + 1j*a[1]) %c (b[0] + 1j*b[1]))", op)
	switch r.IntN(4) {
	case 0:
		out, err := q.Real(ctx())
		return call(expression+".real", false, out, err, a, b)
	case 1:
		out, err := q.Imag(ctx())
		return call(expression+".imag", false, out, err, a, b)
	case 2:
		out, err := z.Abs(ctx())
		return call("np.abs(a[0] + 1j*a[1])", false, out, err, a)
	}
	out, err := z.Angle(ctx())
	return call("np.angle(a[0] + 1j*a[1])", false, out, err, a)
}

// reductionCall is a reduction along an axis, or of all.
func reductionCall(r *rand.Rand) numpyCase {
	a := some(r, 1+r.IntN(3), 0)
	axis, text := someAxis(r, a, true)
	keep := r.IntN(2) == 0
	named := ", axis=" + text + ", keepdims=" + truth(keep) + ")"
	op := []string{"sum", "prod", "min", "max", "mean", "var", "std", "median", "quantile", "norm", "argmin", "argmax"}[r.IntN(12)]
	p, exact := 0.0, slices.Contains([]string{"min", "max", "median", "argmin", "argmax"}, op)
	expression := "np." + op + "(a"
	switch op {
	case "quantile":
		p = []float64{0, 0.1, 0.5, 0.9, 1, r.Float64()}[r.IntN(6)]
		// NumPy multiplies infinite differences by 0.
		expression = fmt.Sprintf("np.quantile(a, %.17g", p)
		for i, x := range a.Data {
			if math.IsInf(x, 0) {
				a.Data[i] = 1
			}
		}
	case "var", "std":
		p = float64(r.IntN(3))
		expression += fmt.Sprintf(", ddof=%g", p)
		if slices.ContainsFunc(a.Data, func(x float64) bool { return math.IsInf(x, 0) }) {
			a = a.Map(func(x float64) float64 { return max(-9, min(9, x)) })
		}
	case "norm":
		p = []float64{0, 1, 2, 3, 0.5, math.Inf(1), math.Inf(-1)}[r.IntN(7)]
		text := strings.Trim(strings.ToLower(fmt.Sprint(p)), "+")
		if axis == All { // NumPy takes matrices for maps then
			expression = "np.linalg.norm(a.ravel(), ord=float('" + text + "'))"
			if keep {
				expression += ".reshape((1,) * a.ndim)"
			}
			named = ""
		} else {
			expression = "np.linalg.norm(a, ord=float('" + text + "')"
		}
	}
	if text == "None" && named != "" && strings.HasPrefix(op, "arg") && keep {
		keep = false
		named = ", axis=None)"
	}
	out, err := Reduce(ctx(), a, op, p, axis, keep)
	return call(expression+named, exact, out, err, a)
}

func list2(x []int) string { return strings.ReplaceAll(fmt.Sprint(x), " ", ", ") }
