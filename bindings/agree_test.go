package bindings_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
)

// An agreement is a computation that SciPy or NumPy makes, too, of the same random arrays.
type agreement struct {
	of     string // the function as declared: linalg.solve, sparse:dot
	ours   string // in Lua: an expression of a, b, c and d, or statements that return
	theirs string // in Python: an expression of the same
	draw   func(g *draws) []*array.Array
	kinds  string // of numbers, as in numberKinds; all of them if empty
	// tol is the difference allowed: of the largest number of each result, or of scale, an
	// expression in Python; and times condition, another one, where a problem loses digits.
	tol              float64
	scale, condition string
	each             bool // tol is of each number, or of scale where that is larger
	domain           bool // we have NaN outside of the domain: for odd numbers, where SciPy has limits
	// refuses are our errors where SciPy has numbers, with the reason beside it.
	// Everywhere allowed is to refuse NaN, infinities and emptiness by a message that names them.
	refuses string
	// numbers says that we may have them where SciPy has NaN, or fails with this exception.
	numbers string
	cases   int // instead of 1000
}

// numberKinds are what numbers of arrays are, with how often in a hundred. What is refused
// because of NaN or infinities is refused with them.
var numberKinds = []struct {
	name  string
	share int
}{{"plain", 38}, {"whole", 16}, {"one", 10}, {"huge", 8}, {"tiny", 8}, {"beyond", 8}, {"nan", 4}, {"inf", 4}, {"empty", 4}}

// draws makes the arrays of one call, all of them of one kind.
type draws struct {
	*rand.Rand
	kind string
}

// size is a number of rows, 1 or 0 where that is what is tried.
func (g *draws) size(low, high int) int {
	switch g.kind {
	case "one":
		return 1
	case "empty":
		return 0
	}
	return low + g.IntN(high-low+1)
}

func (g *draws) number() float64 {
	x := g.NormFloat64()
	switch g.kind {
	case "whole":
		return float64(g.IntN(7) - 3)
	case "huge":
		return x * 1e300
	case "tiny":
		return x * 1e-300
	case "beyond": // integers that have no digit to spare
		return math.Copysign(0x1p53+2*float64(g.IntN(1000)), x)
	}
	return x
}

func (g *draws) array(shape ...int) *array.Array { return g.odd(g.of(g.number, shape...)) }

// within are numbers of a range, whatever the kind.
func (g *draws) within(low, high float64, shape ...int) *array.Array {
	return g.odd(g.of(func() float64 { return low + (high-low)*g.Float64() }, shape...))
}

func (g *draws) decades(low, high float64, shape ...int) *array.Array {
	return g.odd(g.of(func() float64 { return math.Pow(10, low+(high-low)*g.Float64()) }, shape...))
}

func (g *draws) of(number func() float64, shape ...int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = number()
	}
	return a
}

// odd puts what is no number among the numbers.
func (g *draws) odd(a *array.Array) *array.Array {
	if k := a.Size(); k > 0 {
		switch g.kind {
		case "nan":
			a.Data[g.IntN(k)] = math.NaN()
		case "inf":
			a.Data[g.IntN(k)] = math.Inf(2*g.IntN(2) - 1)
		}
	}
	return a
}

// increasing are points in order, not closer than a hundredth of their mean distance.
func (g *draws) increasing(n int) *array.Array {
	unit := map[string]float64{"huge": 1e300, "tiny": 1e-300, "beyond": 0x1p53}[g.kind]
	if unit == 0 {
		unit = 1
	}
	x := 3 * g.NormFloat64()
	return g.odd(g.of(func() float64 { x += 0.01 + g.Float64(); return x * unit / float64(4*n) }, n))
}

// scalar is a number, of no axis.
func scalar(x float64) *array.Array { return &array.Array{Data: []float64{x}} }

// integer is a number, not an array: of a call f(n).
func (g *draws) integer(low, high int) *array.Array {
	return scalar(float64(low + g.IntN(high-low+1)))
}

// definite is a symmetric matrix whose diagonal outweighs the rest.
func (g *draws) definite(n int) *array.Array {
	a := g.array(n, n)
	unit := 0.0
	for _, x := range a.Data {
		unit = max(unit, math.Abs(x)/8)
	}
	for i := range n {
		for j := range i {
			a.Set(a.At(i, j), j, i)
		}
		a.Set(float64(8*n)*unit+math.Abs(a.At(i, i)), i, i)
	}
	return a
}

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

var (
	scipySeed  = flag.Uint64("scipyseed", 1, "seed of the calls that TestAgreesWithSciPy compares")
	scipyCalls = flag.Int("scipycalls", 1000, "how many calls of a function TestAgreesWithSciPy compares, where it tries every case")
	scipyOf    = flag.String("scipyof", "", "only functions whose names match")
)

// withSciPy is the path of a Python that has SciPy, looked for once.
var withSciPy = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import scipy").Run() == nil {
			return name
		}
	}
	return ""
})

func agreements() []agreement {
	return slices.Concat(agreeLinalg(), agreePoly(), agreeSparse(), agreeFFT(), agreeSpecial(), agreeInterp(), agreeStats(), agreeOptimize(), agreeIntegrate())
}

// TestEveryFunctionIsCompared: a function of the numerical modules is compared with SciPy's or
// NumPy's, or it is said why not, and what is compared or excused exists.
func TestEveryFunctionIsCompared(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range agreements() {
		rows[r.of] = true
	}
	for f, why := range notCompared {
		if rows[f] || why == "" {
			t.Errorf("%s: compared, or without a reason", f)
		}
		rows[f] = true
	}
	for f := range all().Functions() {
		if !slices.Contains([]string{"linalg", "poly", "sparse", "fft", "special", "interp", "stats", "optimize", "integrate"}, f.Module) {
			continue
		}
		if !rows[f.FullName] {
			t.Errorf("%s is not compared with SciPy or NumPy: add a row to the agreements of its module, or a reason to notCompared", f.FullName)
		}
		delete(rows, f.FullName)
	}
	for f := range rows {
		t.Errorf("%s is not declared", f)
	}
}

// TestAgreesWithSciPy: functions of the numerical modules give what SciPy and NumPy give, of
// random arrays of all kinds of numbers, where SciPy is installed.
func TestAgreesWithSciPy(t *testing.T) {
	python := withSciPy()
	if python == "" || testing.Short() {
		t.Skip("LEFT OUT: the comparison with SciPy, which no python3 here has")
	}
	only := regexp.MustCompile(*scipyOf)
	rows := slices.DeleteFunc(agreements(), func(r agreement) bool { return !only.MatchString(r.of) })
	var cases []comparison
	for k, r := range rows {
		h := fnv.New64()
		fmt.Fprint(h, r.of, r.ours)
		g := &draws{Rand: rand.New(rand.NewPCG(*scipySeed, h.Sum64()))}
		for range r.count() {
			g.kind = r.kind(g.Rand)
			cases = append(cases, comparison{row: k, kind: g.kind, args: r.draw(g)})
		}
	}
	theirs(t, python, rows, cases)
	L := openAll(t, nil)
	if err := L.DoString(`function abs(x)
	if type(x) == "number" then return math.abs(x) end
	local complex, im = pcall(function() return x.im end)
	if not complex then return where(lt(x, 0), -x, x) end
	return #x == 0 and im or #x == 1 and array{x:abs()} or x:abs()
end`); err != nil {
		t.Fatal(err)
	}
	differ := map[string]int{}
	for i := range cases {
		c := &cases[i]
		r := &rows[c.row]
		got, err := r.call(t, L, c.args)
		if problem := r.differs(c, got, err); problem != "" {
			if differ[r.of]++; differ[r.of] <= 3 {
				t.Errorf("%s, %s numbers: %s\n%s\nof %s", r.of, c.kind, problem, r.ours, inFull(c.args))
			}
		}
	}
	t.Logf("%d calls of %d functions; those that differ: %v", len(cases), len(rows), differ)
}

func (r *agreement) count() int {
	switch {
	case !testmain.EveryCase():
		return 2
	case r.cases > 0:
		return min(r.cases, *scipyCalls)
	}
	return *scipyCalls
}

func (r *agreement) kind(g *rand.Rand) string {
	for {
		at := g.IntN(100)
		for _, k := range numberKinds {
			if at -= k.share; at < 0 {
				if r.kinds == "" || slices.Contains(strings.Fields(r.kinds), k.name) {
					return k.name
				}
				break
			}
		}
	}
}

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

// inFull writes arrays with all their digits.
func inFull(args []*array.Array) string {
	var text []string
	for _, a := range args {
		text = append(text, fmt.Sprintf("%v%.17g", a.Shape, a.Data))
	}
	return strings.Join(text, " ")
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// call runs the Lua of a row.
func (r *agreement) call(t *testing.T, L *lua.LState, args []*array.Array) ([]*array.Array, error) {
	t.Helper()
	code := r.ours
	if !strings.HasPrefix(code, "return ") && !strings.Contains(code, "\nreturn ") {
		code = "return " + code
	}
	fn, ok := L.GetGlobal(code).(*lua.LFunction)
	if !ok {
		if err := L.DoString("return function(a, b, c, d)\n" + code + "\nend"); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		fn = L.Get(-1).(*lua.LFunction)
		L.SetGlobal(code, fn)
	}
	L.SetTop(0)
	call := bind.At(L)
	L.Push(fn)
	for _, a := range args {
		if a.Rank() == 0 {
			L.Push(lua.LNumber(a.Data[0]))
		} else {
			L.Push(call.Lua(a.Copy()))
		}
	}
	if err := L.PCall(len(args), lua.MultRet, nil); err != nil {
		return nil, err
	}
	var got []*array.Array
	for i := 1; i <= L.GetTop(); i++ {
		a, err := numbersOf(call, L.Get(i))
		if err != nil {
			return nil, err
		}
		got = append(got, a)
	}
	L.SetTop(0)
	return got, nil
}

func numbersOf(call *bind.Call, v lua.LValue) (*array.Array, error) {
	switch v := v.(type) {
	case lua.LNumber:
		return scalar(float64(v)), nil
	case lua.LBool:
		if v {
			return scalar(1), nil
		}
		return scalar(0), nil
	case *lua.LUserData:
		if z, ok := v.Value.(*array.Complex); ok {
			a := array.New(append(slices.Clone(z.Shape), 2)...)
			for i, x := range z.Data {
				a.Data[2*i], a.Data[2*i+1] = real(x), imag(x)
			}
			return a, nil
		}
	}
	return bind.Decode[*array.Array](call, v)
}

// differs says how we and SciPy differ; "" where we agree.
func (r *agreement) differs(c *comparison, got []*array.Array, err error) string {
	tol := r.tol * max(1, c.condition)
	if math.IsNaN(c.condition) {
		tol = r.tol
	}
	switch {
	case err != nil && c.want == nil:
		return ""
	case err != nil:
		if r.mayRefuse(c.kind, err.Error()) || tol > 0.01 {
			return ""
		}
		for _, w := range c.want {
			if slices.ContainsFunc(w.Data, finite) || w.Size() == 0 {
				first, _, _ := strings.Cut(err.Error(), "\n")
				return fmt.Sprintf("we say %s\nSciPy has %s", first, inFull(c.want))
			}
		}
		return ""
	case c.want == nil:
		if r.numbers != "" && regexp.MustCompile(r.numbers).MatchString(c.exception) {
			return ""
		}
		return fmt.Sprintf("we have %s, SciPy says %s", inFull(got), c.exception)
	case len(got) != len(c.want):
		return fmt.Sprintf("we have %d values, SciPy %d", len(got), len(c.want))
	}
	for k, w := range c.want {
		if !slices.Equal(got[k].Shape, w.Shape) {
			return fmt.Sprintf("value %d: our shape is %v, SciPy's %v", k+1, got[k].Shape, w.Shape)
		}
		scale := c.scale
		for _, x := range w.Data {
			if finite(x) && c.scale == 0 {
				scale = max(scale, math.Abs(x))
			}
		}
		for i, x := range w.Data {
			allowed := tol * scale
			if r.each {
				allowed = tol * max(c.scale, math.Abs(x))
			}
			y := got[k].Data[i]
			overflow := c.kind == "huge" && !finite(x) && !finite(y) // in another order of the sum
			outside := r.domain && (c.kind == "one" || c.kind == "inf") && math.IsNaN(y)
			if !alike(y, x, allowed) && !overflow && !outside && !(math.IsNaN(x) && r.numbers == "NaN") {
				return fmt.Sprintf("value %d: our number %d is %.17g, SciPy's %.17g: they differ by %.2g, allowed is %.2g\nwe have %v\nSciPy   %v", k+1, i+1, y, x, math.Abs(y-x), allowed, got[k].Data, w.Data)
			}
		}
	}
	return ""
}

// mayRefuse says whether an error names what is odd about the arguments, where SciPy goes on
// with NaN or with nothing.
func (r *agreement) mayRefuse(kind, message string) bool {
	if says, ok := map[string]string{"nan": "finite|NaN", "inf": "finite|Inf", "empty": `empty|no values|\b0\b|nothing`}[kind]; ok && regexp.MustCompile(says).MatchString(message) {
		return true
	}
	return r.refuses != "" && regexp.MustCompile(r.refuses).MatchString(message)
}

func alike(x, y, allowed float64) bool {
	const rounding = 8 * math.SmallestNonzeroFloat64 // of numbers that have few digits left
	return x == y || math.IsNaN(x) && math.IsNaN(y) || finite(x) && finite(y) && math.Abs(x-y) <= allowed+rounding
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
