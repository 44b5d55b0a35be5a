package dataset

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	jagged  = 0.3 // roughness of functions that are hardly any, see roughness
	smooth  = 0.3 // of pairs beside that, when they look like the functions
	jumping = 5.0 // level of noise that is rather a percentage
)

// Suspicious says what looks like a mistake in the data, one sentence each: square
// arrays that look transposed, and noise of several hundred percent. It is a guess, so
// that nothing is refused.
func (d *Dataset) Suspicious() []string {
	var notes []string
	for _, a := range []struct {
		name string
		data *array.Array
		mesh mesh.Mesh
	}{{"input", d.Input, d.InputMesh}, {"output", d.Output, d.OutputMesh}} {
		if d.N() == a.mesh.Size() && !ofCurves(a.mesh) && looksTransposed(a.data) {
			notes = append(notes, transposedNote(a.name, d.N()))
		}
	}
	if d.NoiseLevel > jumping {
		notes = append(notes, fmt.Sprintf(
			"noise of level %g is %g times the spread of the outputs: a level is a fraction, 0.2 stands for 20 %%", d.NoiseLevel, d.NoiseLevel))
	}
	return notes
}

func transposedNote(name string, n int) string {
	return fmt.Sprintf("%s: %d pairs on %d points change smoothly from pair to pair and jump from point to point: is the array points × pairs? Then transpose it",
		name, n, n)
}

// looksTransposed compares how much a square array changes along its rows and from one
// row to the next.
func looksTransposed(a *array.Array) bool {
	n := a.Shape[0]
	if n < 5 {
		return false
	}
	points, pairs := roughness(a.Data, n, 1, n), roughness(a.Data, n, n, 1)
	return points > jagged && pairs < smooth*points
}

// roughness is the mean squared difference of neighbours over twice the variance: 1 for
// unrelated numbers, near 0 for smooth functions. Neighbours are step apart, on n lines
// that are stride apart; NaN do not count. Each line is taken without its mean.
func roughness(v []float64, n, step, stride int) float64 {
	var change, spread float64
	for i := range n {
		line := func(j int) float64 { return v[i*stride+j*step] }
		mean, count := 0.0, 0.0
		for j := range n {
			if x := line(j); !math.IsNaN(x) {
				mean, count = mean+x, count+1
			}
		}
		mean /= max(count, 1)
		for j := range n {
			x := line(j)
			if math.IsNaN(x) {
				continue
			}
			spread += (x - mean) * (x - mean) / float64(n)
			if j+1 < n && !math.IsNaN(line(j+1)) {
				change += (line(j+1) - x) * (line(j+1) - x) / float64(n-1)
			}
		}
	}
	if spread == 0 {
		return 0
	}
	return change / (2 * spread)
}
