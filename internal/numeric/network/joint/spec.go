package joint

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Spec is everything a network depends on. Data, Layers and Activations are required.
type Spec struct {
	Data   *dataset.Dataset
	Layers int
	// Activations are σ_1, …: formulas of one variable in slot 0. One fewer than layers: the last
	// is the identity.
	Activations []Activation
	Kernel      kernel.Kernel // of every G, on the coordinates of the input, then those of the output; nil: products of Matérn kernels of smoothness 3/2; lengthscales that are not given are .3 of each axis
	Bias        kernel.Kernel // of every β, on the output; nil: the kernel of G on the output
	NoBias      bool
	Method      Method // "": Jointly
	// Lambda is λ > 0 for outputs whose mean square deviation is one, inputs whose mean square is
	// one, and kernels whose mean G² is one over the square of the domain. 0: chosen by a fifth of the pairs that is
	// left out.
	Lambda float64
	Steps  int    // at most, of Gauss and Newton's method, or epochs of Adam; 0: 100, or 2000
	Seed   uint64 // of the starts that are drawn
	Starts int    // how many there are, with the one of layers learned one by one; 0: 3
}

// Activation is σ of a layer.
type Activation struct {
	Map  *expr.Node `json:"map"`
	Text string     `json:"text"` // as it was written, to be shown
}

// Method says how a network is trained.
type Method string

// Jointly is Gauss and Newton's method of all layers at once, LayerByLayer what that begins with, and Adam
// the gradients of the paper.
const (
	Jointly      Method = "jointly"
	LayerByLayer Method = "layerwise"
	Adam         Method = "adam"
)

const (
	fewestPairs   = 6
	mostLayers    = 32
	defaultSteps  = 100
	defaultEpochs = 2000
	defaultStarts = 3

	firstLambda = 1e-3 // of those tried where λ is chosen
	leastLambda = 1e-9
)

// check refuses what cannot be learned from, by the names of fields.
func (s *Spec) check() error {
	switch {
	case s.Data == nil:
		return errors.New("data: missing")
	case s.Data.N() < fewestPairs:
		return fmt.Errorf("data: %d pairs: a network needs at least %d", s.Data.N(), fewestPairs)
	case s.Layers < 1 || s.Layers > mostLayers:
		return fmt.Errorf("layers %d: must be from 1 to %d", s.Layers, mostLayers)
	case len(s.Activations) != s.Layers && len(s.Activations) != s.Layers-1:
		return fmt.Errorf("activation: %d of them for %d layers: want %d, one for each layer before the last, or %d", len(s.Activations), s.Layers, s.Layers-1, s.Layers)
	case s.Lambda < 0 || math.IsNaN(s.Lambda) || math.IsInf(s.Lambda, 0):
		return remedy.HaveItChosen.For(fmt.Errorf("lambda %g: must be > 0 and finite", s.Lambda))
	}
	if err := outputs.NeedAll(s.Data.Output, s.Data.OutputMesh, "a network that is trained jointly"); err != nil {
		return err
	}
	for k, a := range s.Activations {
		if used := expr.Slots(expr.Simplify(a.Map)); len(used) == 0 {
			return fmt.Errorf("activation of layer %d: is the same number for every z: nothing of the input would come through", k+1)
		} else if slices.Max(used) > 0 {
			return fmt.Errorf("activation of layer %d: is a formula of more than one variable", k+1)
		}
	}
	switch s.Method {
	case "", Jointly, LayerByLayer, Adam:
		return nil
	}
	return fmt.Errorf("method %q: must be %s, %s or %s", s.Method, Jointly, LayerByLayer, Adam)
}
