package ode

import (
	"math"
)

// radau is Radau IIA of order 5 with simplified Newton iterations, in the variables in which
// the three stages fall apart into one real and one complex system (Hairer and Wanner II,
// IV.8).
type radau struct {
	*run
	n         int
	jac       []float64
	fresh     bool // jac is that at r.t, r.y
	real      *lu[float64]
	complex   *lu[complex128] // both nil when h or jac changed
	tolNewton float64
	z         [3][]float64
	w         [3][]float64
	fs        [3][]float64
	arg       []float64
	previous  *piece
	oldH      float64
	oldError  float64
}

func newRadau(r *run) *radau {
	n := len(r.y)
	s := &radau{run: r, n: n, jac: make([]float64, n*n), arg: make([]float64, n)}
	for i := range 3 {
		s.z[i], s.w[i], s.fs[i] = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	// What is about 0 in a stiff problem may have to stay on its side of it: with 1e-3 one of seven
	// runs of Robertson's reaction at a Rel of 1e-3 leaves for -1e7, with 1e-4 none of sixty.
	r.small = 1e-4
	s.tolNewton = max(10*0x1p-52/(r.part*r.Rel), min(0.03, math.Sqrt(r.part*r.Rel)))
	return s
}

func (s *radau) stiff() bool { return true }

// The method: nodes, the eigenvalues of its matrix inverted, the transformation to its
// eigenvectors and back, the weights of the error, the interpolant.
func radauNodes() [3]float64 {
	r := math.Sqrt(6)
	return [3]float64{(4 - r) / 10, (4 + r) / 10, 1}
}

func radauEigenvalues() (real float64, pair complex128) {
	a, b := math.Cbrt(3), math.Cbrt(9)
	return 3 + b - a, complex(3+(a-b)/2, -(math.Pow(3, 5.0/6)+math.Pow(3, 7.0/6))/2)
}

func radauBack() [3][3]float64 {
	return [3][3]float64{
		{0.09443876248897524, -0.14125529502095421, 0.03002919410514742},
		{0.25021312296533332, 0.20412935229379994, -0.38294211275726192},
		{1, 1, 0},
	}
}

func radauForth() [3][3]float64 {
	return [3][3]float64{
		{4.17871859155190428, 0.32768282076106237, 0.52337644549944951},
		{-4.17871859155190428, -0.32768282076106237, 0.47662355450055044},
		{0.50287263494578682, -2.57192694985560522, 0.59603920482822492},
	}
}

func radauError() [3]float64 {
	r := math.Sqrt(6)
	return [3]float64{(-13 - 7*r) / 3, (-13 + 7*r) / 3, -1.0 / 3}
}

func radauDense() [3][3]float64 {
	r := math.Sqrt(6)
	return [3][3]float64{
		{13.0/3 + 7*r/3, -23.0/3 - 22*r/3, 10.0/3 + 5*r},
		{13.0/3 - 7*r/3, -23.0/3 + 22*r/3, 10.0/3 - 5*r},
		{1.0 / 3, -8.0 / 3, 10.0 / 3},
	}
}

// newtons is the most iterations of a step.
const newtons = 6

func (s *radau) step() (piece, error) {
	rejected := false
	for {
		if s.h < s.smallest() {
			return piece{}, s.stuck()
		}
		h := math.Copysign(min(s.h, s.MaxStep), s.end-s.t)
		to := s.t + h
		if (to-s.end)*h >= 0 {
			to = s.end
			if h != to-s.t {
				h = to - s.t
				s.real = nil
			}
		}
		s.predict(h)
		converged, iterations, rate, err := s.newton(h)
		if err != nil {
			return piece{}, err
		}
		if !converged {
			s.sol.Rejected++
			s.h, s.real = math.Abs(h)/2, nil
			continue
		}
		next := make([]float64, s.n)
		for i := range next {
			next[i] = s.y[i] + s.z[2][i]
		}
		size, err := s.error(h, next, rejected)
		if err != nil {
			return piece{}, err
		}
		safety := 0.9 * (2*newtons + 1) / float64(2*newtons+iterations)
		if !(size <= 1) {
			s.sol.Rejected++
			s.lift(s.fs[:]...)
			factor := 0.2
			if size > 1 {
				factor = max(0.2, safety*s.factor(h, size))
			}
			s.h, s.real, rejected = math.Abs(h)*factor, nil, true
			continue
		}
		return s.accept(h, to, next, iterations, rate, size, safety)
	}
}

// predict starts the iteration from the last step continued.
func (s *radau) predict(h float64) {
	c := radauNodes()
	for i := range s.z {
		clear(s.z[i])
		if s.previous != nil {
			s.previous.at((s.t+c[i]*h-s.previous.t0)/s.previous.h, s.z[i])
			for k := range s.z[i] {
				s.z[i][k] -= s.y[k]
			}
		}
	}
	transform(radauForth(), &s.z, &s.w)
}

func transform(m [3][3]float64, from, to *[3][]float64) {
	for k := range from[0] {
		a, b, c := from[0][k], from[1][k], from[2][k]
		for i, row := range m {
			to[i][k] = row[0]*a + row[1]*b + row[2]*c
		}
	}
}

// newton solves for the stages, with a new Jacobian if that helps.
func (s *radau) newton(h float64) (converged bool, iterations int, rate float64, err error) {
	for {
		if s.real == nil {
			if err := s.decompose(h); err != nil {
				return false, 0, 0, err
			}
		}
		converged, iterations, rate, err = s.iterate(h)
		if err != nil || converged || s.fresh {
			return converged, iterations, rate, err
		}
		s.predict(h)
		if err := s.differentiate(s.t, s.y, s.f); err != nil {
			return false, 0, 0, err
		}
		s.real = nil
	}
}

func (s *radau) iterate(h float64) (converged bool, iterations int, rate float64, err error) {
	c, forth := radauNodes(), radauForth()
	mu, pair := radauEigenvalues()
	old := 0.0
	real, comp := make([]float64, s.n), make([]complex128, s.n)
	for iterations = 1; iterations <= newtons; iterations++ {
		for i := range s.fs {
			for k := range s.arg {
				s.arg[k] = s.y[k] + s.z[i][k]
			}
			if !finite(s.arg) {
				return false, iterations, rate, nil
			}
			if err := s.call(s.t+c[i]*h, s.arg, s.fs[i]); err != nil {
				return false, iterations, rate, err
			}
			if !finite(s.fs[i]) {
				s.bad = s.notFinite(s.t+c[i]*h, s.arg)
				return false, iterations, rate, nil
			}
		}
		for k := range s.n {
			a, b, d := s.fs[0][k], s.fs[1][k], s.fs[2][k]
			real[k] = forth[0][0]*a + forth[0][1]*b + forth[0][2]*d - mu/h*s.w[0][k]
			comp[k] = complex(forth[1][0]*a+forth[1][1]*b+forth[1][2]*d, forth[2][0]*a+forth[2][1]*b+forth[2][2]*d) -
				pair/complex(h, 0)*complex(s.w[1][k], s.w[2][k])
		}
		s.real.solve(real)
		s.complex.solve(comp)
		size := s.change(real, comp)
		if math.IsNaN(size) {
			return false, iterations, rate, nil
		}
		if iterations > 1 {
			rate = size / old
			if rate >= 1 || math.Pow(rate, float64(newtons-iterations+1))/(1-rate)*size > s.tolNewton {
				return false, iterations, rate, nil
			}
		}
		for k := range s.n {
			s.w[0][k] += real[k]
			s.w[1][k] += realPart(comp[k])
			s.w[2][k] += imagPart(comp[k])
		}
		transform(radauBack(), &s.w, &s.z)
		if size == 0 || iterations > 1 && rate/(1-rate)*size < s.tolNewton {
			return true, iterations, rate, nil
		}
		old = size
	}
	return false, newtons, rate, nil
}

func realPart(z complex128) float64 { return real(z) }
func imagPart(z complex128) float64 { return imag(z) }

// change is the size of an iteration's change, in units of the tolerance.
func (s *radau) change(real []float64, comp []complex128) float64 {
	sum := 0.0
	for k := range s.n {
		t := s.tolerance(k, s.y[k])
		a, b, c := real[k]/t, realPart(comp[k])/t, imagPart(comp[k])/t
		sum += a*a + b*b + c*c
	}
	return math.Sqrt(sum / float64(3*s.n))
}

// error is the size of the error of a step, filtered by the Jacobian; after a rejection it
// is estimated with more care.
func (s *radau) error(h float64, next []float64, rejected bool) (float64, error) {
	w := radauError()
	ze, e := make([]float64, s.n), make([]float64, s.n)
	for k := range e {
		ze[k] = (w[0]*s.z[0][k] + w[1]*s.z[1][k] + w[2]*s.z[2][k]) / h
		e[k] = s.f[k] + ze[k]
	}
	s.real.solve(e)
	size := s.norm(e, s.y, next)
	if !rejected || size <= 1 {
		return size, nil
	}
	for k := range e {
		s.arg[k] = s.y[k] + e[k]
	}
	if err := s.call(s.t, s.arg, e); err != nil {
		return 0, err
	}
	for k := range e {
		e[k] += ze[k]
	}
	s.real.solve(e)
	return s.norm(e, s.y, next), nil
}

// factor is by how much the step may change, from this error and that of the last step.
func (s *radau) factor(h, size float64) float64 {
	if size == 0 {
		return 10
	}
	trend := 1.0
	if s.oldH > 0 && s.oldError > 0 {
		trend = min(1, math.Abs(h)/s.oldH*math.Pow(s.oldError/size, 0.25))
	}
	return trend * math.Pow(size, -0.25)
}

func (s *radau) accept(h, to float64, next []float64, iterations int, rate, size, safety float64) (piece, error) {
	anew := iterations > 2 && rate > 1e-3
	factor := min(10, safety*s.factor(h, size))
	if !anew && factor < 1.2 {
		factor = 1
	} else {
		s.real = nil
	}
	dense := radauDense()
	var q [3][]float64
	for i := range q {
		q[i] = make([]float64, s.n)
		for k := range q[i] {
			q[i][k] = s.z[0][k]*dense[0][i] + s.z[1][k]*dense[1][i] + s.z[2][k]*dense[2][i]
		}
	}
	from := append([]float64(nil), s.y...)
	p := piece{t0: s.t, h: h, at: func(x float64, y []float64) {
		for k := range y {
			y[k] = from[k] + x*(q[0][k]+x*(q[1][k]+x*q[2][k]))
		}
	}}
	copy(s.y, next)
	s.previous, s.t, s.bad = &p, to, nil
	if err := s.call(to, s.y, s.f); err != nil {
		return p, err
	}
	s.fresh = false
	if anew {
		if err := s.differentiate(to, s.y, s.f); err != nil {
			return p, err
		}
	}
	s.oldH, s.oldError = math.Abs(h), max(size, 1e-10)
	s.h = min(math.Abs(h)*factor, s.MaxStep)
	return p, nil
}
