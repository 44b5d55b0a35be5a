package expr

import "github.com/greenbench/workbench/internal/numeric/simd"

// costs are what an operation takes for one point in plain Go, with AVX2 and with AVX-512, in nanoseconds of one processor
// of 2024 ([BenchmarkOperation]).
func (v *value) costs() [3]float64 {
	switch v.op {
	case OpConst, OpVar:
		return [3]float64{}
	case OpDiv:
		return [3]float64{1.05, 0.3, 0.16}
	case OpSqrt:
		return [3]float64{1.9, 0.5, 0.27}
	case OpExp:
		return [3]float64{3, 0.6, 0.27}
	case opDecay:
		return [3]float64{4, 0.75, 0.38}
	case OpLog, OpSin, OpCos, OpTan, OpAtan:
		return [3]float64{6, 1.2, 0.6}
	case OpAsin, OpAcos, OpSinh, OpCosh, OpTanh:
		return [3]float64{7, 1.7, 0.8}
	case OpPow:
		return [3]float64{19, 8.5, 7} // more where exponents are large
	case OpSign:
		return [3]float64{0.9, 0.9, 0.9}
	case OpAtan2:
		return [3]float64{8.5, 8.5, 8.5}
	case OpMod, opMaternScaled, opKScaled:
		return [3]float64{4.6, 4.6, 4.6}
	case OpMatern, OpBesselK: // without a table
		return [3]float64{300, 300, 300}
	}
	return [3]float64{0.35, 0.12, 0.08}
}

// Time is about what [Program.Block] takes for each of many points where the given slots vary, in nanoseconds.
func (p *Program) Time(varies func(slot int) bool) (time float64) {
	level := simd.Plain
	if o, ok := p.ops.(vectorOps); ok {
		level = o.Level()
	}
	vector := make([]bool, len(p.values))
	for i := range p.values {
		v := &p.values[i]
		vector[i] = v.op == OpVar && varies(v.slot)
		for _, a := range v.arguments() {
			vector[i] = vector[i] || vector[a]
		}
		if vector[i] {
			time += v.costs()[level]
		}
	}
	return time
}
