package testmain

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// PythonWith is the path of a Python that has a package, "" where there is none.
func PythonWith(name string) string {
	for _, path := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(path, "-c", "import "+name).Run() == nil {
			return path
		}
	}
	return ""
}

// A Python is one at work, whose functions may call one of ours: both sides then have the very
// same problem.
type Python struct {
	t      testing.TB
	to     io.WriteCloser
	from   *bufio.Scanner
	Called int // how often ours was called by the last call
}

// asked is what Python says to us: ours(x) is our function of numbers.
const asked = `
import sys
import numpy as np
inf, nan = np.inf, np.nan
def ours(*x):
    print("?", *(repr(float(v)) for v in x), flush=True)
    return np.array([float(v) for v in sys.stdin.readline().split()])
CODE
while line := sys.stdin.readline():
    print("=", *(repr(float(v)) for v in eval(line)), flush=True)
`

// SciPy starts a Python that has run the code; the test is left out where SciPy is not installed.
func SciPy(t testing.TB, code string) *Python {
	t.Helper()
	path := PythonWith("scipy")
	if path == "" {
		t.Skip("LEFT OUT: the comparison with SciPy, which no python3 here has")
	}
	c := exec.CommandContext(t.Context(), path, "-c", strings.ReplaceAll(asked, "CODE", code))
	c.Stderr = t.Output()
	to, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		to.Close()
		_ = c.Wait()
	})
	s := bufio.NewScanner(from)
	s.Buffer(nil, 1<<24)
	return &Python{t: t, to: to, from: s}
}

// Call is the numbers that an expression in Python has, which may call ours.
func (p *Python) Call(ours func(x []float64) []float64, expression string) []float64 {
	p.t.Helper()
	p.Called = 0
	for fmt.Fprintln(p.to, expression); p.from.Scan(); p.Called++ {
		said, text, _ := strings.Cut(p.from.Text(), " ")
		var x []float64
		for word := range strings.FieldsSeq(text) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			x = append(x, v)
		}
		if said == "=" {
			return x
		}
		fmt.Fprintln(p.to, strings.Trim(fmt.Sprint(ours(x)), "[]"))
	}
	p.t.Fatalf("Python ended at %s", expression)
	return nil
}

// List writes numbers as Python has them.
func List(x []float64) string {
	var words []string
	for _, v := range x {
		words = append(words, strings.ReplaceAll(fmt.Sprintf("%.17g", v), "+Inf", "inf"))
	}
	return strings.ReplaceAll("["+strings.Join(words, ", ")+"]", "-Inf", "-inf")
}
