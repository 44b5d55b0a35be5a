package runner

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		want Invocation
	}{
		{"", Invocation{Command: "repl"}},
		{"-i", Invocation{Command: "repl", Stay: true}},
		{"a.lua", Invocation{Command: "file", File: "a.lua"}},
		{"-i a.lua x --safe -e", Invocation{Command: "file", File: "a.lua", Args: []string{"x", "--safe", "-e"}, Stay: true}},
		{"-i --timeout=5s -- a.lua", Invocation{Command: "file", File: "a.lua", Stay: true, Timeout: 5 * time.Second, Options: []string{"--timeout=5s"}}},
		{"- x", Invocation{Command: "file", File: "-", Args: []string{"x"}}},
		{"-e 1 -p 2 x", Invocation{Command: "code", Code: []Snippet{{"1", false}, {"2", true}}, Args: []string{"x"}}},
		{"--eval=1", Invocation{Command: "code", Code: []Snippet{{"1", false}}}},
		{"--print x=1", Invocation{Command: "code", Code: []Snippet{{"x=1", true}}}},
		{"test -x y", Invocation{Command: "test", Args: []string{"-x", "y"}}},
		{"-- test", Invocation{Command: "file", File: "test"}},
		{"./test", Invocation{Command: "file", File: "./test"}},
		{"--safe --no-init --threads 3 a.lua", Invocation{Command: "file", File: "a.lua", Safe: true, NoInit: true, Threads: 3, Options: []string{"--safe", "--no-init", "--threads", "3"}}},
		{"--max-memory 4GiB --timeout 60s", Invocation{Command: "repl", MaxMemory: 4 << 30, Timeout: time.Minute}},
		{"--max-memory=500MB --timeout=1.5", Invocation{Command: "repl", MaxMemory: 500e6, Timeout: 1500 * time.Millisecond}},
		{"--part 2/4 --threads 1 a.lua x", Invocation{Command: "file", File: "a.lua", Args: []string{"x"}, Threads: 1, Part: "2/4", Options: []string{"--threads", "1"}}},
		{"--part=auto -e 1", Invocation{Command: "code", Code: []Snippet{{"1", false}}, Part: "auto"}},
		{"--version", Invocation{Command: "version"}},
		{"version", Invocation{Command: "version"}},
		{"-h", Invocation{Command: "help"}},
		{"doc kernel", Invocation{Command: "doc", Args: []string{"kernel"}}},
		{"lint a b", Invocation{Command: "lint", Args: []string{"a", "b"}}},
	} {
		got, err := Parse(strings.Fields(c.args))
		if len(got.Args) == 0 {
			got.Args = nil
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v; want %+v", c.args, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--saef":           "unknown option --saef; did you mean '--safe'?",
		"-x":               "unknown option -x",
		"-e":               "-e: a value is missing",
		"--timeout":        "--timeout: a value is missing",
		"--timeout soon":   "--timeout soon: want a time such as 60s",
		"--timeout -1s":    "--timeout -1s: want a time such as 60s",
		"--max-memory 4XB": "--max-memory 4XB: want a size such as 4GiB",
		"--max-memory 0":   "--max-memory 0: want a size such as 4GiB",
		"--threads 0":      "--threads 0: want a number from 1",
		"--part 1/2":       "--part needs a script or code",
		"--part 1/2 test":  "--part needs a script or code",
		"lint":             "lint: which files?",
		"version x":        `version: unexpected argument "x"`,
		"-i lint a.lua":    "-i needs a script or code",
	} {
		if _, err := Parse(strings.Fields(args)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"-i a.lua", "--max-memory=1e400GiB", "--timeout NaN", "--=", "-e=1", "--threads 99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		inv, err := Parse(strings.Fields(line))
		if err == nil && (inv.Timeout < 0 || inv.MaxMemory < 0 || inv.Threads < 0 || inv.Command == "file" && inv.File == "") {
			t.Fatalf("%q: %+v", line, inv)
		}
	})
}
