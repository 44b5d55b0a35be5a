package bindings_test

import (
	"os"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/runner"
	"github.com/greenbench/workbench/workbench/testrun"
)

// inRoot is where examples are run, with the folder that they write to, which would be said to be new.
func inRoot(t *testing.T) {
	t.Helper()
	t.Chdir("..")
	if err := os.MkdirAll("out", 0o777); err != nil {
		t.Fatal(err)
	}
}

// The worked examples of kernels, constraints and problems written in Lua, of nonlinear laws and of several
// fields, say what they print.
func TestDefineScripts(t *testing.T) {
	inRoot(t)
	for _, name := range []string{"kernel_wendland", "kernel_gibbs", "constraint_antisymmetric", "constraint_square", "pde_new", "fields", "cubic_law", "burgers"} {
		if (name == "fields" || name == "cubic_law" || name == "burgers") && !testmain.EveryCase() { // guides learn such laws, too
			continue
		}
		testrun.GoTest(t, "scripts/examples/"+name+".lua", runner.TestState(host.Options{}))
	}
}

// The worked examples of data from files of several kinds say what they print.
func TestDataScripts(t *testing.T) {
	inRoot(t)
	names := []string{"beams", "runs", "rods", "catchment"}
	for i := 0; i < len(names); i += testmain.Stride(2) {
		name := names[i]
		testrun.GoTest(t, "scripts/examples/"+name+".lua", runner.TestState(host.Options{}))
	}
}
