package manual_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/workbench/host"
)

// The functions here are the Go of the guide "Embedding in Go".

func learn(path string) error {
	ctx := context.Background()
	axis, err := mesh.Uniform(0, 1, 100, "")
	if err != nil {
		return err
	}
	m, err := mesh.New(axis)
	if err != nil {
		return err
	}
	meshes := dataset.LoadSpec{InputMesh: m, OutputMesh: m}
	pairs, err := dataset.Load(ctx, path, meshes)
	if err != nil {
		return err
	}
	est, err := fit.Fit(ctx, fit.Spec{
		Data:   pairs,
		Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.5}},
	})
	if err != nil {
		return err
	}
	fmt.Println(est.Report)
	return nil
}

func runProbe(ctx context.Context) error {
	reg := bind.New(append(bindings.All(), probe())...)
	h, err := host.New(host.Options{Modules: reg, Timeout: time.Minute})
	if err != nil {
		return err
	}
	defer h.Close()
	script := `print(probe.temperature{sensor = 3} * array.ones(2))`
	if err := h.Run(ctx, "probe.lua", script); err != nil {
		return err
	}
	return nil
}

func probe() bind.Module {
	type arguments struct {
		Sensor int `arg:"sensor" doc:"its number" allow:">=1"`
	}
	temperature := func(_ *bind.Call, a *arguments) (float64, error) {
		return 20 + float64(a.Sensor)/2, nil
	}
	return bind.Module{
		Name: "probe",
		Doc:  "The sensors of the experiment.",
		Funcs: []bind.Func{
			bind.Fn("temperature", "Temperature of a sensor.", temperature,
				bind.Returns("degrees Celsius"),
				bind.Example("probe.temperature{sensor = 3}  --> 21.5")),
		},
	}
}

func TestEmbedding(t *testing.T) {
	if err := learn("../../scripts/data/poisson.npz"); err != nil {
		t.Error(err)
	}
	if err := runProbe(t.Context()); err != nil {
		t.Error(err)
	}
	for _, err := range bind.New(probe()).Check() {
		t.Error(err)
	}
}
