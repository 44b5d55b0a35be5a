package bindings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings"
)

// TestTablesSuggestTheCall: data.load of a table without saying what its columns are gives the call
// that reads it, which does; of what is no table of measurements it guesses nothing.
func TestTablesSuggestTheCall(t *testing.T) {
	long := func(head, rows string) string { return head + "\n" + rows }
	for name, c := range map[string]struct{ text, call string }{
		"long":     {long("sample,x,f,u", "a,0,1,2\na,1,3,4\nb,0,1,2\nb,1,3,4\n"), `{pair = "sample", x = "x"}`},
		"numbered": {long("run,depth,force,disp", "1,0,1,2\n1,1,3,4\n2,0,1,2\n2,1,3,4\n"), `{pair = "run", x = "depth", input = "force", output = "disp"}`},
		"index":    {long(",id,x,f,u", "0,a,0,1,2\n1,a,1,3,4\n2,b,0,1,2\n3,b,1,3,4\n"), `{pair = "id", x = "x"}`},
		"record":   {long("time,rain,flow", "2024-01-01,1,2\n2024-01-02,3,4\n2024-01-03,3,4\n"), `{x = "time", input = "rain", output = "flow"}`},
		"kinds":    {long("id,what,x,value", "a,load,0,1\na,answer,0,2\nb,load,0,1\nb,answer,0,2\n"), `{pair = "id", x = "x", kind = "what", input = "load", output = "answer"}`},
		"wide":     {long(",0,0.5,1", "a,1,2,3\nb,3,4,5\n"), `{pair = "index", output = "u.csv"}`},
		"matrix":   {"1,2,3\n4,5,6\n", ""},
		"two":      {"x,u\n0,1\n1,2\n", ""},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, name+".csv")
		for _, p := range []string{path, filepath.Join(folder, "u.csv")} {
			if err := os.WriteFile(p, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		eval := evaluator(t, bindings.Data())
		got := eval(fmt.Sprintf("return data.load(%q)", path))
		if c.call == "" {
			if strings.Contains(got, "Perhaps") {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		_, call, _ := strings.Cut(got, "Perhaps ")
		if want := fmt.Sprintf("data.load(%q, %s)", path, c.call); call != want {
			t.Errorf("%s: %s, want the call %s", name, got, want)
			continue
		}
		if got := eval("return (" + call + ").n > 0"); got != "true" {
			t.Errorf("%s: the call gives %s", name, got)
		}
	}
}
