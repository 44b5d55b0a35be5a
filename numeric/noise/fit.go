package noise

import (
	"context"
	"time"

	"github.com/greenbench/workbench/numeric/fit"
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
	cost := fit.Expected(ctx, s)
	cost.Seconds, cost.Bytes = usualFits*cost.Seconds, usualCopies*cost.Bytes
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
