package dataset

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// unite finds the points that any curve has.
func (s *side) unite() error {
	if s.dim == 1 {
		for _, p := range s.curves {
			s.points = append(s.points, p.at...)
		}
		slices.Sort(s.points)
		s.points = slices.Compact(s.points)
		for i := range s.curves {
			p := &s.curves[i]
			p.index = make([]int, len(p.at))
			for k, x := range p.at {
				p.index[k], _ = slices.BinarySearch(s.points, x)
			}
		}
		return nil
	}
	known := make(map[string]int)
	var of []int // the last curve that has a point
	for i := range s.curves {
		p := &s.curves[i]
		for k := range p.values {
			at := p.at[k*s.dim : (k+1)*s.dim]
			key := fmt.Sprint(at)
			j, ok := known[key]
			if ok && of[j] == i {
				return fmt.Errorf("%s %d: points %d and %d are both at %s: want one value at each point", s.name, i+1, slices.Index(p.index, j)+1, k+1, dense.PointString(at))
			}
			if !ok {
				j = len(s.points) / s.dim
				known[key], s.points, of = j, append(s.points, at...), append(of, i)
			}
			of[j], p.index = i, append(p.index, j)
		}
	}
	return nil
}

// size is how many points the union has.
func (s *side) size() int { return len(s.points) / s.dim }

// mesh is that of the union: the one of all curves where that is the same, with its rule.
func (s *side) mesh() (mesh.Mesh, error) {
	first := s.curves[0]
	switch {
	case s.same && first.given.Size() > 0:
		return first.given, nil
	case s.same && len(first.at) > 1:
		a, err := mesh.Trapezoid(first.at, s.coordinate)
		if err != nil {
			return mesh.Mesh{}, err
		}
		return mesh.New(a)
	}
	weights := s.countWeights()
	if s.integrated {
		weights = s.lengths()
	}
	names := []string{s.coordinate}
	if first.given.Size() > 0 {
		names = first.given.Names()
	}
	a, err := mesh.OfCurves(s.points, s.dim, weights, names...)
	if err != nil {
		return mesh.Mesh{}, fmt.Errorf("%s: %w", s.name, err)
	}
	return mesh.New(a)
}

// together is the values of curves that have the same points, pairs × points; nil where they
// have not.
func (s *side) together() *array.Array {
	if !s.same {
		return nil
	}
	out := array.New(len(s.curves), s.size())
	for i, p := range s.curves {
		if p.given.Size() > 0 {
			p.values = p.raw
		}
		copy(out.Data[i*s.size():], p.values)
	}
	return out
}

// lengths are weights of the union as a whole: trapezoids on an axis, equal parts of the box
// otherwise.
func (s *side) lengths() []float64 {
	if s.dim == 1 && s.size() > 1 {
		all := placed{at: s.points}
		_ = all.trapezoids(false) // fails for one point alone
		return all.weights
	}
	return slices.Repeat([]float64{positive(s.volume()) / float64(s.size())}, s.size())
}

// volume is that of the box of all points.
func (s *side) volume() float64 {
	v := 1.0
	for c := range s.dim {
		lo, hi := math.Inf(1), math.Inf(-1)
		for k := c; k < len(s.points); k += s.dim {
			lo, hi = min(lo, s.points[k]), max(hi, s.points[k])
		}
		v *= hi - lo
	}
	return v
}

// positive is the volume of a box that has one, and otherwise 1.
func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return 1
}

// countWeights is 1/ρ at all points: one over how many values a curve has a unit length.
func (s *side) countWeights() []float64 {
	density := make([]float64, s.size())
	for _, p := range s.curves {
		p.addDensity(density, s)
	}
	for k, v := range density {
		density[k] = float64(len(s.curves)) / v
	}
	return density
}

// addDensity adds the values of a curve a unit length, at all points.
func (p placed) addDensity(density []float64, s *side) {
	n := len(p.values)
	if s.dim > 1 {
		floats.AddConst(float64(n)/positive(cmpOr(floats.Sum(p.weights), s.volume())), density)
		return
	}
	first, last := s.points[0], s.points[s.size()-1]
	k, low := 0, first
	for j, y := range s.points {
		high := last
		for ; k < n-1; k++ {
			if high = (p.at[k] + p.at[k+1]) / 2; y <= high {
				break
			}
			low, high = high, last
		}
		length := positive(high - low)
		if p.given.Size() > 0 {
			length = p.weights[k]
		}
		density[j] += 1 / length
	}
}

func cmpOr(a, b float64) float64 {
	if a > 0 {
		return a
	}
	return b
}

// folded are the inputs on the union, whose integrals over m are those over each curve.
func (s *side) folded(m mesh.Mesh) *array.Array {
	w, out := m.Weights(), array.New(len(s.curves), s.size())
	for i, p := range s.curves {
		for k, j := range p.index {
			if w[j] > 0 {
				out.Data[i*s.size()+j] = p.values[k] * (p.weights[k] / w[j])
			}
		}
	}
	return out
}

// spread are the outputs on the union, NaN at points of other curves.
func (s *side) spread() *array.Array {
	out := array.New(len(s.curves), s.size())
	for k := range out.Data {
		out.Data[k] = math.NaN()
	}
	for i, p := range s.curves {
		for k, j := range p.index {
			out.Data[i*s.size()+j] = p.values[k]
		}
	}
	return out
}

// measured are the curves in order, with their quadrature where it was given.
func (s *side) measured() []Curve {
	out := make([]Curve, len(s.curves))
	for i, p := range s.curves {
		out[i] = Curve{Points: p.at, Values: p.values}
		if p.given.Size() > 0 {
			out[i] = Curve{Mesh: p.given, Values: p.raw}
		}
	}
	return out
}
