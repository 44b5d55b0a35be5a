package runner

import (
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/testrun"
)

// Every example of the functions at hand everywhere runs and prints what it
// says, in the state that scripts get. Those of the modules are run where they
// are declared.
func TestExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	testrun.GoExamples(t, bind.New((&everywhere.Desk{}).Module()), TestState(host.Options{}))
}
