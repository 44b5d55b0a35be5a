package bindings

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// networkSamples are the arguments of network:predict.
type networkSamples struct {
	Network trained                                                                 `arg:"self"`
	Inputs  bind.Either[samples, bind.Either[*array.Array, map[string]inputValues]] `arg:"inputs" pos:"1" doc:"values of the input, one function or n × points; or by name, {f = F}; or pairs"`
	Y       mesh.Mesh                                                               `arg:"ymesh" doc:"where outputs are wanted; by default the mesh of the data" default:"nil"`
	X       meshes                                                                  `arg:"input_mesh" doc:"where the inputs are sampled: one mesh, or one for each by name; by default those of the data" default:"nil"`
}

func (p networkSamples) table() (t *dataset.Table, single bool, err error) {
	of := learned{Estimate: &model.Estimate{Data: p.Network.Data}}
	s := newSamples{X: p.X}
	switch {
	case !p.Inputs.IsB:
		s.Inputs.A, err = networkTable(p.Inputs.A)
	case p.Inputs.B.IsB:
		s.Inputs = bind.Second[frame](p.Inputs.B.B)
	case len(p.Network.Data.Fields) != 1:
		return nil, false, fmt.Errorf("inputs: want a table by name: the network has the inputs %s", strings.Join(names(p.Network.Data.Fields), ", "))
	default:
		name := p.Network.Data.Fields[0].Name
		s.Inputs = bind.Second[frame](map[string]inputValues{name: bind.First[*array.Array, bind.Either[string, []string]](p.Inputs.B.A)})
	}
	if err != nil {
		return nil, false, err
	}
	return s.table(of)
}

// predictionInfo is what net:predict returns beside the outputs.
type predictionInfo struct {
	Steps  int      `arg:"steps"`
	Radius float64  `arg:"radius"`
	Notes  []string `arg:"notes"`
}

func (p networkSamples) predict(c *bind.Call) (bind.Results, error) {
	t, single, err := p.table()
	if err != nil {
		return nil, err
	}
	u, err := p.Network.Predict(c, t, p.Y)
	if err != nil {
		return nil, err
	}
	return bind.Results{asArray(u.U, single), predictionInfo{u.Steps, u.Radius, shown(c, "network:predict", u.Notes)}}, nil
}

func (n trained) error(c *bind.Call, s samples) (sum stats.Summary, err error) {
	d, err := networkTable(s)
	if err != nil {
		return sum, err
	}
	name := n.Data.Outputs[0].Name
	truth := d.Output(name)
	if truth == nil {
		return sum, nameIn("output", name, names(d.Outputs))
	}
	u, err := n.Predict(c, d, truth.Mesh)
	if err != nil {
		return sum, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u.U), truth.Values)
	if err != nil {
		return sum, err
	}
	if sum, err = stats.Summarize(errs); err != nil {
		return sum, err
	}
	sum.R2, err = stats.R2(array.FromMatrix(u.U), truth.Values, truth.Mesh.Weights())
	return sum, err
}

// shown are notes on a result, told to whoever runs the script as well: the result may be all that
// the script keeps.
func shown(c *bind.Call, function string, notes []string) []string {
	for _, n := range notes {
		progress.Note(c, function+": "+n)
	}
	return notes
}
