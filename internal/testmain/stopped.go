package testmain

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// looking is a context that ends when it is looked at for the last time.
type looking struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (l *looking) Err() error {
	if l.left.Add(-1) == 0 {
		l.end()
	}
	return l.Context.Err()
}

// StopsAnywhere is for everything that takes long: it runs f with contexts that end when f looks at them
// for the first time, the tenth, the hundredth and so on, or each power of two, until f is done before. f must end
// with the error of the context and make nothing.
func StopsAnywhere(t testing.TB, name string, f func(ctx context.Context) (made bool, err error)) {
	t.Helper()
	growth := int64(10)
	if EveryCase() {
		growth = 2
	}
	for looks := int64(1); ; looks *= growth {
		ctx, end := context.WithCancel(t.Context())
		l := &looking{Context: ctx, end: end}
		l.left.Store(looks)
		made, err := f(l)
		ended := ctx.Err() != nil
		end()
		switch {
		case !ended && err != nil:
			t.Errorf("%s: %v", name, err)
			return
		case !ended:
			if looks == 1 {
				t.Errorf("%s: never looks at its context", name)
			}
			return
		case !errors.Is(err, context.Canceled) || made:
			t.Errorf("%s, stopped at look %d: made something: %t, error %v", name, looks, made, err)
			return
		}
	}
}
