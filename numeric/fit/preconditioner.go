package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// diagonalPreconditioner is the preconditioner by simultaneous diagonalisation (paper,
// section 4.3). V are eigenvectors of the weighted kernel of each output axis; of
// K only the diagonal C_k in that basis is kept; E are eigenvectors of
// B (Σ_k C_k) Bᵀ, and again only the diagonal is kept:
//
//	D_ik = 1 + ⟨b_i, C_k b_i⟩/λ + β_i² q_k/ρ,   M⁻¹ R = E ((Eᵀ R V) / D) Vᵀ
//
// where b_i are the columns of Bᵀ E, β is the row of the bias among them and q the
// diagonal of Q in V. With the bias in the matrix of E, at the λ/ρ that is solved for,
// it is exact when K is separable and Q is its factor. No numerator depends on λ, so one
// set-up serves a whole λ-path.
//
// While ρ/λ is open, E is of the inputs alone and the bias stays what it is in each mode
// of the outputs, a matrix of rank one: D_k + β βᵀ q_k/ρ. That is as exact, for every λ
// and ρ.
//
// The system itself is turned into the two bases (system.rotateRows), so that the
// preconditioner is D alone.
type diagonalPreconditioner struct {
	green  *mat.Dense // λ (D - 1), the part of G, r × my; not negative
	row    *mat.Dense // β, a column for each part of the bias; nil without bias
	parts  *biasParts // that modes of the outputs belong to; nil: there is one
	out    []float64  // q; not negative
	open   bool       // ρ/λ is open
	lambda float64
	rho    float64
	d      []float64 // D for lambda and rho, row-major; while ρ/λ is open without the bias

	kd       gram.Diagonal
	weighted gram.Basis // dy^½ V
}

// newDiagonalPreconditioner sets the preconditioner up and rotates the system into its basis. It is
// to be settled at last.
func newDiagonalPreconditioner(ctx context.Context, sys *system, s *Spec) (*diagonalPreconditioner, error) {
	m := &diagonalPreconditioner{open: sys.q != nil && s.freeRatio()}
	var v linop.AxisBasis
	var scaled gram.Basis
	var err error
	if sys.r == nil {
		v, scaled, err = outputBasis(ctx, s.Kernel, s.Data.InputMesh, s.Data.OutputMesh, sys.b)
	} else {
		v, scaled, err = sys.whitenedBasis(ctx, s.Kernel, s.Data.InputMesh, s.Data.OutputMesh)
	}
	if err != nil {
		return nil, err
	}
	m.weighted = scaled
	sys.rotateOutputs(ctx, v)
	if m.kd, err = sys.k.Diagonal(ctx, scaled); err != nil {
		return nil, err
	}
	if sys.q != nil {
		qd, err := sys.q.Diagonal(ctx, scaled)
		if err != nil {
			return nil, err
		}
		q, err := qd.Forms(ctx, mat.NewDense(1, 1, []float64{1}))
		if err != nil {
			return nil, err
		}
		atLeastZero(q)
		m.out = q.RawRowView(0)
	}
	ratio := 0.0
	if !m.open && sys.q != nil {
		if ratio = 1; s.Lambda > 0 && s.Rho > 0 {
			ratio = s.Rho / s.Lambda
		}
	}
	if err := m.diagonalise(ctx, sys, ratio); err != nil || m.open {
		return m, err
	}
	return m, sys.makeCore(ctx, scaled)
}

// diagonalise turns the rows into the basis for a ratio ρ/λ; 0 leaves the bias out.
func (m *diagonalPreconditioner) diagonalise(ctx context.Context, sys *system, ratio float64) error {
	r, _ := sys.b.Dims()
	bx := sys.b.Slice(0, r, 0, sys.mx).(*mat.Dense)
	core, err := gram.SumWithin(ctx, m.kd, mat.DenseCopyOf(bx.T()))
	if err != nil {
		return err
	}
	if ratio > 0 {
		total := make([]float64, sys.biases())
		for k, q := range m.out {
			total[sys.parts.of(k)] += q
		}
		for c, sum := range total {
			one := sys.b.ColView(sys.mx + c)
			core.RankOne(core, sum/ratio, one, one)
		}
	}
	e, err := eigenvectors(ctx, core)
	if err != nil {
		return err
	}
	if err := sys.rotateRows(ctx, e); err != nil {
		return err
	}
	be := mat.DenseCopyOf(sys.b.T())
	if m.green, err = m.kd.Forms(ctx, mat.DenseCopyOf(be.Slice(0, sys.mx, 0, r))); err != nil {
		return err
	}
	atLeastZero(m.green)
	if sys.q != nil {
		m.row, m.parts = sys.biasColumns(), sys.parts
	}
	return nil
}

// settle makes the preconditioner one for the chosen ρ/λ.
func (m *diagonalPreconditioner) settle(ctx context.Context, sys *system, ratio float64) error {
	if !m.open {
		return nil
	}
	m.open = false
	if err := m.diagonalise(ctx, sys, ratio); err != nil {
		return err
	}
	return sys.makeCore(ctx, m.weighted)
}

// outputBasis is the basis of the output axes for a kernel of input and output. b has a column
// for each input.
func outputBasis(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh, b *mat.Dense) (v linop.AxisBasis, scaled gram.Basis, err error) {
	if sum, ok := k.(kernel.DirectSum); ok {
		k = balancedSum(sum, partSizes(sum, b))
	}
	return onOutput(ctx, k, lattice.Space(x, y), lattice.Centre(x, y), y)
}

// onOutput is axisEigen on the output axes.
func onOutput(ctx context.Context, k kernel.Kernel, s kernel.Space, at []float64, y mesh.Mesh) (v linop.AxisBasis, scaled gram.Basis, err error) {
	if sum, ok := k.(kernel.DirectSum); ok { // the middle of a union is no point of it
		return axisEigen(ctx, sum.OnOutput(), kernel.Space{Names: y.Names()}, lattice.Centre(y), y.Axes(), 0)
	}
	return axisEigen(ctx, k, s, at, y.Axes(), s.Inputs)
}

// axisEigen returns for each axis the eigenvectors V of the weighted one-axis
// kernel w^½ k w^½, and w^½ V, which is what the kernel is seen by. first is the
// number of the first axis' first coordinate in the space, at the middle of the
// domain.
func axisEigen(ctx context.Context, k kernel.Kernel, s kernel.Space, at []float64, axes []mesh.Axis, first int) (v linop.AxisBasis, scaled gram.Basis, err error) {
	for _, a := range axes {
		e, err := oneAxisEigen(ctx, kernel.Restrict(k, s, first, first+a.Dim(), at), a)
		if err != nil {
			return nil, nil, err
		}
		first += a.Dim()
		v = append(v, e)
	}
	return v, weightedBasis(v, axes), nil
}

// weightedBasis is w^½ V on each axis.
func weightedBasis(v linop.AxisBasis, axes []mesh.Axis) gram.Basis {
	scaled := make(gram.Basis, len(v))
	for k, a := range axes {
		scaled[k] = mat.DenseCopyOf(v[k])
		for i, w := range a.Weights {
			floats.Scale(math.Sqrt(w), scaled[k].RawRowView(i))
		}
	}
	return scaled
}

// oneAxisEigen returns the eigenvectors of w^½ k w^½ on one axis.
func oneAxisEigen(ctx context.Context, k kernel.Kernel, a mesh.Axis) (*mat.Dense, error) {
	g, err := oneAxisForm(ctx, k, a)
	if err != nil {
		return nil, err
	}
	if !linop.Mirrored(g, mirrored) {
		return eigenvectors(ctx, g)
	}
	_, v, err := linop.EigenMirrored(ctx, g)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: %w", err)
	}
	return v, nil
}

// oneAxisForm returns w^½ k w^½ on one axis.
func oneAxisForm(ctx context.Context, k kernel.Kernel, a mesh.Axis) (*mat.Dense, error) {
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
	return g, nil
}

// mirrored is what the two ends of a symmetric mesh may differ by: what rounding of the
// points makes of a kernel of short lengthscale.
const mirrored = 1e-13

func eigenvectors(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	_, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: %w", err)
	}
	return v, nil
}

// at returns the preconditioner for given λ and ρ; the set-up is shared.
func (m *diagonalPreconditioner) at(lambda, rho float64) *diagonalPreconditioner {
	c := *m
	c.lambda, c.rho = lambda, rho
	c.d = make([]float64, len(m.green.RawMatrix().Data))
	for i, g := range m.green.RawMatrix().Data {
		c.d[i] = 1 + g/lambda
	}
	if m.open || m.row == nil {
		return &c
	}
	rows, _ := m.row.Dims()
	for i := range rows {
		row, d := m.row.RawRowView(i), c.d[i*len(m.out):(i+1)*len(m.out)]
		for k, q := range m.out {
			b := row[m.parts.of(k)]
			d[k] += b * b / rho * q
		}
	}
	return &c
}

// Dims implements linop.Operator.
func (m *diagonalPreconditioner) Dims() (r, c int) {
	r, c = m.green.Dims()
	return r * c, r * c
}

// Apply implements linop.Operator: M⁻¹ r, in the bases of the system.
func (m *diagonalPreconditioner) Apply(_ context.Context, dst, r []float64) {
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

// whitenedBasis are the eigenvectors of R A Rᵀ for A, the weighted kernel of the output axis,
// and dy^½ Rᵀ times them.
func (sys *system) whitenedBasis(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (v linop.AxisBasis, scaled gram.Basis, err error) {
	s, at := lattice.Space(x, y), lattice.Centre(x, y)
	if sum, ok := k.(kernel.DirectSum); ok { // the middle of a union is no point of it
		k, s, at = balancedSum(sum, partSizes(sum, sys.b)).OnOutput(), kernel.Space{Names: y.Names()}, lattice.Centre(y)
	}
	first := s.Dim() - y.Dim()
	form, err := oneAxisForm(ctx, kernel.Restrict(k, s, first, s.Dim(), at), y.Axes()[0])
	if err != nil {
		return nil, nil, err
	}
	e, err := eigenvectors(ctx, mat.DenseCopyOf(linop.Symmetric(linop.Sandwich(ctx, sys.r.T(), form))))
	if err != nil {
		return nil, nil, err
	}
	back := linop.Product(ctx, sys.r.T(), e)
	for k, w := range sys.rdy {
		floats.Scale(w, back.RawRowView(k))
	}
	return linop.AxisBasis{e}, gram.Basis{back}, nil
}
