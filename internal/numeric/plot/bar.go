package plot

import (
	"fmt"
	"slices"
)

// BarChart shows series as bars: beside each other, or stacked.
type BarChart struct {
	Series  []Series `arg:"series" doc:"what to draw, at least one; kind is bar where it is not given" pos:"list"`
	Names   []string `arg:"names" doc:"written below the bars at x = 1, 2, 3, …" default:"nil"`
	Stacked bool     `arg:"stacked" doc:"each series stands on the one before" default:"false"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (b BarChart) check() error {
	_, err := b.panel()
	return err
}

func (b BarChart) sheet() (*Sheet, error) { return single(b.panel()) }

func (b BarChart) panel() (*Panel, error) {
	if len(b.Series) == 0 {
		return nil, fmt.Errorf("series: empty: must hold at least one")
	}
	series := make([]Series, len(b.Series))
	for i, s := range b.Series {
		if s.Kind == "" {
			s.Kind = kindBar
		}
		if b.Names != nil && s.X == nil && len(s.Y) != len(b.Names) {
			return nil, fmt.Errorf("names: %d for the %d values of series %d: must be as many", len(b.Names), len(s.Y), i+1)
		}
		series[i] = s
	}
	curves, err := b.curves(series)
	if err != nil {
		return nil, err
	}
	p, err := b.Axes.panel(curves)
	if err != nil {
		return nil, err
	}
	if b.Names != nil {
		if b.LogX {
			return nil, fmt.Errorf("names: stand at 1, 2, 3, …: logx must be false")
		}
		p.X.names = &b.Names
	}
	return p, nil
}

// curves resolves the series, once it is certain that they can be stacked.
func (b BarChart) curves(series []Series) ([]Curve, error) {
	bars := newBars(series, b.LogX)
	if b.Stacked {
		if err := b.checkStack(series); err != nil {
			return nil, err
		}
		bars.stack(series)
	}
	return resolved(series, "series", seriesStyle, b.Axes, bars)
}

func (b BarChart) checkStack(series []Series) error {
	if b.LogY {
		return fmt.Errorf("stacked: heights are added: logy must be false")
	}
	for i, s := range series {
		if s.Kind != kindBar || len(s.Y) != len(series[0].Y) || !slices.Equal(s.at(), series[0].at()) {
			return fmt.Errorf("series %d: must be bars at the same x as series 1 to be stacked on it", i+1)
		}
		for k, v := range s.Y {
			if v < 0 {
				return fmt.Errorf("series %d: y: value %d is %v: must be >= 0 where bars are stacked", i+1, k+1, v)
			}
		}
		if s.Low != nil {
			return fmt.Errorf("series %d: low, high: must be left out where bars are stacked", i+1)
		}
	}
	return nil
}
