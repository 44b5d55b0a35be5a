package bindings

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/network"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// learn makes the network of terms, or of activations.
func (p networkCall) learn(c *bind.Call) (bind.Either[trained, joined], error) {
	switch {
	case p.Activation != nil && len(p.Terms) > 0:
		return bind.Either[trained, joined]{}, errors.New("terms, activation: a network is made of terms, or of layers with an activation; give one of them")
	case p.Activation != nil:
		n, err := p.fitJointly(c)
		return bind.Second[trained](n), err
	case p.trainingArgument() != "":
		name := p.trainingArgument()
		return bind.Either[trained, joined]{}, fmt.Errorf("%s: is for layers with an activation, which are trained; give layers = 2, activation = function(z) return math.tanh(z) end in place of terms, or leave %s out", name, name)
	case len(p.Terms) == 0:
		return bind.Either[trained, joined]{}, errors.New("terms: missing; want a table such as {u3 = function(f, u) return u^3 end}, or an activation")
	}
	n, err := p.fit(c)
	return bind.First[trained, joined](n), err
}

// trainingArgument is one that only layers with an activation have, or "".
func (p networkCall) trainingArgument() string {
	switch {
	case p.Train != "jointly":
		return "train"
	case p.Steps != nil:
		return "steps"
	case p.Seed != nil:
		return "seed"
	}
	return ""
}

func (p networkCall) fit(c *bind.Call) (trained, error) {
	d, err := networkTable(p.Data)
	if err != nil {
		return trained{}, err
	}
	if p.Layers != nil && p.Implicit != nil && *p.Implicit {
		return trained{}, errors.New("layers, implicit: a network has layers or is implicit; give one of them")
	}
	if p.Layers == nil && p.Implicit != nil && !*p.Implicit {
		return trained{}, errors.New("layers: missing; want how many there may be, as implicit is false")
	}
	s := network.Spec{Choose: p.Choose == "reml"}
	if p.Layers != nil {
		s.Layers = *p.Layers
	}
	if s.Channels, err = p.channels(c, d); err != nil {
		return trained{}, err
	}
	s.Model = model.Spec{Data: d, Lambda: p.Lambda.Value, Bias: p.Bias.Value, NoBias: p.Bias.False}
	if p.Tolerance != nil {
		s.Model.Tolerance = *p.Tolerance
	}
	if p.Iterations != nil {
		s.Model.MaxIterations = *p.Iterations
	}
	if s.Model.Kernels, err = byTerm("kernel", p.Kernel.Value, s.Channels, d); err != nil {
		return trained{}, err
	}
	if s.Model.Constraints, err = byTerm("constraint", p.Constraint, s.Channels, d); err != nil {
		return trained{}, err
	}
	e, err := network.Fit(c, s)
	return trained{e}, err
}

// byTerm is a value for every term with a G, or those given by name.
func byTerm[T any](argument string, v bind.Either[T, map[string]T], channels []network.Channel, d frame) (map[string]T, error) {
	names := names(d.Fields)
	for _, c := range channels {
		names = append(names, c.Name)
	}
	if v.IsB {
		for _, name := range slices.Sorted(maps.Keys(v.B)) {
			if err := nameIn(argument, name, append(slices.Clone(names), scalarNames(d.Scalars)...)); err != nil {
				return nil, err
			}
		}
		return v.B, nil
	}
	all := map[string]T{}
	if any(v.A) == nil {
		return all, nil
	}
	for _, name := range names {
		all[name] = v.A
	}
	return all, nil
}

// channels are the terms, traced.
func (p networkCall) channels(c *bind.Call, d frame) (all []network.Channel, err error) {
	if len(d.Outputs) != 1 {
		return nil, fmt.Errorf("data: has %d outputs: a network has one", len(d.Outputs))
	}
	of := trace.Functions{Inputs: names(d.Fields), Most: network.MostDerivatives}
	for _, f := range d.Fields {
		of.Axes = append(of.Axes, f.Mesh.Names())
	}
	of.Axes = append(of.Axes, d.Outputs[0].Mesh.Names())
	for _, name := range slices.Sorted(maps.Keys(p.Terms)) {
		f := p.Terms[name]
		n, fields, err := trace.Fields(c, &f, of)
		if err != nil {
			return nil, fmt.Errorf("terms.%s: %w", name, err)
		}
		own := network.Channel{Name: name, Map: n, Text: n.String()}
		for _, g := range fields {
			a := network.Atom{Order: g.Order, Shift: g.Shift}
			if g.Of < len(of.Inputs) {
				a.Input = of.Inputs[g.Of]
			}
			own.Atoms = append(own.Atoms, a)
		}
		all = append(all, own)
	}
	return all, nil
}

// networkFunc declares green.network.
func networkFunc() bind.Func {
	return bind.Fn("network", "Learns a nonlinear operator from pairs: a reproducing kernel network, whose layers are exact fits of several terms.\n\n"+
		"An implicit network is the semilinear operator u = ∫G f + Σ ∫G_c φ_c(f, u) + β: its G and G_c are learned from the pairs, with φ_c of their outputs, and predictions solve it by Newton's method. "+
		"Where an equation is L u = f + c φ(u), G_c is c(x) G, and net:term(c):coefficient() reads c off. A network of layers applies the right side again and again, each layer with its own G. "+
		"Fifths of the pairs, drawn at random, are left out in turn: net.report has the errors of predicting them. They are the same fifths in whatever order the pairs come. "+
		"Layers of many pairs, 200 with 100,000 numbers or more, are found in closed form, in seconds, where the kernels are left to be chosen or are kernel.tensor of any kernel and one on the output that all terms have; pairs are then left out one by one.\n\n"+
		"With activation it is the network u_l = σ_l(∫G_l u_(l-1) + β_l), whose layers are trained together by Gauss–Newton steps, each an exact fit of all of them.",
		func(c *bind.Call, p *networkCall) (bind.Either[trained, joined], error) { return p.learn(c) },
		bind.Example(sampleNetwork+"print(math.abs(net:term(\"u3\"):coefficient().mean + 2) < 0.05)  --> true"),
		bind.Example(sampleSemilinear+`net = green.network{data = d, choose = "reml", kernel = k,
  terms = {u2 = function(f, u) return u^2 end, u3 = function(f, u) return u^3 end}}
for _, t in ipairs(net.report.terms) do print(t.name, t.chosen) end  --> u2	false
--> u3	true`),
		bind.Example(sampleSemilinear+`net = green.network{data = d, kernel = k, layers = 3, terms = {u3 = function(f, u) return u^3 end}}
print(#net.report.layers, net.report.left_out < net.report.linear / 5)  --> 3	true`),
		bind.Example(sampleSemilinear+`net = green.network{data = d, kernel = k, layers = 2, lambda = 1e-6, activation = function(z) return z / (1 + z^2)^0.5 end}
first = green.network{data = d, kernel = k, layers = 2, lambda = 1e-6, activation = function(z) return z / (1 + z^2)^0.5 end, train = "layerwise"}
print(net.report.objective < first.report.objective, #net:predict(f[1]))  --> true	8`),
		bind.ReturnsAs("network|joint_network", "the latter with activation"),
		bind.Errors("a term is the same for all u, or linear in u", "a term is not finite for the outputs of the data", "terms change in the same way from pair to pair"),
		bind.Keywords("nonlinear", "semilinear", "rkn", "layers", "implicit", "neural", "end to end", "activation", "Gauss-Newton", "Levenberg-Marquardt"), bind.See("green.fit", "network:predict", "network_term:coefficient", "joint_network:predict"))
}

// networkType is what green.network returns.
func networkType() bind.Type {
	return bind.TypeOf[trained]("network", "A learned nonlinear operator: see green.network.",
		bind.ToString(trained.String),
		bind.Properties(
			bind.Prop("data", "the samples it was learned from", func(n trained) frame { return n.Data }),
			bind.Prop("report", "what was learned, and how far it can be trusted", func(n trained) networkReport { return n.report() }),
			bind.Prop("mesh", "where the output was sampled", func(n trained) mesh.Mesh { return n.Output().Mesh }),
		),
		bind.Methods(
			bind.Fn("predict", "Outputs for new inputs. An implicit network solves its equation by Newton's method, and refuses inputs for which that finds no solution.", func(c *bind.Call, p *networkSamples) (bind.Results, error) {
				return p.predict(c)
			}, bind.Example(sampleNetwork+"u, info = net:predict(f[1])\nprint(#u, info.steps < 10, info.radius < 1)  --> 8	true	true"),
				bind.ReturnsAs("array", "one function, or n × points of ymesh"), bind.ReturnsAs("{steps=, radius=, notes=}", "most steps of Newton's method; the largest spectral radius of the map at a solution: below 1 iterating it converges, too; which samples are beyond the data"),
				bind.Errors("an implicit network has no fixed point for an input")),
			bind.Fn("error", "Relative errors of the outputs of pairs that were held out.", func(c *bind.Call, p *struct {
				Network trained `arg:"self"`
				Data    samples `arg:"data" doc:"pairs, or a frame with the inputs and the output of the network"`
			},
			) (stats.Summary, error) {
				return p.Network.error(c, p.Data)
			}, bind.Example(sampleNetwork+"print(net:error{data = d}.mean < 1e-4)  --> true"), bind.ReturnsAs("{mean=, rms=, max=, r2=}", "as of estimate:error: mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature")),
			bind.Fn("term", "A term by its name: an input, or one of terms.", func(_ *bind.Call, p *struct {
				Network trained `arg:"self"`
				Name    string  `arg:"name" pos:"1" doc:"of an input or a term that was chosen"`
				Layer   *int    `arg:"layer" doc:"which layer; by default the last" default:"nil" allow:">=1"`
			},
			) (networkTerm, error) {
				return p.Network.term(p.Name, p.Layer)
			}, bind.Example(sampleNetwork+"print(#net:term(\"u3\"):green())  --> 8"), bind.Returns("a network_term")),
			saveMethod("Writes the network and its data to a .npz file that NumPy opens too.", sampleNetwork, `net:save(path)
a, b = net:predict(f[1]), green.load(path):predict(f[1])
print(a:eq(b):all())  --> true`, "green.load", trained.Save),
		),
	)
}
