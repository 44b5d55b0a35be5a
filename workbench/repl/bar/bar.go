// Package bar shows the progress of long computations in the last line of the
// terminal, and remembers where a computation was when it is interrupted.
// Meter is the listener of internal/numeric/progress that does both.
package bar

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

const (
	patience = time.Second            // what is over sooner needs no bar
	interval = 100 * time.Millisecond // between two drawings
	barWidth = 24
)

// A Meter listens to the steps of computations. Its methods may be called from
// several goroutines.
type Meter struct {
	mu    sync.Mutex
	show  func(line string) // in place of the line before, "" takes it away; nil draws nothing
	width func() int        // of the line
	now   func() time.Time

	input   context.Context // of what runs: done once that is interrupted
	tasks   []task          // in order of appearance: outer ones first
	begun   time.Time
	last    progress.Step
	around  progress.Step // of the innermost task that ran then; no task: none
	drawn   bool
	drawnAt time.Time

	notes func(text string)   // shows a note; nil: notes are dropped
	told  map[string]struct{} // notes of this input

	timed bool        // drawn anew as time passes, too: some steps take long
	timer *time.Timer // of the next drawing
}

type task struct {
	step  progress.Step
	begun time.Time
}

// New returns a meter that draws on out, a terminal, or with a nil out draws
// nothing and only remembers.
func New(out io.Writer, width func() int) *Meter {
	if out == nil {
		return On(nil, width)
	}
	return On(func(line string) { fmt.Fprintf(out, "\r%s\x1b[K", line) }, width)
}

// On returns a meter whose line is shown by a function, each in place of the one before; the
// empty line takes it away.
func On(show func(line string), width func() int) *Meter {
	return &Meter{show: show, width: width, now: time.Now, timed: show != nil}
}

// mostNotes are shown of one input: a loop may have one for each of its rounds.
const mostNotes = 3

// Notes sets what shows the notes of computations, each once for an input, and returns m.
func (m *Meter) Notes(show func(text string)) *Meter {
	m.notes = show
	return m
}

// note shows a note that is new.
func (m *Meter) note(text string) {
	m.mu.Lock()
	_, old := m.told[text]
	n := len(m.told)
	if !old && n <= mostNotes && m.told != nil {
		m.told[text] = struct{}{}
	}
	m.mu.Unlock() // the writer of a note may be one that takes the bar away
	switch {
	case old || m.notes == nil || n > mostNotes:
	case n == mostNotes:
		m.notes("there are more notes like this; further ones are not shown")
	default:
		m.notes(text)
	}
}

// Begin forgets everything: a new input runs, until it ends or ctx does. What ends after ctx was broken off with it.
func (m *Meter) Begin(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.input = ctx
	m.tasks, m.last, m.around, m.begun, m.told = nil, progress.Step{}, progress.Step{}, m.now(), map[string]struct{}{}
	if m.timed && m.timer == nil {
		m.timer = time.AfterFunc(patience, m.tick)
	}
}

// tick draws what runs, and again after a while.
func (m *Meter) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil { // ended
		return
	}
	m.draw(m.now())
	m.timer.Reset(time.Second)
}

// End takes the bar off the screen.
func (m *Meter) End() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.erase()
	m.tasks = nil
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
}

// Report takes a step; it is a progress.Sink.
func (m *Meter) Report(s progress.Step) {
	if s.Note != "" {
		m.note(s.Note)
		return
	}
	if m.show == nil && s.About != "" && !ended(s) { // a log has no bar, and is to say what takes long, too
		m.note(named(s))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if ended(s) && m.input != nil && m.input.Err() != nil {
		return
	}
	now := m.now()
	m.update(s, now)
	m.last, m.around = s, progress.Step{}
	if n := len(m.tasks); n > 0 {
		m.around = m.tasks[n-1].step
	}
	m.draw(now)
}

// draw draws the bar, unless that would be too early or too soon again.
func (m *Meter) draw(now time.Time) {
	if m.show == nil || now.Sub(m.begun) < patience || now.Sub(m.drawnAt) < interval {
		return
	}
	m.drawnAt = now
	if line := m.line(now); line != "" {
		m.drawn = true
		m.show(line)
	} else {
		m.erase()
	}
}

// update keeps one task for each name and what it takes, and drops those that are done.
func (m *Meter) update(s progress.Step, now time.Time) {
	at := -1
	for i := range m.tasks {
		if t := m.tasks[i].step; t.Task == s.Task && t.About == s.About {
			at = i
		}
	}
	switch done := ended(s); {
	case done && at >= 0:
		m.tasks = append(m.tasks[:at], m.tasks[at+1:]...)
	case done:
	case at < 0:
		m.tasks = append(m.tasks, task{s, now})
	default:
		if s.Done < m.tasks[at].step.Done { // the same task, run once more
			m.tasks[at].begun = now
		}
		m.tasks[at].step = s
	}
}

// line is what the bar looks like: the outermost task with its bar, the inner
// ones in words, cut to the width of the terminal.
func (m *Meter) line(now time.Time) string {
	var parts []string
	for i, t := range m.tasks {
		if i == 0 {
			parts = append(parts, t.bar(now))
		} else {
			parts = append(parts, words(t.step))
		}
	}
	return cut(strings.Join(parts, "  ·  "), m.width()-1)
}

func (t task) bar(now time.Time) string {
	s := t.step
	if s.Total <= 0 || math.IsNaN(s.Done) {
		return words(s) + "  " + clock(now.Sub(t.begun))
	}
	f := min(max(s.Done/s.Total, 0), 1)
	full := int(f * barWidth)
	text := fmt.Sprintf("%s %s%s %3.0f%%", named(s), strings.Repeat("━", full), strings.Repeat("─", barWidth-full), 100*f)
	if spent := now.Sub(t.begun); f > 0.02 && spent > patience/2 {
		text += "  " + clock(time.Duration(float64(spent)*(1-f)/f)) + " left"
	}
	return text + value(s)
}

// named is the task of a step, and what it takes.
func named(s progress.Step) string {
	if s.About == "" {
		return s.Task
	}
	return s.Task + ", " + s.About
}

// words describes a step without a bar: "solve 12 of 60, residual 3.1e-06".
func words(s progress.Step) string {
	text := named(s)
	switch {
	case s.Total > 0 && (s.Done != math.Trunc(s.Done) || s.Total != math.Trunc(s.Total)): // of no unit that people count in
		text += fmt.Sprintf(" %.0f %%", 100*s.Done/s.Total)
	case s.Total > 0:
		text += fmt.Sprintf(" %.6g of %.6g", s.Done, s.Total)
	case s.Done > 0:
		text += fmt.Sprintf(" %.6g", s.Done)
	}
	if v := value(s); v != "" {
		text += "," + v[1:]
	}
	return text
}

func value(s progress.Step) string {
	if s.Label == "" {
		return ""
	}
	return fmt.Sprintf("  %s %.2g", s.Label, s.Value)
}

// clock writes a time as people read it on a bar.
func clock(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	r := []rune(s)
	return string(r[:max(width-1, 0)]) + "…"
}

func (m *Meter) erase() {
	if m.drawn && m.show != nil {
		m.show("")
	}
	m.drawn = false
}

// Where says what runs, for a person who interrupts it: how far the task of the last step is or, if that has ended, the
// innermost one around it. It is empty where no task is known to run.
func (m *Meter) Where() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.last
	if s.Task == "" || ended(s) {
		s = m.around
	}
	s.About = ""
	return words(s)
}

// ended reports whether a step is the last one of its task.
func ended(s progress.Step) bool { return s.Total > 0 && s.Done >= s.Total }

// Wrap returns a writer to the same terminal that takes the bar away before
// it writes.
func (m *Meter) Wrap(w io.Writer) io.Writer { return wrapped{m, w} }

type wrapped struct {
	m *Meter
	w io.Writer
}

func (w wrapped) Write(p []byte) (int, error) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	w.m.erase()
	return w.w.Write(p)
}

// Flush has the writer write what it keeps.
func (w wrapped) Flush() error {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if kept, ok := w.w.(interface{ Flush() error }); ok {
		w.m.erase()
		return kept.Flush()
	}
	return nil
}
