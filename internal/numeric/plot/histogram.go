package plot

import (
	"fmt"
	"math"
	"slices"
)

// Samples are the numbers of one sample after another, of any lengths.
type Samples [][]float64

// Histogram counts how many numbers of each sample lie in each bin. NaN and infinite
// numbers are left out, as those beyond given edges are.
type Histogram struct {
	Samples Samples   `arg:"samples" pos:"1" doc:"numbers of one sample, or a list of samples; of an array, each row is one" allow:"nan"`
	Bins    int       `arg:"bins" doc:"how many bins; 0: by the rules of Sturges and of Freedman and Diaconis, whichever asks for more" default:"0" allow:">=0"`
	Edges   []float64 `arg:"edges" doc:"borders of the bins, increasing; instead of bins" default:"nil"`
	Density bool      `arg:"density" doc:"heights whose bars have area 1, instead of counts" default:"false"`
	Labels  []string  `arg:"labels" doc:"names of the samples in the legend" default:"nil"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (h Histogram) check() error {
	_, err := h.panel()
	return err
}

func (h Histogram) sheet() (*Sheet, error) { return single(h.panel()) }

func (h Histogram) panel() (*Panel, error) {
	samples, err := finiteSamples(h.Samples, h.Labels, "labels")
	if err != nil {
		return nil, err
	}
	edges, err := h.edges(slices.Concat(samples...))
	if err != nil {
		return nil, err
	}
	var curves []Curve
	for i, s := range samples {
		c := Curve{Style: LineStyle{Color: seriesColor(i)}, width: lineWidth, grounded: true}
		if h.Labels != nil {
			c.Label = h.Labels[i]
		}
		fill := c.Style.Color
		if len(samples) > 1 {
			fill.A = 140 // one shows through the other
		}
		for k, height := range h.heights(s, edges) {
			if height > 0 {
				b := block(edges[k], 0, edges[k+1], height, fill)
				b.Outline = unhex(0xffffff)
				c.Shapes = append(c.Shapes, b)
			}
		}
		curves = append(curves, c)
	}
	if h.YLabel == "" {
		h.YLabel = "count"
		if h.Density {
			h.YLabel = "density"
		}
	}
	return h.Axes.panel(curves)
}

// finiteSamples returns the finite numbers of each sample.
func finiteSamples(samples [][]float64, names []string, argument string) ([][]float64, error) {
	if len(samples) == 0 {
		return nil, fmt.Errorf("samples: empty: must hold at least one")
	}
	if names != nil && len(names) != len(samples) {
		return nil, fmt.Errorf("%s: %d for %d samples: must be as many", argument, len(names), len(samples))
	}
	out := make([][]float64, len(samples))
	for i, s := range samples {
		for _, v := range s {
			if finite(v) {
				out[i] = append(out[i], v)
			}
		}
		if len(out[i]) == 0 {
			return nil, fmt.Errorf("samples: sample %d holds no finite number: must hold at least one", i+1)
		}
	}
	return out, nil
}

// edges returns the given borders, or equally spaced ones around all numbers.
func (h Histogram) edges(all []float64) ([]float64, error) {
	if h.Edges != nil {
		if h.Bins != 0 {
			return nil, fmt.Errorf("bins %d: must not be given together with edges", h.Bins)
		}
		for i, v := range h.Edges {
			if !finite(v) || i > 0 && v <= h.Edges[i-1] {
				return nil, fmt.Errorf("edges: edge %d is %v: must be finite and increase", i+1, v)
			}
		}
		if len(h.Edges) < 2 {
			return nil, fmt.Errorf("edges: %d: must be at least two", len(h.Edges))
		}
		return h.Edges, nil
	}
	const most = 10000
	if h.Bins < 0 || h.Bins > most {
		return nil, fmt.Errorf("bins %d: must be between 0 (chosen) and %d", h.Bins, most)
	}
	slices.Sort(all)
	lo, hi := spread(all[0], all[len(all)-1], false)
	n := h.Bins
	if n == 0 {
		n = binCount(all)
	}
	edges := make([]float64, n+1)
	for i := range edges {
		t := float64(i) / float64(n)
		edges[i] = lo*(1-t) + hi*t
	}
	return edges, nil
}

// binCount is the larger of the numbers of bins by H. A. Sturges (1926), log2 n + 1, and
// by D. Freedman and P. Diaconis (1981), of width 2 IQR / n^(1/3), for sorted numbers.
func binCount(sorted []float64) int {
	const most = 500
	n := float64(len(sorted))
	count := math.Ceil(math.Log2(n)) + 1
	width := 2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / math.Cbrt(n)
	if span := sorted[len(sorted)-1] - sorted[0]; width > 0 && finite(span) {
		count = max(count, math.Ceil(span/width))
	}
	return int(min(count, most))
}

// quantile interpolates linearly between the sorted numbers.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	t := at - float64(i)
	return sorted[i]*(1-t) + sorted[j]*t
}

// heights counts a sample; a bin holds its left border, the last one its right one too.
func (h Histogram) heights(sample, edges []float64) []float64 {
	counts := make([]float64, len(edges)-1)
	total := 0.0
	for _, v := range sample {
		if v < edges[0] || v > edges[len(edges)-1] {
			continue
		}
		i, found := slices.BinarySearch(edges, v)
		if !found {
			i--
		}
		counts[min(i, len(counts)-1)]++
		total++
	}
	if h.Density && total > 0 {
		for i := range counts {
			counts[i] /= total * (edges[i+1] - edges[i])
		}
	}
	return counts
}
