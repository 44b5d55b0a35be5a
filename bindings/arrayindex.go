package bindings

import (
	"context"
	"errors"
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// selectionDoc says what else can stand in brackets.
const selectionDoc = "A mask takes where it holds, a list of integers or an array of them those rows, and a list with " +
	"tables one range per axis, as slice; all three copy."

// A selector is what stands in the brackets of a[…].
type selector struct {
	plain bool // one index, index
	index int
	at    []int // rows, where that is not nil
	mask  *arrays.Mask
	spans []span // one per axis
}

// DecodeLua accepts an integer, a list of integers, an array of them, a mask, and
// a list of the ranges of slice in which one is a table.
func (s *selector) DecodeLua(c *bind.Call, v lua.LValue) (err error) {
	switch v := v.(type) {
	case lua.LNumber:
		s.plain = true
		s.index, err = bind.Decode[int](c, v)
	case *lua.LTable:
		ranges := false
		v.ForEach(func(_, e lua.LValue) { ranges = ranges || e.Type() != lua.LTNumber })
		if ranges {
			s.spans, err = bind.Decode[[]span](c, v)
			return err
		}
		if s.at, err = bind.Decode[[]int](c, v); s.at == nil {
			s.at = []int{}
		}
	case *lua.LUserData:
		switch v := v.Value.(type) {
		case *arrays.Mask:
			s.mask = v
		case *array.Array:
			s.at, err = integers(c, v)
		default:
			return bind.ErrKind
		}
	default:
		return bind.ErrKind
	}
	return err
}

// LuaKind is what DecodeLua accepts.
func (s *selector) LuaKind() string { return "integer|table|array|mask" }

// looks is after how many indices one looks whether to go on.
const looks = 1 << 20

// integers are the numbers of an array that stand for indices.
func integers(c *bind.Call, a *array.Array) ([]int, error) {
	if a.Rank() != 1 {
		return nil, fmt.Errorf("indices of shape %s: want a vector of integers, or a mask: a[a:gt(0)]", dense.ShapeString(a.Shape))
	}
	at, flags := make([]int, a.Size()), true
	for k, x := range a.Data {
		if k%looks == 0 && c.Err() != nil {
			return nil, context.Cause(c)
		}
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return nil, fmt.Errorf("indices[%d] %g: must be an integer", k+1, x)
		}
		at[k] = int(x)
		flags = flags && (x == 0 || x == 1)
	}
	if !flags {
		return at, nil
	}
	for k, i := range at {
		if i == 0 {
			return nil, fmt.Errorf("indices[%d] 0: indices start at 1; to take where something holds, give a mask: a[a:gt(1)], or a[b:ne(0)] for b of 0 and 1", k+1)
		}
	}
	return at, nil
}

// indexOf is the index from 0 that i stands for on an axis of length n.
func indexOf(i, n int) (int, error) {
	switch {
	case i >= 1 && i <= n:
		return i - 1, nil
	case i <= -1 && i >= -n:
		return n + i, nil
	case i == 0:
		return 0, fmt.Errorf("index 0: indices count from 1: must be in 1 … %d, or negative, from -1 for the last", n)
	}
	return 0, fmt.Errorf("index %d: must be in 1 … %d", i, n)
}

// one is the index of a plain selector.
func (s selector) one(n int) (int, error) { return indexOf(s.index, n) }

// picks are what is taken along each axis.
func (s selector) picks(c *bind.Call, shape []int) ([]arrays.Pick, error) {
	if s.at != nil {
		p, err := listed(c, s.at, shape[0])
		return []arrays.Pick{p}, err
	}
	if len(s.spans) > len(shape) {
		return nil, fmt.Errorf("%d ranges for an array of shape %s; a range per axis is written {{1, 3}, {2, 5}}", len(s.spans), dense.ShapeString(shape))
	}
	picks := make([]arrays.Pick, len(s.spans))
	for k, r := range s.spans {
		var err error
		if picks[k], err = r.pick(c, shape[k]); err != nil {
			return nil, fmt.Errorf("ranges[%d] %w", k+1, err)
		}
	}
	return picks, nil
}

// listed are indices of an axis of length n.
func listed(c *bind.Call, at []int, n int) (arrays.Pick, error) {
	zeros := make([]int, len(at))
	for k, i := range at {
		if k%looks == 0 && c.Err() != nil {
			return arrays.Pick{}, context.Cause(c)
		}
		var err error
		if zeros[k], err = indexOf(i, n); err != nil {
			return arrays.Pick{}, fmt.Errorf("indices[%d]: %w", k+1, err)
		}
	}
	return arrays.Pick{At: zeros}, nil
}

// A span is what one entry of slice picks from an axis.
type span struct {
	from, to, step int // from 1, both ends included; 0 for from: the whole axis
	drop           bool
	at             []int // indices from 1, where that is not nil
	mask           *arrays.Mask
}

// DecodeLua accepts {}, {from, to [, step]}, a number, and arrays and masks of one axis.
func (s *span) DecodeLua(c *bind.Call, v lua.LValue) (err error) {
	if u, ok := v.(*lua.LUserData); ok {
		switch v := u.Value.(type) {
		case *arrays.Mask:
			*s = span{mask: v}
			return nil
		case *array.Array:
			*s = span{}
			s.at, err = integers(c, v)
			return err
		}
	}
	numbers, err := bind.Decode[[]int](c, v)
	switch {
	case err != nil:
		return err
	case v.Type() == lua.LTNumber:
		*s = span{from: numbers[0], to: numbers[0], step: 1, drop: true}
		if s.from == 0 {
			return errors.New("index 0: indices start at 1")
		}
		return nil
	case len(numbers) == 0:
		*s = span{step: 1}
		return nil
	case len(numbers) == 1 || len(numbers) > 3:
		return errors.New("want {}, {from, to}, {from, to, step} or a number; a list of indices is an array: array{1, 4}")
	case numbers[0] == 0:
		return errors.New("index 0: indices start at 1")
	}
	*s = span{from: numbers[0], to: numbers[1], step: 1}
	if len(numbers) == 3 {
		s.step = numbers[2]
	}
	if s.step == 0 {
		return errors.New("step 0: must be >= 1, or <= -1 to go down")
	}
	return nil
}

// LuaKind is what DecodeLua accepts.
func (s *span) LuaKind() string { return "integer|integer[]|array|mask" }

// pick is what the span takes of an axis of length n.
func (s span) pick(c *bind.Call, n int) (arrays.Pick, error) {
	switch {
	case s.mask != nil:
		if s.mask.Rank() != 1 || s.mask.Shape[0] != n {
			return arrays.Pick{}, fmt.Errorf("mask of shape %s: want one of shape %d, as long as the axis", dense.ShapeString(s.mask.Shape), n)
		}
		at, err := s.mask.Places(c)
		return arrays.Pick{At: at}, err
	case s.at != nil:
		return listed(c, s.at, n)
	case s.from == 0:
		return arrays.Pick{Count: n, Step: 1}, nil
	}
	from, to := fromEnd(s.from, n), fromEnd(s.to, n)
	low, high := from, to
	if s.step < 0 {
		low, high = to, from
	}
	if low < 1 || high > n || high < low-1 {
		hint := ""
		if high < low && low <= n && high >= 1 {
			hint = fmt.Sprintf("; to go down, give a step: {%d, %d, %d}", s.from, s.to, -s.step)
		}
		return arrays.Pick{}, fmt.Errorf("{%d, %d}: must be within 1 … %d%s", s.from, s.to, n, hint)
	}
	size := max(s.step, -s.step)
	return arrays.Pick{From: from - 1, Count: (high - low + size) / size, Step: s.step, Drop: s.drop}, nil
}

func fromEnd(i, n int) int {
	if i < 0 {
		return n + 1 + i
	}
	return i
}

// selecting is how parts of arrays of one kind of element are taken and set.
type selecting[A any] struct {
	pick      func(ctx context.Context, a A, picks ...arrays.Pick) (A, error)
	masked    func(ctx context.Context, a A, m *arrays.Mask) (A, error)
	putPick   func(ctx context.Context, a, v A, picks ...arrays.Pick) error
	putMasked func(ctx context.Context, a A, m *arrays.Mask, v A) error
}

func ofNumbers() selecting[*array.Array] {
	return selecting[*array.Array]{arrays.Picked, arrays.Masked, arrays.PutPick, arrays.PutMasked}
}

func ofComplex() selecting[*arrays.Complex] {
	type z = *arrays.Complex
	return selecting[z]{
		func(ctx context.Context, a z, picks ...arrays.Pick) (z, error) { return a.Pick(ctx, picks...) },
		func(ctx context.Context, a z, m *arrays.Mask) (z, error) { return a.Masked(ctx, m) },
		func(ctx context.Context, a, v z, picks ...arrays.Pick) error { return a.PutPick(ctx, v, picks...) },
		func(ctx context.Context, a z, m *arrays.Mask, v z) error { return a.PutMasked(ctx, m, v) },
	}
}

// chosen is a copy of what is selected of a, and whether all its axes have gone.
func chosen[A any](c *bind.Call, of selecting[A], a A, shape []int, s selector) (part A, dropped bool, err error) {
	switch {
	case s.plain:
		at, err := s.one(shape[0])
		if err != nil {
			return part, false, err
		}
		part, err = of.pick(c, a, arrays.Pick{From: at, Count: 1, Step: 1, Drop: true})
		return part, len(shape) == 1, err
	case s.mask != nil:
		part, err = of.masked(c, a, s.mask)
		return part, false, err
	}
	picks, err := s.picks(c, shape)
	if err != nil {
		return part, false, err
	}
	dropped = len(picks) == len(shape)
	for _, p := range picks {
		dropped = dropped && p.Drop
	}
	part, err = of.pick(c, a, picks...)
	return part, dropped, err
}

// assigned puts v where chosen takes from.
func assigned[A any](c *bind.Call, of selecting[A], a A, shape []int, s selector, v A) error {
	switch {
	case s.plain:
		at, err := s.one(shape[0])
		if err != nil {
			return err
		}
		return of.putPick(c, a, v, arrays.Pick{From: at, Count: 1, Step: 1, Drop: true})
	case s.mask != nil:
		return of.putMasked(c, a, s.mask, v)
	}
	picks, err := s.picks(c, shape)
	if err != nil {
		return err
	}
	return of.putPick(c, a, v, picks...)
}
