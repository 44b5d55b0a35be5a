package kernels

import (
	"reflect"
	"strconv"

	"github.com/greenbench/workbench/numeric/kernel"
)

var (
	lengthscaleType = reflect.TypeFor[kernel.Lengthscale]()
	kernelType      = reflect.TypeFor[kernel.Kernel]()
	kernelsType     = reflect.TypeFor[[]kernel.Kernel]()
)

// IsAuto reports whether a lengthscale of k, or of a kernel inside k, is "auto".
func IsAuto(k kernel.Kernel) bool {
	found := false
	var look func(k kernel.Kernel) kernel.Kernel
	look = func(k kernel.Kernel) kernel.Kernel {
		return mapOwn(k, func(l kernel.Lengthscale) kernel.Lengthscale {
			found = found || l == nil
			return l
		}, look)
	}
	look(k)
	return found
}

// relative is a kernel whose lengthscale has no unit.
type relative interface {
	// ofFraction is the lengthscale at which its functions vary, over the length
	// that the kernel knows of itself, as those of the squared exponential kernel of
	// that fraction of it do.
	ofFraction(fraction float64) kernel.Lengthscale
}

// Resolve returns k with every lengthscale that is "auto" set to l, which is a fraction
// of the axes; lengthscales that are not in units of the coordinates are set to the
// same fraction in their own.
func Resolve(k kernel.Kernel, l kernel.Lengthscale, fraction float64) kernel.Kernel {
	return mapOwn(k, func(old kernel.Lengthscale) kernel.Lengthscale {
		if r, ok := known(k).(relative); ok && old == nil {
			return r.ofFraction(fraction)
		}
		if old == nil {
			return l
		}
		return old
	}, func(inner kernel.Kernel) kernel.Kernel { return Resolve(inner, l, fraction) })
}

// mapOwn applies length to every lengthscale of a parameter struct and inner to every
// kernel in it; k itself is not changed.
func mapOwn(k kernel.Kernel, length func(kernel.Lengthscale) kernel.Lengthscale, inner func(kernel.Kernel) kernel.Kernel) kernel.Kernel {
	v := reflect.ValueOf(k)
	if v.Kind() != reflect.Struct {
		return k
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		field := out.Field(i)
		if !field.CanSet() {
			continue
		}
		switch field.Type() {
		case lengthscaleType:
			field.Set(reflect.ValueOf(length(field.Interface().(kernel.Lengthscale))))
		case kernelType:
			if k, ok := field.Interface().(kernel.Kernel); ok {
				field.Set(reflect.ValueOf(inner(k)))
			}
		case kernelsType:
			kernels := field.Interface().([]kernel.Kernel)
			list := make([]kernel.Kernel, len(kernels))
			for j, t := range kernels {
				list[j] = inner(t)
			}
			field.Set(reflect.ValueOf(list))
		}
	}
	return out.Interface().(kernel.Kernel)
}

// Open is a number that a kernel leaves to the fit.
type Open struct {
	// Coordinates are those that the number is a lengthscale of: one, or several for a
	// kernel that has a single lengthscale. None: it is the weight of a component.
	Coordinates []int
}

// Opens lists what a kernel leaves to the fit, on points of a space: a lengthscale for each
// coordinate of every component whose lengthscale is "auto", and, in a kernel that has
// such, the weights of the components of a sum beyond the first and that of a kink, where
// no factor is given.
func Opens(k kernel.Kernel, s kernel.Space) []Open {
	if !IsAuto(k) {
		return nil
	}
	var all []Open
	w := filler{space: s}
	w.length = func(owner kernel.Kernel, from, to int) kernel.Lengthscale {
		if single(owner) {
			o := Open{}
			for i := from; i < to; i++ {
				o.Coordinates = append(o.Coordinates, i)
			}
			all = append(all, o)
			return nil
		}
		for i := from; i < to; i++ {
			all = append(all, Open{Coordinates: []int{i}})
		}
		return nil
	}
	w.weight = func() float64 {
		all = append(all, Open{})
		return 1
	}
	w.fill(k, 0, s.Dim())
	return all
}

// Fill puts numbers where a kernel leaves them open, in the order of Opens: lengthscales as
// fractions of the given lengths of the coordinates, weights as they are.
func Fill(k kernel.Kernel, s kernel.Space, lengths, values []float64) kernel.Kernel {
	if !IsAuto(k) {
		return k
	}
	next := func() float64 {
		v := values[0]
		values = values[1:]
		return v
	}
	w := filler{space: s, weight: next}
	w.length = func(owner kernel.Kernel, from, to int) kernel.Lengthscale {
		if r, ok := known(owner).(relative); ok {
			return r.ofFraction(next())
		}
		l := make(kernel.Lengthscale, 0, to-from)
		fraction := 0.0
		for i := from; i < to; i++ {
			if i == from || !single(owner) {
				fraction = next()
			}
			l = append(l, rounded(fraction*lengths[i]))
		}
		for _, v := range l {
			if v != l[0] {
				return l
			}
		}
		return l[:1]
	}
	return w.fill(k, 0, s.Dim())
}

// single reports whether a kernel has one lengthscale for all coordinates.
func single(k kernel.Kernel) bool {
	switch known(k).(type) {
	case relative, Defined:
		return true
	}
	return false
}

// rounded is a number to three digits: what is chosen is printed.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// filler goes through a kernel and replaces what is open in it.
type filler struct {
	space  kernel.Space
	length func(owner kernel.Kernel, from, to int) kernel.Lengthscale
	weight func() float64
}

// fill is a kernel on the coordinates from up to, excluding, to of the space.
func (w *filler) fill(k kernel.Kernel, from, to int) kernel.Kernel {
	switch t := k.(type) {
	case kernel.Tensor:
		middle := from + w.space.Inputs
		if w.space.Inputs == 0 {
			middle = from + 1
		}
		return kernel.Tensor{Input: w.fill(t.Input, from, middle), Output: w.fill(t.Output, middle, to)}
	case kernel.Sum:
		out := kernel.Sum{Terms: make([]kernel.Kernel, len(t.Terms))}
		for i, term := range t.Terms {
			out.Terms[i] = w.fill(term, from, to)
			if i > 0 {
				out.Terms[i] = w.weighted(out.Terms[i])
			}
		}
		return out
	case kernel.Kink:
		return kernel.Kink{Base: w.fill(t.Base, from, to), Jump: w.weighted(w.fill(t.Jump, from, to)), Power: t.Power, OneSided: t.OneSided}
	}
	return mapOwn(k, func(l kernel.Lengthscale) kernel.Lengthscale {
		if l == nil {
			return w.length(k, from, to)
		}
		return l
	}, func(inner kernel.Kernel) kernel.Kernel { return w.fill(inner, from, to) })
}

// weighted gives a component a weight unless it has one.
func (w *filler) weighted(k kernel.Kernel) kernel.Kernel {
	if _, ok := k.(kernel.Scaled); ok {
		return k
	}
	if v := rounded(w.weight()); v != 1 {
		return kernel.Scaled{Factor: v, Kernel: k}
	}
	return k
}
