package joint

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Estimate is a trained network: layer l is G_l and β_l, in the units of the data. It is immutable
// and safe for concurrent use.
type Estimate struct {
	Layers      []*fit.Estimate
	Activations []Activation // one fewer where the last is the identity
	InputMesh   mesh.Mesh
	OutputMesh  mesh.Mesh
	Largest     float64 // |f| of the data
	Report      Report
}

// Report says what was trained and how far it can be trusted.
type Report struct {
	Method    Method
	Start     string  // what it went on from: the best of those tried
	Lambda    float64 // relative: see Spec
	Objective float64
	Misfit    float64   // of the pairs: root of the sum of squares, relative to the outputs
	History   []float64 // the objective before the first step and after each, of the descent that was taken
	Gradient  float64   // of the objective, relative to that of the misfit alone, in the norms of the kernels
	// Bound is below the objective of the network linearised at the result, whatever its
	// functions: by duality. Of one linear layer it is below the objective itself.
	Bound     float64
	Steps     int
	Products  int  // evaluations of the network, and of its tangent with the adjoint
	Converged bool // the objective is within 1 % of Bound
	Layers    []LayerReport
	LeftOut   float64 // error of predicting a fifth of the pairs from the others; NaN where λ was given
	Linear    float64 // the same with one linear layer
	Tried     []Trial // where λ was chosen
	Seconds   float64
	Advice    string // what is suspicious, one line each
}

// LayerReport is a layer beside the exact linear fit to its targets: what it gives less the derivative of
// the misfit by that. Where the gradient of the network is zero they are the same.
type LayerReport struct {
	Lambda    float64 // in the units of the layer
	Residual  float64 // relative, of the optimality system of that fit
	Gap       float64 // upper bound of its objective minus its minimum
	Objective float64 // of that fit
}

// Trial is a λ that was tried, and the error of pairs that were left out.
type Trial struct{ Lambda, LeftOut float64 }

func (r *Report) note(format string, args ...any) {
	if r.Advice != "" {
		r.Advice += "\n"
	}
	r.Advice += fmt.Sprintf(format, args...)
}

const noGain = 0.9 // error, in that of one linear layer, that is no gain

func (r *Report) advise(p *problem) {
	if r.Method == Jointly && !r.Converged {
		remedy := "take more steps, or a larger lambda"
		if r.Steps < cmp.Or(p.spec.Steps, defaultSteps) {
			remedy = "steps from here hardly lower it; try a larger lambda, or another seed"
		}
		r.note("not at a minimum: the objective is %.3g after %d steps, and that of the network linearised there goes down to %.3g; %s", r.Objective, r.Steps, r.Bound, remedy)
	}
	if r.LeftOut > noGain*r.Linear {
		r.note("pairs that were left out are predicted with an error of %.3g, and %.3g by one linear layer: these pairs show no gain from the network", r.LeftOut, r.Linear)
	}
	if len(r.Tried) > 0 && r.Lambda <= leastLambda*2 {
		r.note("λ is the least that is tried: the pairs bear a smaller one")
	}
}

// Prediction is what a network makes of new inputs.
type Prediction struct {
	U     *mat.Dense // n × points
	Notes []string   // inputs that are beyond the data
}

// beyondData is by how much inputs may exceed those of the data.
const beyondData = 1.1

// Predict returns the outputs of inputs sampled on xs, one in each row of f, on ys; meshes without
// points are those of the data. It costs a prediction by every layer.
func (e *Estimate) Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*Prediction, error) {
	p := &Prediction{}
	if most := largest(f.RawMatrix().Data); most > beyondData*e.Largest {
		p.Notes = append(p.Notes, fmt.Sprintf("the largest |f| is %.3g times that of the data: what the network does there is extrapolated", most/e.Largest))
	}
	u := f
	for k, layer := range e.Layers {
		at := mesh.Mesh{}
		if k == len(e.Layers)-1 {
			at = ys
		}
		z, err := layer.Predict(ctx, u, xs, at)
		if err != nil {
			return nil, err
		}
		if xs = (mesh.Mesh{}); k < len(e.Activations) {
			if err := e.Activations[k].apply(z); err != nil {
				return nil, fmt.Errorf("layer %d: %w", k+1, err)
			}
		}
		u = z
	}
	p.U = u
	return p, nil
}

// apply replaces z by σ(z).
func (a Activation) apply(z *mat.Dense) error {
	own, err := newActivation(a)
	if err != nil {
		return err
	}
	data := z.RawMatrix().Data
	out := make([]float64, len(data))
	own.value.Block(out, []expr.Operand{{Vector: data}})
	for i, v := range out {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the activation is %v at %v: the input is beyond what the network was trained on", v, data[i])
		}
	}
	copy(data, out)
	return nil
}

func largest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

func arrayOf(a *mat.Dense) *array.Array { return array.FromMatrix(a) }
