package manual

import (
	"regexp"
	"strconv"
	"testing"
)

// Every file that a guide names without a folder goes to one of its own when the manual is
// made, not to where the reader is.
func TestFilesOfGuidesAreRedirected(t *testing.T) {
	file := regexp.MustCompile(`^[\w-]+\.[a-z][a-z0-9]{1,4}$`)
	for _, name := range Guides() {
		program, err := Program(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens(program) {
			if s, err := strconv.Unquote(token.text); token.class == "s" && err == nil && file.MatchString(s) && !fileName.MatchString(s) && s != "kernel.kink" {
				t.Errorf("%s: %q would be written where the reader is: add its ending to fileName", name, s)
			}
		}
	}
}
