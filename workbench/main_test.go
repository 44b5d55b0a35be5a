package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

// The test binary is the program, too: started with this variable it behaves
// like the one that go build makes, so that tests need no second build.
const beProgram = "WORKBENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
		return
	}
	testmain.Run(m)
}

// program is a command that runs the workbench in a folder, with an
// environment that knows nothing of the user.
func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "HOME", "TERM", "NO_COLOR", "EDITOR", "VISUAL", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TMUX", "TERM_PROGRAM":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, beProgram+"=1", "HOME="+dir, "EDITOR=")
	if !slices.Contains(args, "--max-memory") { // where memory is limited, it is collected as for users
		cmd.Env = append(cmd.Env, testmain.Environment())
	}
	return cmd
}
