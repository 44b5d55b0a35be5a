package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

const (
	same   = 1e-6 // sine between terms that are one
	nearly = 0.99 // correlation of terms that are worth a note
	probes = 4

	rounding = 1e-12 // of the largest number: what a few operations leave
)

// An effect is what one thing can do to the samples: a linear term predicts with
// weights on its Gram matrix, so that two terms with proportional Gram matrices, but
// for what the bias takes, cannot be told apart.
type effect struct {
	name string
	gram func(v []float64) []float64 // the centred Gram matrix times v, which has the mean 0
	zero string                      // why it does nothing that the bias does not do
}

// distinguishable refuses terms that cannot be told from the bias, from noise, or from
// one another.
func (t *Table) distinguishable() error {
	if t.N() == 1 { // a long record, to be cut into samples
		return nil
	}
	for _, s := range t.Parameters {
		if same := s.same(); same != "" {
			return fmt.Errorf("parameter.%s: %s: a family is learned from at least 2 values; leave it out", s.Name, same)
		}
	}
	for _, g := range t.Groups {
		if err := g.check(); err != nil {
			return err
		}
	}
	for _, s := range t.Scalars {
		if same := s.same(); same != "" {
			return fmt.Errorf("input.%s: %s: what it does cannot be told from the bias; leave it out", s.Name, same)
		}
	}
	for _, f := range t.Fields {
		if n := f.Values.Shape[0]; nearlySame(f.Values.Data, n) && !equalRows(f.Values.Data, n) {
			return fmt.Errorf("input.%s: is the same in every sample but for rounding: what it does cannot be told from the bias; leave it out", f.Name)
		}
	}
	effects := t.effects()
	images := make([][][]float64, len(effects))
	for i, e := range effects {
		if images[i] = probe(e.gram, t.N()); norm(images[i]) == 0 {
			return fmt.Errorf("%s: %s", e.name, e.zero)
		}
	}
	for i := range effects {
		for j := range i {
			if c := cosine(images[i], images[j]); sine(c) < same {
				return fmt.Errorf("%s and %s: cannot be told apart: from sample to sample they change in the same way (correlation 1); give one of them",
					effects[j].name, effects[i].name)
			}
		}
	}
	return nil
}

// check refuses labels that say nothing.
func (g Grouping) check() error {
	if len(g.Labels) == 1 {
		return fmt.Errorf("group.%s: every sample has the label %q: its curve cannot be told from the bias; leave the group out", g.Name, g.Labels[0])
	}
	if singles := g.singles(); len(singles) == len(g.Labels) {
		return fmt.Errorf("group.%s: each of the %d labels has one sample only: their curves cannot be told from noise; leave the group out", g.Name, len(g.Labels))
	}
	return nil
}

// singles are the labels with one sample.
func (g Grouping) singles() (labels []string) {
	count := make([]int, len(g.Labels))
	for _, k := range g.Of {
		count[k]++
	}
	for k, c := range count {
		if c == 1 {
			labels = append(labels, g.Labels[k])
		}
	}
	return labels
}

// suspicious says what looks like a mistake, as [Dataset.Suspicious] does.
func (t *Table) suspicious() []string {
	var notes []string
	for _, f := range t.Fields {
		notes = append(notes, f.suspicious("input")...)
	}
	for _, f := range t.Outputs {
		notes = append(notes, f.suspicious("output")...)
	}
	for _, g := range t.Groups {
		if singles := g.singles(); len(singles) > 0 {
			notes = append(notes, fmt.Sprintf("group.%s: one sample only in %d of the %d labels, such as %q: a curve of one is hardly told from noise",
				g.Name, len(singles), len(g.Labels), singles[0]))
		}
	}
	effects := t.effects()
	images := make([][][]float64, len(effects))
	for i, e := range effects {
		images[i] = probe(e.gram, t.N())
		for j := range i {
			if c := cosine(images[i], images[j]); c > nearly {
				notes = append(notes, fmt.Sprintf("%s and %s change from sample to sample in nearly the same way (correlation %.4g): their terms are hardly told apart",
					effects[j].name, effects[i].name, c))
			}
		}
	}
	return notes
}

func (f Field) suspicious(role string) []string {
	if n := f.Values.Shape[0]; n != f.Mesh.Size() || !looksTransposed(f.Values) {
		return nil
	}
	return []string{transposedNote(role+"."+f.Name, f.Mesh.Size())}
}

// effects lists the things that make a term.
func (t *Table) effects() (all []effect) {
	const still = "is the same in every sample: what it does cannot be told from the bias; leave it out"
	for _, f := range t.Fields {
		all = append(all, effect{"input." + f.Name, f.gram, still})
	}
	for _, s := range t.Scalars {
		all = append(all, effect{"input." + s.Name, s.gram, still})
	}
	for _, g := range t.Groups {
		all = append(all, effect{"group." + g.Name, g.gram, still})
	}
	return all
}

// gram is F W Fᵀ v of the values F without their mean and the weights W of the mesh.
func (f Field) gram(v []float64) []float64 {
	m := f.Mesh.Size()
	scale, mean := f.scale()
	centred := func(i, k int) float64 { return f.Values.Data[i*m+k]/scale - mean[k] }
	weights := f.Mesh.Weights()
	sum := make([]float64, m)
	for i, x := range v {
		for k := range sum {
			sum[k] += x * centred(i, k)
		}
	}
	out := make([]float64, len(v))
	for i := range out {
		for k, s := range sum {
			out[i] += weights[k] * s * centred(i, k)
		}
	}
	return out
}

// scale is the largest magnitude, and the mean function in units of it. The numbers that
// are the same in every sample are told from others by exact zeros.
func (f Field) scale() (float64, []float64) {
	m, n := f.Mesh.Size(), f.Values.Shape[0]
	scale := 0.0
	for _, x := range f.Values.Data {
		scale = max(scale, math.Abs(x))
	}
	if scale == 0 {
		scale = 1
	}
	mean := make([]float64, m)
	for k := range mean {
		first := f.Values.Data[k] / scale
		for i := range n {
			mean[k] += (f.Values.Data[i*m+k]/scale - first) / float64(n)
		}
		mean[k] += first
	}
	return scale, mean
}

// nearlySame reports whether n rows of numbers are the same but for rounding; values that are missing are like any.
func nearlySame(values []float64, n int) bool {
	m, largest, apart := len(values)/n, 0.0, 0.0
	for k := range m {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range n {
			if v := values[i*m+k]; !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
		if low <= high {
			largest, apart = max(largest, -low, high), max(apart, high/2-low/2)
		}
	}
	return apart <= rounding/2*largest
}

// equalRows reports whether all rows are the first, to the bit.
func equalRows(values []float64, n int) bool {
	m := len(values) / n
	for i := 1; i < n; i++ {
		if !slices.Equal(values[:m], values[i*m:(i+1)*m]) {
			return false
		}
	}
	return true
}

// same says that the numbers are one number, exactly or but for rounding: they are scaled by their spread where they are
// used, and would be noise. It is "" where they differ.
func (s Scalar) same() string {
	low, high := slices.Min(s.Values), slices.Max(s.Values)
	switch {
	case low == high:
		return fmt.Sprintf("is %g for every sample", low)
	case high/2-low/2 <= rounding/2*max(-low, high): // halves, as the difference may be too large for a number
		return fmt.Sprintf("is %g for every sample but for rounding", low)
	}
	return ""
}

func (s Scalar) gram(v []float64) []float64 {
	scale, mean := 0.0, 0.0
	for _, x := range s.Values {
		scale = max(scale, math.Abs(x))
	}
	if scale == 0 {
		scale = 1
	}
	for _, x := range s.Values {
		mean += (x - s.Values[0]) / scale / float64(len(v))
	}
	sum := 0.0
	centred := func(i int) float64 { return (s.Values[i]-s.Values[0])/scale - mean }
	for i, x := range v {
		sum += x * centred(i)
	}
	out := make([]float64, len(v))
	for i := range out {
		out[i] = sum * centred(i)
	}
	return out
}

func (g Grouping) gram(v []float64) []float64 {
	sum, total := make([]float64, len(g.Labels)), 0.0
	for i, x := range v {
		sum[g.Of[i]] += x
	}
	out := make([]float64, len(v))
	for i := range out {
		out[i] = sum[g.Of[i]]
		total += out[i]
	}
	for i := range out {
		out[i] -= total / float64(len(v))
	}
	return out
}

// probe applies a Gram matrix to a few fixed random vectors of mean 0.
func probe(gram func([]float64) []float64, n int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	images := make([][]float64, probes)
	for p := range images {
		v, mean := make([]float64, n), 0.0
		for i := range v {
			v[i] = rng.NormFloat64()
			mean += v[i] / float64(n)
		}
		for i := range v {
			v[i] -= mean
		}
		images[p] = gram(v)
	}
	return images
}

// cosine is the correlation of two Gram matrices by what they make of the same vectors.
func cosine(a, b [][]float64) float64 {
	dot := 0.0
	for p := range a {
		dot += floats.Dot(a[p], b[p])
	}
	return dot / (norm(a) * norm(b))
}

func sine(cosine float64) float64 { return math.Sqrt(max(0, 1-cosine*cosine)) }

func norm(a [][]float64) float64 {
	sum := 0.0
	for _, v := range a {
		sum = math.Hypot(sum, floats.Norm(v, 2))
	}
	return sum
}
