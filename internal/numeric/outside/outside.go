package outside

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/dataset"
)

// far is from where on beyond the end of an interval, of its length, an estimate is its prior.
const far = 0.5

// Interval says that an interval of a coordinate that is asked for reaches far outside that of the data, such as
// "theta = 30 (data: [1, 3])" of a single number; "" where it does not.
func Interval(name string, asked, data [2]float64) string {
	m := far * (data[1] - data[0])
	switch {
	case !(asked[0] < data[0]-m || asked[1] > data[1]+m):
		return ""
	case asked[0] == asked[1]:
		return fmt.Sprintf("%s = %.4g (data: [%.4g, %.4g])", name, asked[0], data[0], data[1])
	}
	return fmt.Sprintf("%s in [%.4g, %.4g] (data: [%.4g, %.4g])", name, asked[0], asked[1], data[0], data[1])
}

// Parameters is the same of the parameters of samples, by their names among those of the data.
func Parameters(asked, data []dataset.Scalar) string {
	var all []string
	for _, p := range asked {
		i := slices.IndexFunc(data, func(s dataset.Scalar) bool { return s.Name == p.Name })
		if i < 0 || len(p.Values) == 0 {
			continue
		}
		if text := Interval(p.Name, bounds(p), bounds(data[i])); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

func bounds(s dataset.Scalar) [2]float64 {
	return [2]float64{slices.Min(s.Values), slices.Max(s.Values)}
}

// Sample has the parameters of one sample, in the order of their names.
func Sample(names []string, theta []float64) (all []dataset.Scalar) {
	for i, name := range names {
		all = append(all, dataset.Scalar{Name: name, Values: theta[i : i+1]})
	}
	return all
}

// Note is what to know of values that were asked for where the others say.
func Note(where string) string {
	return "values were asked for far outside the data, " + where + ": there the data say nothing, and G falls back to zero and the bias to its constant as the kernel lets them; evaluate nearer, or learn from data that reach there"
}
