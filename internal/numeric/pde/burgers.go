package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Burgers is Burgers' equation ∂u/∂t + u ∂u/∂x = Viscosity ∂²u/∂x² on a circle. The input is u
// at the first time, and what it is between points is its trigonometric interpolant.
//
// Outputs are exact, by the transformation of Cole (1951) and Hopf (1950): with the mean c of
// the input, w = u - c in coordinates that move with c, and φ = exp(-∫w/(2 Viscosity)) at the
// first time, w is the quotient of the heat flows of w φ and φ. Their integrals are sums over a
// finer mesh, chosen so that what they leave out is below 1e-12.
type Burgers struct {
	Mesh      mesh.Mesh `arg:"mesh" doc:"periodic mesh of the circle"`
	Time      mesh.Mesh `arg:"time" doc:"uniform mesh of times"`
	Viscosity float64   `arg:"viscosity" doc:"in units of length² / time" default:"0.01" allow:">0"`
}

// mostFine is of points of the finer mesh. It keeps the logarithm of φ, at most half of what is
// asked for by its rise over the viscosity, within a tenth of the range of double precision.
const mostFine = 1 << 12

func (p Burgers) check() error {
	if err := checkMesh("mesh", p.Mesh, 1, remedy.GiveInterval); err != nil {
		return err
	}
	if a := p.Mesh.Axes()[0]; a.Period == 0 || a.Scattered() || a.Step == 0 {
		return remedy.PeriodicPoints.For(fmt.Errorf("mesh: %s: must be periodic", a))
	}
	if err := checkTime(p.Time); err != nil {
		return err
	}
	if _, err := spaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	return positive("viscosity", p.Viscosity)
}

func (p Burgers) isNonlinear() bool { return true }

func (p Burgers) inputMesh() mesh.Mesh { return p.Mesh }

func (p Burgers) outputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

// circle is the mesh of a problem with one that is finer.
type circle struct {
	length float64
	coarse int
	fine   int // a multiple of it
}

// interpolant is the matrix of the trigonometric interpolant, coarse × fine, and that of its
// integral from the first point on, which has no mean.
func (c circle) interpolant() (value, integral *mat.Dense) {
	m, n := c.coarse, c.fine
	v, s := make([]float64, n), make([]float64, n) // for data that are 1 at the first point
	for i := range v {
		for k := 1; 2*k <= m; k++ {
			weight := 2.0
			if 2*k == m {
				weight = 1
			}
			sin, cos := math.Sincos(2 * math.Pi * math.Mod(float64(k)*float64(i), float64(n)) / float64(n))
			v[i] += weight * cos / float64(m)
			s[i] += weight * sin / float64(m) * c.length / (2 * math.Pi * float64(k))
		}
	}
	value, integral = mat.NewDense(m, n, nil), mat.NewDense(m, n, nil)
	for j := range m {
		for i := range n {
			k := (i - j*(n/m) + n) % n
			value.Set(j, i, v[k])
			integral.Set(j, i, s[k])
		}
	}
	return value, integral
}

// heat is the heat kernel of a circle after time tau for diffusivity 1, from the fine points to
// every step-th of them, with the weights of the sum. The largest entry is 1: factors cancel.
func (c circle) heat(tau float64, step int) *mat.Dense {
	n := c.fine
	row := make([]float64, n)
	turns := int(math.Sqrt(4*tau*750)/c.length) + 1
	for k := range row {
		for t := -turns; t <= turns; t++ {
			d := c.length * (float64(k)/float64(n) + float64(t))
			row[k] += math.Exp(-d * d / (4 * tau))
		}
	}
	h := mat.NewDense(n, n/step, nil)
	for i := range n {
		to := h.RawRowView(i)
		for j := range to {
			to[j] = row[(i-j*step+n)%n]
		}
	}
	return h
}

func (p Burgers) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	n, m := f.Dims()
	c := circle{p.Mesh.Axes()[0].Period, m, 0}
	mean := make([]float64, n)
	w := mat.DenseCopyOf(f)
	moves, most := false, 0.0
	for i := range n {
		row := w.RawRowView(i)
		mean[i] = floats.Sum(row) / float64(m)
		floats.AddConst(-mean[i], row)
		size := floats.Norm(row, math.Inf(1))
		most = max(most, size)
		moves = moves || math.Abs(mean[i]) > 1e-14*size
	}
	if err := p.refine(&c, w); err != nil {
		return nil, err
	}
	step := c.fine / m // of the points that heat flows to
	if moves {
		step = 1
	}
	if err := dense.CheckMatrix("burgers", 3, c.fine, max(m, c.fine/step)); err != nil {
		return nil, err
	}
	value, integral := c.interpolant()
	u := mat.NewDense(n, m*p.Time.Size(), nil)
	return u, batches(n, c.fine*2, func(lo, hi int) error {
		return p.march(ctx, c, p.flow(rows(w, lo, hi), value, integral), step, mean[lo:hi], rows(f, lo, hi), rows(u, lo, hi))
	})
}

// refine chooses the finer mesh: half a width of the heat kernel after a step, and of φ where
// it is narrowest.
func (p Burgers) refine(c *circle, w *mat.Dense) error {
	n, m := w.Dims()
	dt := p.Time.Axes()[0].Step
	slope, rise := 0.0, 0.0
	c.fine = 8 * m
	value, _ := c.interpolant()
	fine := mat.NewDense(n, c.fine, nil)
	multiply(simd.Best(), fine, w, value)
	for i := range n {
		row := fine.RawRowView(i)
		rise = max(rise, floats.Max(row)-floats.Min(row))
		for k, v := range row {
			slope = max(slope, math.Abs(v-row[(k+1)%c.fine])*float64(c.fine)/c.length)
		}
	}
	width := math.Sqrt(2 * p.Viscosity * min(dt, 1/slope))
	// A shock that rises by r is tanh(r x / (4 Viscosity)), whose interpolant is good to e^(-2π² Viscosity/(h r)).
	want := max(c.length/(0.5*width), 2*c.length*rise/p.Viscosity)
	if !(want <= mostFine) {
		return fmt.Errorf("viscosity %g: inputs of this slope, %.3g, and steps of %g need a mesh of %.3g points: at most %d are allowed; take a larger viscosity, smaller inputs or longer steps", p.Viscosity, slope, dt, want, mostFine)
	}
	c.fine = max(2, int(math.Ceil(want/float64(m)))) * m
	return nil
}

// flowing are φ and w φ at the first time, samples × fine points.
type flowing struct{ phi, product *mat.Dense }

func (p Burgers) flow(w, value, integral *mat.Dense) flowing {
	n, _ := w.Dims()
	_, fine := value.Dims()
	k := simd.Best()
	s := flowing{mat.NewDense(n, fine, nil), mat.NewDense(n, fine, nil)}
	multiply(k, s.phi, w, integral)
	multiply(k, s.product, w, value)
	for i := range n {
		phi, product := s.phi.RawRowView(i), s.product.RawRowView(i)
		least := floats.Min(phi)
		for j, v := range phi {
			phi[j] = math.Exp((least - v) / (2 * p.Viscosity))
			product[j] *= phi[j]
		}
	}
	return s
}

// march stores all times. The heat flows are from the first time on, so that no error adds up.
func (p Burgers) march(ctx context.Context, c circle, s flowing, step int, mean []float64, f, u *mat.Dense) error {
	n, _ := f.Dims()
	times := p.Time.Axes()[0].Coordinates
	k, points := simd.Best(), c.fine/step
	above, below, now := mat.NewDense(n, points, nil), mat.NewDense(n, points, nil), mat.NewDense(c.coarse, n, nil)
	for q, t := range times {
		if err := stopped(ctx); err != nil {
			return err
		}
		progress.Report(ctx, progress.Step{Task: "times", Done: float64(q), Total: float64(len(times))})
		if q == 0 {
			now.Copy(f.T())
			storeTime(u, now, 0, len(times))
			continue
		}
		h := c.heat(p.Viscosity*(t-times[0]), step)
		multiply(k, above, s.product, h)
		multiply(k, below, s.phi, h)
		for i := range n {
			row := above.RawRowView(i)
			floats.Div(row, below.RawRowView(i))
			if step == 1 {
				row = c.shifted(row, mean[i]*(t-times[0]))
			}
			for j, v := range row {
				now.Set(j, i, v+mean[i])
			}
		}
		storeTime(u, now, q, len(times))
	}
	return nil
}

// shifted is the trigonometric interpolant of values at the fine points, at the coarse points
// less a distance.
func (c circle) shifted(v []float64, by float64) []float64 {
	n := c.fine
	kernel := make([]float64, n) // interpolant of data that are 1 at point 0, at fine points less by
	for i := range kernel {
		x := 2 * math.Pi * math.Remainder(float64(i)/float64(n)-by/c.length, 1)
		kernel[i] = dirichlet(x, n)
	}
	out := make([]float64, c.coarse)
	for j := range out {
		for i, y := range v {
			out[j] += y * kernel[(j*(n/c.coarse)-i+n)%n]
		}
	}
	return out
}

// dirichlet is the trigonometric interpolant of n values that are 1 at 0 and else 0, at x from -π to π.
func dirichlet(x float64, n int) float64 {
	if x == 0 {
		return 1
	}
	half := math.Sin(x / 2)
	if n%2 == 1 {
		return math.Sin(float64(n)*x/2) / (float64(n) * half)
	}
	return math.Sin(float64(n)*x/2) * math.Cos(x/2) / (float64(n) * half)
}
