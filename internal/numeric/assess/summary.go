package assess

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Summary is what an analyst reports of an estimate.
type Summary struct {
	Pairs  int     `arg:"pairs" doc:"that it was learned from"`
	Values int     `arg:"values" doc:"of the outputs that were observed"`
	R2     float64 `arg:"r2" doc:"share of the variance around the mean curve that the predictions of these pairs explain, weighted by the quadrature; NaN where at no point the outputs of two pairs differ"`
	R2Left float64 `arg:"r2_left_out" doc:"the same for predictions of each pair from the others, with the same kernel, lambda, rho and factor of a prior"`
	DF     float64 `arg:"df" doc:"effective degrees of freedom: the trace of the matrix that takes outputs to predictions, without those of a prior; NaN where at no point the outputs of two pairs differ"`
	Sigma  float64 `arg:"sigma" doc:"standard deviation of the noise in one value"`
	Lambda float64 `arg:"lambda" doc:"penalty of G"`
	Rho    float64 `arg:"rho" doc:"penalty of the bias"`
	Chosen string  `arg:"criterion" doc:"what chose lambda"`
	Kernel string  `arg:"kernel" doc:"of G; of a model its terms have kernels of their own"`
	Noise  string  `arg:"noise" doc:"white, or what was found besides white noise"`
	Terms  []Term  `arg:"terms" doc:"what adds to the output, each with name, sd, f, score, p and p_error"`

	X, Y    int  `arg:"-"` // points of the meshes; X 0: there are several inputs
	Partial bool `arg:"-"` // df and r2_left_out are of some of the pairs
	known   bool // something was known beforehand
}

// Term is a part of an estimate.
type Term struct {
	Name  string   `arg:"name" doc:"G, the name of an input, or bias"`
	SD    float64  `arg:"sd" doc:"standard deviation of what it adds to the output, over pairs and points; of the bias, over points"`
	F     *float64 `arg:"f" doc:"mean square that it explains for each of its degrees of freedom, over that of the residuals; nil where that is not known"`
	Score *float64 `arg:"score" doc:"the statistic of the test: by how many of its standard deviations the covariance of inputs and outputs is above what it is by chance"`
	P     *float64 `arg:"p" doc:"of the hypothesis that the term is zero, by permutations, of a term beside others by draws, too; nil where it was not tested, as of one that is the same in all samples of each label of a group"`
	// PError is what p would differ by of other draws.
	PError *float64 `arg:"p_error" doc:"standard error of p, of the draws or permutations that tell it: with another seed p differs by about as much; nil where there is no p"`

	within string // the group that contains it, beside which it is not tested
}

// fitted are the outputs of a subject, and its predictions of them.
type fitted struct {
	u, of  *mat.Dense
	w      []float64
	filled *mat.Dense // u at all points, also where curves have points of their own
	// scattered are curves on points of their own: their mean curve has no number of parameters.
	scattered bool
	// metric and beyond are of outputs on landmarks, of which the sum of squares is a quadratic form, and what is beyond them;
	// nil: the outputs are as they were given.
	metric *mat.SymDense
	beyond beyond
}

// Summarise makes the summary of an estimate of one operator, or of an output of a model. Cost: that of
// fit.Residuals, and of 999 permutations of n × n matrices; for each of several terms a fit without it,
// and 999 draws of what that leaves.
func Summarise(ctx context.Context, of Subject, seed uint64) (*Summary, error) {
	r, err := of.Residuals(ctx)
	if err != nil {
		return nil, err
	}
	p := partsFor(of)
	s, f, err := p.summary(ctx)
	if err != nil {
		return nil, err
	}
	s.Pairs, s.Partial, s.DF = r.Of, r.Data.N() < r.Of, r.DF
	if s.Values = f.values(); weighted(of, r) && s.Noise == "white" {
		s.Noise = "of weights or a covariance that the report tells of"
	}
	s.R2 = 1 - f.squares()/f.aroundMean()
	if s.R2Left = leftOutR2(r, f.metric); alike(f.filled) {
		s.R2, s.R2Left, s.DF = math.NaN(), math.NaN(), math.NaN() // rounding errors over one another
	}
	if s.Terms, err = p.terms(ctx, s, f, seed); err != nil {
		return nil, err
	}
	for i := range s.Terms {
		s.Terms[i].PError = drawnError(s.Terms[i].P)
	}
	return s, nil
}

// summaryOf is what a report says.
func summaryOf(r fit.Report, x, y int) *Summary {
	return &Summary{X: x, Y: y, Sigma: r.Sigma, Lambda: r.Lambda, Rho: r.Rho, Chosen: r.Criterion, Noise: noiseOf(r), known: r.Prior != nil}
}

func (p pairs) summary(ctx context.Context) (*Summary, fitted, error) {
	s := summaryOf(p.Report, p.InputMesh.Size(), p.OutputMesh.Size())
	s.Kernel = p.Kernel.String()
	d, of, more, err := p.Fitted(ctx)
	if err != nil {
		return nil, fitted{}, err
	}
	metric, err := metricOf(ctx, d, more.Values)
	_, u := d.Matrices()
	return s, fitted{u: u, of: of, w: d.OutputMesh.Weights(), filled: d.Filled(), scattered: d.OutputMesh.Axes()[0].OfCurves(), metric: metric, beyond: beyond{more.Values, more.Left, more.Around}}, err
}

// aroundMean is the weighted sum of squares around the mean curve.
func (f fitted) aroundMean() float64 {
	mean := columnMeans(f.filled)
	n, _ := f.u.Dims()
	return sumOfSquares(f.u, f.w, f.metric, func(_, k int) float64 { return mean[k] }) + float64(n)*f.beyond.around
}

// columnMeans are those of the values of each column that are not NaN.
func columnMeans(u *mat.Dense) []float64 {
	_, my := u.Dims()
	mean, count := make([]float64, my), make([]float64, my)
	each(u, func(_, k int, v float64) { mean[k], count[k] = mean[k]+v, count[k]+1 })
	floats.Div(mean, count)
	return mean
}

// noiseOf is what a report says of the noise.
func noiseOf(r fit.Report) string {
	if what, _, found := strings.Cut(r.Reason, "; "); found && strings.HasPrefix(what, "the noise is ") {
		return strings.TrimPrefix(what, "the noise is ")
	}
	return "white"
}

// alike reports whether no output differs from that of another pair, at any point: nothing is to be
// explained then, and shares of it are not defined.
func alike(u *mat.Dense) bool {
	_, my := u.Dims()
	first := slices.Repeat([]float64{math.NaN()}, my)
	same := true
	each(u, func(_, k int, v float64) {
		if math.IsNaN(first[k]) {
			first[k] = v
		}
		same = same && v == first[k]
	})
	return same
}

func observed(u *mat.Dense) (count int) {
	each(u, func(_, _ int, _ float64) { count++ })
	return count
}

// leftOutR2 compares errors of pairs that were left out with those of the mean of the others, of outputs
// that have what was known beforehand; squares on landmarks are by their metric.
func leftOutR2(r *fit.Residuals, metric *mat.SymDense) float64 {
	_, u := r.Given.Matrices()
	filled := r.Given.Filled()
	w := r.Data.OutputMesh.Weights()
	_, my := u.Dims()
	sum, count := make([]float64, my), make([]float64, my)
	each(filled, func(_, k int, v float64) { sum[k], count[k] = sum[k]+v, count[k]+1 })
	var left, all float64
	others := func(i, k int) float64 { return (sum[k] - filled.At(i, k)) / (count[k] - 1) }
	if metric != nil { // nothing is missing
		n := float64(r.Data.N())
		left = sumOfSquares(r.Observed.Errors, w, metric, func(int, int) float64 { return 0 }) + n*r.Beyond.Left
		all = sumOfSquares(u, w, metric, others) + n*r.Beyond.Around*n/(n-1)*n/(n-1)
		return 1 - left/all
	}
	each(r.Observed.Errors, func(i, k int, v float64) {
		if count[k] > 1 {
			off := u.At(i, k) - others(i, k)
			left, all = left+w[k]*v*v, all+w[k]*off*off
		}
	})
	return 1 - left/all
}

// terms are G, with the test of G = 0, and β.
func (p pairs) terms(ctx context.Context, s *Summary, f fitted, seed uint64) ([]Term, error) {
	d, _, _, err := p.Fitted(ctx)
	if err != nil {
		return nil, err
	}
	g := Term{Name: "G", SD: deviation(f.of)}
	if g.Score, g.P, err = tested(dependence(ctx, d, seed)); err != nil {
		return nil, err
	}
	g.F = s.overMean(f)
	return withBias(ctx, []Term{g}, p.BiasKernel != nil, p.Bias)
}

func tested(score, p float64, err error) (*float64, *float64, error) { return &score, &p, err }

// withBias adds β, where there is one.
func withBias(ctx context.Context, terms []Term, there bool, bias func(context.Context, mesh.Mesh) ([]float64, error)) ([]Term, error) {
	if !there {
		return terms, nil
	}
	beta, err := bias(ctx, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	return append(terms, Term{Name: "bias", SD: deviation(mat.NewDense(len(beta), 1, beta))}), nil
}

// overMean is F of the predictions against the mean curve, which has a degree of freedom for each point;
// nil with something known beforehand, and of curves on points of their own, whose degrees of freedom are not counted.
func (s *Summary) overMean(f fitted) *float64 {
	if s.Partial || s.known || f.scattered {
		return nil
	}
	n, my := f.u.Dims()
	return s.fStatistic(f, f.aroundMean(), float64(my+f.beyond.values/n))
}

// squares is the weighted sum of squares that predictions leave.
func (f fitted) squares() float64 {
	n, _ := f.u.Dims()
	return sumOfSquares(f.u, f.w, f.metric, f.of.At) + float64(n)*f.beyond.left
}

// values is how many were observed.
func (f fitted) values() int { return observed(f.u) + f.beyond.values }

// fStatistic compares the predictions with others that leave a sum of squares, and have degrees of freedom; nil where
// these are no fewer.
func (s *Summary) fStatistic(f fitted, without, df float64) *float64 {
	with := f.squares()
	more, left := s.DF-df, float64(f.values())-s.DF
	if !(more > 0) || !(left > 0) || !(with > 0) {
		return nil
	}
	v := (without - with) / more / (with / left)
	return &v
}

// deviation is the root of the mean square around the mean of each column.
func deviation(u *mat.Dense) float64 {
	n, m := u.Dims()
	ones := make([]float64, m)
	for k := range ones {
		ones[k] = 1
	}
	return mat.Norm(centredRows(u, ones), 2) / math.Sqrt(float64(n*m))
}

// String is the summary as a table.
func (s *Summary) String() string {
	var b strings.Builder
	some := ""
	if s.Partial {
		some = " (of some of the pairs)"
	}
	if s.X > 0 {
		fmt.Fprintf(&b, "%s, input %d and output %s, %d output values\n", spelling.Count(s.Pairs, "pair"), s.X, spelling.Count(s.Y, "point"), s.Values)
	} else {
		fmt.Fprintf(&b, "%s, output %s, %d output values\n", spelling.Count(s.Pairs, "sample"), spelling.Count(s.Y, "point"), s.Values)
	}
	for _, row := range [][2]string{
		{"R²", fmt.Sprintf("%s, of left-out pairs %s", defined("%.4f", s.R2), defined("%.4f", s.R2Left))},
		{"degrees of freedom", fmt.Sprintf("%s effective%s", defined("%.1f", s.DF), some)},
		{"sigma", fmt.Sprintf("%.4g, noise %s", s.Sigma, s.Noise)},
		{"lambda", fmt.Sprintf("%.4g (%s), rho %.4g", s.Lambda, s.Chosen, s.Rho)},
		{"kernel", s.Kernel},
	} {
		if row[1] == "" {
			continue
		}
		fmt.Fprintf(&b, "%-20s%s\n", row[0], row[1])
	}
	wide := len("term")
	for _, t := range s.Terms {
		wide = max(wide, len([]rune(t.Name)))
	}
	fmt.Fprintf(&b, "%-*s  %10s  %8s  %8s  %s\n", wide, "term", "sd", "F", "score", "p")
	for _, t := range s.Terms {
		line := fmt.Sprintf("%-*s  %10.4g  %8s  %8s  %s", wide, t.Name, t.SD, number("%.1f", t.F), number("%.1f", t.Score), t.pValue())
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if !s.several() {
		fmt.Fprintf(&b, "p: that the term is zero, by %d permutations, ± its standard error", permutations)
	} else {
		fmt.Fprintf(&b, "p: that the term is zero, the larger of those by %d draws and by %d permutations, ± its standard error", nullDraws, permutations)
		b.WriteString("; a large one says little of a term that is correlated with another: see the band of its effect")
	}
	for _, t := range s.Terms {
		if t.within != "" {
			fmt.Fprintf(&b, "; %s is the same in all samples of each label of %s, which can stand for it, so it is not tested: see the band of its effect, and compare models with and without it", t.Name, t.within)
		}
	}
	return b.String()
}

// several tells whether more than one term was tested.
func (s *Summary) several() bool {
	tested := 0
	for _, t := range s.Terms {
		if t.P != nil || t.within != "" {
			tested++
		}
	}
	return tested > 1
}

// defined is a number, or that it is none.
func defined(format string, v float64) string {
	if math.IsNaN(v) {
		return "not defined (at no point do the outputs of two pairs differ)"
	}
	return fmt.Sprintf(format, v)
}

func number(format string, v *float64) string {
	if v == nil {
		return ""
	}
	text := fmt.Sprintf(format, *v)
	if strings.Trim(text, "-0.") == "" { // nothing has no sign
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// pValue is p with its standard error, which is not known where no draw was as far off.
func (t Term) pValue() string {
	switch {
	case t.P == nil:
		return ""
	case *t.P <= 1.0/(1+permutations):
		return fmt.Sprintf("≤ %.3f", *t.P)
	}
	return fmt.Sprintf("%.3f ± %.3f", *t.P, *drawnError(t.P))
}

// drawnError is the standard error of a p that is the share of as many draws as there are permutations; nil of none.
func drawnError(p *float64) *float64 {
	if p == nil {
		return nil
	}
	e := math.Sqrt(*p * (1 - *p) / (1 + permutations))
	return &e
}
