package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inobserved"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// What is usual: numbers of products with the kernel, and of fits.
const (
	usualSteps      = 12   // of CG
	usualGaps       = 15   // where some outputs are missing
	stepsPerRoot    = 10.6 // times the root of the factor by which weights of values are apart: of 1 to 4 decades 26, 109, 337 and 988
	usualManyGaps   = 80   // where so many are that their part of the system is not factored
	usualGMRES      = 32
	usualDirections = 80    // of that, and what they are preconditioned to, in memory
	usualSpectrum   = 45    // for the choice of λ under a constraint
	usualOfTry      = 90    // for that of a try, see costOfKernel
	usualVectorWork = 1.8   // by what random vectors and their space multiply the cost of a product
	usualBlocks     = 8     // of random vectors for kernels that are smooth
	usualMatrices   = 6     // that are factored and inverted to choose λ by a matrix
	usualChecks     = 2     // of the certificate
	usualSearch     = 2     // by what it multiplies that of the choice of a kernel
	usualFolds      = 5 * 6 // cross-validation: folds, times values of λ
	familyNumbers   = 1400  // that the search by closed forms holds, times the square of these points
	familyPoints    = 100   // of a side
	usualThin       = 0.4   // by what few directions of the kernel that is found multiply the cost of matrices: 0.1 of smooth ones, 1 of those with a kink
	usualLandmarks  = 256   // at last
	usualVectors    = 10    // of the size of the weights, and of the unknowns
	copiesOfThin    = 2     // that are held, of these matrices
	copiesOfFactors = 3
	copiesOfData    = 3
)

// expected is that of a spec that asks for no constraint, on the processor that costs are of.
func (s *Spec) expected(ctx context.Context) progress.Cost {
	if s.check() != nil {
		return progress.Cost{}
	}
	known := *s
	open := s.Kernel == nil || kernels.IsAuto(s.Kernel)
	if open {
		known.Kernel = someKernel()
	}
	if s.Dense && !open {
		return s.costOfDense()
	}
	families := s.byFamilies() && s.Constraint == nil
	if families && s.Criterion == "" { // see chooseFamily
		known.Criterion = LOO
	}
	w, err := known.work(ctx)
	if err != nil {
		return progress.Cost{}
	}
	w.smooth = families
	all := w.cost()
	if known.notByLandmarks() == "" {
		if large, err := known.tooLarge(); err != nil {
			return progress.Cost{}
		} else if large || s.Landmarks > 0 {
			all = known.costOnLandmarks()
		}
	}
	if open {
		all = all.And(s.costOfKernel(w))
	}
	return all
}

// someKernel stands for one that is not known yet: what a kernel costs does not depend on its numbers.
func someKernel() kernel.Kernel {
	return kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{1}}
}

func (s *Spec) workOn(mx, my float64, output []float64, axes, terms int) *work {
	n := float64(s.Data.N())
	on := n * my / float64(len(s.Data.Output.Data))
	light, apart := inobserved.Outlook(s.Data)
	return &work{
		pairs: n, mx: mx, my: my, rows: min(n, mx+1), axes: axes, output: output, terms: float64(terms),
		gaps: outputs.Uneven(s.Data), missing: on * float64(len(s.Data.Output.Data)-outputs.Count(s.Data)), free: s.Lambda == 0, by: s.Criterion,
		light: on * float64(light), apart: apart, most: float64(s.maxIterations()), few: outputs.FromObserved(s.Data),
	}
}

func (s *Spec) work(ctx context.Context) (*work, error) {
	l := lattice.On(s.Data.InputMesh, s.Data.OutputMesh)
	var on *lattice.Lattice
	if s.Constraint != nil {
		of, why, err := s.lattice(ctx)
		if err != nil {
			return nil, err
		}
		if why != "" {
			c, t := *s, s.setting().Composed()
			c.Bias, c.Kernel, c.Constraint = t.Bias, t.Kernel, nil
			return c.work(ctx)
		}
		on, l = of, of
	}
	f, err := kernels.Compile(l.Kernel(s.Kernel), l.Space())
	if err != nil {
		return nil, err
	}
	x, y := l.X(), l.Y()
	var output []float64
	for _, a := range y.Axes() {
		output = append(output, float64(a.Size()))
	}
	axes, terms, parameters := len(x.Axes())+len(y.Axes()), gram.Outlook(f, x, y), 1
	if sum, ok := s.Kernel.(kernels.DirectSum); ok {
		if axes, terms, parameters, err = outlookOfSum(sum); err != nil {
			return nil, err
		}
	}
	separable, mirrored := false, terms == 0
	if _, ok := s.Kernel.(kernels.DirectSum); !ok && gram.Separable(f, x, y) {
		separable, terms = true, 1
	}
	w := s.workOn(float64(x.Size()), float64(y.Size()), output, axes, terms)
	w.separable, w.mirrored, w.parameters = separable, mirrored, float64(parameters)
	if w.constrained = s.Constraint != nil; on == nil || pose.WithoutImages(s.setting()) {
		return w, nil
	}
	if on.Lag() != nil {
		w.delayed = float64(s.Data.OutputMesh.Size())
	}
	if o, ok := indata.NewOrbit(ctx, on, s.Data.N()); ok {
		w.constrained = false
		w.pairs *= float64(len(o.Sign))
		w.rows = min(w.pairs, w.mx+1)
	}
	return w, nil
}

// outlookOfSum is gram.Outlook of the parts of a sum, each of which has a structure of its own, which is that of its functions for
// each of so many parameters.
func outlookOfSum(sum kernels.DirectSum) (axes, terms, parameters int, err error) {
	for p, part := range sum.Parts {
		f, err := kernels.Compile(part.Kernel, sum.Space(p))
		if err != nil {
			return 0, 0, 0, err
		}
		field, on, own, err := gram.OfFamily(f, part.On)
		if err != nil {
			return 0, 0, 0, err
		}
		axes = max(axes, len(on.Axes())+len(sum.Output.Axes()))
		terms, parameters = max(terms, gram.Outlook(field, on, sum.Output)), max(parameters, own)
	}
	return axes, terms, parameters, nil
}

// costOnLandmarks is that of two fits, the first with half as many landmarks.
func (s *Spec) costOnLandmarks() progress.Cost {
	most := usualLandmarks
	if s.Landmarks > 0 {
		most = s.Landmarks
	}
	x, y := float64(s.Data.InputMesh.Size()), float64(s.Data.OutputMesh.Size())
	var all progress.Cost
	for count := float64(most); count >= float64(most/2); count /= 2 {
		mx, my := min(x, count), min(y, count)
		w := s.workOn(mx, my, []float64{my}, 2, gram.UsualTerms)
		w.landmarks = true
		all = all.And(w.cost())
	}
	k := float64(most)
	all.Seconds += 4 * k * (x + y) * (k + float64(s.Data.N())) * linop.PerFlop
	all.Bytes += 8 * 2 * (k + float64(s.Data.N())) * (x + y)
	return all
}

// plan is what a fit in one structure is expected to do.
type plan struct {
	setup    float64 // seconds until the system can be multiplied with
	steps    float64 // products with the system, of the solver
	choosing float64 // the same for the choice of λ
	each     float64 // seconds of a product
	closed   float64 // seconds of the closed form that λ is chosen by
	matrices float64 // the same of matrices
	checks   float64 // seconds of the certificate
	bytes    float64
}

func (p plan) cost() progress.Cost {
	return progress.Cost{Seconds: perProblem + p.setup + (p.steps+usualVectorWork*p.choosing)*p.each + p.closed + p.matrices + p.checks, Bytes: p.bytes}
}

// cost is that of a fit in one structure.
func (w *work) cost() progress.Cost { return w.plan().cost() }

// plan is that of a fit in one structure.
func (w *work) plan() plan {
	weights, unknowns := w.mx*w.my, w.rows*w.my
	var numbers float64
	points := w.mx / max(1, w.parameters) // of functions
	setup := gram.Holding(points, w.my, w.terms, w.axes)
	if w.terms == 0 {
		numbers = weights * math.Pow(2, float64(w.axes))
		if len(w.output) == 1 {
			setup += 2 * weights * w.my * linop.PerFlop
		}
	} else {
		squares := points*points + w.my*w.my
		setup += w.terms * (2*w.my*w.my*w.my + 2*w.rows*w.mx*points) * linop.PerFlop
		if w.my <= indata.MaxCoreOutputs {
			setup += w.terms * 4 * w.my * w.my * w.my * linop.PerFlop
		}
		numbers = copiesOfFactors * w.terms * squares
	}
	steps, choosing := float64(usualSteps), 0.0
	setup += perDatum*w.pairs*(w.mx+w.my) + 10*w.pairs*w.mx*w.rows*linop.PerFlop
	switch {
	case w.constrained:
		unknowns, steps = weights, usualGMRES
		choosing = usualSpectrum
		numbers += usualDirections * unknowns
	case w.gaps:
		var factor float64
		steps, factor, numbers = w.withGaps(numbers)
		setup, choosing = setup+factor, criteria.ProbedProducts(unknowns)
	case w.separable: // factors of both sides solve for all λ
		steps, setup = 1, setup+eigenTime(w.rows)+w.product()
		if w.mirrored { // as products of lags are found to be
			setup += gram.Holding(points, w.my, 0, w.axes)
		}
	default:
		if choosing = criteria.ProbedProducts(unknowns); w.smooth {
			choosing *= usualBlocks
		}
		setup += eigenTime(w.rows)
	}
	for _, m := range w.output {
		if setup += eigenTime(m); w.mirrored { // even and odd functions apart
			setup += 2*eigenTime(m/2) - eigenTime(m)
		}
	}
	numbers += usualVectors*(weights+unknowns) + copiesOfData*w.pairs*(w.mx+w.my)
	if w.landmarks && unknowns > indata.MostProbedLandmarks {
		choosing = 0
	}
	if w.by == CV {
		choosing = usualFolds * steps
	}
	if !w.free {
		choosing = 0
	} else if !w.constrained {
		numbers += criteria.ProbedSpace(unknowns)
	}
	closed := 0.0
	if w.free && !w.constrained && !w.gaps {
		inverted, operations := criteria.ClosedSearch(w.pairs, w.rows, w.my)
		closed = perMode*inverted + operations*linop.PerFlop
	}
	p := plan{closed: closed, setup: setup, steps: steps, choosing: choosing, each: w.step(), bytes: 8 * numbers}
	if choosing > 0 && (w.fromObserved() || w.constrained && w.by != CV) {
		var along, among float64 // numbers held, one after the other
		if w.fromObserved() {
			p.choosing = 0
			p.closed, along = w.spectrum()
		}
		p.matrices, among = w.evaluations()
		p.bytes += 8 * max(along, among)
	} else if outputs := w.values(); choosing > 0 && !w.constrained && w.by != CV && outputs <= w.mostRows() {
		p.choosing, p.matrices = 0, usualMatrices*perMatrix*outputs*outputs*outputs*linop.PerFlop
		if w.smooth {
			p.matrices, p.bytes = p.matrices*usualThin, p.bytes+8*copiesOfThin*outputs*outputs
		}
	}
	if p.checks = usualChecks * p.each; w.terms > 0 {
		p.checks += w.product()
	}
	return p
}

// withGaps is the steps of the solver where outputs are missing or have weights, the seconds that the factor of their part of the system
// takes, to be made and at these steps, and how many numbers there are with it.
func (w *work) withGaps(numbers float64) (steps, factor, all float64) {
	q, usual := w.light, float64(usualGaps)
	if w.missing > inobserved.MaxSchur {
		q, usual = 0, usualManyGaps
	}
	if steps = usual; w.apart > 1 {
		steps = min(max(usual, stepsPerRoot*math.Sqrt(w.apart)), w.most)
	}
	samples := min(w.pairs, q) // that may have some
	flops := samples*samples*w.pairs*w.my + q*q*w.my + perMatrix/2*q*q*q
	return steps, flops*linop.PerFlop + steps*perFactor*q*q, numbers + q*q
}

// mostRows is up to how many rows λ is chosen by a matrix.
func (w *work) mostRows() float64 {
	by := w.by
	if by == "" {
		by = REML
	}
	return float64(problem.ToChoose(by).Rows)
}

// costOfDense is that of the definition.
func (s *Spec) costOfDense() progress.Cost {
	weights := float64(s.Data.InputMesh.Size()) * float64(s.Data.OutputMesh.Size())
	unknowns := float64(s.Data.N()) * float64(s.Data.OutputMesh.Size())
	return progress.Cost{
		Seconds: perProblem + perValue*weights*weights + unknowns*unknowns*(weights+unknowns)*linop.PerFlop,
		Bytes:   8 * (weights*weights + 2*unknowns*unknowns),
	}
}

// tries are how many kernels are tried: of each that is open so many, and more for each number that it leaves open.
func (s *Spec) tries() (all float64) {
	space, err := s.kernelSpace()
	if err != nil {
		return 0
	}
	open := s.Kernels
	switch {
	case s.Kernel != nil:
		open = []kernel.Kernel{s.Kernel}
	case len(open) == 0:
		open = openFamilies()
	}
	for _, k := range open {
		if kernels.IsAuto(k) {
			all += float64(firstTries + moreTries*len(kernels.Opens(k, space)))
		}
		if s.Kernel == nil { // beside the others
			all++
		}
	}
	return all
}

// costOfKernel is that of a choice of the kernel, or of its lengthscales on data thinned out.
func (s *Spec) costOfKernel(w *work) progress.Cost {
	if s.byFamilies() {
		side := min(familyPoints, math.Sqrt(w.mx*w.my))
		return progress.Cost{Seconds: perFamily * side, Bytes: 8 * familyNumbers * side * side}
	}
	few := *w
	few.free, few.tried = true, true
	if over := few.mx * few.my / mostPoints; over > 1 {
		few.mx, few.my = few.mx/math.Sqrt(over), few.my/math.Sqrt(over)
	}
	few.pairs = min(few.pairs, max(2, mostCompared/few.my))
	few.rows = min(few.pairs, few.mx+1)
	few.missing *= few.pairs * few.my / (w.pairs * w.my)
	few.light *= few.pairs * few.my / (w.pairs * w.my)
	p := few.plan()
	if !few.constrained && !few.separable {
		p.choosing = min(p.choosing, usualOfTry)
	}
	c := p.cost()
	c.Seconds += perTry - perProblem
	c.Seconds *= s.tries()
	if few.constrained {
		c.Seconds *= usualSearch
	}
	return c
}
