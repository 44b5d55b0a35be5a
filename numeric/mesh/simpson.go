package mesh

// Simpson returns n equispaced points on [a, b] with composite Simpson weights
// (degree 3). With an even number of points the last four carry the 3/8 rule.
// Two points have room for the trapezoid only (degree 1).
func Simpson(a, b float64, n int, name string) (Axis, error) { return simpson().Axis(a, b, n, name) }

func simpson() Rule {
	return Rule{
		Points: "simpson", Name: simpsonRule,
		Doc:   "Equally spaced points on [a, b] with composite Simpson weights (degree 3).",
		Least: 2, Ends: true, Even: true,
		Degree: func(n int) int { return min(3, 2*n-3) },
		Nodes:  simpsonNodes,
	}
}

func simpsonNodes(a, b float64, n int) (x, w []float64) {
	x, h := equispaced(a, b, n)
	w = make([]float64, n)
	last := n - 1
	if n == 2 {
		w[0], w[1] = h/2, h/2
	} else if n%2 == 0 {
		last = n - 4
		for i, c := range [4]float64{3, 9, 9, 3} {
			w[last+i] += c * h / 8
		}
	}
	for i := 0; i+2 <= last; i += 2 {
		w[i] += h / 3
		w[i+1] += 4 * h / 3
		w[i+2] += h / 3
	}
	return x, w
}
