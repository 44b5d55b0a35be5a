package bindings

import (
	"errors"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/network"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// networkCall is what green.network is called with.
type networkCall struct {
	Data       samples                                      `arg:"data" doc:"pairs (f, u), or a frame with one output; all outputs complete"`
	Terms      map[string]bind.Function                     `arg:"terms" doc:"what is integrated beside the input: maps of the input and the output at a point by name, {u3 = function(f, u) return u^3 end}. They are traced: arithmetic, math, where, derivatives u:d(\"x\"), shifts u:shift(\"x\", 0.1). Of a frame with several inputs f is a table of them by name" default:"{}"`
	Activation *bind.Either[bind.Function, []bind.Function] `arg:"activation" doc:"in place of terms: σ of the layers u_l = σ_l(∫G_l u_(l-1) + β_l), all of them trained at once. A function of one number, of every layer but the last, function(z) return math.tanh(z) end; or a list, one for each layer, or for each but the last. It is traced" default:"nil"`
	Train      string                                       `arg:"train" doc:"with activation: jointly is Gauss–Newton with all layers as terms of one exact fit; layerwise is what that begins with; adam is Adam, to be compared with" default:"jointly" allow:"jointly|layerwise|adam"`
	Steps      *int                                         `arg:"steps" doc:"with activation: the most steps; by default 100, of Adam 2000 epochs" default:"nil" allow:">=1"`
	Seed       *int                                         `arg:"seed" doc:"with activation: of the starts that are drawn; by default 1" default:"nil" allow:">=0"`
	Kernel     networkKernels                               `arg:"kernel" doc:"kernel of every G, on the coordinates of the input, then those of the output; or a table by term, {f = …, u3 = …}. Those left out are Matérn kernels, whose smoothness and lengthscale are chosen by restricted likelihood" default:"auto"`
	Layers     *int                                         `arg:"layers" doc:"most layers: u_1 is learned from f, and u_l from f and the terms of u_(l-1), until left-out pairs are predicted no better; without noise a layer may be a step of Newton's method, which converges where iterating the terms does not; without it the network is implicit" default:"nil" allow:">=1"`
	Implicit   *bool                                        `arg:"implicit" doc:"u is on both sides, u = ∫G f + Σ ∫G_c φ_c(f, u) + β; true where layers are not given" default:"nil"`
	Choose     string                                       `arg:"choose" doc:"all: every term is taken; reml: those that gain enough in restricted likelihood, see net.report.tried" default:"all" allow:"all|reml"`
	Constraint constraints                                  `arg:"constraint" doc:"what is known of every G; or a table by term" default:"nil"`
	Bias       bind.OrFalse[kernel.Kernel]                  `arg:"bias" doc:"kernel of the bias, or false for no bias" default:"nil"`
	Lambda     bind.Auto[float64]                           `arg:"lambda" doc:"penalty of every G; auto: restricted likelihood, and left-out pairs where there is hardly any noise" default:"auto" allow:">0"`
	Tolerance  *float64                                     `arg:"tolerance" doc:"with terms: relative residual of every fit; by default 1e-10" default:"nil" allow:"(0,1)"`
	Iterations *int                                         `arg:"max_iterations" doc:"with terms: of the solver; by default 1000" default:"nil" allow:">=1"`
}

type networkKernels = bind.Auto[bind.Either[kernel.Kernel, map[string]kernel.Kernel]]

// trained is a network, as scripts have it.
type trained struct{ *network.Estimate }

// networkTable are the samples with names.
func networkTable(s samples) (frame, error) {
	if s.IsB {
		return s.B, nil
	}
	d := s.A
	if d.Curves != nil || d.OfCurves() {
		return nil, errors.New("data: the curves have points of their own; terms need all of them on one mesh: see data:resample")
	}
	return dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": d.Input}, Output: map[string]*array.Array{"u": d.Output}, Missing: d.Missing,
		InputMesh: dataset.Meshes{All: d.InputMesh}, OutputMesh: dataset.Meshes{All: d.OutputMesh},
	})
}

// sampleSemilinear begins examples that need pairs of a semilinear equation, -u″ + 2u³ = f.
const sampleSemilinear = `m, k = mesh.uniform(0, 1, 8), kernel.matern{nu = 1.5, lengthscale = 0.3}
p = pde.poisson{mesh = m}
f = 8 * p:sample{n = 10, input = {kernel = kernel.se{lengthscale = 0.4}}}.input
u = p:solve(f)
for i = 1, 99 do u = p:solve(f - 2 * u^3) end
d = data.new{input = f, output = u, input_mesh = m}
`

const sampleNetwork = sampleSemilinear + `net = green.network{data = d, kernel = k, terms = {u3 = function(f, u) return u^3 end}}
`
