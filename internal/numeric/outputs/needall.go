package outputs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// NeedAll is an error if outputs are missing: in which pairs, where the first of them is, and
// what needs them all.
func NeedAll(values *array.Array, m mesh.Mesh, who string) error {
	points := m.Size()
	first := slices.IndexFunc(values.Data, math.IsNaN)
	if first < 0 {
		return nil
	}
	count, of := 0, []int(nil)
	for k, v := range values.Data {
		if !math.IsNaN(v) {
			continue
		}
		count++
		if pair := k/points + 1; len(of) == 0 || of[len(of)-1] != pair {
			of = append(of, pair)
		}
	}
	at := make([]float64, m.Dim())
	m.Point(at, first%points)
	err := fmt.Errorf("data: %d of %d outputs are missing (NaN), in %d of %d pairs, the first in pair %d at %s: %s needs all of them",
		count, len(values.Data), len(of), values.Shape[0], of[0], dense.PointString(at), who)
	const most = 10
	if len(of) > most || len(of) == values.Shape[0] {
		return err
	}
	var pairs []string
	for _, p := range of {
		pairs = append(pairs, fmt.Sprint(p))
	}
	return remedy.LeaveOutPairs.For(err, strings.Join(pairs, ", "))
}
