package plot

import (
	"fmt"
	"image/color"
	"math"

	"github.com/greenbench/workbench/internal/sorting"
)

// Surface shows values on a rectangular grid as a surface in space, coloured by height
// and shaded as by a light from the upper left. Values are indexed as in Heatmap. A finer
// grid than Most is drawn by every second, third, … node. There is no surface at NaN.
type Surface struct {
	Values    [][]float64 `arg:"values" pos:"1" doc:"values[i][j] at x[i], y[j]; at least two rows and columns" allow:"nan"`
	X         []float64   `arg:"x" doc:"coordinates of the first index, increasing; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Y         []float64   `arg:"y" doc:"coordinates of the second index, increasing; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Title     string      `arg:"title" doc:"above the picture" default:""`
	XLabel    string      `arg:"xlabel" doc:"beside the x axis" default:""`
	YLabel    string      `arg:"ylabel" doc:"beside the y axis" default:""`
	ZLabel    string      `arg:"zlabel" doc:"above the vertical axis" default:""`
	Azimuth   float64     `arg:"azimuth" doc:"from where it is seen, in degrees around the vertical axis from the x axis" default:"-60"`
	Elevation float64     `arg:"elevation" doc:"from how high it is seen, in degrees above the plane" default:"30" allow:"(0,90]"`
	Palette   string      `arg:"palette" doc:"of the colours; by default bluered for data of both signs, else viridis" default:"nil" allow:"viridis|magma|plasma|inferno|cividis|grey|bluered|purplegreen"`
	Colorbar  string      `arg:"colorbar" doc:"label of the colour bar, or none to leave the bar out" default:"none"`
	Lines     bool        `arg:"lines" doc:"draw the lines of the grid" default:"true"`
	Most      int         `arg:"most" doc:"at most so many nodes along an axis are drawn" default:"60" allow:">=2"`
}

// check returns an error that names the first argument which cannot be drawn.
func (s Surface) check() error {
	_, err := s.panel()
	return err
}

func (s Surface) sheet() (*Sheet, error) { return single(s.panel()) }

// tall is the height of the drawing in space; its base is a square of side one.
const tall = 0.65

func (s Surface) panel() (*Panel, error) {
	values, err := newSamples(s.Values, s.X, s.Y, false, false)
	if err != nil {
		return nil, err
	}
	switch {
	case len(values.x) < 2 || len(values.y) < 2:
		return nil, fmt.Errorf("values: %d rows and %d columns: must be at least two of each", len(values.x), len(values.y))
	case !finite(s.Azimuth):
		return nil, fmt.Errorf("azimuth %v: must be a finite number", s.Azimuth)
	case !(s.Elevation > 0 && s.Elevation <= 90):
		return nil, fmt.Errorf("elevation %v: must be in (0, 90]", s.Elevation)
	case s.Most < 2:
		return nil, fmt.Errorf("most %d: must be at least 2", s.Most)
	}
	e, err := values.limits(false)
	if err != nil {
		return nil, err
	}
	colors, err := coloring{palette: s.Palette}.colormap(e)
	if err != nil {
		return nil, err
	}
	if e.empty() {
		e.add(0)
	}
	lo, hi := spread(e.lo, e.hi, false)
	v := view{
		x:  Axis{Label: s.XLabel, Lo: values.x[0], Hi: values.x[len(values.x)-1]},
		y:  Axis{Label: s.YLabel, Lo: values.y[0], Hi: values.y[len(values.y)-1]},
		z:  Axis{Label: s.ZLabel, Lo: lo, Hi: hi},
		az: s.Azimuth * math.Pi / 180, el: s.Elevation * math.Pi / 180,
	}
	p := &Panel{Title: s.Title, Bare: true, Fixed: true, Bar: newColorbar(colors, s.Colorbar, e)}
	frame, texts := v.frame()
	p.Texts = texts
	p.Curves = append(frame, Curve{Shapes: s.facets(values, v, colors)})
	p.around()
	return p, nil
}

// around gives the panel ranges that hold all curves and texts, with the same unit along
// both axes.
func (p *Panel) around() {
	x, y := newExtent(false), newExtent(false)
	for _, c := range p.Curves {
		c.see(&x, &y)
	}
	for _, t := range p.Texts {
		x.add(t.X)
		y.add(t.Y)
	}
	const margin = 0.06
	p.X, p.Y = Axis{Lo: x.lo - margin, Hi: x.hi + margin}, Axis{Lo: y.lo - margin, Hi: y.hi + margin}
	p.Ratio = (p.Y.Hi - p.Y.Lo) / (p.X.Hi - p.X.Lo)
}

// view is how a surface is looked at: along which direction, and what its axes mean.
type view struct {
	x, y, z Axis
	az, el  float64 // in radians
}

// project returns where a point of the unit square, at a height up to tall, is seen, and
// how far away it is (parallel projection).
func (v view) project(x, y, z float64) (right, up, away float64) {
	sa, ca := math.Sincos(v.az)
	se, ce := math.Sincos(v.el)
	x, y, z = x-0.5, y-0.5, z-tall/2
	toward := x*ca + y*sa // along the ground, to the eye
	return -x*sa + y*ca, z*ce - toward*se, -(toward*ce + z*se)
}

// point is the place of values of the axes.
func (v view) point(x, y, z float64) (right, up, away float64) {
	return v.project(v.x.Norm(x), v.y.Norm(y), tall*v.z.Norm(z))
}

// facets are the cells of the grid as they are seen, the farthest first.
func (s Surface) facets(values samples, v view, colors colormap) []Shape {
	type facet struct {
		Shape
		away float64
	}
	rows, columns := thinnedNodes(len(values.x), s.Most), thinnedNodes(len(values.y), s.Most)
	var facets []facet
	for a := 1; a < len(rows); a++ {
		for b := 1; b < len(columns); b++ {
			f, mean := facet{}, 0.0
			var corner [4][3]float64
			for k, at := range [4][2]int{{rows[a-1], columns[b-1]}, {rows[a], columns[b-1]}, {rows[a], columns[b]}, {rows[a-1], columns[b]}} {
				x, y, z := values.x[at[0]], values.y[at[1]], values.values[at[0]][at[1]]
				mean += z / 4
				right, up, away := v.point(x, y, z)
				f.X, f.Y, f.away = append(f.X, right), append(f.Y, up), f.away+away
				corner[k] = [3]float64{v.x.Norm(x), v.y.Norm(y), tall * v.z.Norm(z)}
			}
			if !finite(mean) {
				continue
			}
			f.Fill = shaded(colors.color(mean), v.light(corner))
			f.Outline = f.Fill // closes the gaps between neighbours
			if s.Lines {
				f.Outline = color.NRGBA{0, 0, 0, 70}
			}
			facets = append(facets, f)
		}
	}
	sorting.By(facets, func(p, q facet) int {
		switch {
		case p.away > q.away:
			return -1
		case p.away < q.away:
			return 1
		}
		return 0
	})
	shapes := make([]Shape, len(facets))
	for i, f := range facets {
		shapes[i] = f.Shape
	}
	return shapes
}

// thinnedNodes are the indices of at most so many of n nodes, the first and the last
// among them.
func thinnedNodes(n, most int) []int {
	stride := (n-2)/(most-1) + 1
	var nodes []int
	for i := 0; i < n-1; i += stride {
		nodes = append(nodes, i)
	}
	return append(nodes, n-1)
}

// light is how bright a facet is, from -1 to 1: the cosine between its normal and the
// direction to a light above the left shoulder of the eye.
func (v view) light(c [4][3]float64) float64 {
	var p, q [3]float64
	for i := range p {
		p[i], q[i] = c[2][i]-c[0][i], c[3][i]-c[1][i]
	}
	n := [3]float64{p[1]*q[2] - p[2]*q[1], p[2]*q[0] - p[0]*q[2], p[0]*q[1] - p[1]*q[0]}
	sa, ca := math.Sincos(v.az - math.Pi/4)
	l := [3]float64{ca * 0.6, sa * 0.6, 0.8}
	size := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if size == 0 {
		return 0
	}
	return (n[0]*l[0] + n[1]*l[1] + n[2]*l[2]) / size
}

// shaded moves the lightness of a colour: a plane lit at an angle keeps it.
func shaded(c color.NRGBA, light float64) color.NRGBA {
	const usual, contrast = 0.75, 0.16
	lab := oklabOf(packed(c))
	lab.l = min(max(lab.l+contrast*(light-usual), 0), 1)
	return unhex(lab.hex())
}

// frame draws the three far sides of the space with the ticks of the axes.
func (v view) frame() ([]Curve, []Text) {
	nearX, nearY := 0.0, 0.0 // the sides of the square next to the eye
	if math.Cos(v.az) > 0 {
		nearX = 1
	}
	if math.Sin(v.az) > 0 {
		nearY = 1
	}
	far := func(near float64) float64 { return 1 - near }
	grid := Curve{Behind: true, Style: LineStyle{Color: gridColor()}, width: tickWidth}
	axes := Curve{Behind: true, Style: LineStyle{Color: frameColor()}, width: tickWidth}
	draw := func(c *Curve, x0, y0, z0, x1, y1, z1 float64) {
		a, b, _ := v.project(x0, y0, z0)
		d, e, _ := v.project(x1, y1, z1)
		c.Arrows = append(c.Arrows, Arrow{X: a, Y: b, ToX: d, ToY: e})
	}
	var texts []Text
	write := func(text string, x, y, z, outX, outY float64, beyond string) {
		right, up, _ := v.project(x, y, z)
		dr, du, _ := v.project(x+outX, y+outY, z-0.7*math.Pow(math.Cos(v.el), 2)) // away, and down where the plane is seen from its side
		dr, du = dr-right, du-up
		const gap = 0.03
		size := math.Hypot(dr, du)
		texts = append(texts, Text{X: right + gap*dr/size, Y: up + gap*du/size, Text: text, side: &side{dr, du, beyond}})
	}
	outX, outY := 2*nearX-1, 2*nearY-1 // away from the middle, towards the eye
	xTicks, yTicks, zTicks := v.ticks(v.x, 1, 0, 0), v.ticks(v.y, 0, 1, 0), v.ticks(v.z, 0, 0, tall)
	for _, t := range xTicks.Marks {
		at := v.x.Norm(t.At)
		draw(&grid, at, 0, 0, at, 1, 0)
		draw(&grid, at, far(nearY), 0, at, far(nearY), tall)
		write(t.Label, at, nearY, 0, 0, outY, "")
	}
	for _, t := range yTicks.Marks {
		at := v.y.Norm(t.At)
		draw(&grid, 0, at, 0, 1, at, 0)
		draw(&grid, far(nearX), at, 0, far(nearX), at, tall)
		write(t.Label, nearX, at, 0, outX, 0, "")
	}
	// The vertical axis stands at the corner that is seen farthest to the left.
	cornerX, cornerY := nearX, far(nearY)
	if a, _, _ := v.project(nearX, far(nearY), 0); a > 0 {
		cornerX, cornerY = far(nearX), nearY
	}
	left := func(z float64) (float64, float64) {
		right, up, _ := v.project(cornerX, cornerY, z)
		return right, up
	}
	for _, t := range zTicks.Marks {
		at := tall * v.z.Norm(t.At)
		draw(&grid, far(nearX), 0, at, far(nearX), 1, at)
		draw(&grid, 0, far(nearY), at, 1, far(nearY), at)
		right, up := left(at)
		texts = append(texts, Text{X: right - 0.03, Y: up, Text: t.Label, side: &side{x: -1}})
	}
	draw(&axes, 0, nearY, 0, 1, nearY, 0)
	draw(&axes, nearX, 0, 0, nearX, 1, 0)
	draw(&axes, cornerX, cornerY, 0, cornerX, cornerY, tall)
	write(joined(v.x.Label, xTicks.Factor), 0.5, nearY, 0, 0, outY, xTicks.longest())
	write(joined(v.y.Label, yTicks.Factor), nearX, 0.5, 0, outX, 0, yTicks.longest())
	if len(zTicks.Marks) > 0 {
		right, up := left(tall)
		texts = append(texts, Text{X: right + 0.03, Y: up + 0.08, Text: joined(v.z.Label, zTicks.Factor), side: &side{x: -1}})
	}
	return []Curve{grid, axes}, texts
}

// ticks are those of an axis along a direction, as it is seen; none where that is from its end.
func (v view) ticks(a Axis, x, y, z float64) Ticks {
	x0, y0, _ := v.project(0, 0, 0)
	x1, y1, _ := v.project(x, y, z)
	const unit, least, letter, line = 130, 20, 4.5, 11 // points; of the space, of a label and of its lines
	length := math.Hypot(x1-x0, y1-y0)
	if unit*length < least {
		return Ticks{}
	}
	across, upward := math.Abs(x1-x0)/length, math.Abs(y1-y0)/length
	return a.Ticks(Ruler{Length: unit * length, Want: 38*across + 20*upward, Room: func(label string) float64 {
		return min((letter*float64(len([]rune(label)))+4)/across, line/upward)
	}})
}

// longest is the label with most letters.
func (t Ticks) longest() string {
	var label string
	for _, k := range t.Marks {
		if len([]rune(k.Label)) > len([]rune(label)) {
			label = k.Label
		}
	}
	return label
}

func joined(label, factor string) string {
	if label == "" || factor == "" {
		return label + factor
	}
	return label + " " + factor
}
