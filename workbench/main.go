// The workbench: numerics scripted in Lua, at a prompt and in files. The
// command is package runner; this is only its door.
package main

import (
	"os"

	"github.com/greenbench/workbench/workbench/runner"
)

func main() { os.Exit(runner.Main(os.Args[1:], runner.System())) }
