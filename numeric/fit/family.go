package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/families"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// resolve chooses what a spec leaves open of its kernels, or the kernel itself.
func (s *Spec) resolve(ctx context.Context) (decision, error) {
	if s.Kernel == nil {
		return s.chooseKernel(ctx)
	}
	return s.chooseNumbers(ctx)
}

// chooseKernel puts a kernel where the spec has none, or several.
func (s *Spec) chooseKernel(ctx context.Context) (d decision, err error) {
	if s.byFamilies() {
		return s.chooseFamily(ctx)
	}
	kernels := s.Kernels
	if len(kernels) == 0 {
		kernels = openFamilies()
	}
	var tries []Spec
	var field []*criteria.Contender
	var notes []criteria.Note
	for i, k := range kernels {
		try := *s
		try.Kernel, try.Kernels = k, nil
		chosen, err := try.chooseNumbers(ctx)
		if err != nil {
			return d, fmt.Errorf("kernel %d of %d: %w", i+1, len(kernels), err)
		}
		c, err := try.contend(ctx)
		if err != nil {
			return d, fmt.Errorf("kernel %d of %d: %w", i+1, len(kernels), err)
		}
		tries, field, notes = append(tries, try), append(field, c), append(notes, chosen.note)
		if err := criteria.Settle(ctx, field, i == len(kernels)-1); err != nil {
			return d, err
		}
	}
	best, doubt := criteria.Winner(field)
	if best < 0 {
		return d, fmt.Errorf("kernel: none of the %d gives a finite likelihood; give another", len(kernels))
	}
	*s = tries[best]
	d.why, d.note = fmt.Sprintf("kernel %d of %d, chosen by reml%s", best+1, len(kernels), doubt), notes[best]
	if s.few() {
		kernels = nil
		for _, try := range tries {
			kernels = append(kernels, try.Kernel)
		}
		d.rivals = plausible(field, kernels)
		d.why += allowed(len(d.rivals))
	}
	return d, nil
}

// byFamilies reports whether closed forms choose the kernel. Under a constraint they do so without it: how smooth G is does not
// depend on what else is known of it, and closed forms tell it more finely than few tries under the constraint could.
// They do not where the constraint leaves G other coordinates, and for few data, whose bands are means over kernels under it.
func (s *Spec) byFamilies() bool {
	if s.Kernel != nil || len(s.Kernels) > 0 || outputs.FewComplete(s.Data) {
		return false
	}
	if s.Constraint == nil {
		return true
	}
	l, err := constraint.LawsOf(s.Constraint, lattice.Space(s.Data.InputMesh, s.Data.OutputMesh))
	return err == nil && l.Reduce == nil && !s.few()
}

// openFamilies are the kernels that are tried where closed forms do not choose one, or know of too few pairs because
// outputs are missing.
func openFamilies() []kernel.Kernel {
	return []kernel.Kernel{kernel.SE{}, kernel.Matern{Nu: 2.5}, kernel.Matern{Nu: 1.5}, kernel.Exponential{}}
}

// chooseFamily chooses a kernel by the closed forms of package families, from the pairs
// that are complete. Predictions judge it there, so they judge λ too where no criterion is
// given: a kernel that was chosen among few families is not the one that made G, and REML
// asks for too little noise then; under a constraint leaving out pairs needs a matrix of all
// values, and REML chooses λ. Whether G has a kink is often undecided, and near it the
// bands depend on that: they know of the kernel that may be better, where it is likely enough.
func (s *Spec) chooseFamily(ctx context.Context) (d decision, err error) {
	data := s.Data
	if outputs.Missing(data) {
		if data, err = outputs.CompletePairs(data); err != nil {
			return d, err
		}
	}
	given, err := familyData(ctx, s, data)
	if err != nil {
		return d, err
	}
	choices, err := families.Search(ctx, given)
	if err != nil {
		return d, err
	}
	s.Kernel = choices[0].Kernel
	if s.Criterion == "" && s.Constraint == nil {
		s.Criterion = LOO
	}
	d.why = "kernel chosen by reml and loo from " + spelling.Count(len(choices), "family")
	if len(choices) > 1 && choices[1].LOO-choices[0].LOO < criteria.Undecided {
		d.why += fmt.Sprintf(" (%s is no worse)", s.Text(choices[1].Kernel))
	}
	if s.few() {
		few, err := families.Plausible(ctx, given, choices[0], severalKernels)
		for _, c := range few {
			d.rivals = append(d.rivals, rival{kernel: c.Kernel, share: c.Share})
		}
		d.why += allowed(len(few))
		return d, err
	}
	if r := families.Rival(choices); r != nil && r.Share > leastShare {
		d.rivals = []rival{{kernel: r.Kernel, share: r.Share, ratio: r.Lambda / choices[0].Lambda}}
		d.why += fmt.Sprintf("; bands know that with a probability of %.2g it is %s", r.Share, s.Text(r.Kernel))
	}
	return d, nil
}

// leastShare is how likely a kernel must be to be better for bands to know of it.
const leastShare = 0.02

// familyData are complete pairs with the covariance of their errors; weights of single values
// are left out, which no closed form knows.
func familyData(ctx context.Context, s *Spec, d *dataset.Dataset) (f families.Data, err error) {
	if d, err = outputs.InWeightedMesh(d); err != nil {
		return f, err
	}
	input, output := d.Matrices()
	f = families.Data{Input: input, Output: output, X: d.InputMesh, Y: d.OutputMesh, Centred: !s.NoBias}
	if d.Errors == nil {
		return f, nil
	}
	f.Pairs = outputs.PairRoots(d)
	if e := *d.Errors; e.Covariance != nil || e.Points != nil {
		one := *d
		e.Values = nil
		one.Errors = &e
		f.R, err = outputs.PairWhitening(ctx, &one)
	}
	return f, err
}
