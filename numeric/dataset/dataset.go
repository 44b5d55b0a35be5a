// Package dataset holds pairs of functions (f, u), input and output of a PDE,
// sampled on meshes: what an estimate is learned from.
//
// A [Dataset] is checked when it is made ([New], [Load]), so that whoever gets
// one may rely on its shapes and on finite numbers. It is not to be changed
// afterwards; [Dataset.Noise], [Dataset.Rows] and [Dataset.Split] return new ones.
//
// A [Table] holds samples of several inputs and outputs by name, for models of
// several terms.
//
// To keep something more with the pairs, add a field to Dataset and Spec, and
// to header in file.go under a higher format version.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A Dataset is n >= 1 pairs: row i of Input, on InputMesh, and row i of Output,
// on OutputMesh.
type Dataset struct {
	Input      *array.Array // n × InputMesh.Size(), finite; of curves as NewCurves makes it: see Measured
	Output     *array.Array // n × OutputMesh.Size(), finite, or NaN where Missing allows
	InputMesh  mesh.Mesh
	OutputMesh mesh.Mesh
	Missing    bool    // outputs may be NaN: not observed
	Columns    bool    // the arrays it was made from had a pair in each column
	NoiseLevel float64 // of the noise that Noise added; 0: none
	Curves     []Curve // the inputs as they were measured, where each has points of its own: see NewCurves; nil: on InputMesh
	Errors     *Errors // of the outputs, where they are not white; nil: they are
}

// Spec is what a dataset is made from. The arrays are n × points; a function on
// a product of axes may also have one axis of the array for each, n × d1 × d2.
type Spec struct {
	Input, Output         *array.Array
	InputMesh, OutputMesh mesh.Mesh
	Missing               bool // allow NaN in the output: not observed
}

// New checks the arrays against each other and the meshes. The dataset shares
// their numbers. Errors name the argument as scripts do and count from 1.
func New(s Spec) (*Dataset, error) {
	if s.Input == nil {
		return nil, errors.New("input: missing")
	}
	if s.Output == nil {
		return nil, errors.New("output: missing")
	}
	if s.Input.Shape[0] == 0 {
		return nil, errors.New("input: has no rows: want one for each pair, at least 1")
	}
	if s.Output.Shape[0] == 0 {
		return nil, errors.New("output: has no rows: want one for each pair, at least 1")
	}
	d := &Dataset{InputMesh: s.InputMesh, OutputMesh: s.OutputMesh, Missing: s.Missing}
	if s.fitsTransposed() {
		return nil, bothTransposed(s.Input, s.Output)
	}
	var err error
	if d.Input, err = flatten(argument{"input", "input_mesh", "input"}, s.Input, s.InputMesh); err != nil {
		return nil, err
	}
	if d.Output, err = flatten(argument{"output", "output_mesh", "output"}, s.Output, s.OutputMesh); err != nil {
		return nil, err
	}
	if n, k := d.Input.Shape[0], d.Output.Shape[0]; n != k {
		return nil, notPairs(n, k)
	}
	if err := weighs("input_mesh", s.InputMesh); err != nil {
		return nil, err
	}
	if err := weighs("output_mesh", s.OutputMesh); err != nil {
		return nil, err
	}
	if err := checkNumbers("input", s.Input, false); err != nil {
		return nil, err
	}
	if err := checkNumbers("output", s.Output, s.Missing); err != nil {
		return nil, err
	}
	return d, nil
}

// NewColumns is [New] of arrays of points × pairs.
func NewColumns(ctx context.Context, s Spec) (*Dataset, error) {
	var err error
	if s.Input, err = turned(ctx, "input", s.Input); err != nil {
		return nil, err
	}
	if s.Output, err = turned(ctx, "output", s.Output); err != nil {
		return nil, err
	}
	d, err := New(s)
	if err == nil {
		d.Columns = true
	}
	return d, err
}

// turned is an array of points × pairs as one of pairs × points.
func turned(ctx context.Context, name string, a *array.Array) (*array.Array, error) {
	if a == nil {
		return nil, fmt.Errorf("%s: missing", name)
	}
	if a.Rank() != 2 {
		return nil, fmt.Errorf("%s %s: pairs in columns are those of points × pairs", name, dense.ShapeString(a.Shape))
	}
	return arrays.Transpose(ctx, a)
}

// An argument is how errors speak of values: their name, that of their mesh, and the
// script that turns them.
type argument struct{ name, mesh, given string }

// flatten returns the array as n × points.
func flatten(of argument, a *array.Array, m mesh.Mesh) (*array.Array, error) {
	if m.Size() == 0 {
		return nil, fmt.Errorf("%s: missing", of.mesh)
	}
	n, points := a.Shape[0], a.Shape[1:]
	want := fmt.Sprintf("want %s, pairs × points of %s", dense.ShapeString([]int{n, m.Size()}), of.mesh)
	shape := dense.ShapeString(a.Shape)
	size := a.Size() / n
	switch {
	case size != m.Size() && len(points) == 1 && n == m.Size():
		return nil, remedy.Transpose.For(fmt.Errorf("%s %s: want one row for each pair, and it has as many rows as %s has points",
			of.name, shape, of.mesh), of.given)
	case size != m.Size():
		return nil, fmt.Errorf("%s %s: %s", of.name, shape, want)
	case len(points) > 1 && len(m.Axes()) > 1 && !slices.Equal(points, m.Shape()):
		// The numbers would fit, but in another order.
		return nil, fmt.Errorf("%s %s: its axes must be those of %s, %s, in the same order", of.name, shape, of.mesh, dense.ShapeString(m.Shape()))
	case len(points) > 1 && m.Dim() == 1 && slices.Max(points) != size:
		return nil, remedy.JoinAxes.For(fmt.Errorf("%s %s: %s has one axis: %s", of.name, shape, of.mesh, want), n, size)
	}
	return a.Reshape(n, m.Size())
}

// fitsTransposed reports whether both arrays do not fit their meshes, but their transposes do.
func (s Spec) fitsTransposed() bool {
	a, b := s.Input.Shape, s.Output.Shape
	x, y := s.InputMesh.Size(), s.OutputMesh.Size()
	return len(a) == 2 && len(b) == 2 && a[1] == b[1] && a[0] == x && b[0] == y && (a[1] != x || b[1] != y)
}

func bothTransposed(input, output *array.Array) error {
	return remedy.TransposeBoth.For(fmt.Errorf("input %s, output %s: want one row for each pair",
		dense.ShapeString(input.Shape), dense.ShapeString(output.Shape)))
}

// notPairs says that there are not as many inputs as outputs.
func notPairs(inputs, outputs int) error {
	return fmt.Errorf("%d inputs and %d outputs: there must be one of each for a pair", inputs, outputs)
}

// checkNumbers refuses the first number that is not finite, with its index
// counted from 1.
func checkNumbers(name string, a *array.Array, missing bool) error {
	observed := false
	for k, v := range a.Data {
		switch {
		case math.IsInf(v, 0):
			return fmt.Errorf("%s is %g: must be finite", element(name, a, k), v)
		case math.IsNaN(v) && !missing && strings.HasPrefix(name, "output"):
			return remedy.AllowMissing.For(fmt.Errorf("%s is NaN: must be finite", element(name, a, k)))
		case math.IsNaN(v) && !missing:
			return fmt.Errorf("%s is NaN: must be finite", element(name, a, k))
		case !math.IsNaN(v):
			observed = true
		}
	}
	if !observed {
		return fmt.Errorf("%s: every value is missing", name)
	}
	return nil
}

// element names element k as a script would: output[3][17].
func element(name string, a *array.Array, k int) string {
	for _, i := range a.Position(k) {
		name += "[" + strconv.Itoa(i+1) + "]"
	}
	return name
}

// N is the number of pairs.
func (d *Dataset) N() int { return d.Input.Shape[0] }

// Rows returns the pairs from, …, to-1, counted from 0, as a dataset that shares
// their numbers: 0 <= from < to <= N.
func (d *Dataset) Rows(from, to int) (*Dataset, error) {
	if from < 0 || from >= to || to > d.N() {
		return nil, fmt.Errorf("pairs %d to %d: must be within 1 to %d, at least one", from+1, to, d.N())
	}
	out := *d
	out.Input = rows(d.Input, from, to)
	out.Output = rows(d.Output, from, to)
	if d.Curves != nil {
		out.Curves = d.Curves[from:to:to]
	}
	out.Errors = d.Errors.rows(from, to, d.OutputMesh.Size())
	return &out, nil
}

func rows(a *array.Array, from, to int) *array.Array {
	m := a.Size() / a.Shape[0]
	shape := slices.Clone(a.Shape)
	shape[0] = to - from
	return &array.Array{Shape: shape, Data: a.Data[from*m : to*m : to*m]}
}

// Split shuffles the pairs and returns the first train of them and the others,
// 1 <= train < N. The same seed gives the same split.
func (d *Dataset) Split(train int, seed uint64) (*Dataset, *Dataset, error) {
	if train < 1 || train >= d.N() {
		return nil, nil, fmt.Errorf("train %d: must be at least 1 and less than the %d pairs", train, d.N())
	}
	order := rand.New(rand.NewPCG(seed, splitStream)).Perm(d.N())
	first, err := d.Select(order[:train])
	if err != nil {
		return nil, nil, err
	}
	rest, err := d.Select(order[train:])
	return first, rest, err
}

// Select returns the given pairs, counted from 0.
func (d *Dataset) Select(pairs []int) (*Dataset, error) {
	out := *d
	var err error
	if out.Input, err = arrays.Take(d.Input, 0, pairs); err != nil {
		return nil, err
	}
	if d.Curves != nil {
		out.Curves = take(d.Curves, pairs)
	}
	out.Output, err = arrays.Take(d.Output, 0, pairs)
	out.Errors = d.Errors.of(pairs, d.OutputMesh.Size())
	return &out, err
}

// String says in one line what the dataset holds.
func (d *Dataset) String() string { return d.Describe(mesh.Mesh.String) }

// Describe says in one line what the dataset holds, with meshes written by write.
func (d *Dataset) Describe(write func(mesh.Mesh) string) string {
	on := func(m mesh.Mesh, points func(pair int) int) string {
		if !ofCurves(m) || points == nil {
			return fmt.Sprintf("on %s (%s)", spelling.Count(m.Size(), "point"), write(m))
		}
		return fmt.Sprintf("each on %s points of its own (%s)", d.between(points), write(m))
	}
	var inputs func(pair int) int
	if d.Curves != nil {
		inputs = func(pair int) int { return len(d.Curves[pair].Values) }
	}
	s := fmt.Sprintf("dataset: %s, input %s, output %s", spelling.Count(d.N(), "pair"), on(d.InputMesh, inputs), on(d.OutputMesh, d.observed))
	s += d.wayRound()
	missing := 0
	for _, v := range d.Output.Data {
		if math.IsNaN(v) {
			missing++
		}
	}
	if missing > 0 && !ofCurves(d.OutputMesh) {
		s += fmt.Sprintf(", %s missing", spelling.Count(missing, "output"))
	}
	if text := d.loud(); text != "" {
		s += "; " + text
	}
	return s
}

// wayRound says of square arrays which way round they were read.
func (d *Dataset) wayRound() string {
	var square []string
	if d.N() == d.InputMesh.Size() && d.Curves == nil {
		square = append(square, "input")
	}
	if d.N() == d.OutputMesh.Size() && !ofCurves(d.OutputMesh) {
		square = append(square, "output")
	}
	by := "row"
	if d.Columns {
		by = "column"
	}
	if square == nil || d.N() == 1 {
		return ""
	}
	return fmt.Sprintf("; square: each %s of the %s is a pair", by, strings.Join(square, " and "))
}

// Matrices are the inputs and outputs, a pair in each row; they share the numbers.
func (d *Dataset) Matrices() (input, output *mat.Dense) {
	return mat.NewDense(d.N(), d.InputMesh.Size(), d.Input.Data), mat.NewDense(d.N(), d.OutputMesh.Size(), d.Output.Data)
}
