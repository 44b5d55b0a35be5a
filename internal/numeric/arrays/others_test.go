package arrays

import (
	"os"
	"os/exec"
	"sync"
	"testing"
)

// pythonWith is a Python that has a module, or "".
func pythonWith(module string) string {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	return ""
}

// runPython runs a script; the test is left out where the module is not installed.
func runPython(t *testing.T, module, script string, args ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Python")
	}
	python := pythonWith(module)
	if python == "" {
		t.Skip("LEFT OUT: no python3 here has " + module)
	}
	out, err := exec.Command(python, append([]string{"-c", script}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

var octave = sync.OnceValue(func() string {
	path, err := exec.LookPath("octave-cli")
	if err != nil {
		path, _ = exec.LookPath("octave") // none: ""
	}
	return path
})

// runOctave runs a script; the test is left out where Octave is not installed.
func runOctave(t *testing.T, script string) {
	t.Helper()
	if testing.Short() || octave() == "" {
		t.Skip("LEFT OUT: Octave is not installed, or -short")
	}
	cmd := exec.Command(octave(), "--norc", "--quiet", "--eval", script)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
