package gram_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A family of functions is the kernel evaluated pair by pair, whatever structure that of the
// functions has, and if it has none: its products, its diagonal and its entries.
func TestFamily(t *testing.T) {
	l := kernel.Lengthscale{.3}
	uniform := mesh.Must(mesh.Uniform(0, 1, 6, ""))
	for _, e := range kernels.Catalog() {
		for domain, x := range map[string]mesh.Mesh{"uniform": uniform, "graded": graded(6), "scattered": cloud(7, 1)} {
			t.Run(e.Name+"/"+domain, func(t *testing.T) { isFamily(t, e.Example, kernel.SE{Lengthscale: l}, x, uniform) })
		}
	}
}

// Entries of a family are those of the kernel also where the functions have no structure.
func TestFamilyWithoutStructure(t *testing.T) {
	difference := func(k int) *expr.Node {
		return expr.Sub(expr.Var(kernels.NameSlot(0, k), ""), expr.Var(kernels.NameSlot(1, k), ""))
	}
	square := func(n *expr.Node) *expr.Node { return expr.Mul(n, n) }
	r := expr.Sqrt(expr.Add(square(difference(0)), square(difference(1))))
	support := expr.Max(expr.Const(0), expr.Sub(expr.Const(1), expr.Mul(expr.Const(4), r)))
	wendland, err := kernels.NewDefined(kernels.Formula{Points: 2, Names: []string{"x", "y"}, Forms: []kernels.Form{{Nodes: []*expr.Node{square(support)}}}}, "max(0, 1 - 4r)²")
	if err != nil {
		t.Fatal(err)
	}
	x, y := product(t, rename(cloud(80, 1), []string{"x"}), rename(cloud(3, 1), []string{"theta"})), rename(cloud(79, 1), []string{"y"})
	f := compile(t, kernels.OfParameter{Kernel: wendland, Parameter: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Parameters: 1}, x, y)
	p, _, err := gram.Self(t.Context(), f, x, y, gram.Options{Structure: gram.Family})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(p.Describe(), "Kronecker") {
		t.Fatal("has a structure: ", p.Describe())
	}
	n, _ := p.Dims()
	in, out := mesh.JointNames(x, y)
	joint := product(t, rename(x, in), rename(y, out))
	rng := rand.New(rand.NewPCG(4, 4))
	at, from := make([]float64, joint.Dim()), make([]float64, joint.Dim())
	for range 200 {
		i, j := rng.IntN(n), rng.IntN(n)
		joint.Point(at, i)
		joint.Point(from, j)
		want, got := f.At(at, from), make([]float64, 1)
		if !gram.Entries(p, got, []int{i}, []int{j}) || !(math.Abs(got[0]-want) <= 1e-14) {
			t.Fatalf("entry %d, %d is %g, want %g", i, j, got[0], want)
		}
	}
}

func isFamily(t *testing.T, k, parameter kernel.Kernel, x, y mesh.Mesh) {
	t.Helper()
	x = product(t, rename(x, []string{"x", "z"}[:x.Dim()]), rename(cloud(3, 1), []string{"theta"}))
	f := compile(t, kernels.OfParameter{Kernel: k, Parameter: parameter, Parameters: 1}, x, y)
	in, out := mesh.JointNames(x, y)
	joint := product(t, rename(x, in), rename(y, out))
	want, err := f.Gram(t.Context(), joint, joint)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := gram.Self(t.Context(), f, x, y, gram.Options{Structure: gram.Family})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(p.Describe())
	linoptest.Run(t, p, want, 1e-11)
	checkDiagonal(t, p, want, x, y)
	n, _ := p.Dims()
	for i := range n {
		row, col, got := make([]int, n), make([]int, n), make([]float64, n)
		for j := range n {
			row[j], col[j] = i, j
		}
		if !gram.Entries(p, got, row, col) {
			t.Fatal("has no entries")
		}
		for j, v := range got {
			if !(math.Abs(v-want.At(i, j)) <= 1e-11) {
				t.Fatalf("entry %d, %d is %g, want %g", i, j, v, want.At(i, j))
			}
		}
	}
}
