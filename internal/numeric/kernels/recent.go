package kernels

import (
	"reflect"
	"slices"
	"sync"

	"github.com/greenbench/workbench/numeric/kernel"
)

// Recent compiles kernels and keeps the functions that were asked for last, so that a kernel whose values are asked for
// again and again is compiled once. The zero value has none. It is safe for concurrent use.
type Recent struct {
	mu   sync.Mutex
	kept []compiled // the last asked for first
}

// compiled is a function with the kernel as text, which tells 0 from -0.
type compiled struct {
	*Function
	text string
}

// mostRecent bounds the memory, and how many kernels one is compared with.
const mostRecent = 8

// Compile is [Compile]. A kernel that has no formula is not kept: what it calls may keep much alive.
//
// Cost: a few µs for a kernel that is kept.
func (r *Recent) Compile(k kernel.Kernel, s kernel.Space) (*Function, error) {
	if _, calls := k.(Caller); calls || k == nil {
		return Compile(k, s)
	}
	text := k.String()
	if f := r.find(k, text, s); f != nil {
		return f, nil
	}
	f, err := Compile(k, s)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = slices.Insert(r.kept[:min(len(r.kept), mostRecent-1)], 0, compiled{f, text})
	return f, nil
}

// find returns a kept function and puts it before the others, nil if there is none.
func (r *Recent) find(k kernel.Kernel, text string, s kernel.Space) *Function {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.kept, func(c compiled) bool {
		return c.text == text && c.Space.Inputs == s.Inputs && slices.Equal(c.Space.Names, s.Names) && reflect.DeepEqual(c.Kernel, k)
	})
	if i < 0 {
		return nil
	}
	found := r.kept[i]
	copy(r.kept[1:i+1], r.kept[:i])
	r.kept[0] = found
	return found.Function
}
