package bindings

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// noiseChoice is the noise of outputs: the kernels that are tried. Without one it is white.
type noiseChoice struct{ kernels []kernel.Kernel }

// DecodeLua implements bind.Decoder.
func (n *noiseChoice) DecodeLua(c *bind.Call, value lua.LValue) error {
	switch value {
	case lua.LString("white"):
		return nil
	case lua.LString("auto"):
		n.kernels = []kernel.Kernel{nil, kernel.Exponential{Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}
		return nil
	}
	if value.Type() == lua.LTString {
		return bind.ErrKind
	}
	k, err := bind.Decode[kernel.Kernel](c, value)
	n.kernels = []kernel.Kernel{k}
	return err
}

// LuaKind implements bind.Decoder.
func (n *noiseChoice) LuaKind() string { return `"white"|"auto"|kernel` }

// candidates are the kernels to be tried; none stands for white noise.
func (n *noiseChoice) candidates() []kernel.Kernel {
	if n == nil {
		return nil
	}
	return n.kernels
}

const (
	onlyInput  = "f"
	onlyOutput = "u"
)

// besideNoise is the estimate of one operator from pairs whose noise is correlated.
func (p fitCall) besideNoise(c *bind.Call) (estimate, error) {
	d := p.Data.A
	white := p.hypothesis
	white.Noise = nil
	whole, err := white.specOfPairs(d) // with what is refused for pairs
	switch {
	case err != nil:
		return nil, err
	case p.Method != "exact" || p.Structure != "auto":
		return nil, errors.New("noise: goes with method \"exact\" and structure \"auto\"")
	case whole.Prior != nil:
		return nil, errors.New("noise: does not go with a prior")
	case len(whole.Kernels) > 0:
		return nil, errors.New("kernel: with noise, want one kernel; without one its lengthscale is chosen with the noise")
	}
	t, err := dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{onlyInput: d.Input}, Output: map[string]*array.Array{onlyOutput: d.Output},
		InputMesh: dataset.Meshes{All: d.InputMesh}, OutputMesh: dataset.Meshes{All: d.OutputMesh}, Missing: d.Missing,
	})
	if err != nil {
		return nil, err
	}
	s := model.Spec{
		Data: t, Noise: p.Noise.candidates(), Bias: whole.Bias, NoBias: whole.NoBias, Intercept: whole.Intercept, Lambda: whole.Lambda,
		Rho: whole.Rho, Criterion: whole.Criterion, Tolerance: whole.Tolerance, MaxIterations: whole.MaxIterations,
	}
	if whole.Kernel != nil {
		s.Kernels = map[string]kernel.Kernel{onlyInput: whole.Kernel}
	}
	if whole.Constraint != nil {
		s.Constraints = map[string]constraint.Constraint{onlyInput: whole.Constraint}
	}
	e, err := model.Fit(c, s)
	if err != nil {
		return nil, err
	}
	out, err := e.Alone()
	if err != nil {
		return nil, err
	}
	return out, strictly(p.Strict, out.Report)
}
