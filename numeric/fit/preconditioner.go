package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// simultaneous is the preconditioner by simultaneous diagonalisation (paper,
// section 4.3). V are eigenvectors of the weighted kernel of each output axis; of
// K only the diagonal C_k in that basis is kept; E are eigenvectors of
// B (Σ_k C_k) Bᵀ, and again only the diagonal is kept:
//
//	D_ik = 1 + ⟨b_i, C_k b_i⟩/λ + (bias term)/ρ,   M⁻¹ R = E ((Eᵀ R V) / D) Vᵀ
//
// where b_i are the columns of Bᵀ E. It is exact when K is separable and Q is
// its factor. The two numerators do not depend on λ, so one set-up serves a
// whole λ-path.
//
// The system itself is turned into the two bases (system.rotate), so that the
// preconditioner is D alone.
type simultaneous struct {
	green  *mat.Dense // λ (D - 1), the part of G, r × my; not negative
	bias   *mat.Dense // ρ (D - 1), the part of β; nil without bias
	lambda float64
	rho    float64
	d      []float64 // D for lambda and rho, row-major

	weighted gram.Basis // dy^½ V
}

// newSimultaneous sets the preconditioner up and rotates the system into its
// basis; ratio is λ/ρ as far as it is known.
func newSimultaneous(ctx context.Context, sys *system, s *Spec, ratio float64) (*simultaneous, error) {
	m := &simultaneous{}
	v, scaled, err := outputBasis(ctx, s.Kernel, s.Data.InputMesh, s.Data.OutputMesh)
	if err != nil {
		return nil, err
	}
	m.weighted = scaled
	r, cols := sys.b.Dims()
	bx := sys.b.Slice(0, r, 0, sys.mx).(*mat.Dense)
	kd, err := sys.k.Diagonal(ctx, scaled)
	if err != nil {
		return nil, err
	}
	sum, err := kd.Sum(ctx)
	if err != nil {
		return nil, err
	}
	core, err := sandwich(ctx, &mat.Dense{}, bx.T(), sum)
	if err != nil {
		return nil, err
	}

	var qd gram.Diagonal
	if sys.q != nil {
		if qd, err = sys.q.Diagonal(ctx, scaled); err != nil {
			return nil, err
		}
		if sum, err = qd.Sum(ctx); err != nil {
			return nil, err
		}
		one := sys.b.ColView(cols - 1)
		core.RankOne(core, ratio*sum.At(0, 0), one, one)
	}
	e, err := eigenvectors(ctx, core)
	if err != nil {
		return nil, err
	}
	if err := sys.rotate(ctx, e, v, scaled); err != nil {
		return nil, err
	}
	be := mat.DenseCopyOf(sys.b.T())
	if m.green, err = kd.Forms(ctx, mat.DenseCopyOf(be.Slice(0, sys.mx, 0, r))); err != nil {
		return nil, err
	}
	atLeastZero(m.green)
	if qd != nil {
		if m.bias, err = qd.Forms(ctx, mat.DenseCopyOf(be.Slice(cols-1, cols, 0, r))); err != nil {
			return nil, err
		}
		atLeastZero(m.bias)
	}
	return m, nil
}

// outputBasis is the basis of the output axes for a kernel of input and output.
func outputBasis(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (v axisBasis, scaled gram.Basis, err error) {
	return axisEigen(ctx, k, space(x, y), centre(x, y), y.Axes(), x.Dim())
}

// axisEigen returns for each axis the eigenvectors V of the weighted one-axis
// kernel w^½ k w^½, and w^½ V, which is what the kernel is seen by. first is the
// number of the first axis' first coordinate in the space, at the middle of the
// domain.
func axisEigen(ctx context.Context, k kernel.Kernel, s kernel.Space, at []float64, axes []mesh.Axis, first int) (v axisBasis, scaled gram.Basis, err error) {
	for _, a := range axes {
		e, err := oneAxisEigen(ctx, kernel.Restrict(k, s, first, first+a.Dim(), at), a)
		if err != nil {
			return nil, nil, err
		}
		first += a.Dim()
		weighted := mat.DenseCopyOf(e)
		for i, w := range a.Weights {
			row := weighted.RawRowView(i)
			for j := range row {
				row[j] *= math.Sqrt(w)
			}
		}
		v, scaled = append(v, e), append(scaled, weighted)
	}
	return v, scaled, nil
}

// oneAxisEigen returns the eigenvectors of w^½ k w^½ on one axis.
func oneAxisEigen(ctx context.Context, k kernel.Kernel, a mesh.Axis) (*mat.Dense, error) {
	axis, err := mesh.New(a)
	if err != nil {
		return nil, err
	}
	f, err := kernel.Compile(k, kernel.Space{Names: axis.Names()})
	if err != nil {
		return nil, err
	}
	n := a.Size()
	g := mat.NewDense(n, n, nil)
	columns, p := axis.Columns(), make([]float64, a.Dim())
	for i := range n {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		axis.Point(p, i)
		row := g.RawRowView(i)
		f.Row(row, p, columns)
		for j := range row {
			row[j] *= math.Sqrt(a.Weights[i] * a.Weights[j])
		}
	}
	return eigenvectors(ctx, g)
}

func eigenvectors(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	_, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: %w", err)
	}
	return v, nil
}

// at returns the preconditioner for given λ and ρ; the set-up is shared.
func (m *simultaneous) at(lambda, rho float64) *simultaneous {
	c := *m
	c.lambda, c.rho = lambda, rho
	c.d = make([]float64, len(m.green.RawMatrix().Data))
	for i, g := range m.green.RawMatrix().Data {
		c.d[i] = 1 + g/lambda
	}
	if m.bias != nil {
		for i, b := range m.bias.RawMatrix().Data {
			c.d[i] += b / rho
		}
	}
	return &c
}

// Dims implements linop.Operator.
func (m *simultaneous) Dims() (r, c int) {
	r, c = m.green.Dims()
	return r * c, r * c
}

// Apply implements linop.Operator: M⁻¹ r, in the bases of the system.
func (m *simultaneous) Apply(dst, r []float64) {
	for i, d := range m.d {
		dst[i] = r[i] / d
	}
}

// atLeastZero removes the negative rounding of forms that are not negative.
func atLeastZero(m *mat.Dense) {
	data := m.RawMatrix().Data
	for i, v := range data {
		data[i] = max(v, 0)
	}
}
