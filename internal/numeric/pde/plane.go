package pde

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Poisson2D is -Δu = f on a rectangle with the same u all along the boundary, by
// five-point differences.
type Poisson2D struct {
	Mesh     mesh.Mesh `arg:"mesh" doc:"product of two uniform meshes, such as mesh.uniform(0, 1, 30) * mesh.uniform(0, 1, 30)"`
	Boundary float64   `arg:"boundary" doc:"u on the boundary" default:"0"`
}

func (p Poisson2D) check() error { return checkRectangle(p.Mesh, 3) }

// checkRectangle refuses a mesh that is not the product of two uniform ones.
func checkRectangle(m mesh.Mesh, least int) error {
	if err := checkMesh("mesh", m, 2, remedy.GiveRectangle); err != nil {
		return err
	}
	for _, a := range m.Axes() {
		if err := checkAxis("mesh", a, least); err != nil {
			return err
		}
	}
	return nil
}

// aroundEdge is an operator on a rectangle with the same conditions on every side.
func aroundEdge(m mesh.Mesh, s Side, o *Operator) Definition {
	d := Definition{Mesh: m, Operator: o, Boundary: map[string]Side{}}
	for _, side := range sideNames(m.Names()) {
		d.Boundary[side] = s
	}
	return d
}

func (p Poisson2D) inputMesh() mesh.Mesh { return p.Mesh }

func (p Poisson2D) outputMesh() mesh.Mesh { return p.Mesh }

func (p Poisson2D) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	return outputsOf(ctx, aroundEdge(p.Mesh, Side{Dirichlet: Constant(p.Boundary)}, u.Laplacian().Neg()), f)
}

// greenAt implements Known: logarithms of the distances to x and to its mirror
// images, those along the first side summed in closed form. At y = x, where it is
// infinite, it is the mean over a cell of the mesh around x, which is what sums over
// the mesh need.
func (p Poisson2D) greenAt(x, y []float64) float64 {
	r := rectangleOf(p.Mesh)
	from, to := r.local(x), r.local(y)
	if from == to {
		return r.logarithmicMean(from)
	}
	return r.logarithms(from, to)
}

func (p Poisson2D) biasAt([]float64) float64 { return p.Boundary }

// rectangle is the domain, with the shorter side first.
type rectangle struct {
	lower, length, step [2]float64
	first               int // axis of the mesh that comes first
}

func rectangleOf(m mesh.Mesh) rectangle {
	var r rectangle
	if m.Axes()[1].Length() < m.Axes()[0].Length() {
		r.first = 1
	}
	for k := range 2 {
		a := m.Axes()[(k+r.first)%2]
		r.lower[k], r.length[k], r.step[k] = a.Lower[0], a.Length(), a.Step
	}
	return r
}

// local is a point relative to the lower corner, the coordinate along the shorter
// side first.
func (r rectangle) local(x []float64) [2]float64 {
	return [2]float64{x[r.first] - r.lower[0], x[1-r.first] - r.lower[1]}
}

// images is how many reflections along the longer side are taken on either side:
// they fall off like e^(-2π) each, or faster.
const images = 6

// logarithms is Σ over images of ±1/(4π) ln((cosh d - cos s)/(cosh d - cos t)).
func (r rectangle) logarithms(x, y [2]float64) float64 {
	w := math.Pi / r.length[0]
	sum := 0.0
	for n := -images; n <= images; n++ {
		shift := 2 * float64(n) * r.length[1]
		sum += logRatio(w*(x[1]-y[1]+shift), w*(x[0]+y[0]), w*(x[0]-y[0])) - logRatio(w*(x[1]+y[1]+shift), w*(x[0]+y[0]), w*(x[0]-y[0]))
	}
	return sum / (4 * math.Pi)
}

// logRatio is ln((cosh d - cos s)/(cosh d - cos t)), without cancellation for small d
// and without overflow for large.
func logRatio(d, s, t float64) float64 {
	d = math.Abs(d)
	if d > 40 {
		return 0
	}
	sinh := math.Sinh(d / 2)
	above, below := math.Sin(s/2), math.Sin(t/2)
	return math.Log((sinh*sinh + above*above) / (sinh*sinh + below*below))
}

// logarithmicMean is the mean of Green's function over the cell around x: that of
// -ln(distance)/(2π) in closed form, and the rest at its centre.
func (r rectangle) logarithmicMean(x [2]float64) float64 {
	near := math.Hypot(r.step[0], r.step[1]) * 1e-4
	regular := r.logarithms(x, [2]float64{x[0] + near, x[1]}) + math.Log(near)/(2*math.Pi)
	if x[0] <= 0 || x[1] <= 0 || x[0] >= r.length[0] || x[1] >= r.length[1] {
		return 0
	}
	return regular - meanLog(r.step[0]/2, r.step[1]/2)/(2*math.Pi)
}

// meanLog is the mean of ln √(x² + y²) over |x| < a, |y| < b.
func meanLog(a, b float64) float64 {
	return math.Log(math.Hypot(a, b)) - 1.5 + (a/b*math.Atan(b/a)+b/a*math.Atan(a/b))/2
}

// Biharmonic is Δ²u = f on a rectangle, hinged (simply supported) on all sides: u = 0 and Δu = 0 on the
// boundary. u is the deflection of a thin plate of stiffness 1 under the load f.
type Biharmonic struct {
	Mesh mesh.Mesh `arg:"mesh" doc:"product of two uniform meshes, such as mesh.uniform(0, 1, 30) * mesh.uniform(0, 1, 30)"`
}

func (p Biharmonic) check() error { return checkRectangle(p.Mesh, 6) }

func (p Biharmonic) inputMesh() mesh.Mesh { return p.Mesh }

func (p Biharmonic) outputMesh() mesh.Mesh { return p.Mesh }

func (p Biharmonic) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	return outputsOf(ctx, aroundEdge(p.Mesh, Side{Dirichlet: Constant(0), Second: Constant(0)}, u.Laplacian().Laplacian()), f)
}

// greenAt implements Known: Σ_k 2/a sin(kπx/a) sin(kπξ/a) g_k along one side (Lévy),
// the one that leaves more distance along the other, where terms fall off with it.
// The first 1000 terms leave 2e-8 a² where that distance is zero.
func (p Biharmonic) greenAt(x, y []float64) float64 {
	r := rectangleOf(p.Mesh)
	from, to := r.local(x), r.local(y)
	a, b := 0, 1
	if math.Abs(from[0]-to[0])*r.length[1] > math.Abs(from[1]-to[1])*r.length[0] {
		a, b = 1, 0
	}
	w := math.Pi / r.length[a]
	sum := 0.0
	for k := 1; k <= 1000; k++ {
		mode := float64(k) * w
		g := hinged(mode, min(from[b], to[b]), r.length[b]-max(from[b], to[b]), r.length[b])
		sum += math.Sin(mode*from[a]) * math.Sin(mode*to[a]) * g
		if g*mode < 1e-17*math.Pow(r.length[b], 2) {
			break
		}
	}
	return 2 / r.length[a] * sum
}

// hinged is Green's function of (d²/dy² - k²)² on [0, l] with zero value and second
// derivative at the ends, for points the distances p and q from either end and d
// between: -1/(2k) times the derivative in k of that of k² - d²/dy².
func hinged(k, p, q, l float64) float64 {
	if p <= 0 || q <= 0 {
		return 0
	}
	d := l - p - q
	h := math.Exp(-k*d) * math.Expm1(-2*k*p) * math.Expm1(-2*k*q) / (-2 * k * math.Expm1(-2*k*l))
	return h / (2 * k) * (d + 1/k - 2*p/math.Expm1(2*k*p) - 2*q/math.Expm1(2*k*q) + 2*l/math.Expm1(2*k*l))
}

func (p Biharmonic) biasAt([]float64) float64 { return 0 }
