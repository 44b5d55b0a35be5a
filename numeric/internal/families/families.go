package families

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
)

// Choice is a kernel among others.
type Choice struct {
	Kernel kernel.Kernel
	Lambda float64 // that it was compared at
	REML   float64 // of the sample: less is better
}

// Search returns the best kernel of each kind that was tried, best first; a plain one for
// data of which none has a finite likelihood, such as outputs that are all zero.
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
		out = append(out, Choice{Kernel: q.kernel(c), Lambda: c.lambda, REML: c.value})
	}
	kinks, err := q.kinks(ctx, smooth)
	if err != nil {
		return nil, err
	}
	for _, k := range kinks {
		out = append(out, Choice{Kernel: q.kinkKernel(k), Lambda: k.lambda, REML: k.value})
	}
	slices.SortStableFunc(out, func(a, b Choice) int {
		if a.REML < b.REML {
			return -1
		}
		return 1
	})
	return out, nil
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
		Power: float64(k.power),
	}
}

// kinks are the best kernels with a kink. Input and output have to share one coordinate.
func (q *search) kinks(ctx context.Context, smooth []candidate) ([]kinked, error) {
	if len(smooth) == 1 || q.x.mesh.Dim() != 1 || q.y.mesh.Dim() != 1 {
		return nil, nil
	}
	for _, c := range smooth {
		if c.family == infinite || c.family == fiveHalves {
			k, err := q.kink(ctx, c)
			if err != nil || !(k.value < smooth[0].value-worth) {
				return nil, err
			}
			return []kinked{k}, nil
		}
	}
	return nil, nil
}

// kink is the best kernel with a kink on the way from a smooth one: first the power and
// the lengthscale along the diagonal, then these and the lengthscales of the smooth part.
func (q *search) kink(ctx context.Context, c candidate) (kinked, error) {
	best := kinked{candidate: c}
	p, err := q.product(ctx, c)
	if err != nil {
		return best, err
	}
	rounding := max(negligible, 1e-3*c.lambda/p.top())
	factors := map[jump]*ramps{}
	try := func(c candidate, j jump, far bool) (bool, error) {
		z, ok := factors[j]
		if !ok {
			if z, err = newRamps(ctx, q, j, rounding); err != nil {
				return false, err
			}
			factors[j] = z
		}
		k, err := q.tryKink(ctx, c, j, z, far)
		if err != nil || !(k.value < best.value) {
			return false, err
		}
		best = k
		return true, nil
	}
	for _, longer := range []int{0, coarse} {
		from := c
		from.steps = q.moveOne(c.steps, len(c.steps), longer)
		for _, step := range jumpSteps() {
			for _, power := range powers() {
				if _, err := try(from, jump{power: power, step: step}, true); err != nil {
					return best, err
				}
			}
		}
	}
	if !(best.value < c.value-worth) {
		return best, nil
	}
	for step := 4; step >= 2; step /= 2 {
		for moved := true; moved; {
			moved = false
			for i := range len(c.steps) + 2 {
				for _, by := range []int{step, -step} {
					next, j := best.candidate, best.jump
					if i <= len(c.steps) {
						next.steps = q.moveOne(best.steps, i, by)
					} else {
						j.step = min(max(j.step+by, jumpSteps()[2]-4), lastStep)
					}
					if j == best.jump && slices.Equal(next.steps, best.steps) {
						continue
					}
					better, err := try(next, j, false)
					if err != nil {
						return best, err
					}
					if better {
						moved = true
						break
					}
				}
			}
		}
	}
	return best, nil
}

// powers are those of a kink that are tried: of equations of second and of fourth order.
func powers() []int { return []int{1, 3} }

// jumpSteps are the lengthscales along the diagonal that are tried first: three axes, 76 %
// and 19 % of one.
func jumpSteps() []int { return []int{33, 25, 17} }

const worth = 3 // nats, that a kink has to gain: one for each of its power, lengthscale and weight

func transposed(m *mat.Dense) *mat.Dense { return mat.DenseCopyOf(m.T()) }
