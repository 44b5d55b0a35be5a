package bindings_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// inPython reads cases and writes results: of each the number of values and of each value
// its shape and numbers, complex ones with a last axis of two; -1 for an exception.
const inPython = `
import faulthandler, sys, warnings
import numpy as np, scipy
import scipy.linalg, scipy.sparse, scipy.sparse.linalg, scipy.special, scipy.stats, scipy.interpolate, scipy.optimize, scipy.integrate, scipy.fft, scipy.signal
warnings.simplefilter("ignore")
np.seterr(all="ignore")
folder = sys.argv[1]
data = np.fromfile(folder + "/in.f64")
at = 0
def take(n=1):
    global at
    at += n
    return data[at - n:at]
def arrays():
    for _ in range(int(take()[0])):
        shape = [int(k) for k in take(int(take()[0]))]
        a = take(int(np.prod(shape))).reshape(shape).copy()
        yield float(a) if a.ndim == 0 else a
def Z(a, b):
    z = np.empty(np.shape(a), complex)
    z.real, z.imag = a, b
    return z
HELPERS
def flat(v):
    v = v.toarray() if scipy.sparse.issparse(v) else np.asarray(v)
    if np.iscomplexobj(v):
        v = np.stack([v.real, v.imag], -1)
    return np.concatenate([[v.ndim], v.shape, v.astype(float).ravel()])
out, failed = [], open(folder + "/failed.txt", "w")
rows = [[eval("lambda " + given + "a=None, b=None, c=None, d=None: " + text) for given, text in zip(("", "v, "), row)] for row in ROWS]
while at < len(data):
    f, more = rows[int(take()[0])]
    args = list(arrays())
    faulthandler.dump_traceback_later(60, exit=True)
    try:
        v = f(*args)
        v = v if isinstance(v, tuple) else (v,)
        out += [np.array([len(v), *more(v, *args)], float)] + [flat(x) for x in v]
    except Exception as x:
        out.append(np.array([-1.0]))
        failed.write(repr(x).replace("\n", " ")[:200] + "\n")
np.concatenate(out).tofile(folder + "/out.f64")
`

// A comparison is one call, with what Python makes of it.
type comparison struct {
	row              int
	kind             string
	args             []*array.Array
	want             []*array.Array
	condition, scale float64
	exception        string
}

// theirs has Python compute the cases, all in one run.
func theirs(t *testing.T, python string, rows []agreement, cases []comparison) {
	t.Helper()
	folder := t.TempDir()
	var in []float64
	for _, c := range cases {
		in = append(in, float64(c.row), float64(len(c.args)))
		for _, a := range c.args {
			in = append(in, float64(len(a.Shape)))
			for _, n := range a.Shape {
				in = append(in, float64(n))
			}
			in = append(in, a.Data...)
		}
	}
	var table strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&table, "(%q, %q),\n", r.theirs, "("+orElse(r.condition, "1")+", "+orElse(r.scale, "0")+")")
	}
	code := strings.NewReplacer("HELPERS", pythonHelpers, "ROWS", "[\n"+table.String()+"]").Replace(inPython)
	file := func(name string) string { return filepath.Join(folder, name) }
	raw, _ := binary.Append(nil, binary.LittleEndian, in)
	for name, data := range map[string][]byte{"in.f64": raw, "compare.py": []byte(code)} {
		if err := os.WriteFile(file(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), python, file("compare.py"), folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
	raw, err := os.ReadFile(file("out.f64"))
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := os.ReadFile(file("failed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(raw)/8)
	if _, err := binary.Decode(raw, binary.LittleEndian, out); err != nil {
		t.Fatal(err)
	}
	messages := strings.Split(string(exceptions), "\n")
	for i := range cases {
		c := &cases[i]
		n := int(out[0])
		if out = out[1:]; n < 0 {
			c.exception, messages = messages[0], messages[1:]
			continue
		}
		c.condition, c.scale, out = out[0], out[1], out[2:]
		for range n {
			var shape []int
			for _, k := range out[1 : 1+int(out[0])] {
				shape = append(shape, int(k))
			}
			a := scalar(0)
			if shape != nil {
				a = array.New(shape...)
			}
			out = out[1+len(shape):]
			out = out[copy(a.Data, out):]
			c.want = append(c.want, a)
		}
	}
}
