package mesh

// Periodic returns n equispaced points a, a+h, …, b-h of a circle of length
// b-a, with equal weights: exact for trigonometric polynomials of degree below
// n. n must be at least 2.
func Periodic(a, b float64, n int, name string) (Axis, error) { return periodic().Axis(a, b, n, name) }

func periodic() Rule {
	return Rule{
		Points: "periodic", Name: "periodic",
		Doc:   "Equally spaced points of a circle of length b - a, b excluded, with equal weights.",
		Least: 2, Even: true, Periodic: true,
		Degree: func(int) int { return 0 },
		Nodes: func(a, b float64, n int) (x, w []float64) {
			x, w = make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], w[i] = a+(b-a)*(float64(i)/float64(n)), (b-a)/float64(n)
			}
			return x, w
		},
	}
}
