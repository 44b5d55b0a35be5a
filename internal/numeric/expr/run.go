package expr

import "sync"

// fewRegisters are made at least, so that most programs can use those of others.
const fewRegisters = 8

// Block computes the program at len(dst) points: point i has vars[slot].Vector[i]
// in slot, or vars[slot].Scalar if the vector is nil. What depends on scalars
// only is computed once. dst may be one of the vectors, but must not overlap
// one at an offset. It panics if len(vars) < Slots() or a vector is shorter
// than dst.
//
// Cost, with AVX-512: about 0.05 ns per point for each elementary step, 0.2 for
// a quotient, 0.3 for exp and roots, 0.7 to 2 for other functions of one argument;
// without vector code eight times that; 4 to 30 ns for the remaining functions; and
// about 100 ns per call.
func (p *Program) Block(dst []float64, vars []Operand) {
	vars = vars[:p.slots]
	if len(dst) == 0 {
		return
	}
	q := p.planFor(vars)
	r := p.runner(q)
	for _, i := range q.uniform {
		if v := &p.values[i]; v.op == OpVar {
			r.uniform[i] = vars[v.slot].Scalar
		} else {
			r.uniform[i] = v.compute(r.uniform)
		}
	}
	if len(q.tape) == 0 {
		p.fill(dst, vars, r)
		q.runners.Put(r)
		return
	}
	r.take(q.registers)
	for _, s := range q.broadcast {
		r.fill(s, min(len(dst), blockSize))
	}
	for start := 0; start < len(dst); start += blockSize {
		end := min(start+blockSize, len(dst))
		for i := range q.tape {
			r.step(&q.tape[i], dst, vars, start, end)
		}
	}
	r.giveBack()
	q.runners.Put(r)
}

// fill handles a program without varying steps: a variable or a number.
func (p *Program) fill(dst []float64, vars []Operand, r *runner) {
	last := len(p.values) - 1
	if v := p.values[last]; v.op == OpVar && vars[v.slot].Vector != nil {
		copy(dst, vars[v.slot].Vector[:len(dst)])
		return
	}
	for i := range dst {
		dst[i] = r.uniform[last]
	}
}

// runner is the working memory of one Block call.
type runner struct {
	uniform   []float64 // by value
	registers *[]float64
}

// spare are registers that no call uses, of all programs together: each of many programs that run
// once would leave its own to the garbage collector otherwise.
var spare sync.Pool // of *[]float64

// take gets registers, which hold anything.
func (r *runner) take(count int) {
	if kept, ok := spare.Get().(*[]float64); ok && len(*kept) >= count*blockSize {
		r.registers = kept
		return
	}
	made := make([]float64, max(count, fewRegisters)*blockSize)
	r.registers = &made
}

// giveBack leaves the registers to other calls.
func (r *runner) giveBack() {
	spare.Put(r.registers)
	r.registers = nil
}

func (p *Program) runner(q *plan) *runner {
	if r, ok := q.runners.Get().(*runner); ok {
		return r
	}
	r := &runner{uniform: make([]float64, len(p.values))}
	for _, i := range q.constant {
		r.uniform[i] = p.values[i].num
	}
	return r
}

// fill spreads a uniform value over the first n places of its register.
func (r *runner) fill(s broadcast, n int) {
	v := r.uniform[s.value]
	to := r.register(s.register, n)
	to[0] = v
	for done := 1; done < n; done *= 2 {
		copy(to[done:], to[:done])
	}
}

// step runs one instruction on the points from start to end.
func (r *runner) step(in *instruction, dst []float64, vars []Operand, start, end int) {
	out := dst[start:end]
	if in.dst != toResult {
		out = r.register(in.dst, end-start)
	}
	var arg [3][]float64
	for k := range in.arity {
		switch s := in.args[k]; s.kind {
		case inRegister:
			arg[k] = r.register(s.index, end-start)
		case inSlot:
			arg[k] = vars[s.index].Vector[start:end]
		default:
			arg[k] = r.uniform[s.index : s.index+1]
		}
	}
	in.loop.run(out, arg)
}

func (r *runner) register(i int32, n int) []float64 {
	at := int(i) * blockSize
	return (*r.registers)[at : at+n : at+n]
}
