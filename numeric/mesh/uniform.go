package mesh

// Uniform returns n equispaced points on [a, b], both ends included, with
// trapezoid weights (degree 1). n must be at least 2.
func Uniform(a, b float64, n int, name string) (Axis, error) {
	return trapezoidal().Axis(a, b, n, name)
}

func trapezoidal() Rule {
	return Rule{
		Points: "uniform", Name: TrapezoidRule,
		Doc:   "Equally spaced points on [a, b], both ends included, with trapezoid weights (degree 1).",
		Least: 2, Ends: true, Even: true,
		Degree: func(int) int { return 1 },
		Nodes: func(a, b float64, n int) (x, w []float64) {
			x, h := equispaced(a, b, n)
			w = make([]float64, n)
			for i := range w {
				w[i] = h
			}
			w[0], w[n-1] = h/2, h/2
			return x, w
		},
	}
}

// equispaced returns n points with spacing h from a; the last one is set to b.
func equispaced(a, b float64, n int) (x []float64, h float64) {
	x = make([]float64, n)
	h = (b - a) / float64(n-1)
	for i := range x {
		x[i] = a + (b-a)*(float64(i)/float64(n-1))
	}
	x[n-1] = b
	return x, h
}
