package assess

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// noLearner notes which samples it is given.
type noLearner struct {
	in, left [][]int
}

func (*noLearner) outputs() ([]fitted, error) { return nil, nil }

func (l *noLearner) predict(_ context.Context, in, left []int) ([]*mat.Dense, error) {
	l.in, l.left = append(l.in, slices.Clone(in)), append(l.left, slices.Clone(left))
	return nil, nil
}

// A fifth of the samples is left out, one at least, always the same ones; from the others a half, a quarter and an eighth
// are learned from, where these are two at least, and all of them.
func TestSizesOfLearning(t *testing.T) {
	for n, want := range map[int][]int{3: {2}, 4: {3}, 5: {2, 4}, 9: {2, 4, 8}, 10: {2, 4, 8}, 20: {2, 4, 8, 16}, 40: {4, 8, 16, 32}} {
		l, sizes := &noLearner{}, []int{}
		if _, err := learn(t.Context(), l, n, nil, 3); err != nil {
			t.Fatal(err)
		}
		for k, in := range l.in {
			sizes = append(sizes, len(in))
			if len(l.left[k]) != max(1, n/5) || !slices.Equal(l.left[k], l.left[0]) || !slices.Equal(in, l.in[len(l.in)-1][:len(in)]) {
				t.Errorf("of %d: %v are learned from, %v left out", n, in, l.left[k])
			}
			if all := append(slices.Clone(in), l.left[k]...); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
				t.Errorf("of %d: %v are learned from and left out", n, all)
			}
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("of %d: sizes %v, want %v", n, sizes, want)
		}
	}
	for _, size := range []int{1, 9} {
		if _, err := learn(t.Context(), &noLearner{}, 10, []int{size}, 3); err == nil || err.Error() != fmt.Sprintf("n %d: must be at least 2 and at most 8, four fifths of the pairs", size) {
			t.Errorf("%d of 10: %v", size, err)
		}
	}
}

// Logarithms of means are over the mean of all, and 0 where there is nothing.
func TestLogarithmsOfRatios(t *testing.T) {
	got, want := logRatios([]float64{6, 0, 2}, []float64{2, 3, 3}), []float64{math.Log(3), 0, math.Log(2. / 3)}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= 1e-15) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := logRatios([]float64{0, 0}, []float64{1, 1}); got[0] != 0 || got[1] != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// Of fewer pairs than two to learn from and one to predict there is no curve, whatever sizes are asked for.
func TestTooFewToLearnFrom(t *testing.T) {
	for n := 1; n < 3; n++ {
		for _, sizes := range [][]int{nil, {2}, {1, 2}} {
			l := &noLearner{}
			_, err := learn(t.Context(), l, n, sizes, 3)
			if err == nil || !strings.Contains(err.Error(), "needs at least 3") || len(l.in) > 0 {
				t.Errorf("%d pairs, sizes %v: %v", n, sizes, err)
			}
		}
	}
}
