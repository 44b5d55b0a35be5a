package testrun

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// tap writes the Test Anything Protocol, version 14: a test point for each
// file, its cases as a subtest.
// https://testanything.org/tap-version-14-specification.html
type tap struct {
	w     io.Writer
	files int
}

func (t *tap) begin(files int) {
	fmt.Fprintf(t.w, "TAP version 14\n1..%d\n", files)
}

func (t *tap) file(f *File) {
	t.files++
	name := tapText(f.Path)
	fmt.Fprintf(t.w, "# Subtest: %s\n", name)
	directive := ""
	if len(f.Cases) == 0 && f.OK() {
		directive = " # SKIP " + tapText(tally(f))
		if f.Reason != "" {
			directive = " # SKIP " + tapText(f.Reason)
		}
		fmt.Fprintf(t.w, "    1..0%s\n", directive)
	} else {
		fmt.Fprintf(t.w, "    1..%d\n", len(f.Cases))
	}
	for i := range f.Cases {
		t.one(f, i+1, &f.Cases[i])
	}
	fmt.Fprintf(t.w, "%s %d - %s%s\n", tapStatus(f.OK()), t.files, name, directive)
	if f.Error != nil {
		t.diagnostic("  ", f.Path, f.Error.Line, f.Error.Message, f.Output, 0)
	}
	for _, line := range f.Golden {
		fmt.Fprintf(t.w, "# golden: %s\n", oneLine(line))
	}
}

func (t *tap) one(f *File, number int, c *Case) {
	directive := ""
	if c.Status == Skipped {
		directive = strings.TrimRight(" # SKIP "+tapText(c.Reason), " ")
	}
	fmt.Fprintf(t.w, "    %s %d - %s%s\n", tapStatus(c.Status != Failed), number, tapText(c.Name), directive)
	if c.Status != Failed || len(c.Failures) == 0 {
		return
	}
	parts := make([]string, len(c.Failures))
	for i, e := range c.Failures {
		parts[i] = e.Message
		if e.Line > 0 && len(c.Failures) > 1 {
			parts[i] = fmt.Sprintf("line %d:\n%s", e.Line, indent(e.Message, "  "))
		}
	}
	t.diagnostic("      ", f.Path, c.Failures[0].Line, strings.Join(parts, "\n"), c.Output, c.Seed)
}

// diagnostic writes the YAML block of the test point above it.
func (t *tap) diagnostic(margin, path string, line int, message, output string, seed uint32) {
	var b strings.Builder
	b.WriteString("---\nmessage: " + yamlText(message) + "\n")
	b.WriteString("at:\n  file: " + strconv.Quote(path) + "\n")
	if line > 0 {
		fmt.Fprintf(&b, "  line: %d\n", line)
	}
	if seed > 0 {
		fmt.Fprintf(&b, "seed: %d\n", seed)
	}
	if output != "" {
		b.WriteString("output: " + yamlText(trimLines(output)) + "\n")
	}
	b.WriteString("...")
	for _, l := range strings.Split(b.String(), "\n") {
		fmt.Fprintln(t.w, strings.TrimRight(margin+l, " "))
	}
}

func (t *tap) end(r *Report) {
	if r.Stopped != NotStopped {
		fmt.Fprintf(t.w, "Bail out! %s\n", tapText(string(r.Stopped)))
	}
}

func tapStatus(ok bool) string {
	if ok {
		return "ok"
	}
	return "not ok"
}

// tapText escapes a description or a reason.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `#`, `\#`).Replace(oneLine(s))
}

// oneLine replaces line ends and other control characters by blanks.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

// yamlText writes a text as a literal block, which people can read, or quoted
// when it has characters that a block cannot hold.
func yamlText(s string) string {
	unfit := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	if s == "" || strings.ContainsFunc(s, unfit) || strings.ContainsRune(s, unicode.ReplacementChar) || strings.TrimSpace(s) != strings.TrimRight(s, "\n") {
		return jsonText(s)
	}
	return "|-\n" + indent(strings.TrimRight(s, "\n"), "  ")
}
