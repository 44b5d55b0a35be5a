package fit_test

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

const readerFolder = "../../scripts/python"

// withNumPy is the path of a Python that has NumPy.
var withNumPy = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	return ""
})

// python runs a script that may import the reader, and returns what it prints.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	name := withNumPy()
	if name == "" {
		t.Skip("no python3 with NumPy here: nothing reads the files")
	}
	cmd := exec.Command(name, append([]string{"-B", "-"}, args...)...)
	cmd.Stdin = bytes.NewBufferString("import sys\nsys.path.insert(0, '" + readerFolder + "')\nimport numpy as np, workbench\n" + script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-1500):])
	}
	return string(out)
}

// The reader in Python, which knows no kernel, gives what the estimate gives: G and
// predictions, on the meshes of the data and elsewhere, for random problems with all kernels,
// constraints and meshes, to 1e-10 of the largest value.
func TestPythonReader(t *testing.T) {
	const seeds = 60
	folder := t.TempDir()
	var names []string
	compared := map[string]int{}
	for seed := range uint64(seeds) {
		p := newRandomProblem(seed, 60)
		e, err := fit.Fit(t.Context(), p.spec)
		if err != nil {
			continue // TestRandomProblems says which refusals are right
		}
		name := filepath.Join(folder, fmt.Sprint(seed))
		if err := e.Save(ctx, name+".npz"); err != nil {
			continue // a mask that a script defines has no file
		}
		if err := arrays.SaveAll(name+"_want.npz", valuesOf(t, e, p)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		compared[fmt.Sprintf("%T", e.Kernel)]++
		if e.Constraint != nil {
			compared["constrained"]++
		}
	}
	out := python(t, `
for name in sys.argv[1:]:
    e, w = workbench.load(name + '.npz'), np.load(name + '_want.npz')
    for what, got in [
        ('green', e.green()), ('green_elsewhere', e.green(w['x'], w['y'])),
        ('bias', e.bias()), ('bias_elsewhere', e.bias(w['y'])),
        ('predict', e.predict(w['f'])), ('predict_elsewhere', e.predict(w['f_elsewhere'], w['x'], w['w'], w['y'])),
    ]:
        want = w[what].reshape(got.shape)
        scale = max(abs(want).max(), w['scale'].max() if 'bias' in what else 0, 1e-300)
        print(name.split('/')[-1], what, abs(got - want).max() / scale)
`, names...)
	worst := 0.0
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var seed, what string
		var off float64
		if _, err := fmt.Sscan(line, &seed, &what, &off); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		worst = max(worst, off)
		if !(off <= 1e-10) {
			t.Errorf("seed %s: %s is off by %g of the largest value", seed, what, off)
		}
	}
	t.Logf("%d estimates, worst %g of the largest value: %v", len(names), worst, compared)
	if len(names) < seeds*2/3 || compared["constrained"] < 10 {
		t.Errorf("only %d estimates, %d constrained", len(names), compared["constrained"])
	}
}

// valuesOf are the estimate's values on its meshes and on others.
func valuesOf(t *testing.T, e *fit.Estimate, p *randomProblem) map[string]*array.Array {
	t.Helper()
	all := map[string]*array.Array{}
	keep := func(name string, m *mat.Dense, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = array.FromMatrix(m)
	}
	f, _ := p.spec.Data.Matrices()
	wave := mat.NewDense(2, p.other.Size(), nil)
	wave.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(i + 3*j)) }, wave)
	none := mesh.Mesh{}
	g, err := e.Green(t.Context(), none, none)
	keep("green", g, err)
	g, err = e.Green(t.Context(), p.other, p.further)
	keep("green_elsewhere", g, err)
	u, err := e.Predict(t.Context(), f, none, none)
	keep("predict", u, err)
	u, err = e.Predict(t.Context(), wave, p.other, p.further)
	keep("predict_elsewhere", u, err)
	for name, y := range map[string]mesh.Mesh{"bias": none, "bias_elsewhere": p.further} {
		b, err := e.Bias(t.Context(), y)
		keep(name, mat.NewDense(1, len(b), b), err)
	}
	all["f"], all["f_elsewhere"] = p.spec.Data.Input, array.FromMatrix(wave)
	all["x"] = &array.Array{Shape: []int{p.other.Size(), p.other.Dim()}, Data: p.other.Points()}
	all["y"] = &array.Array{Shape: []int{p.further.Size(), p.further.Dim()}, Data: p.further.Points()}
	all["w"], all["scale"] = array.Vector(p.other.Weights()), all["predict"].Map(math.Abs)
	return all
}

// What the reader cannot read it refuses, and says what to do.
func TestPythonReaderRefuses(t *testing.T) {
	folder := t.TempDir()
	p := newRandomProblem(1, 60)
	e := testmain.Must(fit.Fit(t.Context(), p.spec))(t)
	good, data := filepath.Join(folder, "good.npz"), filepath.Join(folder, "data.npz")
	if err := e.Save(ctx, good); err != nil {
		t.Fatal(err)
	}
	if err := p.spec.Data.Save(data); err != nil {
		t.Fatal(err)
	}
	out := python(t, `
import json, zipfile
good, data, folder = sys.argv[1:]
def say(f, *args):
    try: f(*args); print('no error')
    except (ValueError, FileNotFoundError) as e: print(str(e).replace(folder + '/', ''))
def changed(name, how):
    with zipfile.ZipFile(good) as z, zipfile.ZipFile(folder + '/' + name, 'w') as out:
        for n in z.namelist():
            b = z.read(n)
            if n == 'estimate.json':
                h = json.loads(b); how(h); b = json.dumps(h)
            out.writestr(n, b)
    say(workbench.load, folder + '/' + name)
def operation(h): h['evaluation']['green']['kernel']['nodes'][-1]['op'] = 'zeta'
changed('newop.npz', operation)
changed('newer.npz', lambda h: h.update(version=9))
changed('older.npz', lambda h: h.pop('evaluation'))
say(workbench.load, data)
say(workbench.load, good + '.no')
open(folder + '/text.npz', 'w').write('PK no zip')
say(workbench.load, folder + '/text.npz')
e = workbench.load(good)
say(e.predict, np.ones(len(e.input_points) + 1))
say(e.predict, e.input_weights, [[1.0] * e.input_points.shape[1]])
say(e.green, np.zeros((2, 7)))
`, good, data, folder)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := []string{
		"newop.npz: its kernel uses the operation 'zeta'", "newer.npz: format version 9", "older.npz: holds no formulas", "data.npz: not a saved estimate",
		"No such file", "text.npz: ", "f has the shape (", "x and weights", "x has the shape (2, 7)",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines for %d:\n%s", len(lines), len(want), out)
	}
	for i, w := range want {
		if !strings.Contains(lines[i], w) {
			t.Errorf("%q does not say %q", lines[i], w)
		}
	}
}
