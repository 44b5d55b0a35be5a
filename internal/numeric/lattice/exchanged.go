package lattice

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/mesh"
)

// checkExchanged fails if coordinates that are exchanged cover different intervals:
// the function would be tied to itself outside of the data.
func checkExchanged(lists [][]int, names []string, meshes ...mesh.Mesh) error {
	var lower, upper []float64
	for _, m := range meshes {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				lo, hi := a.Lower[i], a.Upper[i]
				if a.Scattered() { // sensors need not reach to the ends
					lo, hi = math.NaN(), math.NaN()
				}
				lower, upper = append(lower, lo), append(upper, hi)
			}
		}
	}
	for _, at := range lists {
		i := at[0]
		for _, j := range at[1:] {
			if tolerance := 1e-6 * (upper[i] - lower[i]); math.Abs(lower[i]-lower[j]) > tolerance || math.Abs(upper[i]-upper[j]) > tolerance {
				return fmt.Errorf("%s covers %g to %g and %s covers %g to %g: coordinates that are exchanged must cover the same interval; sample both on one, or leave the constraint out",
					names[i], lower[i], upper[i], names[j], lower[j], upper[j])
			}
		}
	}
	return nil
}
