package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Respond stores f G in dst for G = op w: the responses to functions in the rows
// of f, n × input points, of the function that the weights w, mx × my, define. op
// comes from [Cross]. Where op is a sum of products and the functions are few,
// they meet the input factors first and G is never formed. The error is the context's.
func Respond(ctx context.Context, op linop.Operator, dst, f, w *mat.Dense) error {
	n, _ := f.Dims()
	if r, ok := op.(responder); ok {
		if direct, through := r.multiplications(n); direct < through {
			r.respond(ctx, dst, f, w)
			return linop.Stopped(ctx)
		}
	}
	_, inputs := f.Dims()
	_, outputs := dst.Dims()
	g := mat.NewDense(inputs, outputs, nil)
	op.Apply(ctx, g.RawMatrix().Data, w.RawMatrix().Data)
	return linop.MulContext(ctx, dst, f, g)
}

// responder is an operator that answers to functions of its input.
type responder interface {
	respond(ctx context.Context, dst, f, w *mat.Dense)
	// multiplications counts those of respond for n functions, and those of the way
	// through G.
	multiplications(n int) (direct, through float64)
}

func product(shape []int) int {
	p := 1
	for _, n := range shape {
		p *= n
	}
	return p
}

func (m *mixture) multiplications(n int) (direct, through float64) {
	in, out, terms := m.inputs, append([]int{n}, m.to[m.inputs:]...), float64(len(m.terms))
	inputs := contractions(append([]int{n}, m.from[:in]...), append([]int{n}, m.to[:in]...)) - float64(n*n*product(m.to[:in]))
	direct = terms * (inputs + contractions(out, append([]int{product(m.from[:in])}, m.from[in:]...)))
	return direct, terms*contractions(m.to, m.from) + float64(n)*float64(product(m.to))
}

// largestFactors bounds the memory of the input factors of all terms.
const largestFactors = 1 << 25

// respond is a mixture whose first axis goes from the input to the functions.
func (m *mixture) respond(ctx context.Context, dst, f, w *mat.Dense) {
	m.respondBy(ctx, dst, f, w, max(8, largestFactors/(product(m.from[:m.inputs])*len(m.terms))))
}

// respondBy is respond with so many functions at a time.
func (m *mixture) respondBy(ctx context.Context, dst, f, w *mat.Dense, count int) {
	n, _ := f.Dims()
	mx, in := product(m.from[:m.inputs]), m.inputs
	for lo := 0; lo < n; lo += count {
		hi := min(n, lo+count)
		var terms [][]*mat.Dense
		for _, term := range m.terms {
			if ctx.Err() != nil {
				return
			}
			v, shape := rowsOf(f, lo, hi).(*mat.Dense).RawMatrix().Data, append([]int{hi - lo}, m.to[:in]...)
			v = v[:product(shape)]
			for k, e := range term[:in] {
				_, to := e.Dims()
				next := make([]float64, len(v)/m.to[k]*to)
				shape[k+1] = to
				addAlongAxis(ctx, next, v, e.T(), shape, k+1)
				v = next
			}
			terms = append(terms, append([]*mat.Dense{mat.NewDense(hi-lo, mx, v)}, term[in:]...))
		}
		_, my := dst.Dims()
		to, from := append([]int{hi - lo}, m.to[in:]...), append([]int{mx}, m.from[in:]...)
		contractTerms(ctx, dst.RawMatrix().Data[lo*my:hi*my], w.RawMatrix().Data, terms, to, from, false)
	}
}

func (k *kronecker) multiplications(n int) (direct, through float64) {
	toX, fromX := k.Left(0).Dims()
	toY, fromY := k.Right(0).Dims()
	q := float64(k.Terms())
	direct = float64(n) * q * float64(toX*fromX+fromX*fromY+fromY*toY)
	return direct, q*float64(fromX*toY)*float64(fromY+toX) + float64(n)*float64(toX*toY)
}

func (k *kronecker) respond(ctx context.Context, dst, f, w *mat.Dense) {
	for q := range k.Terms() {
		var a, b mat.Dense
		if linop.MulContext(ctx, &a, f, k.Left(q)) != nil || linop.MulContext(ctx, &b, &a, w) != nil {
			return
		}
		if q == 0 {
			_ = linop.MulContext(ctx, dst, &b, k.Right(q).T())
			continue
		}
		_ = linop.AddMul(ctx, dst, &b, k.Right(q).T())
	}
}
