package plot

import (
	"fmt"
	"math"
	"slices"
)

// Contour shows lines of equal value on a rectangular grid, interpolated
// linearly between the nodes. Values are indexed as in Heatmap: Values[i][j]
// belongs to X[i] (to the right) and Y[j] (upwards). No line enters a cell
// with a corner that is NaN or infinite.
type Contour struct {
	Values [][]float64 `lua:"values" doc:"values[i][j] at x[i], y[j]; at least two rows and columns"`
	X      []float64   `lua:"x" doc:"coordinates of the first index, increasing; uniform or not" default:"1…n"`
	Y      []float64   `lua:"y" doc:"coordinates of the second index, increasing; uniform or not" default:"1…n"`
	Title  string      `lua:"title" doc:"above the picture" default:""`
	XLabel string      `lua:"xlabel" doc:"below the x axis; $G(x,y)$ is set as mathematics" default:""`
	YLabel string      `lua:"ylabel" doc:"beside the y axis" default:""`
	LogX   bool        `lua:"logx" doc:"logarithmic x axis" default:"false"`
	LogY   bool        `lua:"logy" doc:"logarithmic y axis" default:"false"`
	Aspect string      `lua:"aspect" doc:"equal: a unit of x is as long as one of y; fill: take the room there is; by default equal if both axes cover the same interval" default:""`

	Levels []float64 `lua:"levels" doc:"values of the lines, increasing; by default about count round ones" default:"{}"`
	Count  int       `lua:"count" doc:"about how many lines" default:"10"`
	Filled bool      `lua:"filled" doc:"colour the bands between the lines" default:"false"`

	Log       bool     `lua:"log" doc:"logarithmic colours and levels; values must be > 0" default:"false"`
	Palette   string   `lua:"palette" doc:"viridis, magma, grey, bluered or purplegreen; by default bluered for data of both signs, else viridis" default:""`
	Symmetric bool     `lua:"symmetric" doc:"centre the colours at zero, as a diverging palette does by itself" default:"false"`
	Min       *float64 `lua:"min" doc:"value of the first colour; by default the smallest value"`
	Max       *float64 `lua:"max" doc:"value of the last colour; by default the largest value"`
	Colorbar  string   `lua:"colorbar" doc:"label of the colour bar, or none to leave the bar out" default:""`

	Lines []Series `lua:"lines" doc:"lines drawn over the contours" default:"{}"`
}

// Check returns an error that names the first argument which cannot be drawn.
func (c Contour) Check() error {
	_, err := c.panel()
	return err
}

func (c Contour) sheet() (*sheet, error) { return single(c.panel()) }

func (c Contour) coloring() coloring {
	return coloring{palette: c.Palette, symmetric: c.Symmetric, log: c.Log, lo: c.Min, hi: c.Max}
}

func (c Contour) values() (extent, error) { return samples{values: c.Values}.limits(c.Log) }

func (c Contour) barLabel() string { return c.Colorbar }

// recolored returns the figure with the colours of m, and no bar of its own.
func (c Contour) recolored(m colormap) Figure {
	c.Min, c.Max, c.Palette, c.Symmetric, c.Colorbar = &m.lo, &m.hi, m.spec.name, false, none
	return c
}

func (c Contour) panel() (*panel, error) {
	s, err := newSamples(c.Values, c.X, c.Y, c.LogX, c.LogY)
	if err != nil {
		return nil, err
	}
	if len(s.x) < 2 || len(s.y) < 2 {
		return nil, fmt.Errorf("values: %d rows and %d columns: must be at least two of each", len(s.x), len(s.y))
	}
	values, err := s.limits(c.Log)
	if err != nil {
		return nil, err
	}
	colors, err := c.coloring().colormap(values)
	if err != nil {
		return nil, err
	}
	levels, err := c.levels(colors)
	if err != nil {
		return nil, err
	}
	p := &panel{
		title: c.Title,
		x:     axis{label: c.XLabel, lo: s.x[0], hi: s.x[len(s.x)-1], log: c.LogX},
		y:     axis{label: c.YLabel, lo: s.y[0], hi: s.y[len(s.y)-1], log: c.LogY},
		field: &field{samples: s, colors: colors, bands: true, levels: levels},
		bar:   newColorbar(colors, c.Colorbar, values),
	}
	if p.bar != nil {
		p.bar.levels, p.bar.filled = levels, c.Filled
	}
	if err := p.setAspect(c.Aspect); err != nil {
		return nil, err
	}
	p.curves = c.isolines(s, levels, colors)
	p.hidden = !c.Filled
	over, err := newCurves(c.Lines, "lines", seriesColor, c.LogX, c.LogY)
	p.curves = append(p.curves, over...)
	return p, err
}

// levels returns the given levels, or round ones inside the colour range.
func (c Contour) levels(colors colormap) ([]float64, error) {
	if c.Count < 0 {
		return nil, fmt.Errorf("count %d: must be > 0", c.Count)
	}
	for i, v := range c.Levels {
		switch {
		case !finite(v) || c.Log && v <= 0:
			return nil, fmt.Errorf("levels: level %d is %v: must be a finite number, and > 0 with log", i+1, v)
		case i > 0 && v <= c.Levels[i-1]:
			return nil, fmt.Errorf("levels: level %d is %v after %v: must increase", i+1, v, c.Levels[i-1])
		}
	}
	if len(c.Levels) > 0 {
		return slices.Clone(c.Levels), nil
	}
	n := c.Count
	if n == 0 {
		n = 10
	}
	var levels []float64
	for _, t := range (axis{lo: colors.lo, hi: colors.hi, log: c.Log}).roundValues(n) {
		if t > colors.lo && t < colors.hi {
			levels = append(levels, t)
		}
	}
	return levels, nil
}

// isolines returns the contour lines of all levels. Filled contours have thin
// dark lines; else a line has the colour of its level.
func (c Contour) isolines(s samples, levels []float64, colors colormap) []curve {
	var curves []curve
	for _, level := range levels {
		style := lineStyle{color: colors.lineColor(level), line: true, dash: solid}
		width := lineWidth
		if c.Filled {
			style.color, width = unhex(0x333333), lineWidth/3
		}
		x, y := isoline(s, level)
		if len(x) > 0 {
			curves = append(curves, curve{isoline: true, style: style, width: width, x: x, y: y})
		}
	}
	return curves
}

// crossing is a point where an isoline leaves a cell: the side's number, and
// the number of the crossing on the other side of the same cell.
type crossing struct{ side, other int }

// isoline returns the lines on which the samples have the value level, as
// points with NaN between one line and the next (marching squares; a saddle is
// decided by the mean of its corners). A closed line ends where it began. The
// order depends on the samples only.
func isoline(s samples, level float64) (x, y []float64) {
	nx, ny := len(s.x), len(s.y)
	// Side 2(i·ny+j) joins node (i,j) to (i+1,j), side 2(i·ny+j)+1 to (i,j+1).
	along := func(i, j int) int { return 2 * (i*ny + j) }
	up := func(i, j int) int { return 2*(i*ny+j) + 1 }
	var crossings []crossing
	join := func(a, b int) {
		n := len(crossings)
		crossings = append(crossings, crossing{a, n + 1}, crossing{b, n})
	}
	for i := range nx - 1 {
		for j := range ny - 1 {
			corners := [4]float64{s.values[i][j], s.values[i+1][j], s.values[i+1][j+1], s.values[i][j+1]}
			sides := [4]int{along(i, j), up(i+1, j), along(i, j+1), up(i, j)}
			marchCell(corners, sides, level, join)
		}
	}
	return trace(crossings, func(side int) (float64, float64) { return s.cross(side, level) })
}

// marchCell joins the sides of one cell that the isoline crosses. Side k lies
// between corners k and k+1, counter-clockwise.
func marchCell(corners [4]float64, sides [4]int, level float64, join func(a, b int)) {
	var crossed []int
	for k := range 4 {
		a, b := corners[k], corners[(k+1)%4]
		if !finite(a) || !finite(b) {
			return
		}
		if (a >= level) != (b >= level) {
			crossed = append(crossed, sides[k])
		}
	}
	switch len(crossed) {
	case 2:
		join(crossed[0], crossed[1])
	case 4:
		centre := corners[0]/4 + corners[1]/4 + corners[2]/4 + corners[3]/4
		if (centre >= level) == (corners[0] >= level) { // corners 0 and 2 are connected
			join(crossed[0], crossed[1])
			join(crossed[2], crossed[3])
		} else {
			join(crossed[3], crossed[0])
			join(crossed[1], crossed[2])
		}
	}
}

// cross returns the point on a side where the value is level.
func (s samples) cross(side int, level float64) (x, y float64) {
	i, j := side/2/len(s.y), side/2%len(s.y)
	k, l := i, j
	if side%2 == 0 {
		k++
	} else {
		l++
	}
	a, b := s.values[i][j], s.values[k][l]
	t := (level/2 - a/2) / (b/2 - a/2)
	return s.x[i]*(1-t) + s.x[k]*t, s.y[j]*(1-t) + s.y[l]*t
}

// trace strings crossings together to lines: open ones first, then the loops.
func trace(crossings []crossing, at func(side int) (float64, float64)) (x, y []float64) {
	twin := make(map[int]int, len(crossings)) // crossing of the neighbour cell on the same side
	seen := make(map[int]int, len(crossings)) // side → its first crossing
	for n, c := range crossings {
		if m, ok := seen[c.side]; ok {
			twin[n], twin[m] = m, n
		} else {
			seen[c.side] = n
		}
	}
	done := make([]bool, len(crossings))
	emit := func(side int) {
		px, py := at(side)
		x, y = append(x, px), append(y, py)
	}
	follow := func(n int) {
		if len(x) > 0 {
			x, y = append(x, math.NaN()), append(y, math.NaN())
		}
		emit(crossings[n].side)
		for !done[n] {
			m := crossings[n].other
			done[n], done[m] = true, true
			emit(crossings[m].side)
			next, ok := twin[m]
			if !ok {
				return
			}
			n = next
		}
	}
	for n := range crossings {
		if _, ok := twin[n]; !ok && !done[n] {
			follow(n)
		}
	}
	for n := range crossings {
		if !done[n] {
			follow(n)
		}
	}
	return x, y
}
