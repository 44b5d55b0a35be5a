package pde

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// line is a line of equispaced points along an axis. Past an end without a given
// value of u it has ghosts, one for every condition there, whose values follow from
// the conditions; so differences reach over the end as far as conditions carry.
type line struct {
	weights  stencils
	n        int
	h        float64
	order    int // of accuracy, even
	periodic bool
	relaxed  [2]bool  // differences that reach over this end may be of order 2
	ghosts   [2][]sum // ghosts[side][g] is the value g+1 spacings past the end
}

// part is a weight of one value; sum is a weighted sum of values on a line and of
// boundary data, by their numbers.
type part struct {
	index  int
	weight float64
}

type sum struct{ nodes, data []part }

// add adds weight times t.
func (s *sum) add(weight float64, t sum) {
	s.nodes, s.data = collect(s.nodes, weight, t.nodes), collect(s.data, weight, t.data)
}

// collect adds weight times more to a sum. What has the same index is added here, where
// opposite weights cancel to the last bit: later, other parts would stand between them, and
// rounding would make the matrices of self-adjoint problems not quite symmetric.
func collect(all []part, weight float64, more []part) []part {
	for _, p := range more {
		k := slices.IndexFunc(all, func(q part) bool { return q.index == p.index })
		if k < 0 {
			all = append(all, part{p.index, weight * p.weight})
			continue
		}
		all[k].weight += weight * p.weight
	}
	return all
}

// value is u at point i, which may be a ghost or go around.
func (l *line) value(i int) sum {
	switch {
	case l.periodic:
		return sum{nodes: []part{{((i % l.n) + l.n) % l.n, 1}}}
	case i < 0:
		return l.ghosts[0][-i-1]
	case i >= l.n:
		return l.ghosts[1][i-l.n]
	}
	return sum{nodes: []part{{i, 1}}}
}

// window is where the points begin, and how many there are, for the k-th derivative
// at point i out of points low … high: as many on both sides where there are enough,
// otherwise more on one side for the same order, or fewer where that does no harm.
func (l *line) window(k, i, low, high int) (start, count int) {
	order := l.order
	half := (k+1)/2 + order/2 - 1
	if l.periodic || i-half >= low && i+half <= high {
		return i - half, 2*half + 1
	}
	if over := i-half >= low; over && l.relaxed[1] || !over && l.relaxed[0] {
		half = (k + 1) / 2
		if i-half >= low && i+half <= high {
			return i - half, 2*half + 1
		}
	}
	count = k + order
	return max(low, min(i-count/2, high-count+1)), count
}

// derivative is the k-th derivative at point i.
func (l *line) derivative(k, i int) sum {
	return l.difference(k, i, -len(l.ghosts[0]), l.n-1+len(l.ghosts[1]))
}

// inner is the k-th derivative at point i without ghosts.
func (l *line) inner(k, i int) sum { return l.difference(k, i, 0, l.n-1) }

func (l *line) difference(k, i, low, high int) sum {
	start, count := l.window(k, i, low, high)
	s, scale := sum{nodes: make([]part, 0, count)}, math.Pow(l.h, float64(k))
	for j, w := range l.weights.derivative(k, 2*(start-i), count) {
		switch at := start + j; {
		case w == 0:
		case start >= 0 && start+count <= l.n: // other points than the rest
			s.nodes = append(s.nodes, part{at, w / scale})
		default:
			s.add(w/scale, l.value(at))
		}
	}
	return s
}

// between is u (k = 0) or its first derivative (k = 1) half way from point i to the
// next, without ghosts.
func (l *line) between(k, i int) sum {
	start, count := i-l.order/2+1, l.order
	if !l.periodic && (start < 0 || start+count > l.n) {
		count += k // one more point where they are not as many on both sides
		start = max(0, min(start, l.n-count))
	}
	var s sum
	for j, w := range l.weights.derivative(k, 2*(start-i)-1, count) {
		s.add(w/math.Pow(l.h, float64(k)), l.value(start+j))
	}
	return s
}

// mean is the average of u over the cell of point i, which reaches half way to its
// neighbours, and at an end from the end on.
func (l *line) mean(i int) sum {
	half := l.order/2 - 1
	start, count, from, to := i-half, 2*half+1, -1, 1
	if !l.periodic {
		if i == 0 {
			from = 0
		}
		if i == l.n-1 {
			to = 0
		}
		if start < 0 || start+count > l.n || from*to == 0 {
			count = l.order
			start = max(0, min(i-count/2, l.n-count))
		}
	}
	var s sum
	for j, w := range l.weights.mean(from, to, 2*(start-i), count) {
		s.add(w, l.value(start+j))
	}
	return s
}

// closing is a condition at one end of a line: Σ_k factors_k ∂ᵏu/∂nᵏ is datum number
// data.
type closing struct {
	factors [MaxOrder]float64
	data    int
}

// close derives the ghosts past an end (side 0 or 1) from the conditions there.
func (l *line) close(side int, conditions []closing) error {
	n := len(conditions)
	if n == 0 {
		return nil
	}
	matrix, rest := l.system(side, conditions, false)
	var inverse mat.Dense
	if inverse.Inverse(matrix) != nil {
		// Central differences may not reach the farthest ghost.
		matrix, rest = l.system(side, conditions, true)
		if err := inverse.Inverse(matrix); err != nil {
			return errors.New("the conditions do not determine u past the end")
		}
	}
	l.ghosts[side] = make([]sum, n)
	for g := range n {
		for q := range n {
			if w := inverse.At(g, q); w != 0 {
				l.ghosts[side][g].add(w, rest[q])
			}
		}
	}
	return nil
}

// system writes conditions as matrix × ghosts = rest, each multiplied by a power of
// the spacing. far makes the differences begin at the farthest ghost.
func (l *line) system(side int, conditions []closing, far bool) (matrix *mat.Dense, rest []sum) {
	n, strict := len(conditions), *l
	strict.relaxed = [2]bool{}
	end, outward, low, high := 0, -1.0, -n, l.n-1
	if side == 1 {
		end, outward, low, high = l.n-1, 1, 0, l.n-1+n
	}
	matrix, rest = mat.NewDense(n, n, nil), make([]sum, n)
	for q, c := range conditions {
		highest := 0
		for k, factor := range c.factors {
			if factor != 0 {
				highest = k
			}
		}
		rest[q] = sum{data: []part{{c.data, math.Pow(l.h, float64(highest))}}}
		for k, factor := range c.factors {
			if factor == 0 {
				continue
			}
			factor *= math.Pow(outward, float64(k)) * math.Pow(l.h, float64(highest-k))
			start, count := strict.window(k, end, low, high)
			if far {
				count = max(k+l.order, n+2)
				start = [2]int{low, high - count + 1}[side]
			}
			for j, w := range l.weights.derivative(k, 2*(start-end), count) {
				switch i := start + j; {
				case i < 0:
					matrix.Set(q, -i-1, matrix.At(q, -i-1)+factor*w)
				case i >= l.n:
					matrix.Set(q, i-l.n, matrix.At(q, i-l.n)+factor*w)
				case w != 0:
					rest[q].add(-factor*w, l.value(i))
				}
			}
		}
	}
	return matrix, rest
}
