package transcript

import "strings"

// The prompts of the session. No line of Lua can begin with either of them,
// so a pasted transcript is recognised without doubt.
const (
	Prompt     = "> "
	Continuing = ">> "
)

// StripPrompt removes a prompt of ours from the beginning of a line.
func StripPrompt(line string) (rest string, had bool) {
	trimmed := strings.TrimLeft(line, " \t")
	for _, p := range [...]string{Continuing, Prompt} {
		if strings.HasPrefix(trimmed, p) {
			return trimmed[len(p):], true
		}
		if trimmed == strings.TrimRight(p, " ") {
			return "", true
		}
	}
	return line, false
}

// Inputs makes lines of code from lines that were copied from a
// session: if the first line that is not blank begins with a prompt, only the
// lines with a prompt are input and the others are output, to be dropped.
func Inputs(lines []string) []string {
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first == len(lines) {
		return lines
	}
	if _, had := StripPrompt(lines[first]); !had {
		return lines
	}
	var out []string
	for _, l := range lines {
		if rest, had := StripPrompt(l); had {
			out = append(out, rest)
		}
	}
	return out
}
