package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// sentinels are numbers that instruments and programs write for no value.
var sentinels = []float64{999, 9999, 99999, 999999, 1e20, 1e30, 1e35, 9.969209968386869e36, 32767, 32768, 65535, 2147483647}

// notes says what looks like a mistake in a function.
func (s *Function) notes(name string, f dataset.Field) (notes []string) {
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if len(s.Empty) > 0 {
		say("%s: %s no value: of no use to a fit", name, have(s.Empty))
	}
	if len(s.Constant) > 0 {
		say("%s: %s the same value at all points: a sensor that was off?", name, have(s.Constant))
	}
	written, count := sentinel(f)
	if count > 0 {
		say("%s: %s exactly %.10g, far from all others: a number written for a missing value?", name, valuesAre(count), written)
	}
	notes = append(notes, twice(name, f.Mesh)...)
	if factor, odd := otherUnit(f); len(odd) > 0 {
		say("%s: %s about %s times as large as the others: in another unit?", name, are(odd), factor)
	} else if len(s.Outliers) > 0 {
		say("%s: %s far from the others as a whole", name, are(s.Outliers))
	}
	if n := len(s.OutlyingValues); n > 0 && math.Abs(s.OutlyingValues[0].Value) != math.Abs(written) {
		o := s.OutlyingValues[0]
		say("%s: %s far from the neighbours and from the other samples, the first in %d at point %d, %.4g", name, valuesAre(n), o.Sample+1, o.Point+1, o.Value)
	}
	if s.Missing > 0 && !ownPoints(f.Mesh) {
		if part := float64(s.Missing) / float64(f.Values.Size()); part > 0.5 {
			say("%s: %.0f %% of the values are missing", name, 100*part)
		}
	}
	if size := max(math.Abs(s.Low), math.Abs(s.High)); size > 0 && s.Spread < 1e-12*size && f.Values.Shape[0] > 1 && !ownPoints(f.Mesh) {
		say("%s: is the same in all samples but for rounding", name)
	}
	return notes
}

// together says what looks like a mistake in several functions at once.
func (s *Summary) together(t *dataset.Table) (notes []string) {
	for i, g := range s.Repeats {
		if i == 5 {
			notes = append(notes, fmt.Sprintf("and %d more groups of samples with the same inputs", len(s.Repeats)-i))
			break
		}
		if copied(t, g) {
			notes = append(notes, fmt.Sprintf("%s the same, inputs and outputs: entered twice?", are(g)))
			continue
		}
		notes = append(notes, fmt.Sprintf("%s the same inputs: repeats, which may be averaged", have(g)))
	}
	for _, f := range t.Fields {
		for _, u := range t.Outputs {
			notes = append(notes, lengths(f, u)...)
		}
	}
	return notes
}

// lengths compares the extents of coordinates of one name.
func lengths(f, u dataset.Field) (notes []string) {
	for _, a := range f.Mesh.Axes() {
		for _, b := range u.Mesh.Axes() {
			if a.Dim() != 1 || b.Dim() != 1 || a.Names[0] != b.Names[0] && len(f.Mesh.Axes())*len(u.Mesh.Axes()) > 1 {
				continue
			}
			p, q := a.Upper[0]-a.Lower[0], b.Upper[0]-b.Lower[0]
			if ratio := max(p/q, q/p); p > 0 && q > 0 && ratio > 99 {
				notes = append(notes, fmt.Sprintf("the mesh of %s reaches from %.4g to %.4g and that of %s from %.4g to %.4g, %.0f times as far: in one unit?",
					title(input, f.Name), a.Lower[0], a.Upper[0], title(output, u.Name), b.Lower[0], b.Upper[0], ratio))
			}
		}
	}
	return notes
}

// twice says which scattered points a mesh has more than once.
func twice(name string, m mesh.Mesh) (notes []string) {
	for _, a := range m.Axes() {
		if !a.Scattered() {
			continue
		}
		dim := a.Dim()
		at := func(i int) []float64 { return a.Coordinates[i*dim : (i+1)*dim] }
		order := make([]int, a.Size())
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(at(i), at(j)) })
		var first []int // points that are the same, the first found
		count := 0
		for k := 1; k < len(order); k++ {
			if i, j := order[k-1], order[k]; slices.Equal(at(i), at(j)) {
				if count++; count == 1 {
					first = []int{i + 1, j + 1}
				}
			}
		}
		if count > 0 {
			notes = append(notes, fmt.Sprintf("%s: points %d and %d of its mesh are the same%s: given twice?", name, first[0], first[1], more(count-1)))
		}
	}
	return notes
}

func more(count int) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", count)
}

// copied reports whether the outputs of samples are the same, too.
func copied(t *dataset.Table, group []int) bool {
	for _, u := range t.Outputs {
		first := row(u, group[0])
		for _, i := range group[1:] {
			if !slices.EqualFunc(first, row(u, i), func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
				return false
			}
		}
	}
	return true
}

// sentinel finds a number for missing values: one of the usual ones, more than five times as
// large as all others.
func sentinel(f dataset.Field) (value float64, count int) {
	size := 0.0
	for _, v := range f.Values.Data {
		if a := math.Abs(v); a > size {
			size, value = a, v
		}
	}
	if !slices.ContainsFunc(sentinels, func(s float64) bool { return math.Abs(size-s) <= 1e-6*s }) { // 1e20 in single precision
		return 0, 0
	}
	for _, v := range f.Values.Data {
		switch a := math.Abs(v); {
		case a == size:
			count++
		case a > size/5:
			return 0, 0
		}
	}
	return value, count
}

// otherUnit finds samples whose size is about one power of 1000 times that of the others,
// which are the most.
func otherUnit(f dataset.Field) (factor string, odd []int) {
	n := f.Values.Shape[0]
	if n < fewSamples {
		return "", nil
	}
	sizes := make([]float64, n)
	var known []float64
	for i := range sizes {
		if sizes[i] = math.Log10(usualSize(row(f, i))); !math.IsInf(sizes[i], 0) {
			known = append(known, sizes[i])
		}
	}
	if len(known) == 0 {
		return "", nil
	}
	usual, _ := center(known)
	power := 0.0
	for i, s := range sizes {
		off := s - usual
		if math.IsInf(off, 0) || math.Abs(off) < 1.5 {
			continue
		}
		p := 3 * math.Round(off/3)
		if math.Abs(off-p) > 1 || power != 0 && p != power {
			return "", nil
		}
		power, odd = p, append(odd, i)
	}
	if 3*len(odd) > n {
		return "", nil
	}
	return fmt.Sprintf("%g", math.Pow(10, power)), odd
}

// usualSize is the median of the absolute values, which single ones do not move.
func usualSize(v []float64) float64 {
	v = observed(v)
	for k, x := range v {
		v[k] = math.Abs(x)
	}
	if len(v) == 0 {
		return 0
	}
	return middle(v)
}

func observed(v []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(v), math.IsNaN)
}

// are and have name samples, counted from 1, with a verb.
func are(samples []int) string  { return named(samples) + verb(len(samples), " is", " are") }
func have(samples []int) string { return named(samples) + verb(len(samples), " has", " have") }

func valuesAre(n int) string { return fmt.Sprintf("%d value", n) + verb(n, " is", "s are") }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func named(samples []int) string {
	const enough = 8
	var names []string
	for _, i := range samples[:min(len(samples), enough)] {
		names = append(names, fmt.Sprint(i+1))
	}
	switch n := len(samples); {
	case n == 1:
		return "sample " + names[0]
	case n > enough:
		return fmt.Sprintf("samples %s and %d more", strings.Join(names, ", "), n-enough)
	}
	return fmt.Sprintf("samples %s and %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}
