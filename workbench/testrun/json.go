package testrun

import (
	"encoding/json"
	"io"
)

// jsonReport writes one JSON document when the run ends.
type jsonReport struct{ w io.Writer }

// jsonVersion grows when a member changes its meaning or goes away.
const jsonVersion = 1

func (j *jsonReport) begin(int)  {}
func (j *jsonReport) file(*File) {}

func (j *jsonReport) end(r *Report) {
	passed, failed, skipped, errors := r.Counts()
	files := r.Files
	if files == nil {
		files = []*File{}
	}
	e := json.NewEncoder(j.w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	// What is written is made of strings and finite numbers, so that only the
	// writer can fail, and then there is nowhere to say so.
	_ = e.Encode(struct {
		Version int     `json:"version"`
		Files   []*File `json:"files"`
		Passed  int     `json:"passed"`
		Failed  int     `json:"failed"`
		Skipped int     `json:"skipped"`
		Errors  int     `json:"errors"`
		Stopped Stop    `json:"stopped,omitempty"`
		NotRun  int     `json:"files_not_run,omitempty"`
		Seconds float64 `json:"seconds"`
		Exit    int     `json:"exit"`
	}{jsonVersion, files, passed, failed, skipped, errors, r.Stopped, r.NotRun, r.Seconds, r.ExitCode()})
}

// jsonText quotes a text, for JSON and for YAML, which includes it.
func jsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
