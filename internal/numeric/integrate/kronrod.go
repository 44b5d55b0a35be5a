package integrate

import (
	"math"
	"sync"
)

// The 21 points of Kronrod that extend the 10 of Gauss, on [-1, 1]: those that are not
// negative, decreasing, with their weights; the Gauss points are those of odd index
// (Piessens et al., QUADPACK, 1983).
func kronrodPoints() [11]float64 {
	return [11]float64{
		0.995657163025808080735527280689003, 0.973906528517171720077964012084452, 0.930157491355708226001207180059508,
		0.865063366688984510732096688423493, 0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
		0.562757134668604683339000099272694, 0.433395394129247190799265943165784, 0.294392862701460198131126603103866,
		0.148874338981631210884826001129720, 0,
	}
}

func kronrodWeights() [11]float64 {
	return [11]float64{
		0.011694638867371874278064396062192, 0.032558162307964727478818972459390, 0.054755896574351996031381300244580,
		0.075039674810919952767043140916190, 0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
		0.123491976262065851077958109585166, 0.134709217311473325928054001771707, 0.142775938577060080797094273138717,
		0.147739104901338491374841515972068, 0.149445554002916905664936468389821,
	}
}

func gaussWeights() [5]float64 {
	return [5]float64{
		0.066671344308688137593568809893332, 0.149451349150580593145863396957658, 0.219086362515982043995534934228163,
		0.269266719309996355091226921569469, 0.295524224714752870173815619188769,
	}
}

// panel is one piece of the range, in the variable of integration, with its integral.
type panel struct {
	part  int // which variable: see parts
	a, b  float64
	level int // how often it was halved
	value float64
	err   float64 // estimate of the error of value
	size  float64 // integral of |f|
	peak  float64 // the largest |f| that was seen in the panel, by its own points or those of the panel it was cut from
	at    float64 // where that was
	lost  bool    // its own points do not come near
	odd   float64 // the value at place, which the points of the panel it was cut from did not foretell
	place float64
	isOdd bool

	looked bool        // for narrow peaks
	values [21]float64 // at its own points
}

// between is the polynomial through the values at the points of a panel.
func (p *panel) between(t float64) float64 {
	x := kronrodPoints()
	s := (t - (p.a/2 + p.b/2)) / (p.b/2 - p.a/2)
	var above, below float64
	for i, v := range p.values {
		node := x[min(i, 20-i)]
		if i < 10 {
			node = -node
		}
		if s == node {
			return v
		}
		w := barycentric()[min(i, 20-i)] / (s - node)
		if i%2 == 1 {
			w = -w
		}
		above, below = above+w*v, below+w
	}
	return above / below
}

// barycentric are 1/Π|x_i - x_k| over the other points, as multiples of the last: those of
// points that are opposite are equal, and their signs alternate.
var barycentric = sync.OnceValue(func() (w [11]float64) {
	x := kronrodPoints()
	for i := range w {
		w[i] = 1
		for k := range 21 {
			if node := x[min(k, 20-k)]; k != i {
				if k > 10 {
					node = -node
				}
				w[i] /= math.Abs(2 * (x[i] - node))
			}
		}
	}
	return w
})

// rule applies the 21-point rule. The error is estimated as by QUADPACK: the difference to
// the Gauss rule, with the power that experience gives for smooth functions.
func rule(f sized, p panel) (panel, error) {
	x, w, g := kronrodPoints(), kronrodWeights(), gaussWeights()
	centre, half := p.a/2+p.b/2, p.b/2-p.a/2
	values := &p.values
	var sizes [21]float64
	for i := range 21 {
		k, s := i, -1.0
		if i > 10 {
			k, s = 20-i, 1
		}
		v, size, err := f(centre + s*half*x[k])
		if err != nil {
			return p, err
		}
		values[i], sizes[i] = v, size
		if i == 0 || math.Abs(v) > p.peak {
			p.peak, p.at = math.Abs(v), centre+s*half*x[k]
		}
	}
	var kronrod, gauss, size float64
	for i, v := range values {
		k := min(i, 20-i)
		kronrod += w[k] * v
		size += w[k] * sizes[i]
		if k%2 == 1 {
			gauss += g[k/2] * v
		}
	}
	spread := 0.0
	for i, v := range values {
		spread += w[min(i, 20-i)] * math.Abs(v-kronrod/2)
	}
	p.value, p.size = kronrod*half, size*half
	p.err = math.Abs((kronrod - gauss) * half)
	if spread *= half; spread > 0 && p.err > 0 {
		p.err = spread * min(1, math.Pow(200*p.err/spread, 1.5))
	}
	p.err = max(p.err, rounding*p.size)
	return p, nil
}

// rounding is what errors below are not told from, relative to the integral of |f|.
const rounding = 50 * 0x1p-52
