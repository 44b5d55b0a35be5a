package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
)

// lengthscales are those tried where a kernel leaves them to the fit, as fractions
// of the length of each axis: 2 % to 80 %.
func lengthscales() []float64 {
	const count = 12
	f := make([]float64, count)
	for i := range f {
		f[i] = 0.02 * math.Pow(40, float64(i)/(count-1))
	}
	return f
}

// resolve chooses the lengthscales that the kernels of a spec leave open: the
// fraction of the axes' lengths that REML likes best, with λ chosen anew for each
// unless it is given. It returns what to say about it, and a note where the choice lies at
// an end of those tried.
func (s *Spec) resolve(ctx context.Context) (why, note string, err error) {
	auto := kernel.IsAuto(s.Kernel)
	if !auto && (s.Bias == nil || !kernel.IsAuto(s.Bias)) {
		return "", "", nil
	}
	lengths, err := s.axisLengths()
	if err != nil {
		return "", "", err
	}
	best, at, data := math.Inf(1), *s, s.Data
	if missing(data) && s.Constraint == nil && !fewComplete(data) {
		if data, err = completePairs(data); err != nil {
			return "", "", err
		}
	}
	chosen := 0.0
	all := lengthscales()
	for i, fraction := range all {
		progress.Report(ctx, progress.Step{Task: "lengthscale", Done: float64(i), Total: float64(len(all)), Label: "fraction", Value: fraction})
		try := *s
		try.Kernel = kernel.Resolve(s.Kernel, scaled(lengths, fraction), fraction)
		if s.Bias != nil {
			try.Bias = kernel.Resolve(s.Bias, scaled(lengths[len(lengths)-s.Data.OutputMesh.Dim():], fraction), fraction)
		}
		try.Data = data
		value, err := try.criterion(ctx)
		if err != nil {
			return "", "", err
		}
		if value < best {
			best, at, chosen = value, try, fraction
		}
	}
	if math.IsInf(best, 1) {
		return "", "", fmt.Errorf("lengthscale \"auto\": no lengthscale gives a finite likelihood; give a number")
	}
	at.Data = s.Data
	*s = at
	why = fmt.Sprintf("lengthscale %.3g of each axis, chosen by reml from %d", chosen, len(all))
	switch chosen {
	case all[0]:
		note = fmt.Sprintf("the lengthscale is the smallest that was tried, %.0f %% of each axis: give a smaller number, or a rougher kernel", 100*chosen)
	case all[len(all)-1]:
		note = fmt.Sprintf("the lengthscale is the largest that was tried, %.0f %% of each axis: give a larger number, or a smoother kernel", 100*chosen)
	}
	return why, note, nil
}

// axisLengths are the lengths of the box of the kernel's coordinates.
func (s *Spec) axisLengths() ([]float64, error) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	if s.Constraint == nil {
		return boxLengths(x, y), nil
	}
	g, err := newGrid(s.Constraint, x, y)
	if off := (*offGrid)(nil); err != nil && !errors.As(err, &off) {
		return nil, err
	}
	l := boxLengths(g.x, g.y)
	if g.point {
		l = l[1:]
	}
	if g.lag != nil { // of the lags between the meshes, without their images
		both := boxLengths(x, y)
		l[len(l)-1] = both[g.lag.Input] + both[g.lag.Output]
	}
	return l, nil
}

func boxLengths(x, y mesh.Mesh) []float64 {
	var l []float64
	for _, a := range append(x.Axes(), y.Axes()...) {
		for i := range a.Lower {
			l = append(l, a.Upper[i]-a.Lower[i])
		}
	}
	return l
}

// scaled is a lengthscale of a fraction of each length: one number when all
// lengths agree.
func scaled(lengths []float64, fraction float64) kernel.Lengthscale {
	l := make(kernel.Lengthscale, len(lengths))
	same := true
	for i, v := range lengths {
		l[i] = fraction * v
		same = same && math.Abs(v-lengths[0]) <= 1e-12*v
	}
	if same {
		return l[:1]
	}
	return l
}

// criterion is REML for a spec, at its λ or at the best one.
func (s *Spec) criterion(ctx context.Context) (float64, error) {
	if s.Constraint != nil || missing(s.Data) {
		return s.amongWeights(ctx)
	}
	sys, _, err := newSystem(ctx, s)
	if err != nil {
		return 0, err
	}
	return sys.criterion(ctx, s)
}

func (sys *system) criterion(ctx context.Context, s *Spec) (float64, error) {
	var rep Report
	m, err := newSimultaneous(ctx, sys, s)
	if err != nil {
		return 0, err
	}
	if err := sys.chooseLambda(ctx, s, m, &rep); err != nil {
		return 0, err
	}
	return rep.REML, nil
}

// amongWeights is criterion where its closed form does not hold, but for orbits.
func (s *Spec) amongWeights(ctx context.Context) (float64, error) {
	off := (*offGrid)(nil)
	f, err := newOrbitFit(ctx, s)
	switch {
	case f != nil:
		return f.sys.criterion(ctx, &f.spec)
	case err != nil && !errors.As(err, &off):
		return 0, err
	}
	free := *s
	w, _, err := newWeightSpace(ctx, &free)
	if errors.As(err, &off) {
		free.compose()
		w, _, err = newWeightSpace(ctx, &free)
	}
	if err != nil {
		return 0, err
	}
	if err := w.precondition(ctx, &free); err != nil {
		return 0, err
	}
	return w.remlOf(ctx, &free)
}
