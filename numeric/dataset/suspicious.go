package dataset

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	jagged  = 0.3 // roughness of functions that are hardly any, see roughness
	smooth  = 0.3 // of pairs beside that, when they look like the functions
	jumping = 1.0 // level of noise above which it may be a percentage
)

// Suspicious says what looks like a mistake in the data, one sentence each: square
// arrays that look transposed, noise of more than a hundred percent, and pairs that are there twice. It is a guess, so
// that nothing is refused.
func (d *Dataset) Suspicious() []string {
	var notes []string
	for _, a := range []struct {
		name string
		data *array.Array
		mesh mesh.Mesh
	}{{"input", d.Input, d.InputMesh}, {"output", d.Output, d.OutputMesh}} {
		if d.N() == a.mesh.Size() && !ofCurves(a.mesh) && !nearlySame(a.data.Data, d.N()) && looksTransposed(a.data) {
			notes = append(notes, transposedNote(a.name, d.N()))
		}
	}
	if text := d.loud(); text != "" {
		notes = append(notes, text)
	}
	if n := d.N(); n > 1 && nearlySame(d.Input.Data, n) {
		notes = append(notes, fmt.Sprintf("the inputs of all %d pairs are the same: what they do to the output cannot be told from the bias, and nothing tells what other inputs do", n))
	} else if twins := d.twins(); len(twins) > 0 {
		first, more := twins[0], ""
		if len(twins) > 1 {
			more = fmt.Sprintf(", one of %d such pairs", len(twins))
		}
		notes = append(notes, fmt.Sprintf(
			"pair %d has the inputs and outputs of pair %d%s, noise and all: entered twice? Then the noise and all bands come out too small; leave all but one of them out",
			first[1]+1, first[0]+1, more))
	}
	return notes
}

// loud says that noise was added whose level may have been meant as a percentage.
func (d *Dataset) loud() string {
	if d.NoiseLevel <= jumping {
		return ""
	}
	return fmt.Sprintf("noise of level %g is %g times the spread of the outputs: a level is a fraction, 0.2 stands for 20 %%", d.NoiseLevel, d.NoiseLevel)
}

// twins are pairs that are the same to the bit as one before, with that one. Outputs without any
// variation do not count: they may be what the inputs give.
func (d *Dataset) twins() (found [][2]int) {
	mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
	seen := map[[2]float64][]int{} // by their sums
	for i := range d.N() {
		f, u := d.Input.Data[i*mx:(i+1)*mx], d.Output.Data[i*my:(i+1)*my]
		if !slices.ContainsFunc(u, func(v float64) bool { return v != u[0] }) || slices.ContainsFunc(u, math.IsNaN) {
			continue
		}
		key := [2]float64{floats.Sum(f), floats.Sum(u)}
		for _, j := range seen[key] {
			if slices.Equal(f, d.Input.Data[j*mx:(j+1)*mx]) && slices.Equal(u, d.Output.Data[j*my:(j+1)*my]) {
				found = append(found, [2]int{j, i})
				break
			}
		}
		seen[key] = append(seen[key], i)
	}
	return found
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
