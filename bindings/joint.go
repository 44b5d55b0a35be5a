package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/network"
	"github.com/greenbench/workbench/internal/numeric/network/joint"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// joined is a network that was trained jointly, as scripts have it.
type joined struct{ *joint.Estimate }

// saved is what green.load returns.
type saved = bind.Either[fitted, savedNetwork]

type savedNetwork = bind.Either[trained, bind.Either[joined, *network.Propagator]]

// load reads whatever was saved.
func load(c *bind.Call, path string) (l saved, err error) {
	ofNetworks := func(n savedNetwork) saved { return bind.Second[fitted](n) }
	if n, err := network.Load(c, path); n != nil || err != nil {
		return ofNetworks(bind.First[trained, bind.Either[joined, *network.Propagator]](trained{n})), err
	}
	if n, err := joint.Load(c, path); n != nil || err != nil {
		return ofNetworks(bind.Second[trained](bind.First[joined, *network.Propagator](joined{n}))), err
	}
	if n, err := network.LoadPropagator(path); n != nil || err != nil {
		return ofNetworks(bind.Second[trained](bind.Second[joined](n))), err
	}
	if m, err := model.Load(c, path); m != nil || err != nil {
		return bind.First[fitted, savedNetwork](bind.Second[estimate](learned{Estimate: m})), err
	}
	e, err := fit.Load(c, path)
	return bind.First[fitted, savedNetwork](bind.First[estimate, learned](e)), err
}

// onePair are pairs of one input and one output.
func onePair(s samples) (*dataset.Dataset, error) {
	if !s.IsB {
		if s.A.Curves != nil || s.A.OfCurves() {
			return nil, errors.New("data: the curves have points of their own; layers need all of them on one mesh: see data:resample")
		}
		return s.A, nil
	}
	d := s.B
	if len(d.Fields) != 1 || len(d.Outputs) != 1 || len(d.Scalars)+len(d.Groups)+len(d.Parameters) > 0 {
		return nil, errors.New("data: layers with an activation are learned from one input that is a function and one output, and from nothing else")
	}
	f, u := d.Fields[0], d.Outputs[0]
	return dataset.New(dataset.Spec{Input: f.Values, Output: u.Values, InputMesh: f.Mesh, OutputMesh: u.Mesh, Missing: d.Missing})
}

// fitJointly trains the network of activations.
func (p networkCall) fitJointly(c *bind.Call) (joined, error) {
	d, err := onePair(p.Data)
	switch {
	case err != nil:
		return joined{}, err
	case p.Layers == nil:
		return joined{}, errors.New("layers: missing; want how many there are, as activation is given")
	case p.Implicit != nil && *p.Implicit:
		return joined{}, errors.New("implicit, activation: a network of layers with an activation is not implicit; leave one of them out")
	case p.Constraint.IsB || p.Constraint.A != nil:
		return joined{}, errors.New("constraint, activation: layers that are trained jointly have no constraints; leave one of them out")
	case p.Kernel.Value.IsB:
		return joined{}, errors.New("kernel: with an activation all layers have one kernel; want a kernel, not a table")
	case p.Choose != "all":
		return joined{}, errors.New("choose, activation: there are no terms to choose; leave choose out")
	case p.Tolerance != nil || p.Iterations != nil:
		return joined{}, errors.New("tolerance, max_iterations, activation: layers that are trained jointly have no iterative solver; see steps, or leave them out")
	}
	s := joint.Spec{
		Data: d, Layers: *p.Layers, Kernel: p.Kernel.Value.A, Bias: p.Bias.Value, NoBias: p.Bias.False,
		Lambda: p.Lambda.Value, Method: joint.Method(p.Train), Seed: 1,
	}
	if p.Steps != nil {
		s.Steps = *p.Steps
	}
	if p.Seed != nil {
		s.Seed = uint64(*p.Seed)
	}
	if s.Activations, err = p.activations(c); err != nil {
		return joined{}, err
	}
	e, err := joint.Fit(c, s)
	return joined{e}, err
}

// activations are traced.
func (p networkCall) activations(c *bind.Call) (all []joint.Activation, err error) {
	list := p.Activation.B
	if !p.Activation.IsB {
		for range *p.Layers - 1 {
			list = append(list, p.Activation.A)
		}
	}
	for k := range list {
		n, err := trace.Scalars(c, &list[k])
		if err != nil {
			return nil, fmt.Errorf("activation of layer %d: %w", k+1, err)
		}
		all = append(all, joint.Activation{Map: n, Text: n.String()})
	}
	return all, nil
}

const sampleJoint = sampleSemilinear + `net = green.network{data = d, kernel = k, layers = 2, lambda = 1e-4, steps = 20, activation = function(z) return z / (1 + z^2)^0.5 end}
`

// jointType is what green.network returns with activation.
func jointType() bind.Type {
	return bind.TypeOf[joined]("joint_network", "A network of layers u_l = σ_l(∫G_l u_(l-1) + β_l) that were trained together: see green.network.",
		bind.ToString(joined.String),
		bind.Properties(
			bind.Prop("report", "how it was trained, and how far it can be trusted", func(n joined) jointReport { return n.report() }),
			bind.Prop("input_mesh", "where the inputs were sampled", func(n joined) mesh.Mesh { return n.InputMesh }),
			bind.Prop("mesh", "where the outputs were sampled, and of the layers between", func(n joined) mesh.Mesh { return n.OutputMesh }),
		),
		bind.Methods(
			bind.Fn("predict", "Outputs for new inputs.", func(c *bind.Call, p *jointSamples) (bind.Results, error) {
				return p.predict(c)
			}, bind.Example(sampleJoint+"u, info = net:predict(f[1], {ymesh = mesh.uniform(0, 1, 15)})\nprint(#u, #info.notes)  --> 15	0"),
				bind.ReturnsAs("array", "one function, or n × points of ymesh"), bind.ReturnsAs("{notes=}", "what is beyond the data"),
				bind.Errors("an activation is not finite for an input beyond the data")),
			bind.Fn("error", "Relative errors of the outputs of pairs that were held out.", func(c *bind.Call, p *struct {
				Network joined  `arg:"self"`
				Data    samples `arg:"data" doc:"pairs, or a frame with one input and one output"`
			},
			) (stats.Summary, error) {
				return p.Network.error(c, p.Data)
			}, bind.Example(sampleJoint+"print(net:error{data = d}.mean < 0.2)  --> true"), bind.ReturnsAs("{mean=, rms=, max=, r2=}", "as of estimate:error: mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature")),
			bind.Fn("layer", "G and β of a layer, as an estimate: its functions, bands and pictures.", func(_ *bind.Call, p *struct {
				Network joined `arg:"self"`
				Layer   int    `arg:"layer" pos:"1" doc:"its number, from 1" allow:">=1"`
			},
			) (estimate, error) {
				if p.Layer > len(p.Network.Layers) {
					return nil, fmt.Errorf("layer %d: the network has %d", p.Layer, len(p.Network.Layers))
				}
				return p.Network.Layers[p.Layer-1], nil
			}, bind.Example(sampleJoint+"print(#net:layer(1):green())  --> 8"), bind.Returns("an estimate")),
			saveJointMethod(),
		),
	)
}

func saveJointMethod() bind.Func {
	return bind.Fn("save", "Writes the network to a .npz file.", func(c *bind.Call, p *struct {
		Network joined `arg:"self"`
		Path    string `arg:"path" pos:"1" doc:"file name ending in .npz"`
		Data    bool   `arg:"data" doc:"with the pairs that each layer is fitted to, which the standard deviations, the summary and the checks of a layer need" default:"false"`
	},
	) (bind.None, error) {
		if err := mayWrite(c, p.Path); err != nil {
			return bind.None{}, err
		}
		if p.Data {
			return bind.None{}, p.Network.SaveWithData(c, p.Path)
		}
		return bind.None{}, p.Network.Save(c, p.Path)
	}, bind.Example(sampleJoint+`path = os.tmpname() .. ".npz"
net:save(path)
a, b = net:predict(f[1]), green.load(path):predict(f[1])
print(a:eq(b):all())  --> true
net:save(path, {data = true})
a, b = net:layer(1):std(), green.load(path):layer(1):std()
print(((a - b)^2):max() <= 1e-18 * (a^2):max())  --> true
os.remove(path)`), bind.See("green.load"))
}

// jointSamples are the arguments of joint_network:predict.
type jointSamples struct {
	Network joined       `arg:"self"`
	Inputs  *array.Array `arg:"inputs" pos:"1" doc:"values of the input, one function or n × points"`
	Y       mesh.Mesh    `arg:"ymesh" doc:"where outputs are wanted; by default the mesh of the data" default:"nil"`
	X       mesh.Mesh    `arg:"input_mesh" doc:"where the inputs are sampled; by default the mesh of the data" default:"nil"`
}

func (p jointSamples) predict(c *bind.Call) (bind.Results, error) {
	on := p.X
	if on.Size() == 0 {
		on = p.Network.InputMesh
	}
	f, single, err := asRows(p.Inputs, on.Size())
	if err != nil {
		return nil, err
	}
	u, err := p.Network.Predict(c, f, p.X, p.Y)
	if err != nil {
		return nil, err
	}
	return bind.Results{asArray(u.U, single), struct {
		Notes []string `arg:"notes"`
	}{shown(c, "joint_network:predict", u.Notes)}}, nil
}

func (n joined) error(c *bind.Call, s samples) (sum stats.Summary, err error) {
	d, err := onePair(s)
	if err != nil {
		return sum, err
	}
	f, err := d.Input.Matrix()
	if err != nil {
		return sum, err
	}
	u, err := n.Predict(c, f, d.InputMesh, d.OutputMesh)
	if err != nil {
		return sum, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u.U), d.Output)
	if err != nil {
		return sum, err
	}
	if sum, err = stats.Summarize(errs); err != nil {
		return sum, err
	}
	sum.R2, err = stats.R2(array.FromMatrix(u.U), d.Output, d.OutputMesh.Weights())
	return sum, err
}

// jointReport is net.report.
type jointReport struct {
	Method    string          `arg:"method" doc:"train, as it was given"`
	Start     string          `arg:"start" doc:"what the training went on from: the best of those tried"`
	Lambda    float64         `arg:"lambda" doc:"penalty, of outputs and inputs of unit size and kernels of unit size"`
	Objective float64         `arg:"objective" doc:"mean square misfit, relative to the spread of the outputs, plus penalties"`
	Misfit    float64         `arg:"misfit" doc:"of the pairs: root of the sum of squares over that of the outputs"`
	History   []float64       `arg:"history" doc:"the objective before the first step, and after each"`
	Gradient  float64         `arg:"gradient" doc:"of the objective, relative to that of the misfit alone, in the norms of the kernels: 0 at a minimum"`
	Bound     float64         `arg:"bound" doc:"below the objective of the network linearised at the result, whatever its functions; of one linear layer below the objective itself"`
	Steps     int             `arg:"steps"`
	Products  int             `arg:"products" doc:"evaluations of the network, and of its derivative forwards and back"`
	Converged bool            `arg:"converged" doc:"no further step lowers the objective by more than rounding"`
	Layers    []jointLayerRow `arg:"layers" doc:"each beside the exact linear fit to its targets, which it is where the gradient is 0"`
	LeftOut   *float64        `arg:"left_out" doc:"error of predicting a fifth of the pairs from the others; nil where lambda was given"`
	Linear    *float64        `arg:"linear" doc:"the same with one linear layer"`
	Tried     []jointTrialRow `arg:"tried" doc:"where lambda was chosen, those tried"`
	Seconds   float64         `arg:"seconds" doc:"wall time"`
	Advice    string          `arg:"advice" doc:"what is suspicious, one line each"`
}

type jointLayerRow struct {
	Lambda    float64 `arg:"lambda"`
	Residual  float64 `arg:"residual" doc:"relative residual of the optimality system of that fit"`
	Gap       float64 `arg:"gap" doc:"upper bound of its objective minus its minimum"`
	Objective float64 `arg:"objective" doc:"of that fit"`
}

type jointTrialRow struct {
	Lambda  float64 `arg:"lambda"`
	LeftOut float64 `arg:"left_out" doc:"error of predicting a fifth of the pairs from the others"`
}

func (n joined) report() jointReport {
	r := n.Report
	out := jointReport{
		Method: string(r.Method), Start: r.Start, Lambda: r.Lambda, Objective: r.Objective, Misfit: r.Misfit, History: r.History, Gradient: r.Gradient,
		Bound: r.Bound, Steps: r.Steps, Products: r.Products, Converged: r.Converged, Seconds: r.Seconds, Advice: r.Advice,
	}
	if !math.IsNaN(r.LeftOut) {
		out.LeftOut, out.Linear = &r.LeftOut, &r.Linear
	}
	for _, l := range r.Layers {
		out.Layers = append(out.Layers, jointLayerRow{l.Lambda, l.Residual, l.Gap, l.Objective})
	}
	for _, t := range r.Tried {
		out.Tried = append(out.Tried, jointTrialRow{t.Lambda, t.LeftOut})
	}
	return out
}

// String says how it was trained.
func (n joined) String() string {
	r := n.Report
	text := fmt.Sprintf("network of %d layers, trained %s", len(n.Layers), map[joint.Method]string{
		joint.Jointly: "jointly", joint.LayerByLayer: "layer by layer", joint.Adam: "by Adam",
	}[r.Method])
	if !math.IsNaN(r.LeftOut) {
		text += fmt.Sprintf(": left-out pairs to %.2g, %.2g by one linear layer", r.LeftOut, r.Linear)
	}
	lines := []string{text, fmt.Sprintf("  objective %.4g after %d steps; linearised there it is at least %.4g; lambda %.2g, pairs to %.2g", r.Objective, r.Steps, r.Bound, r.Lambda, r.Misfit)}
	for k, a := range n.Activations {
		lines = append(lines, fmt.Sprintf("  layer %d   σ(z) = %s", k+1, a.Text))
	}
	return strings.Join(append(lines, notesOf(r.Advice)...), "\n")
}
