package fit

import (
	"errors"
	"math"

	"github.com/greenbench/workbench/numeric/dataset"
)

// A seal tells whether a dataset is still what a fit was of: whoever made it may have written to its arrays since.
type seal struct {
	of  *dataset.Dataset
	sum uint64
}

func sealOf(d *dataset.Dataset) seal { return seal{d, sumOf(d)} }

// check is an error if what was sealed has changed; it knows of no other dataset.
func (s seal) check(d *dataset.Dataset) error {
	if s.of == nil || s.of != d || s.sum == sumOf(d) {
		return nil
	}
	return errWritten
}

var errWritten = errors.New("the data were written to after the fit, and what follows from them would be of other data than the estimate; fit again, or write to a copy")

// sumOf mixes the bits of all numbers of the pairs. It costs about a nanosecond a number.
func sumOf(d *dataset.Dataset) uint64 {
	const odd = 0x9e3779b97f4a7c15
	var lanes [4]uint64
	for _, a := range [][]float64{d.Input.Data, d.Output.Data} {
		for len(a) >= len(lanes) {
			for k := range lanes {
				lanes[k] = (lanes[k] ^ math.Float64bits(a[k])) * odd
				lanes[k] ^= lanes[k] >> 29
			}
			a = a[len(lanes):]
		}
		for _, v := range a {
			lanes[0] = (lanes[0] ^ math.Float64bits(v)) * odd
		}
	}
	sum := uint64(0)
	for _, lane := range lanes {
		sum = (sum ^ lane) * odd
	}
	return sum
}
