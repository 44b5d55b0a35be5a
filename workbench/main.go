// The workbench: numerics scripted in Lua, at a prompt and in files. The
// command is package runner; this is only its door.
package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/workbench/runner"
)

func main() {
	// Where no limit is given, what a computation may take before it is refused is that from
	// which memory is collected eagerly too.
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(dense.MemoryLimit()))
	}
	dense.CollectSeldom()
	os.Exit(runner.Main(os.Args[1:], runner.System()))
}
