package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/fit/lattice"
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
	if s.Kernel == nil {
		return s.chooseKernel(ctx)
	}
	auto := kernel.IsAuto(s.Kernel)
	if !auto && (s.Bias == nil || !kernel.IsAuto(s.Bias)) {
		return "", "", nil
	}
	lengths, err := s.axisLengths()
	if err != nil {
		return "", "", err
	}
	data := s.Data
	if missing(data) && s.Constraint == nil && !fewComplete(data) && observedCount(data) > toCompare().rows {
		if data, err = completePairs(data); err != nil {
			return "", "", err
		}
	}
	var tries []Spec
	var field []*contender
	all := lengthscales()
	for i, fraction := range all {
		progress.Report(ctx, progress.Step{Task: "lengthscale", Done: float64(i), Total: float64(len(all)), Label: "fraction", Value: fraction})
		try := *s
		try.Kernel = kernel.Resolve(s.Kernel, scaled(lengths, fraction), fraction)
		if s.Bias != nil {
			try.Bias = kernel.Resolve(s.Bias, scaled(lengths[len(lengths)-s.Data.OutputMesh.Dim():], fraction), fraction)
		}
		try.Data = data
		c, err := try.contend(ctx)
		if err != nil {
			return "", "", err
		}
		tries, field = append(tries, try), append(field, c)
		if err := settle(ctx, field, i == len(all)-1); err != nil {
			return "", "", err
		}
	}
	best, doubt := winner(field)
	if best < 0 {
		return "", "", fmt.Errorf("lengthscale \"auto\": no lengthscale gives a finite likelihood; give a number")
	}
	tries[best].Data = s.Data
	*s = tries[best]
	chosen := all[best]
	why = fmt.Sprintf("lengthscale %.3g of each axis, chosen by reml%s from %d", chosen, doubt, len(all))
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
	g, err := lattice.New(s.Constraint, x, y)
	if err != nil {
		return nil, err
	}
	l := boxLengths(g.X(), g.Y())
	if g.Point() {
		l = l[1:]
	}
	if g.Lag() != nil { // of the lags between the meshes, without their images
		both := boxLengths(x, y)
		l[len(l)-1] = both[g.Lag().Input] + both[g.Lag().Output]
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

// contend is a spec among others that REML chooses from, at its λ or at the best one.
func (s *Spec) contend(ctx context.Context) (*contender, error) {
	fast := *s
	fast.Dense = false
	p, err := pose(ctx, &fast)
	if err != nil {
		return nil, err
	}
	return p.contend(ctx)
}
