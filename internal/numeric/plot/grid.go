package plot

import (
	"fmt"
	"slices"
)

// Grid shows figures side by side, row by row, with boxes of the same size.
// Rows may have different lengths, and nil leaves a place empty. Where the
// panels of a column have the same x axis only the lowest shows its labels, and
// likewise for the y axes of a row; a legend that all panels share is shown
// once, below them.
type Grid struct {
	Figures    [][]Figure `arg:"figures" doc:"rows of figures" pos:"list"`
	Title      string     `arg:"title" doc:"above all panels" default:""`
	SameColors bool       `arg:"same_colors" doc:"one colour scale and one bar for all heat maps and contours" default:"false"`
}

// colored is a figure with a colour scale.
type colored interface {
	Figure
	values() (extent, error)
	coloring() coloring
	barLabel() string
	recolored(m colormap) Figure
}

// check returns an error that names the first argument which cannot be drawn.
func (g Grid) check() error {
	_, err := g.sheet()
	return err
}

func (g Grid) sheet() (*Sheet, error) {
	s := &Sheet{Title: g.Title}
	figures := g.Figures
	if g.SameColors {
		var err error
		if figures, s.Bar, err = g.recolor(); err != nil {
			return nil, err
		}
	}
	panels := 0
	for i, row := range figures {
		s.Rows = append(s.Rows, make([]*Panel, len(row)))
		for j, f := range row {
			if f == nil {
				continue
			}
			inner, err := f.sheet()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place(i, j), err)
			}
			if len(inner.Rows) != 1 || len(inner.Rows[0]) != 1 {
				return nil, fmt.Errorf("%s: is a grid: grids must not be nested", place(i, j))
			}
			s.Rows[i][j] = inner.Rows[0][0]
			panels++
		}
	}
	if panels == 0 {
		return nil, fmt.Errorf("figures: empty: must hold at least one figure")
	}
	s.shareLegend()
	return s, nil
}

func place(i, j int) string { return fmt.Sprintf("figures: row %d, column %d", i+1, j+1) }

// recolor gives all coloured figures the scale that suits all their values
// together, chosen as the first of them asks.
func (g Grid) recolor() ([][]Figure, *Colorbar, error) {
	var first colored
	var all extent
	for i, row := range g.Figures {
		for j, f := range row {
			c, ok := f.(colored)
			if !ok {
				continue
			}
			e, err := c.values()
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", place(i, j), err)
			}
			if first == nil {
				first, all = c, newExtent(c.coloring().log)
			}
			if c.coloring().log != first.coloring().log {
				return nil, nil, fmt.Errorf("%s: log %v: must be the same in all figures with same_colors", place(i, j), c.coloring().log)
			}
			if !e.empty() {
				all.add(e.lo, e.hi)
			}
		}
	}
	if first == nil {
		return g.Figures, nil, nil
	}
	colors, err := first.coloring().colormap(all)
	if err != nil {
		return nil, nil, err
	}
	figures := make([][]Figure, len(g.Figures))
	for i, row := range g.Figures {
		figures[i] = slices.Clone(row)
		for j, f := range row {
			if c, ok := f.(colored); ok {
				figures[i][j] = c.recolored(colors)
			}
		}
	}
	return figures, newColorbar(colors, first.barLabel(), all), nil
}

// shareLegend moves a legend that is the same in all panels to the sheet.
func (s *Sheet) shareLegend() {
	var shared []Curve
	panels, same := 0, true
	s.each(func(_, _ int, p *Panel) {
		named := labelled(p.Curves)
		if len(named) == 0 {
			return
		}
		if panels++; panels == 1 {
			shared = named
		}
		same = same && p.Legend == "" && slices.EqualFunc(shared, named, func(a, b Curve) bool {
			return a.Label == b.Label && a.Style == b.Style && a.width == b.width
		})
	})
	if panels < 2 || !same {
		return
	}
	s.Legend = shared
	s.each(func(_, _ int, p *Panel) { p.Legend = none })
}
