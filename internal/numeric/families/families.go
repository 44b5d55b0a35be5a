package families

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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
// side is first where it is better than the others by both criteria.
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
		out = append(out, Choice{Kernel: q.kernel(c), Lambda: c.lambda, REML: c.reml, LOO: c.loo(), left: left})
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
	x, y := q.x.lengthscale(c.steps[:dx]), q.y.lengthscale(c.steps[dx:])
	if c.family == infinite {
		return kernel.SE{Lengthscale: slices.Concat(x, y)}
	}
	return kernel.Tensor{Input: c.family.kernel(x), Output: c.family.kernel(y)}
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

// settle finds λ finely.
func (f *factory) settle(ctx context.Context, k kinked) (kinked, error) {
	return f.try(ctx, k.candidate, k.jump, k.value+tell, halfDecade/4)
}

// mark marks as starts the kinks that will not come to be better than a smooth kernel, or than
// each other.
func mark(field []kinked, smooth candidate) {
	value, loo := smooth.value, smooth.loo()-worth
	for _, k := range field {
		value, loo = min(value, k.value), min(loo, k.loo()+hopeless)
	}
	for i, k := range field {
		field[i].start = k.value >= value+hopeless && k.loo() >= loo
	}
}

// start is the best kink of a power around a smooth kernel, but for those that are no kink
// because they gain nothing where the smooth part is the same.
func (f *factory) start(ctx context.Context, c candidate, power int, smooth float64) (best kinked, err error) {
	best.value = math.Inf(1)
	for longer := 0; longer <= 2*coarse; longer += coarse / 2 {
		for less := 0; less < kinkDecades; less += 2 {
			from := c
			from.lambda = c.lambda * math.Pow(10, -float64(less))
			from.steps = f.moveOne(c.steps, len(c.steps), longer)
			k, err := f.try(ctx, from, jump{power: power, step: firstJump}, math.Inf(-1), halfDecade)
			if err != nil {
				return best, err
			}
			if k.value < best.value && (less > 0 || k.value < smooth-worth) {
				best = k
			}
		}
	}
	return best, nil
}

// factory makes each jump once.
type factory struct {
	*search
	rounding float64
	known    map[jump]*ramps
}

func (f *factory) try(ctx context.Context, c candidate, j jump, limit, last float64) (kinked, error) {
	z, ok := f.known[j]
	if !ok {
		var err error
		if z, err = newRamps(ctx, f.search, j, f.rounding); err != nil {
			return kinked{}, err
		}
		if err = z.compress(ctx, unseen); err != nil {
			return kinked{}, err
		}
		f.known[j] = z
	}
	return f.tryKink(ctx, c, j, z, limit, last)
}

// improve moves one lengthscale of a kink after the other by steps; λ is found the finer
// the smaller they are, after short steps from where the smooth part says as much of the data.
func (f *factory) improve(ctx context.Context, best kinked, step int) (_ kinked, err error) {
	part := float64(step) / coarse
	tried := map[string]bool{fmt.Sprint(best.steps, best.step): true}
	for moved := true; moved; {
		moved = false
		for i := range len(best.steps) + 2 {
			for _, by := range []int{step, -step} {
				next, j := best.candidate, best.jump
				if i <= len(best.steps) {
					next.steps = f.moveOne(best.steps, i, by)
				} else {
					j.step = min(max(j.step+by, firstStep), lastStep)
				}
				key := fmt.Sprint(next.steps, j.step)
				if tried[key] {
					continue
				}
				tried[key] = true
				if i <= len(best.steps) && step <= carriedSteps {
					if next.lambda, err = f.carried(ctx, best.candidate, next); err != nil {
						return best, err
					}
				}
				k, err := f.try(ctx, next, j, best.value+hopeless*part, halfDecade*part)
				if err != nil {
					return best, err
				}
				if k.value < best.value-tell {
					best, moved = k, true
					break
				}
			}
		}
	}
	return best, nil
}

// powers are those of a kink that are tried: of equations of second and of fourth order.
func powers() []int { return []int{1, 3} }

const (
	firstJump   = 25 // the lengthscale along the diagonal that is tried first: 76 % of an axis
	kinkDecades = 5  // of λ from that without a kink down
)

const (
	worth = 1   // nats, that a kink has to gain, of LOO or of the sum
	tell  = 0.1 // nats, that a step has to: less tells nothing
)

func transposed(m *mat.Dense) *mat.Dense { return mat.DenseCopyOf(m.T()) }
