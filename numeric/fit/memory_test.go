package fit_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// withLimit sets the memory limit for a test.
func withLimit(t *testing.T, bytes int64) {
	t.Helper()
	testmain.CollectAsUsually(t)
	before := debug.SetMemoryLimit(bytes)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// memory is what the process has from the system, in bytes.
func memory() float64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// A fit that there is no memory for is refused before anything is computed, with what it
// needs and what there is.
func TestMemoryIsRefused(t *testing.T) {
	rough := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}
	plane := squareMesh(40, "a", "b")
	for name, s := range map[string]fit.Spec{
		"transforms": {Data: noise(t, 2, plane, plane), Kernel: rough, Lambda: 1e-3},
		"weights":    {Data: noise(t, 2, interval(3000), interval(2000)), Kernel: rough, Lambda: 1e-3},
	} {
		debug.FreeOSMemory() // room that the process has already would not count
		// Of the process only its objects count for what is refused: what lies free between them may be more.
		withLimit(t, int64(dense.InUse())+100e6)
		began, before := time.Now(), memory()
		_, err := fit.Fit(ctx, s)
		if err == nil || !strings.Contains(err.Error(), "needs") || !strings.Contains(err.Error(), "take meshes of fewer points") {
			t.Errorf("%s: %v", name, err)
		}
		if took, more := time.Since(began), memory()-before; took > 2*time.Second || !(more <= 60e6) {
			t.Errorf("%s: refused after %v and with %.0f MB more", name, took, more/1e6)
		}
	}
}

// A matrix that no memory holds is refused by its size.
func TestGreenOnHugeMeshes(t *testing.T) {
	m := interval(5)
	e := testmain.Must(fit.Fit(ctx, fit.Spec{Data: noise(t, 3, m, m), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-3}))(t)
	huge := interval(1_000_000)
	if _, err := e.Green(ctx, huge, huge); err == nil || !strings.Contains(err.Error(), "green: a matrix of 1000000 × 1000000") {
		t.Errorf("error %v", err)
	}
}

// Within a limit that is 1.7 times what a fit says that it needs, it comes to its end, and
// what the process has stays within 1.3 times the limit.
func TestMemoryStaysWithinTheLimit(t *testing.T) {
	plane := squareMesh(24, "a", "b")
	s := fit.Spec{Data: noise(t, 20, plane, plane), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}, Lambda: 1e-2}
	runtime.GC()
	debug.FreeOSMemory()
	const needs = 58e6 // half a complex spectrum that is padded but for one axis, 22 MB, and vectors
	limit := memory() + 1.7*needs
	withLimit(t, int64(limit))
	stop, worst := make(chan bool), 0.0
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				worst = max(worst, memory())
			}
		}
	})
	mustFit(t, s)
	close(stop)
	wait.Wait()
	t.Logf("limit %.0f MB, at most %.0f MB", limit/1e6, worst/1e6)
	if !(worst <= 1.3*limit) {
		t.Errorf("%.0f MB, the limit is %.0f MB", worst/1e6, limit/1e6)
	}
}

// What takes over a gigabyte is announced.
func TestMemoryIsAnnounced(t *testing.T) {
	plane := squareMesh(70, "a", "b")
	withLimit(t, 1<<40)
	stopped, cancel := context.WithCancel(ctx)
	var said []string
	_, err := fit.Fit(progress.With(stopped, func(s progress.Step) {
		said = append(said, s.Task+", "+s.About)
		cancel()
	}), fit.Spec{Data: noise(t, 2, plane, plane), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Lambda: 1e-3})
	if !errors.Is(err, context.Canceled) || len(said) == 0 || !strings.HasPrefix(said[0], "fit, about ") || !strings.HasSuffix(said[0], " GiB") {
		t.Errorf("said %q, then %v", said, err)
	}
}
