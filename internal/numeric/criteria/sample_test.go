package criteria

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// In a space that is all of it random vectors tell of a function of M what its matrix does: the estimates ⟨s, D⁻¹ f(M) z⟩ and their terms,
// and the sums of squares and of fourth powers of what is left of the eigenvalues, by which they are weighed.
func TestSamplesAreOfTheMatrix(t *testing.T) {
	const n, vectors = 5, 3
	rng := rand.New(rand.NewPCG(3, 8))
	orthogonal := func() *mat.Dense {
		var qr mat.QR
		var q mat.Dense
		qr.Factorize(mat.NewDense(n, n, linop.Normal(rng, n*n)))
		qr.QTo(&q)
		return mat.DenseCopyOf(&q)
	}
	z := mat.NewDense(vectors, n, linop.Normal(rng, vectors*n))
	signs := [][]float64{{1, -1, 1, 1, -1}, {1, 1, -1, 1, 1}, {-1, 1, 1, 1, -1}}
	k := &krylov{q: orthogonal(), turn: orthogonal(), theta: []float64{.5, 1, 2, 3, 7}, size: n, last: n}
	k.c = linop.Product(t.Context(), k.q, z.T())
	keep := []bool{false, true, false, false, true}
	f := func(v float64) float64 { return math.Log(v) - v/4 }
	d := func(row int) float64 { return 1 + float64(row) }
	var got signed
	k.sample(t.Context(), &got, f, keep, signs, d)
	vectorsOf := linop.Product(t.Context(), k.q.T(), k.turn) // eigenvectors in columns
	second, fourth := 0.0, 0.0
	var means [n]float64
	for i, s := range signs {
		sum := 0.0
		for row := range n {
			of := 0.0
			for j, theta := range k.theta {
				if !keep[j] {
					of += vectorsOf.At(row, j) * f(theta) * mat.Dot(vectorsOf.ColView(j), z.RowView(i))
				}
			}
			of *= s[row] / d(row)
			sum, means[row] = sum+of, means[row]+of/vectors
		}
		if !(math.Abs(got.values[i]-sum) <= 1e-12) {
			t.Errorf("estimate %d is %g, want %g", i, got.values[i], sum)
		}
		for j, theta := range k.theta {
			if along := mat.Dot(vectorsOf.ColView(j), z.RowView(i)); !keep[j] {
				second, fourth = second+math.Pow(f(theta)*along, 2), fourth+math.Pow(f(theta), 4)*along*along
			}
		}
	}
	for row, want := range means {
		if !(math.Abs(got.middle[row]-want) <= 1e-12) {
			t.Errorf("row %d is %g, want %g", row, got.middle[row], want)
		}
	}
	if !(math.Abs(got.second-second) <= 1e-12*second) || !(math.Abs(got.fourth-fourth) <= 1e-12*fourth) {
		t.Errorf("squares %g and fourth powers %g, want %g and %g", got.second, got.fourth, second, fourth)
	}
}

// Kernels that have lost give back their random vectors, and those that may still win keep them.
func TestKernelsThatHaveLostGiveTheirVectorsBack(t *testing.T) {
	of := func(value, err float64) *Contender { return &Contender{Value: value, Err: err, Probed: &Probed{}} }
	field := []*Contender{of(math.NaN(), 1), of(2, 1), of(0, 1), of(50, 1), of(.2, 0), of(4.1, 1), of(4.4, 1)} // three times √2 is 4.24
	if err := Settle(t.Context(), field, false); err != nil {
		t.Fatal(err)
	}
	for i, keeps := range []bool{false, true, true, false, true, true, false} {
		if got := field[i].Probed != nil; got != keeps {
			t.Errorf("kernel %d of value %g keeps its vectors: %v", i, field[i].Value, got)
		}
	}
	first := []*Contender{of(0, 1), of(50, 1)}
	if err := Settle(t.Context(), first, false); err != nil || first[0].Probed == nil || first[1].Probed != nil {
		t.Errorf("where the first is best: %v, %v, %v", first[0].Probed, first[1].Probed, err)
	}
}

// Room for a basis is made where there is too little, at least twice as much, and no more than it may have; its rows stay.
func TestRoomForABasis(t *testing.T) {
	const n = 3
	k := &krylov{most: 11, size: 2, q: mat.NewDense(4, n, nil)}
	want := [][]float64{{1, 2, 3}, {4, 5, 6}}
	for i, row := range want {
		k.q.SetRow(i, row)
	}
	for _, c := range []struct{ rows, room int }{{3, 4}, {4, 4}, {5, 8}, {8, 8}, {10, 11}, {30, 11}} {
		k.reserve(c.rows)
		if room, _ := k.q.Dims(); room != c.room {
			t.Errorf("for %d rows there is room for %d, want %d", c.rows, room, c.room)
		}
		for i, row := range want {
			if !slices.Equal(k.q.RawRowView(i), row) {
				t.Errorf("for %d rows: row %d is %v", c.rows, i, k.q.RawRowView(i))
			}
		}
	}
}
