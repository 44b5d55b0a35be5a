package testrun

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// RunExample runs the example of a bound function in a state of its own and
// compares it as a test file is compared: what it prints or returns with the
// --> text beside the line, its errors with --! text, cases it declares are
// run. name stands for the file in error texts. The error lists what differed.
func RunExample(ctx context.Context, maker Maker, name, source string) error {
	script, err := ParseScript(source)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := newSession(name, script, false, "")
	s.golden = nil // an example has no files
	if err := s.start(maker); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer s.close()
	f := &File{Path: name}
	(&fileRunner{}).session(ctx, s, f)
	var text []string
	for _, c := range f.Cases {
		for _, e := range c.Failures {
			text = append(text, place(name, e.Line)+"\n"+indent(e.Message, "  "))
		}
	}
	if f.Error != nil {
		text = append(text, place(name, f.Error.Line)+"\n"+indent(f.Error.Message, "  "))
	}
	if text == nil {
		return nil
	}
	return errors.New(strings.Join(text, "\n"))
}
