package sizes

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// What is usual in the choice of lengthscales and sizes.
const (
	perCube     = 10   // flops of the likelihood and its slopes, times the cube of the numbers it is of
	perEntry    = 1e-9 // seconds of a slope, times the square of these numbers
	usualStarts = 24   // likelihoods of the first sizes
	usualTrial  = 4    // of a lengthscale that is tried
	usualSweeps = 1.3
)

// Seconds is what the choice of lengthscales and sizes takes.
func (q *Question) Seconds() (seconds float64, err error) {
	open := 0
	for i, t := range q.Terms {
		if _, given := q.Given[i]; !given || len(t.Open) > 0 {
			open++
		}
	}
	if len(q.Outs) == 1 && (open == 0 || len(q.Terms) == 1 && len(q.Terms[0].Open) == 0) {
		return 0, nil
	}
	my, outs := q.mesh().Size(), float64(len(q.Outs))
	n := len(q.Outs[0].Values.Data) / my
	most := min(mostReduced, mostCoupled/len(q.Outs))
	modes := min(my, max(fewestModes, most/n))
	samples := min(n, max(most/modes, 1))
	numbers := float64(samples*modes) * outs
	likelihood := perCube*numbers*numbers*numbers*linop.PerFlop + perEntry*numbers*numbers*float64(len(q.Terms)+1)*outs*(outs+1)/2
	seconds = usualStarts * likelihood
	for _, t := range q.Terms {
		space := kernels.DirectSum{Output: q.mesh(), Parts: []kernels.Summand{{Kernel: t.Kernel, On: t.On}}}.Space(0)
		f, err := kernels.Compile(t.Kernel, space)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", t.Name, err)
		}
		covariance, tried := gram.CongruenceTime(f, t.On, q.mesh(), float64(samples), float64(modes)), 0
		for _, o := range t.Open {
			tried += len(o.Tried)
		}
		seconds += covariance + usualSweeps*float64(tried)*(covariance+usualTrial*likelihood)
	}
	return seconds, nil
}
