package ode

import "math"

// order8 is the pair of Dormand and Prince of order 8(5,3) with its interpolant of order 7.
func order8() pair {
	stages, nodes := stages8(), nodes8()
	p := pair{nodes: nodes[:12], order: 8, edge: 6.1, ahead: true, error: error8(), interpolant: interpolant8}
	for s := range 12 {
		p.rows = append(p.rows, stages[s][:s+1])
	}
	return p
}

// error8 estimates the error of a step from those of orders 5 and 3, as one of order 8.
func error8() func(e *explicit, h float64) float64 {
	five, three := errors8()
	return func(e *explicit, h float64) float64 {
		var a, b float64
		for i := range e.y {
			var u, v float64
			for j := range five {
				u += five[j] * e.k[j][i]
				v += three[j] * e.k[j][i]
			}
			if u == 0 && v == 0 {
				continue
			}
			t := e.tolerance(i, max(math.Abs(e.y[i]), math.Abs(e.next[i])))
			a, b = a+(u/t)*(u/t), b+(v/t)*(v/t)
		}
		switch {
		case a == 0:
			return 0
		case math.IsInf(a+b, 0):
			return math.Inf(1)
		}
		return math.Abs(h) * math.Sqrt(a/float64(len(e.y))) * math.Sqrt(a/(a+0.01*b))
	}
}

// between8 is the solution over one step. It needs F at three more points, which are taken
// when it is first asked for.
type between8 struct {
	*run
	t, h    float64
	y, next []float64
	k       [16][]float64
	ended   bool // k[12] is missing
	c       []float64
}

func interpolant8(e *explicit, h float64) piece {
	n := len(e.y)
	b := &between8{run: e.run, t: e.t, h: h, ended: e.ends}
	used := []int{0, 5, 6, 7, 8, 9, 10, 11, 12}
	memory := make([]float64, 0, (len(used)+2)*n)
	keep := func(v []float64) []float64 {
		memory = append(memory, v...)
		return memory[len(memory)-n : len(memory) : len(memory)]
	}
	b.y, b.next = keep(e.y), keep(e.next)
	for _, i := range used {
		b.k[i] = keep(e.k[i])
	}
	return piece{t0: e.t, h: h, ready: b.ready, at: b.at}
}

func (b *between8) ready() error {
	if b.c != nil {
		return nil
	}
	n := len(b.y)
	if b.ended {
		if err := b.call(b.t+b.h, b.next, b.k[12]); err != nil {
			return err
		}
		b.ended = false
	}
	stages, nodes, arg := stages8(), nodes8(), make([]float64, n)
	for s := 13; s < 16; s++ {
		b.k[s] = make([]float64, n)
		for i := range arg {
			sum := 0.0
			for j, a := range stages[s-1][:s] {
				if a != 0 {
					sum += a * b.k[j][i]
				}
			}
			arg[i] = b.y[i] + b.h*sum
		}
		if err := b.call(b.t+nodes[s]*b.h, arg, b.k[s]); err != nil {
			return err
		}
	}
	c, dense := make([]float64, 8*n), dense8()
	for i := range n {
		rise := b.next[i] - b.y[i]
		bend := b.h*b.k[0][i] - rise
		c[i], c[n+i], c[2*n+i], c[3*n+i] = b.y[i], rise, bend, rise-b.h*b.k[12][i]-bend
		for d, row := range dense {
			for j, a := range row {
				if a != 0 {
					c[(4+d)*n+i] += b.h * a * b.k[j][i]
				}
			}
		}
	}
	b.c, b.k, b.y, b.next = c, [16][]float64{}, nil, nil
	return nil
}

func (b *between8) at(x float64, y []float64) {
	if b.c == nil { // only where it begins is asked for without ready
		copy(y, b.y)
		return
	}
	n, z := len(y), 1-x
	for i := range y {
		c := func(j int) float64 { return b.c[j*n+i] }
		y[i] = c(0) + x*(c(1)+z*(c(2)+x*(c(3)+z*(c(4)+x*(c(5)+z*(c(6)+x*c(7)))))))
	}
}
