package lattice

import (
	"slices"
)

// IndexMap is a map on arrays: entry i of the image is entry At[i] of the array.
type IndexMap struct {
	Sign float64
	At   []int32
}

// orbits are the sets of weights that a group of maps sends to one another. They are
// known from the generators of the group; its order does not matter. Meshes that an estimate is
// evaluated on have ten million weights and more: numbers are as short as they can be.
type orbits struct {
	of   []int32 // the orbit of each weight
	sign []int8  // of each weight against the first of its orbit; 0 where both signs occur
	size []int32 // of each orbit
}

// newOrbits follows the maps, permutations of n weights, from one weight to the next.
func newOrbits(n int, maps []IndexMap) *orbits {
	o := &orbits{of: make([]int32, n), sign: make([]int8, n)}
	for i := range o.of {
		o.of[i] = -1
	}
	var members []int32 // of one orbit
	for first := range n {
		if o.of[first] >= 0 {
			continue
		}
		id, vanishes := int32(len(o.size)), false
		o.of[first], o.sign[first] = id, 1
		members = append(members[:0], int32(first))
		for k := 0; k < len(members); k++ {
			i := members[k]
			for _, m := range maps {
				j, sign := m.At[i], int8(m.Sign)*o.sign[i]
				switch {
				case o.of[j] < 0:
					o.of[j], o.sign[j] = id, sign
					members = append(members, j)
				case o.sign[j] != sign:
					vanishes = true
				}
			}
		}
		if vanishes {
			for _, i := range members {
				o.sign[i] = 0
			}
		}
		o.size = append(o.size, int32(len(members)))
	}
	return o
}

// average replaces v by the mean of its images.
func (o *orbits) average(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += float64(o.sign[i]) * v[i]
	}
	for i, k := range o.of {
		v[i] = float64(o.sign[i]) * sums[k] / float64(o.size[k])
	}
}

// first is the orbits of the first n weights; ok is false where those of the next n, and so on, are not alike.
func (o *orbits) first(n int) (part *orbits, ok bool) {
	count := slices.Max(o.of[:n]) + 1 // orbits are numbered as they are met
	for i, k := range o.of {
		if o.sign[i] != o.sign[i%n] || k != o.of[i%n]+int32(i/n)*count {
			return nil, false
		}
	}
	return &orbits{of: o.of[:n], sign: o.sign[:n], size: o.size[:count]}, true
}

// mean replaces v by the means over the orbits, whatever the signs.
func (o *orbits) mean(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += v[i]
	}
	for i, k := range o.of {
		v[i] = sums[k] / float64(o.size[k])
	}
}
