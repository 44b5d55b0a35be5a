package lattice

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/laws"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// findMaps finds the index maps of the generators and their orbits.
func (l *Lattice) findMaps(ctx context.Context, beside float64) error {
	if len(l.generators) == 0 {
		return nil
	}
	var err error
	if l.maps, l.off, err = l.indexMaps(ctx, l.generators, beside); err != nil || l.off != "" {
		return err
	}
	l.orbits = newOrbits(l.Size(), l.maps)
	return nil
}

// checkGroup refuses groups that lack maps: maps that are not affine are told apart by their
// values near the origin, and there those of a domain far away may all look alike.
func (l *Lattice) checkGroup(ctx context.Context) error {
	known := func(g laws.Image) bool { return g.Permutation != nil }
	if !slices.ContainsFunc(l.generators, func(g laws.Image) bool { return !known(g) }) {
		return nil
	}
	maps, why, err := l.IndexMaps(ctx, l.images)
	if err != nil || why != "" { // compositions that are off the meshes by rounding
		return err
	}
	if all := newOrbits(l.Size(), maps); len(all.size) != len(l.orbits.size) {
		return fmt.Errorf("its maps cannot be told apart near zero, where maps that are not affine are compared: measure the coordinates from a point of the domain")
	}
	return nil
}

// IndexMaps are those of maps that send the points of the meshes to one another; for
// others there are none, and why says why.
func (l *Lattice) IndexMaps(ctx context.Context, images []laws.Image) (maps []IndexMap, why string, err error) {
	return l.indexMaps(ctx, images, besideOnMeshes)
}

func (l *Lattice) indexMaps(ctx context.Context, images []laws.Image, beside float64) (maps []IndexMap, why string, err error) {
	lookup, why := newLookup(l, beside)
	if why != "" {
		return nil, why, nil
	}
	for _, im := range images {
		at, why, err := lookup.find(ctx, im)
		if err == nil && why == "" && !permutes(at) {
			why = "two points of the meshes are sent to one"
		}
		if err != nil || why != "" {
			return nil, why, err
		}
		maps = append(maps, IndexMap{Sign: im.Sign, At: at})
	}
	return maps, "", nil
}

func permutes(at []int32) bool {
	seen := make([]bool, len(at))
	for _, i := range at {
		if seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}

// Average replaces v by the mean of its images: a symmetric projection.
func (l *Lattice) Average(v []float64) {
	if l.orbits != nil {
		l.orbits.average(v)
	}
}

// Scales returns the square roots of the quadrature weights, averaged over the images
// of each point so that the average of scaled arrays is a symmetric projection, and
// the factors that lead back to those of each point: nil where the images have the
// same weights.
func (l *Lattice) Scales() (s, back []float64) {
	var own []float64
	for _, p := range l.x.Weights() {
		for _, q := range l.y.Weights() {
			own = append(own, math.Sqrt(p*q))
		}
	}
	if l.orbits == nil {
		return own, nil
	}
	s, back = make([]float64, len(own)), make([]float64, len(own))
	floats.MulTo(s, own, own)
	l.orbits.mean(s)
	same := true
	for i, v := range own {
		s[i] = math.Sqrt(s[i])
		if s[i] > 0 {
			back[i] = v / s[i]
		}
		same = same && math.Abs(s[i]-v) <= 1e-12*s[i]
	}
	if same {
		return own, nil
	}
	return s, back
}

// Exchanged is for each axis of X and Y the first of those that the maps exchange it with,
// itself if there is none.
func (l *Lattice) Exchanged() []int {
	axes := append(l.x.Axes(), l.y.Axes()...)
	first := make([]int, len(axes))
	for k := range first {
		first[k] = k
	}
	for _, im := range l.images {
		if len(im.Permutation) != len(axes) {
			continue
		}
		for k, to := range im.Permutation {
			if axes[k].Size() == axes[to].Size() {
				first[k] = min(first[k], to)
			}
		}
	}
	return first
}

// AverageModes averages numbers given for the tensor modes of the axes over the
// images that permute coordinates, mx × my.
func (l *Lattice) AverageModes(nu *mat.Dense) {
	axes := append(l.x.Axes(), l.y.Axes()...)
	var shape []int
	for _, a := range axes {
		shape = append(shape, a.Size())
	}
	count, data := 0, nu.RawMatrix().Data
	sum := make([]float64, len(data))
	known := map[string]bool{}
	for _, im := range l.images {
		p := im.Permutation
		if text := fmt.Sprint(p); len(p) != len(shape) || known[text] {
			continue
		} else {
			known[text] = true
		}
		count++
		index := make([]int, len(shape))
		for i := range sum {
			from := 0
			for k := range shape {
				from = from*shape[k] + index[p[k]]
			}
			sum[i] += data[from]
			for k := len(shape) - 1; k >= 0; k-- {
				if index[k]++; index[k] < shape[k] {
					break
				}
				index[k] = 0
			}
		}
	}
	if count == 0 {
		return
	}
	for i, v := range sum {
		data[i] = v / float64(count)
	}
}
