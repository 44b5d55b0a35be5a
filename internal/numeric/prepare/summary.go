package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Summary is what samples look like before anything is fitted. Samples and points count
// from 0.
type Summary struct {
	N       int
	Inputs  []Function
	Outputs []Function
	Numbers []dataset.Scalar // covariates and parameters, as they are
	Repeats [][]int          // samples with the same inputs, labels and parameters, two or more each
	Notes   []string         // what looks like a mistake, or asks for a step before the fit; sentences

	paired bool // of a dataset
}

// Function summarises one function of all samples.
type Function struct {
	Name           string
	Mesh           mesh.Mesh
	Low, High      float64 // smallest and largest value
	Mean           float64 // of all values
	Spread         float64 // root mean square of the distance from the mean of all samples at each point
	Missing        int     // values that were not observed
	Empty          []int   // samples without any value
	Constant       []int   // samples with the same value everywhere, at two points or more
	Outliers       []int   // samples that lie far from the others as a whole
	OutlyingValues []Place // single values far from their neighbours and from those of the other samples
}

// Place is a value of a sample.
type Place struct {
	Sample, Point int
	Value         float64
}

// Summarize looks through the samples. What is an outlier is judged against medians, so that
// outliers do not hide themselves; nothing is removed. Costs about a sort of all values.
func Summarize(ctx context.Context, t *dataset.Table) (*Summary, error) {
	s := &Summary{N: t.N(), Numbers: slices.Concat(t.Scalars, t.Parameters)}
	for _, side := range []struct {
		name   string
		fields []dataset.Field
		to     *[]Function
	}{{input, t.Fields, &s.Inputs}, {output, t.Outputs, &s.Outputs}} {
		for _, f := range side.fields {
			one := describe(f)
			if err := one.findOutliers(ctx, f); err != nil {
				return nil, err
			}
			*side.to = append(*side.to, one)
			s.Notes = append(s.Notes, one.notes(title(side.name, f.Name), f)...)
			if side.name == input {
				s.Notes = append(s.Notes, Crowded(title(input, f.Name), f.Mesh)...)
			}
		}
	}
	for _, g := range repeats(t, 0) {
		if len(g) > 1 {
			s.Repeats = append(s.Repeats, g)
		}
	}
	s.Notes = append(s.Notes, s.together(t)...)
	if s.paired = isPair(t); s.paired {
		for i, note := range s.Notes {
			s.Notes[i] = strings.ReplaceAll(note, "sample", "pair")
		}
	}
	return s, nil
}

// isPair reports whether a table is the pairs of a dataset, which are what it calls samples.
func isPair(t *dataset.Table) bool {
	return len(t.Fields) == 1 && len(t.Outputs) == 1 && t.Fields[0].Name == input && t.Outputs[0].Name == output
}

// describe computes what needs one look at each value.
func describe(f dataset.Field) Function {
	out := Function{Name: f.Name, Mesh: f.Mesh, Low: math.NaN(), High: math.NaN()}
	n, m := f.Values.Shape[0], f.Values.Shape[1]
	means, counts := make([]float64, m), make([]float64, m)
	for i := range n {
		seen, low, high := 0, math.Inf(1), math.Inf(-1)
		for k, v := range row(f, i) {
			if math.IsNaN(v) {
				out.Missing++
				continue
			}
			seen++
			low, high = min(low, v), max(high, v)
			counts[k]++
			means[k] += (v - means[k]) / counts[k]
		}
		switch {
		case seen == 0:
			out.Empty = append(out.Empty, i)
			continue
		case seen > 1 && low == high:
			out.Constant = append(out.Constant, i)
		}
		if !(out.Low <= low) {
			out.Low = low
		}
		if !(out.High >= high) {
			out.High = high
		}
	}
	around := means
	if ownPoints(f.Mesh) { // at a point there is hardly another curve
		around = meansOf(f.Filled())
	}
	var square, count float64
	for i := range n {
		for k, v := range row(f, i) {
			if !math.IsNaN(v) {
				count++
				d := v - around[k]
				square += (d*d - square) / count
			}
		}
	}
	for k, mean := range means {
		out.Mean += mean * (counts[k] / count)
	}
	out.Spread = math.Sqrt(square)
	return out
}

// meansOf are those of the rows that have values.
func meansOf(rows *mat.Dense) []float64 {
	n, m := rows.Dims()
	mean, count := make([]float64, m), 0.0
	for i := range n {
		if row := rows.RawRowView(i); !math.IsNaN(row[0]) {
			floats.Add(mean, row)
			count++
		}
	}
	floats.Scale(1/count, mean)
	return mean
}

// String is a table of the functions, and the notes.
func (s *Summary) String() string { return s.Describe(mesh.Mesh.String) }

// Describe is String with meshes written by write.
func (s *Summary) Describe(write func(mesh.Mesh) string) string {
	rows := [][]string{{"", "points", "from", "to", "mean", "spread", "missing"}}
	var meshes []string
	add := func(side string, f Function) {
		name := strings.Replace(title(side, f.Name), ".", " ", 1)
		missing := "none"
		if f.Missing > 0 {
			missing = fmt.Sprintf("%d of %d", f.Missing, s.N*f.Mesh.Size())
		}
		rows = append(rows, []string{name, fmt.Sprint(f.Mesh.Size()), number(f.Low), number(f.High), number(f.Mean), number(f.Spread), missing})
		meshes = append(meshes, fmt.Sprintf("%s on %s", name, write(f.Mesh)))
	}
	for _, f := range s.Inputs {
		add(input, f)
	}
	for _, f := range s.Outputs {
		add(output, f)
	}
	for _, v := range s.Numbers {
		rows = append(rows, []string{v.Name, "1", number(slices.Min(v.Values)), number(slices.Max(v.Values)), "", "", "none"})
	}
	text := fmt.Sprintf("%s: %s\n%s", counted(s.N, s.paired), strings.Join(meshes, ", "), columns(rows))
	if len(s.Notes) == 0 {
		return text + "\nnothing looks like a mistake"
	}
	return text + "\n- " + strings.Join(s.Notes, "\n- ")
}

func counted(n int, paired bool) string {
	if paired {
		return spelling.Count(n, "pair")
	}
	return spelling.Count(n, "sample")
}

func number(v float64) string { return fmt.Sprintf("%.4g", v) }

// columns aligns cells, the first column on the left.
func columns(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for j, cell := range r {
			width[j] = max(width[j], len(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		line := fmt.Sprintf("  %-*s", width[0], r[0])
		for j, cell := range r[1:] {
			line += fmt.Sprintf("  %*s", width[j+1], cell)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
