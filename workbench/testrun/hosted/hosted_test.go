package hosted_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/testrun"
	"github.com/greenbench/workbench/workbench/testrun/hosted"
)

func kernel() bind.Module {
	return bind.Module{Name: "kernel", Doc: "A module to test with.", Funcs: []bind.Func{
		bind.Fn("matern", "Refuses what is not positive.", func(_ *bind.Call, a struct {
			Nu float64 `arg:"nu" default:"2.5" allow:">0"`
		},
		) (float64, error) {
			return a.Nu, nil
		}, bind.Example("kernel.matern{nu = 1.5}  --> 1.5")),
	}}
}

// The files of testdata pass in a host.
func TestScripts(t *testing.T) {
	testrun.GoTest(t, "testdata", hosted.Maker(hosted.Modules(kernel())))
}

func TestExamples(t *testing.T) {
	testrun.GoExamples(t, bind.New(kernel(), testrun.Module()), hosted.Maker(hosted.Modules(kernel())))
}

// run runs the command on one file and returns its status and output.
func run(t *testing.T, ctx context.Context, source string) (status int, out string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.lua")
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	status = testrun.Command(ctx, []string{path}, testrun.Program{Maker: hosted.Maker(hosted.Modules(kernel())), Out: &b, Err: &b})
	return status, strings.ReplaceAll(b.String(), dir+string(filepath.Separator), "")
}

// os.exit neither ends the test run nor passes for success.
func TestExit(t *testing.T) {
	for _, source := range []string{
		"test.case('a', function() os.exit(0) end)\ntest.case('b', function() end)",
		"test.case('a', function() pcall(os.exit, 0) end)\ntest.case('b', function() end)",
		"test.case('a', function() test.error(function() os.exit(0) end) end)\ntest.case('b', function() end)",
		"print(1) --> 1\nos.exit(0)\n\nprint(2) --> 2",
	} {
		status, out := run(t, t.Context(), source)
		if status != testrun.ExitFailed || !strings.Contains(out, "os.exit(0): a test must not end the program") || !strings.Contains(out, "1 passed, 1 failed") {
			t.Errorf("%s\nstatus %d\n%s", source, status, out)
		}
	}
	if status, out := run(t, t.Context(), "test.case('a', function() end)\nos.exit(0)"); status != testrun.ExitNotLoaded {
		t.Errorf("while loading: status %d\n%s", status, out)
	}
}

// Time limits end the case, in Lua code and in patterns, and the next case runs.
func TestTimeLimit(t *testing.T) {
	status, out := run(t, t.Context(), `
test.case("loop", function() while true do end end, {timeout = 0.05})
test.case("caught", function() while true do pcall(function() while true do end end) end end, {timeout = 0.05})
test.case("coroutine", function() coroutine.wrap(function() while true do end end)() end, {timeout = 0.05})
test.case("next", function() test.equal(coroutine.wrap(function() return 1 end)(), 1) end)
`)
	if status != testrun.ExitFailed || strings.Count(out, "time limit of 50ms for this case") != 3 || !strings.Contains(out, "1 passed, 3 failed") {
		t.Errorf("status %d\n%s", status, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if status, out := run(t, ctx, "test.case('loop', function() while true do end end)"); status != testrun.ExitTimeLimit {
		t.Errorf("the run: status %d\n%s", status, out)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	defer cancel()
	if status, out := run(t, ctx, "while true do end"); status != testrun.ExitInterrupted {
		t.Errorf("interrupted while loading: status %d\n%s", status, out)
	}
}
