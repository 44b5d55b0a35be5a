package bind

import (
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// Auto is a T or the word "auto".
type Auto[T any] struct {
	Value T
	Auto  bool
}

// OrFalse is a T, or false to go without.
type OrFalse[T any] struct {
	Value T
	False bool
}

// Either is an A or a B; a value that could be both is an A. Unions nest:
// Either[float64, Either[A, B]].
type Either[A, B any] struct {
	A   A
	B   B
	IsB bool
}

// union is what the three have in common.
type union interface {
	// fields are the fields of the struct that hold the alternatives; the last
	// one is a flag that the second alternative sets.
	first() int
	second() (field int, literal lua.LValue) // field < 0: the literal is the alternative
	flag() int
	// chosen is the alternative that is set, for results.
	chosen() any
}

func (*Auto[T]) first() int                { return 0 }
func (*Auto[T]) second() (int, lua.LValue) { return -1, lua.LString("auto") }
func (*Auto[T]) flag() int                 { return 1 }

func (u *Auto[T]) chosen() any {
	if u.Auto {
		return "auto"
	}
	return u.Value
}

func (*OrFalse[T]) first() int                { return 0 }
func (*OrFalse[T]) second() (int, lua.LValue) { return -1, lua.LFalse }
func (*OrFalse[T]) flag() int                 { return 1 }

func (u *OrFalse[T]) chosen() any {
	if u.False {
		return false
	}
	return u.Value
}

func (*Either[A, B]) first() int                { return 0 }
func (*Either[A, B]) second() (int, lua.LValue) { return 1, nil }
func (*Either[A, B]) flag() int                 { return 2 }

func (u *Either[A, B]) chosen() any {
	if u.IsB {
		return u.B
	}
	return u.A
}

// First is the Either that holds an A.
func First[A, B any](a A) Either[A, B] { return Either[A, B]{A: a} }

// Second is the Either that holds a B.
func Second[A, B any](b B) Either[A, B] { return Either[A, B]{B: b, IsB: true} }

// unionCodec reads a union: the alternative whose type fits.
type unionCodec struct {
	firstField, secondField, flag int
	firstCodec, secondCodec       codec // secondCodec is nil for a literal
	literal                       lua.LValue
}

func newUnionCodec(t reflect.Type, allow allowed) (codec, error) {
	shape := reflect.New(t).Interface().(union)
	u := unionCodec{firstField: shape.first(), flag: shape.flag()}
	u.secondField, u.literal = shape.second()
	var err error
	if u.firstCodec, err = newCodec(t.Field(u.firstField).Type, allow); err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	if u.secondField >= 0 {
		if u.secondCodec, err = newCodec(t.Field(u.secondField).Type, allow); err != nil {
			return nil, fmt.Errorf("%s: %w", t, err)
		}
	}
	return u, nil
}

func (u unionCodec) kind(r *Registry) string {
	first := u.firstCodec.kind(r)
	switch literal := u.literal.(type) {
	case nil:
		return joinKinds(first, u.secondCodec.kind(r))
	case lua.LString:
		return joinKinds(first, `"`+string(literal)+`"`)
	default:
		return joinKinds(first, literal.String())
	}
}

func (u unionCodec) fits(c *Call, v lua.LValue) bool {
	if u.firstCodec.fits(c, v) {
		return true
	}
	if u.secondCodec == nil {
		return v == u.literal
	}
	return u.secondCodec.fits(c, v)
}

func (u unionCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	var first error
	switch {
	case u.secondCodec == nil && v == u.literal:
		dst.Field(u.flag).SetBool(true)
		return nil
	case u.firstCodec.fits(c, v):
		if first = u.firstCodec.decode(c, v, dst.Field(u.firstField)); first == nil {
			return nil
		}
	}
	if u.secondCodec != nil && u.secondCodec.fits(c, v) {
		err := u.secondCodec.decode(c, v, dst.Field(u.secondField))
		if err == nil {
			dst.Field(u.firstField).SetZero()
			dst.Field(u.flag).SetBool(true)
			return nil
		}
		if first == nil {
			return err
		}
	}
	if arg, ok := first.(*argError); ok && !arg.wrongKind {
		return first
	}
	return mismatch(u.kind(c.state.reg), v)
}
