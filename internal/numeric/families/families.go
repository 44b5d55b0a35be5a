package families

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Choice is a kernel among others.
type Choice struct {
	Kernel    kernel.Kernel
	Lambda    float64 // that it was compared at
	REML, LOO float64 // of the sample there, in nats: less is better; LOO compares kinds
	Share     float64 // the probability that it predicts left-out pairs better than the first

	kink, start bool      // a start of the search for kinks, which is no choice
	oneSided    bool      // the kink is there after the diagonal alone
	periodic    bool      // where a side is
	left        []float64 // squared errors of left-out pairs
}

// Rival is the choice that is likeliest to be better than the first, of those with a kink if
// the first has none, or has another one, and the other way round; nil: there is none. One on one
// side, which the likelihood was asked about, too, is none of one that is not.
func Rival(all []Choice) *Choice {
	var best *Choice
	for i, c := range all[1:] {
		if (c.kink || all[0].kink) && (!c.oneSided || all[0].oneSided) && (best == nil || c.Share > best.Share) {
			best = &all[1+i]
		}
	}
	return best
}

// Search returns the best kernel of each kind that was tried, best first; a plain one for
// data of which none has a finite likelihood, such as outputs that are all zero. A kink on one
// side is first where it is better than the others by both criteria; so is a periodic kernel on meshes that are, where the
// seam, which the likelihood sees more of, is a small part of what pairs that are left out tell.
func Search(ctx context.Context, d Data) ([]Choice, error) {
	s, err := newSample(ctx, d)
	if err != nil {
		return nil, err
	}
	q := newSearch(s)
	smooth, err := q.smooth(ctx)
	if err != nil {
		return nil, err
	}
	if len(smooth) == 0 {
		smooth = []candidate{{family: fiveHalves, steps: q.moveOne(slices.Repeat([]int{plain}, q.dims()), q.dims(), 0)}}
	}
	var out []Choice
	for _, c := range smooth {
		left, err := q.leftOut(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, Choice{Kernel: q.kernel(c), Lambda: c.lambda, REML: c.reml, LOO: c.loo(), left: left, periodic: c.family == around})
	}
	kinks, err := q.kinks(ctx, smooth)
	if err != nil {
		return nil, err
	}
	for _, k := range kinks {
		out = append(out, Choice{Kernel: q.kinkKernel(k), Lambda: k.lambda, REML: k.reml, LOO: k.loo(), left: k.left, kink: true, start: k.start, oneSided: k.oneSided})
	}
	sorting.By(out, func(a, b Choice) int { return cmp.Compare(a.LOO, b.LOO) })
	first := slices.IndexFunc(out, func(c Choice) bool {
		return !c.kink || !c.start && !c.oneSided && max(smooth[0].loo()-c.LOO, smooth[0].value-c.LOO-c.REML) > worth
	})
	oneSided := func(c Choice) bool { return c.oneSided && c.LOO+c.REML < out[first].LOO+out[first].REML-evident }
	if i := slices.IndexFunc(out[:first], oneSided); i >= 0 {
		first = i
	}
	if i := slices.IndexFunc(out, func(c Choice) bool { return c.periodic && c.LOO+c.REML < out[first].LOO+out[first].REML }); i >= 0 {
		first = i
	}
	out = slices.Concat(out[first:first+1], out[:first], out[first+1:])
	for i := range out[1:] {
		out[1+i].Share = share(out[0].left, out[1+i].left)
	}
	return out, nil
}

// share is the probability that the mean of b is below that of a, by how much the pairs of
// their values differ.
func share(a, b []float64) float64 {
	if len(a) != len(b) {
		return 0
	}
	more := slices.Clone(b)
	floats.Sub(more, a)
	mean, sd := stat.MeanStdDev(more, nil)
	if !(sd > 0) {
		return 0
	}
	return math.Erfc(mean/sd*math.Sqrt(float64(len(more))/2)) / 2
}

// kernel is that of a candidate.
func (q *search) kernel(c candidate) kernel.Kernel {
	dx := q.x.mesh.Dim()
	if c.family == infinite {
		return kernel.SE{Lengthscale: slices.Concat(q.x.lengthscale(c.steps[:dx]), q.y.lengthscale(c.steps[dx:]))}
	}
	return kernel.Tensor{Input: q.x.kernel(c.family, c.steps[:dx]), Output: q.y.kernel(c.family, c.steps[dx:])}
}

func (q *search) kinkKernel(k kinked) kernel.Kernel {
	l := slices.Concat(q.x.lengthscale([]int{k.step}), q.y.lengthscale([]int{k.step}))
	return kernel.Kink{
		Base:  q.kernel(k.candidate),
		Jump:  kernel.Scaled{Factor: rounded(k.weight), Kernel: kernel.SE{Lengthscale: l}},
		Power: float64(k.power), OneSided: k.oneSided,
	}
}

// kinks are the best kernels with a kink, from a smooth one: with longer lengthscales and
// less noise too, for a smooth part that need not make the kink itself is smoother, and
// then larger. The best start of each power is improved, if it promises anything. Input
// and output have to share one coordinate. A start that promises nothing is returned as it is:
// a kink as good as that may be there.
func (q *search) kinks(ctx context.Context, smooth []candidate) ([]kinked, error) {
	at := -1
	for i, c := range smooth {
		if (c.family == infinite || c.family == fiveHalves) && (at < 0 || c.value < smooth[at].value) {
			at = i
		}
	}
	if at < 0 || len(smooth) == 1 || q.x.mesh.Dim() != 1 || q.y.mesh.Dim() != 1 {
		return nil, nil
	}
	c := smooth[at]
	p, err := q.product(ctx, c)
	if err != nil {
		return nil, err
	}
	f := factory{search: q, rounding: max(negligible, 1e-3*c.lambda/p.top()), known: map[jump]*ramps{}}
	var field []kinked
	for _, power := range powers() {
		start, err := f.start(ctx, c, power, smooth[0].value)
		if err != nil {
			return nil, err
		}
		if !math.IsInf(start.value, 1) {
			field = append(field, start)
		}
	}
	mark(field, smooth[0])
	for step := coarse; step >= 1; step /= 2 {
		for i := range field {
			if field[i].start {
				continue
			}
			if field[i], err = f.improve(ctx, field[i], step); err != nil {
				return nil, err
			}
		}
	}
	var out []kinked
	for _, k := range field {
		if k.start {
			out = append(out, k)
			continue
		}
		if k, err = f.settle(ctx, k); err != nil {
			return nil, err
		}
		if !math.IsInf(k.value, 1) {
			out = append(out, k)
		}
	}
	return f.withOneSided(ctx, smooth[0], c, out)
}
