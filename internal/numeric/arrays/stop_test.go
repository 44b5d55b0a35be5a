package arrays

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// withoutContext are the operations that need none, and why.
var withoutContext = map[string]string{
	"Of": "shares", "Vector": "shares", "FromMatrix": "shares, or copies a matrix of Go", "ComplexOf": "shares",
	"Matrix": "shares", "Reshape": "shares", "Complex.Reshape": "shares",
	"Index": "shares", "Complex.Index": "shares", "Mask.Index": "shares",
	"Rank": "looks at the shape", "Complex.Rank": "looks at the shape", "Mask.Rank": "looks at the shape",
	"Size": "looks at the shape", "Complex.Size": "looks at the shape", "Mask.Size": "looks at the shape",
	"Scalar": "one number", "At": "one number", "Set": "one number", "Position": "one number",
	"Copy": "for Go programs; scripts have Pick", "Map": "for Go programs; scripts have MapAll",
	"Take": "for Go programs; scripts have Pick",
	"New":  "for Go programs; scripts have Full", "Zeros": "for Go programs; scripts have Full",
	"Equal":  "for tests",
	"String": "shows a part", "Format": "shows a part", "FormatLong": "shows a part", "Mask.String": "shows a part",
	"Complex.String": "shows a part", "Complex.Format": "shows a part", "Complex.FormatLong": "shows a part",
	"Load": "a file", "LoadAll": "a file", "Save": "a file", "SaveAll": "a file", "SaveComplex": "a file",
}

// ofElements are the types whose size is up to the user.
var ofElements = []string{"Array", "Mask", "Complex"}

// operations are the exported functions and methods, as "Add" and "Sort", that
// have arrays, masks or complex arrays among their arguments or results; with says
// whether the first argument is a context.
func operations(t *testing.T) (with map[string]bool) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	with = map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name, arrays := f.Name.Name, false
			if f.Recv != nil {
				owner := typeText(f.Recv.List[0].Type)
				name, arrays = owner+"."+name, slices.Contains(ofElements, owner)
				if !arrays {
					continue
				}
			}
			for _, list := range []*ast.FieldList{f.Type.Params, f.Type.Results} {
				if list == nil {
					continue
				}
				for _, p := range list.List {
					arrays = arrays || slices.Contains(ofElements, typeText(p.Type))
				}
			}
			if arrays {
				params := f.Type.Params.List
				with[name] = len(params) > 0 && typeText(params[0].Type) == "Context"
			}
		}
	}
	return with
}

// typeText is the name of a type without its package, pointers and lists.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeText(e.X)
	case *ast.ArrayType:
		return typeText(e.Elt)
	case *ast.MapType:
		return typeText(e.Value)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// lasting is a context that ends at a number of looks at it.
type lasting struct {
	context.Context
	looks, most atomic.Int64
}

func lastingFor(t *testing.T, most int64) *lasting {
	l := &lasting{Context: t.Context()}
	l.most.Store(most)
	return l
}

func (l *lasting) Err() error {
	if l.looks.Add(1) > l.most.Load() {
		return context.Canceled
	}
	return nil
}

// TestOperationsEnd: every operation on arrays, masks and complex numbers takes a
// context; it looks at it at the beginning of its work, while it goes on and at the
// end, and fails when it has ended at any of these. What has no row fails.
func TestOperationsEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so that looks come in one order
	with := operations(t)
	calls := stoppable(t, 1_100_000)
	for name, takes := range with {
		switch {
		case !takes && withoutContext[name] == "":
			t.Errorf("%s takes no context: nothing ends it", name)
		case takes && calls[name] == nil:
			t.Errorf("%s: no row says how it is called", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if !with[name] {
			t.Errorf("%s: there is no such operation", name)
		}
		all := lastingFor(t, math.MaxInt64)
		if err := calls[name](all); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		looks := all.looks.Load()
		if looks < 2 {
			t.Errorf("%s looked at its context %d times", name, looks)
		}
		for _, most := range []int64{0, 1, looks - 1} {
			if err := calls[name](lastingFor(t, most)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, stopped at look %d of %d: %v", name, most+1, looks, err)
			}
		}
	}
}

// stoppable are calls of the operations on n numbers.
func stoppable(t *testing.T, n int) map[string]func(ctx context.Context) error {
	t.Helper()
	a := must(Full(ctx(), 1.5, n))
	for i := range a.Data {
		a.Data[i] += float64(i * 7919 % 1000)
	}
	z, err := Cartesian(ctx(), a, a)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Compare(ctx(), "gt", a, array.Scalar(500))
	if err != nil {
		t.Fatal(err)
	}
	whole, increasing := must(Round(ctx(), a, 0)), must(Arange(ctx(), 0, float64(n), 1))
	root := int(math.Sqrt(float64(n)))
	row, three := array.Vector(a.Data[:root]), must(array.Of(a.Data[:n/3*3], n/3, 3))
	side := int(math.Sqrt(float64(n) / 3))
	square := must(array.Of(a.Data[:side*side], side, side))
	zSquare, err := ComplexOf(z.Data[:200*200], 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	few, shuffled := must(array.Of(a.Data[:150_000], 50_000, 3)), array.Vector(a.Data[:200_000])
	two := array.Scalar(2)
	ofTwo := func(of func(ctx context.Context, a, b *array.Array) (*array.Array, error), a, b *array.Array) func(context.Context) error {
		return func(ctx context.Context) error { return second(of(ctx, a, b)) }
	}
	file := filepath.Join(t.TempDir(), "a.npy")
	if err := Save(file, a); err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context) error{
		"LoadNumbers": func(ctx context.Context) error {
			_, _, err := LoadNumbers(ctx, file, "")
			return err
		},
		"Add": ofTwo(Add, a, a), "Sub": ofTwo(Sub, a, two), "Mul": ofTwo(Mul, a, a), "Div": ofTwo(Div, two, a), "Pow": ofTwo(Pow, shuffled, two),
		"Outer": ofTwo(Outer, row, row), "Kron": ofTwo(Kron, row, row), "Cross": ofTwo(Cross, three, three), "Dot": ofTwo(Dot, square, square),
		"Zip":        func(ctx context.Context) error { return second(Zip(ctx, a, two, math.Max)) },
		"Where":      func(ctx context.Context) error { return second(Where(ctx, m, a, two)) },
		"Join":       func(ctx context.Context) error { return second(Join(ctx, []*array.Array{a, a}, 0, false)) },
		"Compare":    func(ctx context.Context) error { return second(Compare(ctx, "le", a, two)) },
		"Logic":      func(ctx context.Context) error { return second(Logic(ctx, "or", m, m)) },
		"Cartesian":  func(ctx context.Context) error { return second(Cartesian(ctx, a, two)) },
		"Combine":    func(ctx context.Context) error { return second(Combine(ctx, '*', z, z)) },
		"ComplexDot": func(ctx context.Context) error { return second(ComplexDot(ctx, zSquare, zSquare)) },
		"Full":       func(ctx context.Context) error { return second(Full(ctx, 2, n)) },
		"Eye":        func(ctx context.Context) error { return second(Eye(ctx, root)) },
		"LinSpace":   func(ctx context.Context) error { return second(LinSpace(ctx, 0, 1, n)) },
		"LogSpace":   func(ctx context.Context) error { return second(LogSpace(ctx, 0, 1, n/20)) },
		"Arange":     func(ctx context.Context) error { return second(Arange(ctx, 0, float64(n), 1)) },
		"MeshGrid":   func(ctx context.Context) error { return second(MeshGrid(ctx, []*array.Array{row, row}, true)) },

		"ArgSort":          func(ctx context.Context) error { return second(ArgSort(ctx, shuffled, 0, 0, false)) },
		"BinCount":         func(ctx context.Context) error { return second(BinCount(ctx, whole, nil, 0)) },
		"Bins":             func(ctx context.Context) error { return second(Bins(ctx, a, 10, math.NaN(), 0)) },
		"Broadcast":        func(ctx context.Context) error { return second(Broadcast(ctx, row, root, root)) },
		"Clip":             func(ctx context.Context) error { return second(Clip(ctx, a, two, two)) },
		"Diagonal":         func(ctx context.Context) error { return second(Diagonal(ctx, row, 0)) },
		"Diff":             func(ctx context.Context) error { return second(Diff(ctx, a, 1, 0)) },
		"Histogram":        func(ctx context.Context) error { return second(Histogram(ctx, a, []float64{0, 1, 1000}, nil)) },
		"Complex.Function": func(ctx context.Context) error { return second(z.Function(ctx, "asin")) },
		"Function":         func(ctx context.Context) error { return second(Function(ctx, a, "log10")) },
		"MapAll":           func(ctx context.Context) error { return second(MapAll(ctx, a, math.Abs)) },
		"Masked":           func(ctx context.Context) error { return second(Masked(ctx, a, m)) },
		"NonZero":          func(ctx context.Context) error { return second(NonZero(ctx, a)) },
		"Picked":           func(ctx context.Context) error { return second(Picked(ctx, a)) },
		"PutMasked":        func(ctx context.Context) error { return PutMasked(ctx, a, m, array.Scalar(600)) },
		"PutPick":          func(ctx context.Context) error { return PutPick(ctx, a, a) },
		"Roll":             func(ctx context.Context) error { return second(Roll(ctx, a, n/2, 0)) },
		"Round":            func(ctx context.Context) error { return second(Round(ctx, a, 1)) },
		"Running":          func(ctx context.Context) error { return second(Running(ctx, a, false, 0)) },
		"Sort":             func(ctx context.Context) error { return second(Sort(ctx, shuffled, 0, false)) },
		"Tile":             func(ctx context.Context) error { return second(Tile(ctx, row, root, 1)) },
		"ToComplex":        func(ctx context.Context) error { return second(ToComplex(ctx, a)) },
		"Transpose":        func(ctx context.Context) error { return second(Transpose(ctx, three)) },
		"Update":           func(ctx context.Context) error { return Update(ctx, a.Copy(), '*', two) },
		"Unique": func(ctx context.Context) error {
			_, _, _, _, err := Unique(ctx, shuffled, 0)
			return err
		},
		"SearchSorted": func(ctx context.Context) error { return second(SearchSorted(ctx, increasing, row, false, 0)) },
		"Reduce": func(ctx context.Context) error {
			for op := range reductions(0.5) {
				for _, axis := range []int{All, 0, 1} {
					if err := second(Reduce(ctx, few, op, 0.5, axis, false)); err != nil {
						return err
					}
				}
			}
			return nil
		},

		"Complex.Abs":   func(ctx context.Context) error { return second(z.Abs(ctx)) },
		"Complex.Angle": func(ctx context.Context) error { return second(zSquare.Angle(ctx)) },
		"Complex.Equal": func(ctx context.Context) error { return second(z.Equal(ctx, z)) },
		"Complex.Imag":  func(ctx context.Context) error { return second(z.Imag(ctx)) },
		"Complex.Real":  func(ctx context.Context) error { return second(z.Real(ctx)) },
		"Complex.Map": func(ctx context.Context) error {
			return second(z.Map(ctx, func(v complex128) complex128 { return -v }))
		},
		"Complex.Masked":    func(ctx context.Context) error { return second(z.Masked(ctx, m)) },
		"Complex.Pick":      func(ctx context.Context) error { return second(z.Pick(ctx)) },
		"Complex.PutMasked": func(ctx context.Context) error { return z.PutMasked(ctx, m, &Complex{[]int{1}, []complex128{1}}) },
		"Complex.PutPick":   func(ctx context.Context) error { return z.PutPick(ctx, z) },
		"Complex.Mean":      func(ctx context.Context) error { return second(z.Mean(ctx, All)) },
		"Complex.Sum":       func(ctx context.Context) error { return second(z.Sum(ctx, All)) },
		"Complex.Transpose": func(ctx context.Context) error { return second(z.Transpose(ctx)) },

		"Mask.Array": func(ctx context.Context) error { return second(m.Array(ctx)) },
		"Mask.Counts": func(ctx context.Context) error {
			_, _, err := m.Counts(ctx, All, false)
			return err
		},
		"Mask.Find":   func(ctx context.Context) error { return second(m.Find(ctx, 0)) },
		"Mask.Not":    func(ctx context.Context) error { return second(m.Not(ctx)) },
		"Mask.Places": func(ctx context.Context) error { return second(m.Places(ctx)) },
	}
}

// second is the error of a call.
func second[T any](_ T, err error) error { return err }
