package records

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/dataset"
)

// A Part is one table of measurements: a file, or a sheet of one.
type Part struct {
	Name  string // of the pair, if each part is one
	Sheet *sheet.Sheet
}

// Spec says what the columns are. Names of columns may be given with their units.
type Spec struct {
	// Inputs has the inputs and Outputs the outputs; without Outputs, Inputs has both.
	Inputs, Outputs []Part
	// Pair is the column that says which pair a row belongs to; without it each part is one.
	Pair string
	// X are the columns of the positions, one for each coordinate; InputX and OutputX are those
	// of inputs and outputs, where they differ.
	X, InputX, OutputX []string
	// Kind is a column that says what a row measures, and Value the column of the numbers; then
	// Input and Output are words in Kind, and otherwise columns. Value may be left out if
	// there is one column of numbers more than positions.
	Kind, Value string
	// Input and Output by name. One of each, with the empty name, makes a dataset; names make a
	// table, of which inputs that are the same in all rows of a pair are covariates.
	Input, Output map[string]string
	// Group and Parameter are columns with one value for each pair, by name.
	Group, Parameter map[string]string
	// Average takes the mean of values of one pair in one place.
	Average bool
	// OnlyColumn says that inputs and outputs are the one column of numbers that their tables
	// have besides positions.
	OnlyColumn bool
	// Wide says that a row is a function: columns are called by their positions. If X is a
	// column, each other column is a function, and called by its pair.
	Wide bool
}

// A Result is the pairs, as a dataset, or as a table if inputs and outputs have names.
type Result struct {
	Pairs  *dataset.Dataset
	Table  *dataset.Table
	Labels []string // of the pairs
	Notes  []string // what was decided on the way
}

// New makes the pairs.
func New(ctx context.Context, s Spec) (*Result, error) {
	if len(s.Inputs) == 0 {
		return nil, errors.New("no tables")
	}
	b := &builder{ctx: ctx, Spec: s, notes: &[]string{}}
	if len(s.Outputs) == 0 {
		b.Outputs = s.Inputs
	}
	if err := b.checkUnits(); err != nil {
		return nil, err
	}
	inputs, err := b.fields("input", b.Inputs, b.Input, either(s.InputX, s.X))
	if err != nil {
		return nil, err
	}
	outputs, err := b.fields("output", b.Outputs, b.Output, either(s.OutputX, s.X))
	if err != nil {
		return nil, err
	}
	if err := sameUnits(inputs, outputs); err != nil {
		return nil, err
	}
	labels, err := b.match(inputs, outputs)
	if err != nil {
		return nil, err
	}
	b.clock(labels, append(slices.Clone(inputs), outputs...))
	r := &Result{Labels: labels}
	if _, single := s.Input[""]; single {
		r.Pairs, err = b.dataset(labels, inputs[0], outputs[0])
	} else {
		r.Table, err = b.table(labels, inputs, outputs)
	}
	r.Notes = *b.notes
	return r, err
}

// A builder is a Spec on the way to pairs.
type builder struct {
	Spec
	ctx   context.Context
	notes *[]string
}

func (b *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(*b.notes, text) {
		*b.notes = append(*b.notes, text)
	}
}

func (b *builder) stopped() error {
	if b.ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", context.Cause(b.ctx))
	}
	return nil
}

func either(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}

// fields reads all inputs, or all outputs.
func (b *builder) fields(role string, parts []Part, columns map[string]string, x []string) (all []*field, err error) {
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		f := &field{role: role, name: name, column: columns[name], curves: make(map[string]*curve)}
		for _, p := range parts {
			if b.Wide {
				err = b.readWide(f, p, len(parts) > 1)
			} else {
				err = b.readLong(f, p, x, len(parts) > 1)
			}
			if err != nil {
				return nil, err
			}
		}
		all = append(all, f)
	}
	return all, nil
}

// match lists the pairs, of which each has all inputs and at least one output.
func (b *builder) match(inputs, outputs []*field) ([]string, error) {
	labels := inputs[0].labels
	for _, f := range inputs {
		for _, label := range f.labels {
			if len(f.curves[label].values) == 0 {
				return nil, b.incomplete(f, label, "has no "+f.title())
			}
		}
	}
	for _, label := range labels {
		if !slices.ContainsFunc(outputs, func(f *field) bool { c := f.curves[label]; return c != nil && len(c.values) > 0 }) {
			return nil, b.incomplete(inputs[0], label, "has no "+outputs[0].title())
		}
	}
	for _, f := range append(slices.Clone(inputs), outputs...) {
		for _, label := range f.labels {
			if inputs[0].curves[label] == nil && len(f.curves[label].values) > 0 {
				return nil, b.incomplete(f, label, "has no "+inputs[0].title())
			}
		}
	}
	if len(labels) == 0 {
		return nil, errors.New("no pairs")
	}
	return labels, nil
}

func (b *builder) incomplete(f *field, label, what string) error {
	c := f.curves[label]
	where := c.sheet.Source
	if len(c.rows) > 0 {
		where = fmt.Sprintf("%s%s", prefix(c.sheet), c.sheet.Where(c.rows[0]))
	}
	return remedy.LeavePairOut.For(fmt.Errorf("pair %s (%s) %s", label, where, what))
}

func prefix(s *sheet.Sheet) string {
	if s.Source == "" {
		return ""
	}
	return s.Source + ", "
}

// checkUnits refuses columns that have another unit in another file, or none there: whoever left it out may have
// meant either.
func (b *builder) checkUnits() error {
	type source struct{ unit, from string }
	known := make(map[string]source)
	for _, p := range slices.Concat(b.Inputs, b.Outputs) {
		for _, c := range p.Sheet.Columns {
			k, ok := known[c.Name]
			if !ok {
				known[c.Name] = source{c.Unit, p.Sheet.Source}
				continue
			}
			if k.unit != c.Unit {
				return fmt.Errorf("column %s is %s in %s and %s in %s: want one unit, in the header of every file or of none",
					c.Name, inUnit(k.unit), k.from, inUnit(c.Unit), p.Sheet.Source)
			}
		}
	}
	return nil
}

func inUnit(unit string) string {
	if unit == "" {
		return "without a unit"
	}
	return "in " + unit
}

// title is what errors call a field.
func (f *field) title() string {
	switch {
	case f.name != "":
		return f.role + " " + f.name
	case f.column != "":
		return f.role + " (" + f.column + ")"
	}
	return f.role
}

// labelOf is the label of a pair of one of several files.
func labelOf(p Part, label string, several bool) string {
	if several && label != "" {
		return strings.TrimSuffix(p.Name, "/") + "/" + label
	}
	return label
}
