package bindings

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// networkTerm is a term of a network.
type networkTerm struct {
	of    trained
	name  string
	green estimate
	own   *model.Term
}

func (n trained) term(name string, layer *int) (networkTerm, error) {
	at := len(n.Layers)
	if layer != nil {
		at = *layer
	}
	if at > len(n.Layers) {
		return networkTerm{}, fmt.Errorf("layer %d: the network has %d", at, len(n.Layers))
	}
	o := n.Layers[at-1].Outputs[0]
	t := o.Term(name)
	if t == nil {
		var all []string
		for _, t := range o.Terms {
			all = append(all, t.Name)
		}
		return networkTerm{}, nameIn("term", name, all)
	}
	g, err := t.Green()
	return networkTerm{n, name, g, t}, err
}

// networkTermType is a term of a network.
func networkTermType() bind.Type {
	return bind.TypeOf[networkTerm]("network_term", "A term of a network: the Green's function of an input, or of a map of the output.",
		bind.ToString(func(t networkTerm) string { return describeTerm(t.own) }),
		termProperties(func(t networkTerm) *model.Term { return t.own }),
		bind.Properties(bind.Prop("estimate", "its G as an estimate, with its bands and pictures", func(t networkTerm) estimate { return t.green })),
		bind.Methods(
			bind.Fn("green", "G of the term on meshes.", func(c *bind.Call, p *struct {
				Term networkTerm `arg:"self"`
				twoMeshes
			},
			) (*array.Array, error) {
				g, err := p.Term.green.Green(c, p.X, p.Y)
				if err != nil {
					return nil, err
				}
				return onMeshes(g, p.X, p.Y, p.Term.green.InputMesh, p.Term.green.OutputMesh), nil
			}, bind.Example(sampleNetwork+"print(#net:term(\"u3\"):green(mesh.uniform(0, 1, 5), mesh.uniform(0, 1, 7)))  --> 5"), bind.Returns("points of xmesh × points of ymesh"), bind.See("estimate:green")),
			bind.Fn("coefficient", "The coefficient c(x) of the term in an equation L u = f + c(x) φ(u): G of the term over G of the input.", func(_ *bind.Call, p *struct {
				Term networkTerm `arg:"self"`
			},
			) (coefficientRow, error) {
				return p.Term.coefficient()
			}, bind.Example(sampleNetwork+"c = net:term(\"u3\"):coefficient()\nprint(math.abs(c.mean + 2) < 0.05, #c.value == c.mesh.size)  --> true	true"),
				bind.ReturnsAs("{mean=, mean_band=, value=, band=, mesh=}", "mean: of what G_c and G make of φ of the pairs, ⟨∫G_c φ, ∫G φ⟩/⟨∫G φ, ∫G φ⟩; value: c(x) = ∫G_c(x,y)G(x,y)dy/∫G(x,y)²dy on mesh, NaN where G is next to nothing. Bands are half widths of 95 %, from pairs left out; that of value has the mean in it where a constant agrees better with the pairs. They do not hold all of what noise does, which draws coefficients towards zero (attenuation)"),
				bind.Errors("the term is an input", "there is not one input with the coordinates of the term")),
		),
	)
}

// coefficientRow is what coefficient returns.
type coefficientRow struct {
	Mean     float64      `arg:"mean"`
	MeanBand float64      `arg:"mean_band"`
	Value    *array.Array `arg:"value"`
	Band     *array.Array `arg:"band"`
	Mesh     mesh.Mesh    `arg:"mesh"`
}

func (t networkTerm) coefficient() (coefficientRow, error) {
	k := t.of.Coefficient(t.name)
	if k == nil {
		return coefficientRow{}, fmt.Errorf("%s: has no coefficient: that is for a term of u beside the only input with the same coordinates", t.name)
	}
	return coefficientRow{k.Mean, k.MeanBand, array.Vector(slices.Clone(k.Value)), array.Vector(slices.Clone(k.Band)), k.Mesh}, nil
}
