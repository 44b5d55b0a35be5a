package main

import (
	"testing"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/runner"
	"github.com/greenbench/workbench/workbench/testrun"
)

// The regression tests in Lua, as "workbench test" runs them from the root.
func TestScripts(t *testing.T) {
	t.Chdir("..")
	testrun.GoTest(t, "scripts/tests", runner.TestState(host.Options{}))
}
