// The workbench: a numerical workbench scripted in Lua, at a prompt and in
// files. All it does is in package runner; the word "command" of every
// subcommand leads there.
package main

import (
	"os"

	"github.com/greenbench/workbench/workbench/runner"
)

func main() { os.Exit(runner.Main(os.Args[1:], runner.System())) }
