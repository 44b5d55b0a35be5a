package plot

import (
	"slices"
)

// BoxPlot shows samples by their quartiles (a box with the median as a line across it),
// whiskers to the last numbers within one and a half times the height of the box, and
// the numbers beyond as points (J. W. Tukey, 1977). NaN and infinite numbers are left out.
type BoxPlot struct {
	Samples Samples  `arg:"samples" pos:"1" doc:"numbers of one sample, or a list of samples; of an array, each row is one" allow:"nan"`
	Names   []string `arg:"names" doc:"written below the boxes; by default 1, 2, 3, …" default:"nil"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (b BoxPlot) check() error {
	_, err := b.panel()
	return err
}

func (b BoxPlot) sheet() (*Sheet, error) { return single(b.panel()) }

func (b BoxPlot) panel() (*Panel, error) {
	samples, err := finiteSamples(b.Samples, b.Names, "names")
	if err != nil {
		return nil, err
	}
	var curves []Curve
	for i, s := range samples {
		slices.Sort(s)
		curves = append(curves, boxCurves(float64(i+1), s)...)
	}
	b.LogX, b.XLin = false, 0
	p, err := b.Axes.panel(curves)
	if err != nil {
		return nil, err
	}
	if b.XMin == nil && b.XMax == nil {
		p.X.Lo, p.X.Hi = 0.4, float64(len(samples))+0.6
	}
	names := b.Names
	if names == nil {
		for i := range samples {
			names = append(names, decimal(float64(i+1), 0))
		}
	}
	p.X.names = &names
	return p, nil
}

// boxCurves draws one sorted sample at x.
func boxCurves(x float64, sorted []float64) []Curve {
	const half, cap = 0.25, 0.12 // of the widths of the box and of the ends of its whiskers
	lower, median, upper := quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)
	reach := 1.5 * (upper - lower)
	inside := slices.DeleteFunc(slices.Clone(sorted), func(v float64) bool { return v < lower-reach || v > upper+reach })
	low, high := min(inside[0], lower), max(inside[len(inside)-1], upper)
	fill := seriesColor(0)
	fill.A = 70
	frame := block(x-half, lower, x+half, upper, fill)
	frame.Outline = seriesColor(0)
	dark := LineStyle{Color: seriesColor(0)}
	box := Curve{Style: dark, width: ruleWidth, Shapes: []Shape{frame}, Arrows: []Arrow{
		{X: x, Y: lower, ToX: x, ToY: low},
		{X: x, Y: upper, ToX: x, ToY: high},
		{X: x - cap, Y: low, ToX: x + cap, ToY: low},
		{X: x - cap, Y: high, ToX: x + cap, ToY: high},
	}}
	middle := Curve{Style: LineStyle{Color: seriesColor(1)}, width: 1.2 * lineWidth, Arrows: []Arrow{{X: x - half, Y: median, ToX: x + half, ToY: median}}}
	beyond := Curve{Style: LineStyle{Color: seriesColor(0), Marker: '.'}, width: lineWidth}
	for _, v := range sorted {
		if v < low || v > high {
			beyond.X, beyond.Y = append(beyond.X, x), append(beyond.Y, v)
		}
	}
	return []Curve{box, middle, beyond}
}
