// Package offer is what completion says and editors show: it knows neither the language nor the
// terminal, so that a page in a browser can ask the one without the other.
package offer

// A Candidate is one way to go on from the cursor.
type Candidate struct {
	Text string // replaces the text between From and the cursor
	Show string // what a list of candidates shows; Text if empty
}

// A Completion is the answer to the Tab key.
type Completion struct {
	From       int    // byte offset in the line where the completed word begins
	Title      string // shown above the candidates: a signature, say
	Candidates []Candidate
}
