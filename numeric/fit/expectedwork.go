package fit

import (
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
)

// What things take on the processor that costs are of, in seconds; see [linop.Here].
const (
	perCube    = 0.15e-9 // an eigendecomposition, times n³
	perSquare  = 45e-9   // and n²
	perDatum   = 15e-9   // a number of the data
	perValue   = 10e-9   // a value of the kernel in a matrix
	perFamily  = 0.013   // the search for a kernel by closed forms, times points of a side, up to familyPoints: 0.006 to 0.03, as data have kinks
	perMode    = 5e-9    // a value of the closed form of the criteria
	perProblem = 3e-3    // what every fit takes, most of it to hold a structure against the kernel
	perFactor  = 1e-9    // a number of the factor of what is missing, at a step
	perTry     = 2e-3    // that of a fit whose criterion is computed alone
	perMatrix  = 4. / 3  // operations of a matrix that is factored and inverted, times rows³

	usualImages = 2.5 // by what a constraint multiplies the cost of a product
)

// work is what the cost of a fit follows from.
type work struct {
	pairs, mx, my, rows float64
	axes                int       // of both sides
	output              []float64 // points of each axis of the output
	parameters          float64   // for each of which there are functions, of a family; 0 or 1: it is none
	terms               float64   // of a sum of Kronecker products; 0: Fourier transforms
	constrained         bool
	gaps                bool    // outputs are missing, or values have errors of their own
	missing             float64 // outputs
	light               float64 // of these and those of little weight, what the preconditioner knows
	apart               float64 // by which factor the weights of the others are
	most                float64 // steps of the solver
	delayed             float64 // outputs of a pair, where G is known on lags; 0: it is not
	landmarks           bool
	few                 bool // so few pairs are complete that λ is chosen from all that was observed, however much that is
	tried               bool // the kernel is one of several that are compared
	separable, mirrored bool // the kernel is one on the input times one on the output; it depends on lags of even meshes
	free                bool // λ is to be chosen
	smooth              bool // the kernel will be chosen among families, and is smoother than most as a rule
	by                  Criterion
}

// eigenTime is the seconds of the eigenvectors of a matrix.
func eigenTime(n float64) float64 { return (perCube*n + perSquare) * n * n }

// product is the time of a product with the kernel.
func (w *work) product() float64 {
	if w.parameters <= 1 {
		return gram.ProductTime(w.mx, w.my, w.terms, w.axes)
	}
	mixing := 2 * w.parameters * w.mx * w.my * linop.PerFlop
	return w.parameters*gram.ProductTime(w.mx/w.parameters, w.my, w.terms, w.axes) + mixing
}

// step is the time of a product with the system.
func (w *work) step() float64 {
	if w.constrained {
		return usualImages*w.product() + 4*w.pairs*w.mx*w.my*linop.PerFlop
	}
	if w.terms > 0 && (w.my <= indata.MaxCoreOutputs || w.rows <= w.mx/indata.LeastFewer) {
		return w.terms * 2 * w.rows * w.my * (w.rows + w.my) * linop.PerFlop
	}
	flops := 4 * w.rows * w.mx * w.my
	for _, m := range w.output {
		flops += 4 * w.rows * w.my * m
	}
	if w.gaps {
		return w.product() + (flops+w.toBases())*linop.PerFlop + perDatum*w.pairs*w.my
	}
	return w.product() + flops*linop.PerFlop
}

// toBases is the operations by which a system of what was observed and its preconditioner go to the bases of the complete one, and back:
// they have all pairs, not only the independent rows of the inputs.
func (w *work) toBases() float64 {
	flops := 8 * w.pairs * w.pairs * w.my
	for _, m := range w.output {
		flops += 4 * w.pairs * w.my * m
	}
	return flops
}

// values are how many rows the matrix has by which λ is chosen: directions of the inputs times outputs, and where outputs are missing
// those that were observed.
func (w *work) values() float64 {
	if w.delayed > 0 {
		return w.pairs * w.delayed
	}
	if w.gaps {
		return w.pairs*w.my - w.missing
	}
	return w.rows * w.my
}
