package arrays

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// A numpyCase is one call that NumPy makes, too: a Python expression of the arrays
// a, b and c, and what the package makes of them.
type numpyCase struct {
	expression string
	in         []*array.Array
	out        *array.Array
	err        error
	exact      bool // to the last bit; otherwise to rounding errors
}

// script reads the arrays and evaluates the expressions; an exception gives the
// text that Go looks for.
const script = `
import json, sys, warnings
import numpy as np
warnings.simplefilter("ignore")
np.seterr(all="ignore")
folder = sys.argv[1]
data = np.load(folder + "/in.npz")
out = {}
failed = {}
for k, e in enumerate(json.load(open(folder + "/cases.json"))):
    names = {n: data["%d%s" % (k, n)] for n in "abc" if "%d%s" % (k, n) in data}
    try:
        out[str(k)] = np.atleast_1d(np.asarray(eval(e, {"np": np}, names), dtype=float))
    except Exception as x:
        failed[str(k)] = repr(x)
np.savez(folder + "/out.npz", **out)
json.dump(failed, open(folder + "/failed.json", "w"))
`

var (
	numpySeed  = flag.Uint64("numpyseed", 26, "seed of the calls that TestNumPy compares")
	numpyCount = flag.Int("numpycalls", 1000, "how many calls TestNumPy compares")
)

// TestNumPy: a thousand random calls, with NaN, infinities, empty axes and single
// elements among the numbers, are what NumPy gives, where it is installed. What
// the package refuses NumPy refuses, or has no number for but NaN.
func TestNumPy(t *testing.T) {
	python := ""
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import numpy").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("LEFT OUT: the comparison with NumPy, which no python3 here has; the definitions are tested in definition_test.go")
	}
	r := rand.New(rand.NewPCG(20, *numpySeed))
	var cases []numpyCase
	for len(cases) < *numpyCount {
		for _, make := range numpyCalls() {
			cases = append(cases, make(r))
		}
	}
	folder := t.TempDir()
	inputs, expressions := map[string]*array.Array{}, []string{}
	for k, c := range cases {
		for i, a := range c.in {
			inputs[fmt.Sprint(k)+string("abc"[i])] = a
		}
		expressions = append(expressions, c.expression)
	}
	text, err := json.Marshal(expressions)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "cases.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SaveAll(filepath.Join(folder, "in.npz"), inputs); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", script, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	results, err := Open(filepath.Join(folder, "out.npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	failed := map[string]string{}
	if text, err = os.ReadFile(filepath.Join(folder, "failed.json")); err == nil {
		err = json.Unmarshal(text, &failed)
	}
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for k, c := range cases {
		var want *array.Array
		if _, ok := failed[fmt.Sprint(k)]; !ok {
			if want, err = results.Read(fmt.Sprint(k)); err != nil {
				t.Fatal(err)
			}
		}
		if problem := c.compare(want, failed[fmt.Sprint(k)]); problem != "" {
			if wrong++; wrong < 20 {
				t.Errorf("%s: %s\nof %v", c.expression, problem, c.in)
			}
		}
	}
	t.Logf("%d calls, %d of them differ", len(cases), wrong)
}

func (c numpyCase) compare(want *array.Array, exception string) string {
	switch {
	case c.err != nil && want == nil:
		return ""
	case c.err != nil:
		if slices.ContainsFunc(want.Data, func(x float64) bool { return !math.IsNaN(x) }) {
			return fmt.Sprintf("error %v, NumPy gives %v", c.err, want)
		}
		return ""
	case want == nil:
		return fmt.Sprintf("got %v, NumPy fails: %s", c.out, exception)
	case !slices.Equal(c.out.Shape, want.Shape):
		return fmt.Sprintf("got %v, NumPy gives %v", c.out, want)
	case c.exact && !Equal(c.out, want):
		return fmt.Sprintf("got %v, NumPy gives %v", c.out, want)
	}
	scale := 1.0
	for _, a := range c.in {
		for _, x := range a.Data {
			if dense.Finite(x) {
				scale = max(scale, math.Abs(x))
			}
		}
	}
	d, err := allClose(c.out, want, 1e-12, 1e-13*scale*float64(1+c.in[0].Size()))
	if err != nil || !d.Close() {
		return fmt.Sprintf("%v %v", d, err)
	}
	return ""
}
