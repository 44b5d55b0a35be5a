package plot

import (
	"fmt"
	"image/color"
	"math"
)

// colormap turns values into colours: lo and hi are the values of the first
// and the last colour.
type colormap struct {
	lo, hi float64
	log    bool
	spec   paletteSpec
}

// index returns the number of the colour of v: 0 … colors−1, clamped at both
// ends (infinities too), or missing for NaN.
func (m colormap) index(v float64) uint8 {
	if math.IsNaN(v) {
		return Missing
	}
	t := Axis{Lo: m.lo, Hi: m.hi, Log: m.log}.Norm(v)
	return uint8(math.Round(min(max(t, 0), 1) * (colors - 1)))
}

func (m colormap) color(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return missingColor()
	}
	return m.spec.at(float64(m.index(v)) / (colors - 1))
}

// lineColor is the colour of a thin line on white: that of v, dark enough.
func (m colormap) lineColor(v float64) color.NRGBA {
	const lightest = 0.74
	c := m.color(v)
	return Toned(c, 0, lightest)
}

// coloring is what heat maps and contours say about their colours.
type coloring struct {
	palette   string
	symmetric bool
	log       bool
	lo, hi    *float64
}

// signChange is how large the smaller of the negative and the positive side
// must be, as a fraction of the larger, for data to count as having both
// signs: an estimate of a positive function dips below zero a little.
const signChange = 0.05

// colormap checks the arguments and chooses range and palette for the data.
func (c coloring) colormap(data extent) (colormap, error) {
	if err := c.check(); err != nil {
		return colormap{}, err
	}
	lo, hi := data.lo, data.hi
	if data.empty() {
		lo, hi = 1, 1
	}
	if c.lo != nil {
		lo = *c.lo
	}
	if c.hi != nil {
		hi = *c.hi
	}
	bothSigns := !c.log && min(-lo, hi) > signChange*max(-lo, hi)
	name := c.palette
	if name == "" {
		name = "viridis"
		if bothSigns || c.symmetric {
			name = "bluered"
		}
	}
	spec, err := findPalette(name)
	if err != nil {
		return colormap{}, err
	}
	if !c.log && (c.symmetric || spec.diverging && c.lo == nil && c.hi == nil) {
		hi = max(math.Abs(lo), math.Abs(hi))
		lo = -hi
	}
	if lo > hi { // a limit was given, and all the data lie beyond it
		if c.lo != nil {
			hi = lo
		} else {
			lo = hi
		}
	}
	lo, hi = spread(lo, hi, c.log)
	return colormap{lo: lo, hi: hi, log: c.log, spec: spec}, nil
}

// check reports the first of the colour arguments that makes no sense.
func (c coloring) check() error {
	if c.palette != "" {
		if _, err := findPalette(c.palette); err != nil {
			return err
		}
	}
	for _, v := range []struct {
		name  string
		value *float64
	}{{"min", c.lo}, {"max", c.hi}} {
		switch {
		case v.value == nil:
		case !finite(*v.value):
			return fmt.Errorf("%s %v: must be a finite number", v.name, *v.value)
		case c.log && *v.value <= 0:
			return fmt.Errorf("%s %v: must be > 0 with log", v.name, *v.value)
		}
	}
	if c.lo != nil && c.hi != nil && *c.lo >= *c.hi {
		return fmt.Errorf("max %v: must be greater than min %v", *c.hi, *c.lo)
	}
	return nil
}
