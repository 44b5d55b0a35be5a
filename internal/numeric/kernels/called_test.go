package kernels

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// weighed is a kernel without a formula that tells its coordinates apart: Σ_k (k + 1) p_k q_k, and the first of p
// times the last of q, so that it tells p from q.
type weighed struct{ kernel.Kernel }

func (weighed) String() string { return "weighed" }

func (weighed) Check() error { return nil }

func (weighed) Evaluator(s kernel.Space) (Evaluator, error) { return weighedIn{s.Dim()}, nil }

type weighedIn struct{ d int }

func (e weighedIn) Eval(v []float64) float64 {
	sum := v[0] * v[2*e.d-1]
	for k := range e.d {
		sum += float64(k+1) * v[k] * v[e.d+k]
	}
	return sum
}

func (e weighedIn) Block(dst []float64, ops []expr.Operand) {
	at := make([]float64, len(ops))
	for i := range dst {
		for k, o := range ops {
			if at[k] = o.Scalar; o.Vector != nil {
				at[k] = o.Vector[i]
			}
		}
		dst[i] = e.Eval(at)
	}
}

// A kernel that is called for its values has these on some of its coordinates, the others held or averaged over,
// whichever and however many they are, one by one and in blocks.
func TestCalledKernelsOnSomeCoordinates(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	space := kernel.Space{Names: names, Inputs: 2}
	points, weights := [][]float64{{.5, 2, -1, 3}, {-2, 1, 4, .25}}, []float64{.25, .75}
	for from := range len(names) {
		for to := from + 1; to <= len(names); to++ {
			d := to - from
			own := kernel.Space{Names: names[from:to]}
			p, q := []float64{1, 2, 3, 5}[:d], []float64{7, .5, -4, 6}[:d]
			value := func(at []float64) float64 {
				whole := append(append([]float64{}, at...), at...)
				copy(whole[from:to], p)
				copy(whole[4+from:], q)
				return weighedIn{4}.Eval(whole)
			}
			for _, c := range []struct {
				k    kernel.Kernel
				want float64
			}{
				{hold(weighed{}, space, from, to, points[0]), value(points[0])},
				{Average(weighed{}, space, from, to, points, weights), .25*value(points[0]) + .75*value(points[1])},
			} {
				f, err := Compile(c.k, own)
				if err != nil {
					t.Fatal(err)
				}
				block := make([]float64, 2)
				ops := make([]expr.Operand, 2*d)
				for k := range d {
					ops[k].Vector, ops[d+k].Scalar = []float64{p[k], p[k]}, q[k]
				}
				f.Block(block, ops[:d], ops[d:])
				for _, got := range append(block, f.At(p, q)) {
					if !(math.Abs(got-c.want) <= 1e-13) {
						t.Errorf("%s of %v: %g, want %g", c.k, own.Names, got, c.want)
					}
				}
			}
		}
	}
}

// Of many pairs there is no formula to be written anew; values are those of single points.
func TestCalledKernelsOfManyPairs(t *testing.T) {
	f, err := Compile(weighed{}, kernel.Space{Names: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	x := mesh.Must(mesh.Uniform(-1, 2, 520, "x"))
	m, err := f.Matrix(x, x)
	if err != nil {
		t.Fatal(err)
	}
	g := mat.NewDense(520, 520, nil)
	if err := m.Fill(context.Background(), g); err != nil {
		t.Fatal(err)
	}
	p, q := make([]float64, 1), make([]float64, 1)
	for i := 0; i < 520; i += 97 {
		for j := 0; j < 520; j += 89 {
			x.Point(p, i)
			x.Point(q, j)
			if got, want := g.At(i, j), f.At(p, q); got != want {
				t.Errorf("at %g and %g: %g, want %g", p[0], q[0], got, want)
			}
		}
	}
}

// Kernels of others are read by those who know their kind, and no other is.
func TestKernelsOfOthersAreReadByThem(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	b, err := Marshal(se)
	if err != nil {
		t.Fatal(err)
	}
	other := Other{Kind: "of others", Read: func(json.RawMessage) (kernel.Kernel, error) { return weighed{}, nil }}
	if k, err := Unmarshal(b, other); err != nil || k.String() != se.String() {
		t.Errorf("%v, %v", k, err)
	}
	if k, err := Unmarshal([]byte(`{"kernel": "of others"}`), other); err != nil || k.String() != "weighed" {
		t.Errorf("%v, %v", k, err)
	}
}

// Kernels of given functions are written with all digits of their eigenvalues.
func TestMercerInWords(t *testing.T) {
	k := Mercer{Text: []string{"sin", "cos"}, Eigenvalues: []float64{1, .0625}}
	if got := k.String(); got != "mercer{functions={sin, cos}, eigenvalues={1, 0.0625}}" {
		t.Errorf("%q", got)
	}
}

// How products run at scattered points is said: in the loop of a radial family, by a tape of what its formula takes, or by calls.
func TestHowProductsRun(t *testing.T) {
	line := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	length := kernel.Lengthscale{.5}
	for want, k := range map[string]kernel.Kernel{
		"evaluated by calls": weighed{},
		"evaluated and multiplied in one loop, that of se": kernel.SE{Lengthscale: length},
		"evaluated in blocks by a tape":                    kernel.Product{Factors: []kernel.Kernel{kernel.Linear{Offset: 1}, kernel.SE{Lengthscale: length}}},
	} {
		f, err := Compile(k, line)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Loop(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", k, got, want)
		}
	}
}
