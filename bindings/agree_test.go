package bindings_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
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

var (
	scipySeed  = flag.Uint64("scipyseed", 1, "seed of the calls that TestAgreesWithSciPy compares")
	scipyCalls = flag.Int("scipycalls", 40, "how many calls of a function TestAgreesWithSciPy compares, where it tries every case")
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
	if testing.Short() {
		t.Skip("LEFT OUT: the comparison with SciPy, for which -short leaves no time")
	}
	if python == "" {
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
		if z, ok := v.Value.(*arrays.Complex); ok {
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
