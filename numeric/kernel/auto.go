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
	mapLengthscales(k, func(l Lengthscale) Lengthscale {
		found = found || l == nil
		return l
	})
	return found
}

// Resolve returns k with every lengthscale that is "auto" set to l.
func Resolve(k Kernel, l Lengthscale) Kernel {
	return mapLengthscales(k, func(old Lengthscale) Lengthscale {
		if old == nil {
			return l
		}
		return old
	})
}

// mapLengthscales applies f to every lengthscale of a parameter struct and of the
// kernels inside it; k itself is not changed.
func mapLengthscales(k Kernel, f func(Lengthscale) Lengthscale) Kernel {
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
			field.Set(reflect.ValueOf(f(field.Interface().(Lengthscale))))
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
