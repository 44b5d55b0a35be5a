package indata

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/bases"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Preconditioner is the preconditioner by simultaneous diagonalisation (paper,
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
type Preconditioner struct {
	Green  *mat.Dense // λ (D - 1), the part of G, r × my; not negative
	row    *mat.Dense // β, a column for each part of the bias; nil without bias
	parts  *BiasParts // that modes of the outputs belong to; nil: there is one
	out    []float64  // q; not negative
	open   bool       // ρ/λ is open
	lambda float64
	rho    float64
	D      []float64 // D for lambda and rho, row-major; while ρ/λ is open without the bias

	kd       gram.Diagonal
	weighted gram.Basis // dy^½ V
}

// NewPreconditioner sets the preconditioner up and rotates the system into its basis. It is
// to be settled at last.
func NewPreconditioner(ctx context.Context, sys *System, s *problem.Setting) (*Preconditioner, error) {
	m := &Preconditioner{open: sys.Q != nil && s.FreeRatio()}
	var v linop.AxisBasis
	var scaled gram.Basis
	var err error
	if sys.r == nil {
		v, scaled, err = outputBasis(ctx, s.Kernel, s.Data.InputMesh, s.Data.OutputMesh, sys.B)
	} else {
		v, scaled, err = sys.whitenedBasis(ctx, s.Kernel, s.Data.InputMesh, s.Data.OutputMesh)
	}
	if err != nil {
		return nil, err
	}
	m.weighted = scaled
	sys.rotateOutputs(ctx, v)
	if m.kd, err = sys.K.Diagonal(ctx, scaled); err != nil {
		return nil, err
	}
	if sys.Q != nil {
		qd, err := sys.Q.Diagonal(ctx, scaled)
		if err != nil {
			return nil, err
		}
		q, err := qd.Forms(ctx, mat.NewDense(1, 1, []float64{1}))
		if err != nil {
			return nil, err
		}
		bases.AtLeastZero(q)
		m.out = q.RawRowView(0)
	}
	ratio := 0.0
	if !m.open && sys.Q != nil {
		if ratio = 1; s.Lambda > 0 && s.Rho > 0 {
			ratio = s.Rho / s.Lambda
		}
	}
	if err := m.diagonalise(ctx, sys, ratio); err != nil {
		return m, err
	}
	if m.open {
		return m, nil
	}
	return m, sys.makeCore(ctx, scaled)
}

// diagonalise turns the rows into the basis for a ratio ρ/λ; 0 leaves the bias out.
func (m *Preconditioner) diagonalise(ctx context.Context, sys *System, ratio float64) error {
	r, _ := sys.B.Dims()
	bx := sys.B.Slice(0, r, 0, sys.Mx).(*mat.Dense)
	core, err := gram.SumWithin(ctx, m.kd, mat.DenseCopyOf(bx.T()))
	if err != nil {
		return err
	}
	if ratio > 0 {
		total := make([]float64, sys.biases())
		for k, q := range m.out {
			total[sys.parts.Of(k)] += q
		}
		for c, sum := range total {
			one := sys.B.ColView(sys.Mx + c)
			core.RankOne(core, sum/ratio, one, one)
		}
	}
	e, err := bases.Eigenvectors(ctx, core)
	if err != nil {
		return err
	}
	if err := sys.rotateRows(ctx, e); err != nil {
		return err
	}
	be := mat.DenseCopyOf(sys.B.T())
	if m.Green, err = m.kd.Forms(ctx, mat.DenseCopyOf(be.Slice(0, sys.Mx, 0, r))); err != nil {
		return err
	}
	bases.AtLeastZero(m.Green)
	if sys.Q != nil {
		m.row, m.parts = sys.biasColumns(), sys.parts
	}
	return nil
}

// settle makes the preconditioner one for the chosen ρ/λ.
func (m *Preconditioner) settle(ctx context.Context, sys *System, ratio float64) error {
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
	if sum, ok := k.(kernels.DirectSum); ok {
		k = problem.BalancedSum(sum, problem.PartSizes(sum, b))
	}
	return bases.OfOutput(ctx, k, lattice.Space(x, y), lattice.Centre(x, y), y)
}

// At returns the preconditioner for given λ and ρ; the set-up is shared.
func (m *Preconditioner) At(lambda, rho float64) *Preconditioner {
	c := *m
	c.lambda, c.rho = lambda, rho
	c.D = make([]float64, len(m.Green.RawMatrix().Data))
	for i, g := range m.Green.RawMatrix().Data {
		c.D[i] = 1 + g/lambda
	}
	if m.open || m.row == nil {
		return &c
	}
	rows, _ := m.row.Dims()
	for i := range rows {
		row, d := m.row.RawRowView(i), c.D[i*len(m.out):(i+1)*len(m.out)]
		for k, q := range m.out {
			b := row[m.parts.Of(k)]
			d[k] += b * b / rho * q
		}
	}
	return &c
}

// Dims implements linop.Operator.
func (m *Preconditioner) Dims() (r, c int) {
	r, c = m.Green.Dims()
	return r * c, r * c
}

// Apply implements linop.Operator: M⁻¹ r, in the bases of the system.
func (m *Preconditioner) Apply(_ context.Context, dst, r []float64) {
	for i, d := range m.D {
		dst[i] = r[i] / d
	}
}

// whitenedBasis are the eigenvectors of R A Rᵀ for A, the weighted kernel of the output axis,
// and dy^½ Rᵀ times them.
func (sys *System) whitenedBasis(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (v linop.AxisBasis, scaled gram.Basis, err error) {
	s, at := lattice.Space(x, y), lattice.Centre(x, y)
	if sum, ok := k.(kernels.DirectSum); ok { // the middle of a union is no point of it
		k, s, at = problem.BalancedSum(sum, problem.PartSizes(sum, sys.B)).OnOutput(), kernel.Space{Names: y.Names()}, lattice.Centre(y)
	}
	first := s.Dim() - y.Dim()
	form, err := bases.Form(ctx, kernels.Restrict(k, s, first, s.Dim(), at), y.Axes()[0])
	if err != nil {
		return nil, nil, err
	}
	e, err := bases.Eigenvectors(ctx, mat.DenseCopyOf(linop.Symmetric(linop.Sandwich(ctx, sys.r.T(), form))))
	if err != nil {
		return nil, nil, err
	}
	back := linop.Product(ctx, sys.r.T(), e)
	for k, w := range sys.Rdy {
		floats.Scale(w, back.RawRowView(k))
	}
	return linop.AxisBasis{e}, gram.Basis{back}, nil
}
