package chunk

import "fmt"

// SyntaxError says where a source text stops being Lua and what would have been right there.
type SyntaxError struct {
	File    string // the name the chunk was given
	Line    int    // from 1; the last line of the text when something is missing at its end
	Column  int    // in characters, from 1; 0 when only the line is known
	Message string // lower case, no full stop: expected 'end' (to close 'if' at line 3), found 'else'
	Hint    string // how to write what was probably meant; often empty

	// Incomplete: the text is the beginning of a correct one, so a prompt should ask for another line.
	Incomplete bool
}

// Error returns "file:line: message", with the hint after a semicolon.
func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}
