package optimize

import "math"

// units are the inverses of the curvatures along the variables, so that it does not matter in
// what units these are: of many variables all 1.
func (o *counted) units() ([]float64, error) {
	m := o.m
	unit := make([]float64, len(m.X))
	for i := range unit {
		unit[i] = 1
	}
	const many = 200
	if len(unit) > many {
		return unit, nil
	}
	x, g := append([]float64(nil), m.X...), make([]float64, len(m.X))
	for i, v := range m.X {
		h := stepAt(v, m.X)
		if o.Objective.Gradient != nil && v != 0 { // whatever units the others have
			h = cubeRoot * math.Abs(v)
		}
		if lower, upper := o.bounds(i); v+h > upper {
			if h = -h; v+h < lower {
				continue
			}
		}
		c, noise, err := o.bend(x, g, i, h)
		if err != nil {
			return nil, err
		}
		x[i] = v
		const least, straight = 1e-3, 1e-2 // at most so far: to where f would be 0, or as x itself
		if c = math.Abs(c); !(c > noise) || math.IsInf(c, 0) {
			size := math.Abs(h) / cubeRoot
			c = straight * math.Abs(m.F) / size / size
		}
		c = max(c, least*m.Gradient[i]/math.Abs(m.F)*m.Gradient[i])
		if u := 1 / c; u > 0 && !math.IsInf(u, 0) {
			unit[i] = u
		}
	}
	return unit, nil
}

// bend is the second derivative along a variable, from a step of h, and what rounding makes of
// 0. x is left moved.
func (o *counted) bend(x, g []float64, i int, h float64) (c, noise float64, err error) {
	v := x[i]
	if o.Objective.Gradient != nil {
		o.m.Gradients++
		x[i] = v + h
		if err := o.Objective.Gradient(x, g); err != nil {
			return 0, 0, err
		}
		return (g[i] - o.m.Gradient[i]) / h, 0x1p-50 * math.Abs(o.m.Gradient[i]/h), nil
	}
	h *= 16 // f is divided by its square
	x[i] = v + h
	f, err := o.value(x)
	if err != nil {
		return 0, 0, err
	}
	return 2 * ((f-o.m.F)/h - o.m.Gradient[i]) / h, 0x1p-45 * math.Abs(o.m.F/h/h), nil
}
