package bar

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// meter has a clock that the test moves.
func meter(width int) (*Meter, *bytes.Buffer, *time.Time) {
	var out bytes.Buffer
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := New(&out, func() int { return width })
	m.now = func() time.Time { return now }
	m.timed = false
	m.Begin(context.Background())
	return m, &out, &now
}

func TestQuickWorkHasNoBar(t *testing.T) {
	m, out, now := meter(80)
	for i := range 9 {
		*now = now.Add(100 * time.Millisecond)
		m.Report(progress.Step{Task: "solve", Done: float64(i), Total: 10})
	}
	m.End()
	if out.Len() != 0 {
		t.Errorf("drawn %q within the first second", out)
	}
}

func TestBar(t *testing.T) {
	m, out, now := meter(100)
	m.Report(progress.Step{Task: "solve", Total: 10})
	*now = now.Add(5 * time.Second)
	m.Report(progress.Step{Task: "solve", Done: 2.5, Total: 10, Label: "residual", Value: 3.14e-6})
	want := "solve " + strings.Repeat("━", 6) + strings.Repeat("─", 18) + "  25%  0:15 left  residual 3.1e-06"
	if !strings.Contains(out.String(), want) {
		t.Errorf("drawn %q, want %q in it", out, want)
	}
	n := out.Len()
	*now = now.Add(time.Millisecond)
	m.Report(progress.Step{Task: "solve", Done: 3, Total: 10})
	if out.Len() != n {
		t.Error("drawn again after a millisecond")
	}
	fmt.Fprint(m.Wrap(out), "text\n")
	if !strings.HasSuffix(out.String(), "\r\x1b[Ktext\n") {
		t.Errorf("the bar stands before the text: %q", out)
	}
	if got, want := m.Where(), "solve 3 of 10"; got != want {
		t.Errorf("Where %q, want %q", got, want)
	}
}

func TestInnerTasks(t *testing.T) {
	m, _, now := meter(100)
	m.Report(progress.Step{Task: "sweep", Done: 1, Total: 4})
	m.Report(progress.Step{Task: "solve", Done: 7, Label: "residual", Value: 1e-3})
	if got := m.line(*now); !strings.HasPrefix(got, "sweep ━━━━━━─") || !strings.HasSuffix(got, "·  solve 7, residual 0.001") {
		t.Errorf("line %q", got)
	}
	where := func(want string) {
		t.Helper()
		if got := m.Where(); got != want {
			t.Errorf("interrupted in %q, want %q", got, want)
		}
	}
	where("solve 7, residual 0.001")
	m.Report(progress.Step{Task: "solve", Done: 7, Total: 7})
	if got := m.line(*now); strings.Contains(got, "solve") {
		t.Errorf("a finished task stays: %q", got)
	}
	where("sweep 1 of 4")
	m.Report(progress.Step{Task: "solve", Done: 2.5, Total: 7.3, Label: "residual", Value: 1e-3})
	where("solve 34 %, residual 0.001")
	m.Report(progress.Step{Task: "solve", Done: 7.3, Total: 7.3})
	m.Report(progress.Step{Task: "sweep", Done: 4, Total: 4})
	if got := m.line(*now); got != "" {
		t.Errorf("everything is done, but the line is %q", got)
	}
	m.End()
	where("")
}

// What ends because its input was interrupted was running then. What it takes is said while it runs.
func TestInterrupted(t *testing.T) {
	m, _, now := meter(100)
	ctx, interrupt := context.WithCancel(t.Context())
	m.Begin(ctx)
	done := progress.Cost{Seconds: 4, Bytes: 1 << 27}.Announce(progress.With(ctx, m.Report), "fit")
	m.Report(progress.Step{Task: "solve", Done: 3, Total: 10})
	if got, want := m.line(*now), "fit, about 4s and 0.12 GiB  0:00  ·  solve 3 of 10"; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	m.Report(progress.Step{Task: "solve", Done: 10, Total: 10})
	interrupt()
	done()
	m.End()
	if got, want := m.Where(), "fit"; got != want {
		t.Errorf("interrupted in %q, want %q", got, want)
	}
}

// A line that is longer than the terminal could not be erased.
func TestNarrow(t *testing.T) {
	m, _, now := meter(20)
	m.Report(progress.Step{Task: "a task with a long name", Done: 1, Total: 4})
	if got := []rune(m.line(*now)); len(got) != 19 || got[18] != '…' {
		t.Errorf("%q has %d columns, want 19", string(got), len(got))
	}
}

func TestConcurrentReports(t *testing.T) {
	m, out, now := meter(80)
	*now = now.Add(time.Minute)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				m.Report(progress.Step{Task: fmt.Sprint("task", g), Done: float64(i), Total: 100})
			}
		}()
	}
	wg.Wait()
	m.End()
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("the bar is still there: %q", out)
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", 61 * time.Second: "1:01", 3723 * time.Second: "1:02:03",
	} {
		if got := clock(d); got != want {
			t.Errorf("clock(%v) = %s, want %s", d, got, want)
		}
	}
}

// A step that takes long is shown although no other follows it.
func TestBarGoesOnByItself(t *testing.T) {
	var out lockedBuffer
	m := New(&out, func() int { return 80 })
	m.Begin(t.Context())
	m.Report(progress.Step{Task: "set-up, 1.5 GiB or more"})
	for wait := 0; wait < 100 && !strings.Contains(out.String(), "set-up, 1.5 GiB or more"); wait++ {
		time.Sleep(50 * time.Millisecond)
	}
	if got := out.String(); !strings.Contains(got, "set-up, 1.5 GiB or more") {
		t.Errorf("drawn %q", got)
	}
	m.End()
	time.Sleep(20 * time.Millisecond)
	if got := out.String(); !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("after the end: %q", got)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Notes are shown at once, each once for an input, and not more than a few: a loop may have
// thousands. They are no steps: nothing is said to run.
func TestNotes(t *testing.T) {
	var told []string
	m := On(nil, func() int { return 80 }).Notes(func(text string) { told = append(told, text) })
	for range 2 {
		m.Begin(t.Context())
		ctx := progress.With(t.Context(), m.Report)
		for i := range 20 {
			progress.Note(ctx, fmt.Sprintf("sample %d is extrapolated", i/2))
		}
		m.End()
	}
	want := []string{"sample 0 is extrapolated", "sample 1 is extrapolated", "sample 2 is extrapolated", "there are more notes like this; further ones are not shown"}
	if want = append(want, want...); !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if m.Where() != "" {
		t.Errorf("a note runs: %q", m.Where())
	}
}
