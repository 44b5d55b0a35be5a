package bar

import (
	"io"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// What a task takes is noted once where there is no bar, when it begins and not when it ends; a bar has it, and no note.
func TestAnnouncementsWithoutABar(t *testing.T) {
	for _, bar := range []bool{false, true} {
		var notes []string
		var out io.Writer
		if bar {
			out = io.Discard
		}
		m := New(out, func() int { return 80 }).Notes(func(text string) { notes = append(notes, text) })
		m.Begin(t.Context())
		s := progress.Step{Task: "fit", About: "about 12s and 0.5 GiB"}
		m.Report(progress.Step{Task: "solve", Done: 1, Total: 2})
		m.Report(s)
		m.Report(s)
		s.Done, s.Total = 1, 1
		m.Report(s)
		m.End()
		if want := 1; !bar && (len(notes) != want || notes[0] != "fit, about 12s and 0.5 GiB") || bar && len(notes) > 0 {
			t.Errorf("with a bar %v: notes %q", bar, notes)
		}
	}
}
