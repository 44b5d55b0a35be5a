package progress_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// What takes long or much memory is said, and ends; what does not is not.
func TestCostIsAnnounced(t *testing.T) {
	for c, want := range map[progress.Cost][]string{
		{Seconds: 1.9, Bytes: 1e9}:     nil,
		{Seconds: 89.6, Bytes: 5e8}:    {"fit, about 1m30s and 0.47 GiB", "fit, about 1m30s and 0.47 GiB"},
		{Seconds: 0.2, Bytes: 4 << 30}: {"fit, about 1s and 4 GiB", "fit, about 1s and 4 GiB"},
		progress.Cost{Seconds: 3, Bytes: 1}.And(progress.Cost{Seconds: 2, Bytes: 1 << 29}): {"fit, about 5s and 0.5 GiB", "fit, about 5s and 0.5 GiB"},
	} {
		var said []string
		c.Announce(progress.With(context.Background(), func(s progress.Step) { said = append(said, s.Task+", "+s.About) }), "fit")()
		if !slices.Equal(said, want) {
			t.Errorf("%+v: said %q, want %q", c, said, want)
		}
	}
}

// What is expected to take more than four times the time that is left is refused, with what takes half of it or less; what
// takes ten seconds or less never is, nor is anything where no time is set.
func TestCostsBeyondTheTimeAreRefused(t *testing.T) {
	options := func() []progress.Option {
		return []progress.Option{
			{Words: "with the kernel given", Cost: progress.Cost{Seconds: 30}},
			{Words: "on landmarks", Cost: progress.Cost{Seconds: 51}},
			{Words: "never", Cost: progress.Cost{}},
			{Words: "with λ given", Cost: progress.Cost{Seconds: 8}},
			{Words: "on two points", Cost: progress.Cost{Seconds: .2}},
		}
	}
	limited, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	over, end := context.WithTimeout(t.Context(), -time.Second)
	defer end()
	for _, c := range []struct {
		ctx     context.Context
		seconds float64
		want    string
	}{
		{limited, 76, ""},
		{over, 9.9, ""},
		{t.Context(), 1e6, ""},
		{limited, 100, "the fit would take about 1m40s, and the time limit leaves 20s; it would take about 30s with the kernel given, or 8s with λ given, or 1s on two points; allow more time"},
		{over, 12, "the fit would take about 12s, and the time limit leaves 0s; it would take about 1s on two points; allow more time"},
	} {
		err := progress.Cost{Seconds: c.seconds}.InTime(c.ctx, "fit", options)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v s: %v, want %q", c.seconds, err, c.want)
		}
	}
}
