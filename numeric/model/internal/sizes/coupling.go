package sizes

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Coupling is how outputs depend on each other. They are taken in units of their noise.
type Coupling struct {
	Terms   [][]float64 `json:"terms"`          // covariance between the outputs for each term, row-major
	Bias    []float64   `json:"bias,omitempty"` // the same for β
	Units   []float64   `json:"units"`          // of the outputs
	Centres []float64   `json:"centres"`        // what is taken off them first
	Spreads []float64   `json:"spreads"`        // of them then, in their units; 0 where β has no constant
}

// OutputAxis tells the given outputs apart.
func OutputAxis(numbers ...float64) (mesh.Axis, error) {
	return mesh.Scattered(numbers, 1, linop.Ones(len(numbers)), kernels.OutputName)
}

// Sum is the kernel of terms on outputs of the same mesh.
func (c *Coupling) Sum(terms []*term.Term, each mesh.Mesh) (kernels.DirectSum, error) {
	numbers := make([]float64, len(c.Units))
	for o := range numbers {
		numbers[o] = float64(o)
	}
	axis, err := OutputAxis(numbers...)
	if err != nil {
		return kernels.DirectSum{}, err
	}
	all, err := mesh.New(append([]mesh.Axis{axis}, each.Axes()...)...)
	if err != nil {
		return kernels.DirectSum{}, err
	}
	k := kernels.DirectSum{Output: all}
	for i, t := range terms {
		k.Parts = append(k.Parts, kernels.Summand{Kernel: kernels.Coregional{Kernel: t.Kernel, Covariance: c.Terms[i]}, On: t.On})
	}
	return k, nil
}

// Values are all outputs in their units, n × (outputs × points).
func (c *Coupling) Values(outs []*dataset.Field, n int) *array.Array {
	each := outs[0].Mesh.Size()
	all := array.New(n, len(outs)*each)
	for o, out := range outs {
		for i := range n {
			for k := range each {
				all.Data[(i*len(outs)+o)*each+k] = (out.Values.Data[i*each+k] - c.Centres[o]) / c.Units[o]
			}
		}
	}
	return all
}

// OfOutput are the weights of output o, in its unit, of those of all outputs.
func (c *Coupling) OfOutput(t, o int, w *mat.Dense) *mat.Dense {
	count := len(c.Units)
	rows, columns := w.Dims()
	each := columns / count
	own := mat.NewDense(rows, each, nil)
	for x := range rows {
		for other := range count {
			floats.AddScaled(own.RawRowView(x), c.Units[o]*c.Terms[t][o*count+other], w.RawRowView(x)[other*each:(other+1)*each])
		}
	}
	return own
}

// LogUnits is what the units add to minus the logarithm of the likelihood of the outputs.
func (c *Coupling) LogUnits(outs []*dataset.Field) float64 {
	sum := 0.0
	for o, out := range outs {
		for _, v := range out.Values.Data {
			if !math.IsNaN(v) {
				sum += math.Log(c.Units[o])
			}
		}
	}
	return sum
}

// normalise makes the largest covariance of the terms one, and that of β.
func (c *Coupling) normalise() {
	most := 0.0
	for _, b := range c.Terms {
		most = max(most, floats.Max(b))
	}
	for _, b := range c.Terms {
		floats.Scale(1/most, b)
	}
}

// OnBias is the kernel of β, from that of one output: with constants of about the size of the
// outputs, which are as good as free.
func (c *Coupling) OnBias(curve kernel.Kernel) kernel.Kernel {
	n := len(c.Units)
	k := kernels.Coregional{Kernel: curve, Covariance: c.Bias}
	constants := make([]float64, n*n)
	for o, s := range c.Spreads {
		constants[o*n+o] = s * s
	}
	if floats.Max(constants) == 0 {
		return k
	}
	return kernel.Sum{Terms: []kernel.Kernel{k, kernels.Coregional{Covariance: constants}}}
}

// Evenly is a coupling of outputs that are alike.
func Evenly(terms, outs int) *Coupling {
	c := &Coupling{Centres: make([]float64, outs), Units: linop.Ones(outs), Spreads: linop.Ones(outs)}
	c.Bias = make([]float64, outs*outs)
	for o := range outs {
		c.Bias[o*outs+o] = 1
	}
	for range terms {
		c.Terms = append(c.Terms, c.Bias)
	}
	return c
}
