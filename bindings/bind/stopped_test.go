package bind_test

import (
	"context"
	"errors"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// A function whose context has ended gives no results, even where it did not notice: they
// may be half of what was asked for.
func TestEndedContextGivesNoResult(t *testing.T) {
	cause := errors.New("time is up")
	ctx, cancel := context.WithCancelCause(t.Context())
	registry := bind.New(bind.Module{Name: "m", Doc: "A module.", Funcs: []bind.Func{
		bind.Fn("f", "Returns a number.", func(*bind.Call, *struct{}) (float64, error) {
			cancel(cause)
			return 1, nil
		}, bind.Returns("a number"), bind.Example("m.f()  --> 1")),
	}})
	L := lua.NewState()
	defer L.Close()
	registry.Open(L, bind.Env{})
	L.SetContext(ctx)
	if err := L.DoString("x = m.f()"); !errors.Is(err, cause) {
		var api *lua.ApiError
		if !errors.As(err, &api) || !errors.Is(api.Cause, cause) {
			t.Errorf("error %v, want %v", err, cause)
		}
	}
	if v := L.GetGlobal("x"); v != lua.LNil {
		t.Errorf("x = %v", v)
	}
}
