package mesh

import "math"

// Chebyshev returns the n Chebyshev extreme points of [a, b], both ends
// included, with Clenshaw–Curtis weights (degree n-1). n must be from 2 to 10,000.
func Chebyshev(a, b float64, n int, name string) (Axis, error) {
	return clenshawCurtis().Axis(a, b, n, name)
}

func clenshawCurtis() Rule {
	return Rule{
		Points: "chebyshev", Name: "clenshaw-curtis",
		Doc:   "Chebyshev points on [a, b], both ends included, with Clenshaw-Curtis weights (degree n - 1).",
		Least: 2, Most: mostQuadratic, Ends: true,
		Degree: func(n int) int { return n - 1 },
		Nodes:  chebyshevNodes,
	}
}

// chebyshevNodes finds the weights by the explicit cosine sum, O(n²): Davis & Rabinowitz
// (1984), §2.5.5.
func chebyshevNodes(a, b float64, n int) (x, w []float64) {
	m := n - 1
	x, w = make([]float64, n), make([]float64, n)
	cos := make([]float64, m)
	for k := range cos {
		cos[k] = math.Cos(2 * math.Pi * float64(k) / float64(m))
	}
	for i := range x {
		x[i] = a + (b-a)*math.Pow(math.Sin(math.Pi*float64(i)/float64(2*m)), 2)
		s := 1.0
		for j := 1; 2*j <= m; j++ {
			t := 2 * cos[i*j%m] / float64(4*j*j-1)
			if 2*j == m {
				t /= 2
			}
			s -= t
		}
		w[i] = s * (b - a) / float64(m)
	}
	x[m] = b
	if m%2 == 0 { // exactly the point that other meshes have there
		x[m/2] = a + (b-a)/2
	}
	w[0], w[m] = w[0]/2, w[m]/2
	return x, w
}
