package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/theory"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Theory is the Lua module theory.
func Theory() bind.Module {
	return bind.Module{
		Name: "theory",
		Doc:  "The error analysis of the estimator, in numbers: the decay of spectra, and the rate of convergence that follows.\n\nIf the gammas of theory.simultaneous decay like k^(-r), and lambda is chosen like n^(-r/(r+1)) for n pairs, the prediction error of G falls at least like n^(-r/(r+1)) (paper, section 4).",
		Funcs: []bind.Func{
			bind.Fn("eigenvalues", "Eigenvalues of a kernel's integral operator on a mesh, largest first. About the first quarter of them approximate those of the operator; the mesh does not resolve the others.", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"kernel" doc:"on the coordinates of the mesh"`
				Mesh   mesh.Mesh     `arg:"mesh" doc:"with its quadrature; at most 2500 points"`
			},
			) (*array.Array, error) {
				v, err := theory.Eigenvalues(c, p.Kernel, p.Mesh)
				return array.Vector(v), err
			}, bind.Example("-- the Brownian bridge: 1/(k pi)^2\nv = theory.eigenvalues{kernel = kernel.brownian_bridge{}, mesh = mesh.uniform(0, 1, 201)}\nprint(math.abs(v[3] * (3 * math.pi)^2 - 1) < 1e-3)  --> true"),
				bind.Returns("one for each point of the mesh"), bind.Keywords("spectrum", "mercer"), bind.See("theory.decay", "kernel:eigen")),
			bind.Fn("decay", "The law by which values decay: k^(-rate), or exp(-rate k) where that fits better. Values are sorted; the first is left out, as are those below 1e-12 of it.", func(_ *bind.Call, p *struct {
				Values []float64 `arg:"values" pos:"1" doc:"eigenvalues" allow:"nonempty"`
				All    bool      `arg:"all" doc:"use all the values, not the first quarter, which a mesh resolves" default:"false"`
			},
			) (decayLaw, error) {
				d, err := theory.FitDecay(p.Values, p.All)
				if err != nil {
					return decayLaw{}, err
				}
				law := "power"
				if d.Exponential {
					law = "exponential"
				}
				return decayLaw{d.Rate, law, d.Fit, d.From, d.To}, nil
			}, bind.Example("v = theory.eigenvalues{kernel = kernel.brownian_bridge{}, mesh = mesh.uniform(0, 1, 201)}\nd = theory.decay(v)\nprint(d.law, math.abs(d.rate - 2) < 0.1)  --> power\ttrue"),
				bind.Example("print(theory.decay({1, 1/4, 1/9, 1/16, 1/25}, {all = true}).rate)  --> 2"),
				bind.ReturnsAs("{rate=, law=, fit=, from=, to=}", "law is power or exponential; fit is R² of the line through the logarithms of values from … to")),
			bind.Fn("simultaneous", "The basis in which the inputs and the kernel are both diagonal (paper, section 4.3): G = sum of g_k Omega_k has the prediction energy sum of g_k² and the norm sum of g_k²/gamma_k. Gammas above lambda are learned, those below are not.", func(c *bind.Call, p *struct {
				Data   *dataset.Dataset `arg:"data" doc:"its inputs matter, its outputs do not"`
				Kernel kernel.Kernel    `arg:"kernel" doc:"of G"`
				N      int              `arg:"n" doc:"how many functions Omega" default:"0" allow:">=0"`
			},
			) (bind.Results, error) {
				d, err := theory.Simultaneous(c, p.Data, p.Kernel, p.N)
				if err != nil {
					return nil, err
				}
				mx, my := p.Data.InputMesh.Size(), p.Data.OutputMesh.Size()
				var all []float64
				for _, o := range d.Omega {
					all = append(all, o.RawMatrix().Data...)
				}
				if len(all) == 0 {
					return bind.Results{array.Vector(d.Gamma)}, nil
				}
				omega, err := array.Of(all, len(d.Omega), mx, my)
				return bind.Results{array.Vector(d.Gamma), omega}, err
			}, bind.Example(`-- inputs of energy 1/(i pi)^2 along sin(i pi x): gamma_ij is 1/(i pi)^4 / (j pi)^2
m = mesh.uniform(0, 1, 41)
f = array.from(6, 41, function(i, j) return math.sqrt(6) / (i * math.pi) * math.sqrt(2) * math.sin(i * math.pi * (j - 1) / 40) end)
d = data.new{input = f, output = array.zeros(6, 41), input_mesh = m}
gamma, omega = theory.simultaneous{data = d, kernel = kernel.brownian_bridge{}, n = 2}
print(math.abs(gamma[1] * math.pi^6 - 1) < 0.01)  --> true
print(#omega, #omega[1], #omega[1][1])  --> 2	41	41`),
				bind.ReturnsAs("array", "gamma, largest first"), bind.ReturnsAs("array|nil", "n × points of the input × points of the output"), bind.Keywords("diagonalisation", "effective dimension")),
			bind.Fn("rate", `An experiment on the rate of convergence: random inputs, outputs of a known G with noise, and estimates with lambda = scale n^(-r/(r+1)).

The theory bounds the error; a slope steeper than predicted is no contradiction.`, func(c *bind.Call, p *struct {
				Kernel kernel.Kernel      `arg:"kernel" doc:"of the estimator"`
				Input  kernel.Kernel      `arg:"input" doc:"covariance of the inputs"`
				X      mesh.Mesh          `arg:"xmesh" doc:"of the inputs"`
				Y      mesh.Mesh          `arg:"ymesh" doc:"of the outputs; by default xmesh" default:"nil"`
				Green  truth              `arg:"green" doc:"the truth: values on xmesh × ymesh, or a problem"`
				N      []int              `arg:"n" doc:"numbers of pairs" allow:">=1 nonempty"`
				Noise  float64            `arg:"noise" doc:"standard deviation of an output value" default:"0.01" allow:">=0"`
				Repeat int                `arg:"repeats" doc:"draws for each n" default:"5" allow:">=1"`
				Scale  bind.Auto[float64] `arg:"scale" doc:"of lambda; auto is such that it is what REML chooses at the smallest n" default:"auto" allow:">0"`
				Decay  bind.Auto[float64] `arg:"decay" doc:"r; auto fits it to the gammas of the largest n" default:"auto" allow:">0"`
				Seed   uint64             `arg:"seed" doc:"of inputs and noise" default:"1"`
			},
			) (rateResult, error) {
				if p.Y.Size() == 0 {
					p.Y = p.X
				}
				g, err := truthOn(c, &p.Green, p.X, p.Y)
				if err != nil {
					return rateResult{}, err
				}
				r, err := theory.RateStudy{
					Kernel: p.Kernel, Input: p.Input, InputMesh: p.X, OutputMesh: p.Y, Green: g, Noise: p.Noise,
					N: p.N, Repeat: p.Repeat, Scale: p.Scale.Value, Decay: p.Decay.Value, Seed: p.Seed,
				}.Run(c)
				if err != nil {
					return rateResult{}, err
				}
				return rateResult{array.Vector(r.N), array.Vector(r.Lambda), array.Vector(r.Error), r.Slope, r.Predicted, r.Decay}, nil
			}, bind.Example(`m, bridge = mesh.uniform(0, 1, 25), kernel.brownian_bridge{}
r = theory.rate{kernel = bridge, input = bridge, xmesh = m, green = pde.poisson{mesh = m}, n = {20, 80, 320}}
print(r.slope < 0.85 * r.predicted)  --> true`),
				bind.ReturnsAs("{n=, lambda=, error=, slope=, predicted=, decay=}", "mean errors ‖Ĝ - G‖² in the inputs' covariance, the slope of their logarithms, -r/(r+1), and r, infinite for a spectrum that falls exponentially"),
				bind.Keywords("convergence", "consistency", "oracle inequality"), bind.See("theory.simultaneous")),
		},
	}
}

type decayLaw struct {
	Rate float64 `arg:"rate"`
	Law  string  `arg:"law"`
	Fit  float64 `arg:"fit"`
	From int     `arg:"from"`
	To   int     `arg:"to"`
}

type rateResult struct {
	N         *array.Array `arg:"n"`
	Lambda    *array.Array `arg:"lambda"`
	Error     *array.Array `arg:"error"`
	Slope     float64      `arg:"slope"`
	Predicted float64      `arg:"predicted"`
	Decay     float64      `arg:"decay"`
}
