package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/families"
	"github.com/greenbench/workbench/numeric/kernel"
)

// chooseKernel puts a kernel where the spec has none, or several.
func (s *Spec) chooseKernel(ctx context.Context) (why, note string, err error) {
	if len(s.Kernels) == 0 && s.Constraint == nil && !fewComplete(s.Data) {
		why, err = s.chooseFamily(ctx)
		return why, "", err
	}
	kernels := s.Kernels
	if len(kernels) == 0 {
		kernels = openFamilies()
	}
	var tries []Spec
	var field []*contender
	var notes []string
	for i, k := range kernels {
		try := *s
		try.Kernel, try.Kernels = k, nil
		_, note, err := try.resolve(ctx)
		if err != nil {
			return "", "", fmt.Errorf("kernel %d of %d: %w", i+1, len(kernels), err)
		}
		c, err := try.contend(ctx)
		if err != nil {
			return "", "", fmt.Errorf("kernel %d of %d: %w", i+1, len(kernels), err)
		}
		tries, field, notes = append(tries, try), append(field, c), append(notes, note)
		if err := settle(ctx, field, i == len(kernels)-1); err != nil {
			return "", "", err
		}
	}
	best, doubt := winner(field)
	if best < 0 {
		return "", "", fmt.Errorf("kernel: none of the %d gives a finite likelihood; give another", len(kernels))
	}
	*s = tries[best]
	return fmt.Sprintf("kernel %d of %d, chosen by reml%s", best+1, len(kernels), doubt), notes[best], nil
}

// openFamilies are the kernels that are tried where a constraint, or outputs that are
// missing, leave no closed form of the criterion.
func openFamilies() []kernel.Kernel {
	return []kernel.Kernel{kernel.SE{}, kernel.Matern{Nu: 2.5}, kernel.Matern{Nu: 1.5}, kernel.Exponential{}}
}

// chooseFamily chooses a kernel by the closed forms of package families, from the pairs
// that are complete. Predictions judge it there, so they judge λ too where no criterion is
// given: a kernel that was chosen among few families is not the one that made G, and REML
// asks for too little noise then.
func (s *Spec) chooseFamily(ctx context.Context) (why string, err error) {
	d := s.Data
	if missing(d) {
		if d, err = completePairs(d); err != nil {
			return "", err
		}
	}
	given, err := familyData(ctx, s, d)
	if err != nil {
		return "", err
	}
	choices, err := families.Search(ctx, given)
	if err != nil {
		return "", err
	}
	s.Kernel = choices[0].Kernel
	if s.Criterion == "" {
		s.Criterion = LOO
	}
	why = fmt.Sprintf("kernel chosen by reml and loo from %d families", len(choices))
	if len(choices) > 1 && choices[1].LOO-choices[0].LOO < undecided {
		why += fmt.Sprintf(" (%s is no worse)", s.Text(choices[1].Kernel))
	}
	return why, nil
}

// familyData are complete pairs with the covariance of their errors; weights of single values
// are left out, which no closed form knows.
func familyData(ctx context.Context, s *Spec, d *dataset.Dataset) (f families.Data, err error) {
	open := *s
	open.Data = d
	weighted, err := open.inWeightedMesh()
	if err != nil {
		return f, err
	}
	d = weighted.Data
	input, output := d.Matrices()
	f = families.Data{Input: input, Output: output, X: d.InputMesh, Y: d.OutputMesh, Centred: !s.NoBias}
	if d.Errors == nil {
		return f, nil
	}
	f.Pairs = pairRoots(d)
	if e := *d.Errors; e.Covariance != nil || e.Points != nil {
		one := *d
		e.Values = nil
		one.Errors = &e
		f.R, err = outputWhitening(ctx, &one)
	}
	return f, err
}
