package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// cheaper is what a fit takes that chooses less than this one does, or is on landmarks.
func (s *Spec) cheaper(ctx context.Context) (options []progress.Option) {
	known := *s
	add := func(words string) {
		options = append(options, progress.Option{Words: words, Cost: Expected(ctx, known)})
	}
	if s.AskConstraint {
		known.AskConstraint = false
		add("with the constraint given, or none")
	}
	if s.Dense {
		known.Dense = false
		add("by the structure of the kernel")
	}
	if s.Kernel == nil || kernels.IsAuto(s.Kernel) {
		known.Kernel, known.Kernels = someKernel(), nil
		add("with the kernel given")
	}
	if s.Lambda == 0 {
		known.Lambda = 1
		add("with the kernel and λ given")
	}
	if s.Landmarks == 0 && known.notByLandmarks() == "" {
		known.Landmarks = usualLandmarks
		words := fmt.Sprintf("on %d landmarks", usualLandmarks)
		if n := len(options); n > 0 {
			words = options[n-1].Words + " " + words
		}
		add(words)
	}
	return options
}

// expected is what the fits take that let the bands of an estimate know of rivals, when they are first asked for: of a loss another one
// with squares for each.
func (r *rivals) expected(ctx context.Context, e *Estimate) (all progress.Cost) {
	for _, own := range r.of {
		all = all.And(Expected(ctx, own.in(r.spec, e.Report)))
	}
	if e.Report.Amplitude > 0 {
		squares := Expected(ctx, e.ofChosen())
		squares.Seconds *= float64(len(r.of))
		all = all.And(squares)
	}
	return all
}
