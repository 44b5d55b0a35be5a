package progress_test

import (
	"context"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/progress"
)

// What takes long or much memory is said, and ends; what does not is not.
func TestCostIsAnnounced(t *testing.T) {
	for c, want := range map[progress.Cost][]string{
		{Seconds: 1.9, Bytes: 1e9}:     nil,
		{Seconds: 89.6, Bytes: 5e8}:    {"fit, about 1m30s and 0.47 GiB", "fit, about 1m30s and 0.47 GiB"},
		{Seconds: 0.2, Bytes: 4 << 30}: {"fit, about 0s and 4 GiB", "fit, about 0s and 4 GiB"},
		progress.Cost{Seconds: 3, Bytes: 1}.And(progress.Cost{Seconds: 2, Bytes: 1 << 29}): {"fit, about 5s and 0.5 GiB", "fit, about 5s and 0.5 GiB"},
	} {
		var said []string
		c.Announce(progress.With(context.Background(), func(s progress.Step) { said = append(said, s.Task) }), "fit")()
		if !slices.Equal(said, want) {
			t.Errorf("%+v: said %q, want %q", c, said, want)
		}
	}
}
