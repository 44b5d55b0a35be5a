package noise

import (
	"context"
	"time"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/progress"
)

// Fit is fit.Minimise with the noise of a choice. The report says what noise was found, and by how
// many nats it is likelier than white noise.
func Fit(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	if s.Data == nil || c.white() {
		return fit.Minimise(ctx, s)
	}
	if err := c.check(&s); err != nil {
		return nil, err
	}
	start := time.Now()
	one := fit.Expected(ctx, s)
	cost := progress.Cost{Seconds: usualFits * one.Seconds, Bytes: usualCopies * one.Bytes}
	if err := cost.InTime(ctx, "fits to find the noise", func() []progress.Option { return []progress.Option{{Words: "with white noise", Cost: one}} }); err != nil {
		return nil, err
	}
	defer cost.Announce(ctx, "fits to find the noise")()
	search := find
	if c.Huber {
		search = robust
	}
	e, err := search(ctx, s, c)
	if err != nil {
		return nil, err
	}
	r, all := &e.Report, time.Since(start).Seconds()
	r.Times.Noise += max(all-r.Seconds, 0)
	r.Seconds, r.Expected = all, cost
	return e, nil
}
