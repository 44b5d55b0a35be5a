package kernel

import "reflect"

var (
	lengthscaleType = reflect.TypeFor[Lengthscale]()
	kernelType      = reflect.TypeFor[Kernel]()
	kernelsType     = reflect.TypeFor[[]Kernel]()
)

// IsAuto reports whether a lengthscale of k, or of a kernel inside k, is "auto".
func IsAuto(k Kernel) bool {
	found := false
	mapLengthscales(k, func(_ Kernel, l Lengthscale) Lengthscale {
		found = found || l == nil
		return l
	})
	return found
}

// relative is a kernel whose lengthscale has no unit.
type relative interface {
	// ofFraction is the lengthscale at which its functions vary, over the length
	// that the kernel knows of itself, as those of the squared exponential kernel of
	// that fraction of it do.
	ofFraction(fraction float64) Lengthscale
}

// Resolve returns k with every lengthscale that is "auto" set to l, which is a fraction
// of the axes; lengthscales that are not in units of the coordinates are set to the
// same fraction in their own.
func Resolve(k Kernel, l Lengthscale, fraction float64) Kernel {
	return mapLengthscales(k, func(owner Kernel, old Lengthscale) Lengthscale {
		if r, ok := owner.(relative); ok && old == nil {
			return r.ofFraction(fraction)
		}
		if old == nil {
			return l
		}
		return old
	})
}

// mapLengthscales applies f to every lengthscale of a parameter struct and of the
// kernels inside it, with the kernel that has it; k itself is not changed.
func mapLengthscales(k Kernel, f func(Kernel, Lengthscale) Lengthscale) Kernel {
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
			field.Set(reflect.ValueOf(f(k, field.Interface().(Lengthscale))))
		case kernelType:
			if inner, ok := field.Interface().(Kernel); ok {
				field.Set(reflect.ValueOf(mapLengthscales(inner, f)))
			}
		case kernelsType:
			inner := field.Interface().([]Kernel)
			list := make([]Kernel, len(inner))
			for j, t := range inner {
				list[j] = mapLengthscales(t, f)
			}
			field.Set(reflect.ValueOf(list))
		}
	}
	return out.Interface().(Kernel)
}
