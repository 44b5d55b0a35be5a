package criteria

const (
	leastSize = -16.0 // of log s: a term that is nothing
	mostSize  = 30.0
)

// parameters are the free logarithms: one for each size, and one for all fixed ones.
type parameters struct {
	count int
	fixed map[int]float64
	held  map[int]float64 // sizes that are no parameters
	terms [][]int         // sizes of each term; nil: it has one
	apart bool            // steps of one that are too long do not shorten those of the others
}

// sizes are those of parameters x.
func (p parameters) sizes(x []float64) Sizes {
	s := p.spread(x)
	for k, offset := range p.fixed {
		s[k] += offset
	}
	for k, v := range p.held {
		s[k] = v
	}
	return s
}

// spread gives every size what its parameter has.
func (p parameters) spread(x []float64) []float64 {
	s, at := make(Sizes, p.count), 0
	p.each(func(k int, fixed bool) {
		if fixed {
			s[k] = x[len(x)-1]
			return
		}
		s[k] = x[at]
		at++
	})
	return s
}

// gather is the transpose of spread.
func (p parameters) gather(x, s []float64) {
	clear(x)
	at := 0
	p.each(func(k int, fixed bool) {
		if fixed {
			x[len(x)-1] += s[k]
			return
		}
		x[at] += s[k]
		at++
	})
}

// free are the parameters of sizes.
func (p parameters) free(s Sizes) []float64 {
	var x []float64
	common, fixed := 0.0, 0
	p.each(func(k int, isFixed bool) {
		if isFixed {
			common += s[k] - p.fixed[k]
			fixed++
			return
		}
		x = append(x, s[k])
	})
	if fixed > 0 {
		x = append(x, common/float64(fixed))
	}
	return x
}

// each calls f for every size that is not held.
func (p parameters) each(f func(k int, fixed bool)) {
	for k := range p.count {
		if _, held := p.held[k]; !held {
			_, fixed := p.fixed[k]
			f(k, fixed)
		}
	}
}
