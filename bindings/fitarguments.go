package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/adam"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// problem is what green.path cannot do without.
type problem struct {
	Data   *dataset.Dataset `arg:"data" doc:"pairs to learn from"`
	Kernel kernelChoice     `arg:"kernel" doc:"kernel of G, on the coordinates of the input, then those of the output; of a list, the one with the best restricted likelihood is taken; auto chooses family, lengthscales and weights by restricted likelihood and by predicting left-out pairs" default:"auto" allow:"nonempty"`
}

// kernelChoice is a kernel, several to choose from, or "auto".
type kernelChoice = bind.Auto[bind.Either[kernel.Kernel, []kernel.Kernel]]

// knowledge is what is known of the one operator of pairs.
type knowledge struct {
	Constraint constraint.Constraint `arg:"constraint" doc:"what is known of G, one constraint or a list" default:"nil"`
}

// fitArguments are the other arguments that both have.
type fitArguments struct {
	Bias          bind.OrFalse[kernel.Kernel] `arg:"bias" doc:"kernel of the bias term, or false for no bias; by default the kernel of G without its constraint for one and the same x, K((x, y), (x, y')), averaged over the input mesh if it depends on x; for kernel.kink its smooth part; of a frame the sum over the terms, each scaled to the size of the smallest" default:"nil"`
	Rho           bind.Auto[float64]          `arg:"rho" doc:"penalty of the bias; auto: chosen together with lambda, or equal to lambda if that is a number" default:"auto" allow:">0"`
	Intercept     string                      `arg:"intercept" doc:"flat: the bias has a constant that is not penalised, so that a constant added to the outputs is added to the predictions; auto: flat if lambda and rho are both chosen, none if one of them is a number" default:"auto" allow:"auto|flat|none"`
	Criterion     string                      `arg:"criterion" doc:"what chooses lambda: restricted maximum likelihood, generalised cross-validation, leaving out one pair at a time, or five-fold cross-validation (slower); auto: reml, or loo if the kernel is chosen automatically" default:"auto" allow:"auto|reml|gcv|loo|cv"`
	Method        string                      `arg:"method" doc:"exact: preconditioned conjugate gradients; dense: Cholesky (small problems); adam: the paper's trainer, for comparison; its report.history approaches report.minimum" default:"exact" allow:"exact|dense|adam"`
	Structure     structureName               `arg:"structure" doc:"how the kernel's matrix is represented; auto chooses" default:"auto"`
	Landmarks     bind.Auto[int]              `arg:"landmarks" doc:"how many points of each side the fit is made on, evenly spread among those of scattered meshes that are too large: on these, the inputs have the integrals, and the outputs the values, that interpolation by the kernel gives them. As many as there are points: all; auto: all where that is affordable, else twice as many until predictions hardly change. est.report.landmark_change says what half as many change" default:"auto" allow:">=2"`
	Tolerance     float64                     `arg:"tolerance" doc:"relative residual" default:"1e-10" allow:"(0,1)"`
	MaxIterations int                         `arg:"max_iterations" doc:"of the solver" default:"1000" allow:">=1"`
	Strict        bool                        `arg:"strict" doc:"not reaching the tolerance is an error" default:"false"`
}

// structureName is that of a structure of kernels, or "auto".
type structureName string

// LuaWords implements bind.Words.
func (structureName) LuaWords() []string {
	words := []string{"auto"}
	for _, s := range fit.Structures() {
		words = append(words, string(s))
	}
	return words
}

func (p fitArguments) spec(of problem, c constraint.Constraint) fit.Spec {
	s := fit.Spec{
		Write: func(v fmt.Stringer) string { return luaText(v) },
		Data:  of.Data, Kernel: of.Kernel.Value.A, Kernels: of.Kernel.Value.B, Bias: p.Bias.Value, NoBias: p.Bias.False, Constraint: c,
		Rho: p.Rho.Value, Dense: p.Method == "dense",
		Landmarks: p.Landmarks.Value, Tolerance: p.Tolerance, MaxIterations: p.MaxIterations,
	}
	if p.Criterion != "auto" {
		s.Criterion = fit.Criterion(p.Criterion)
	}
	if p.Intercept != "auto" {
		s.Intercept = fit.Intercept(p.Intercept)
	}
	if p.Structure != "auto" {
		s.Structure = fit.Structure(p.Structure)
	}
	return s
}

// adamArguments are the named arguments of green.fit that method "adam" reads.
type adamArguments struct {
	Epochs int                `arg:"epochs" doc:"of method adam: passes over the data" default:"500" allow:">=1"`
	Batch  int                `arg:"batch" doc:"of method adam: samples in a step" default:"100" allow:">=1"`
	Rate   bind.Auto[float64] `arg:"rate" doc:"of method adam: the learning rate; auto tries 100, 50, 10, 5, 1, … as the paper does" default:"auto" allow:">0"`
	Seed   uint64             `arg:"seed" doc:"of method adam: of the order of the samples" default:"1"`
}

func (p adamArguments) trainer() adam.Trainer {
	return adam.Trainer{Epochs: p.Epochs, Batch: p.Batch, Rate: p.Rate.Value, Seed: p.Seed}
}

// strictly makes a fit that did not converge an error when the user asked for it.
func strictly(strict bool, r fit.Report) error {
	if strict && !r.Converged {
		return fmt.Errorf("not converged: relative residual %.2g after %d iterations (%s)", r.Residual, r.Iterations, r.Reason)
	}
	return nil
}
