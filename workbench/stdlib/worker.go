package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// worker is a thread for protected calls. An error closes the captured variables of all frames of the thread in which it is
// raised, so it must not meet any frame that goes on afterwards: every protected call has a thread of its own. Threads are
// used again, for making one takes longer than the call.
type worker struct {
	*lua.LState
	lib   *Library
	entry *lua.LFunction // calls what is to be called, and sees a failure while the frames are still there
	seen  func(*Fault)   // what to do then; may be nil
	fault *Fault
	outer bind.Nesting // when a protected call entered
}

// worker returns an idle thread for code that runs on behalf of L.
func (lib *Library) worker(L *lua.LState) *worker {
	if n := len(lib.idle); n > 0 {
		w := lib.idle[n-1]
		lib.idle = lib.idle[:n-1]
		w.Env = L.Env
		return w
	}
	L.RemoveContext() // a new thread would get a context of its own, which would have to be released
	t, _ := L.NewThread()
	L.SetContext(lib.session)
	t.SetContext(lib.session)
	w := &worker{LState: t, lib: lib}
	w.entry = t.NewFunction(w.enter)
	w.Push(w.entry)
	return w
}

// enter calls its first argument with the others.
func (w *worker) enter(L *lua.LState) int {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		w.fault = w.lib.recovered(L, r)
		if w.seen != nil {
			w.seen(w.fault)
		}
		api, ok := r.(*lua.ApiError)
		if !ok { // a panic of Go has left captured variables open, which raising an error closes
			raise(L, w.fault.Value, w.fault.Cause)
		}
		if api.StackTrace == "" {
			api.StackTrace = noTrace
		}
		panic(api)
	}()
	L.Call(L.GetTop()-1, lua.MultRet)
	return L.GetTop()
}

// call calls the function that was pushed first with the arguments pushed after it. While a failure's frames are still
// there, seen is called. The results are on the stack, from position 1.
func (w *worker) call(seen func(*Fault)) *Fault {
	w.seen, w.fault = seen, nil
	err := w.PCall(w.GetTop()-1, lua.MultRet, nil)
	w.seen = nil
	if err != nil && w.fault == nil { // the call did not even begin
		w.fault = w.lib.recovered(w.LState, err)
	}
	return w.fault
}

// release makes the worker idle.
func (w *worker) release() {
	if len(w.lib.idle) < 8 {
		w.SetTop(0)
		w.Push(w.entry)
		w.lib.idle = append(w.lib.idle, w)
	}
}

// Call calls a Lua function from Go and returns all its results. The error is a *Fault with the frames that were active.
// It may be used while Lua code runs, from a function that this code called with the state L.
func (lib *Library) Call(L *lua.LState, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error) {
	outer, err := lib.nesting.Enter(L)
	if err != nil {
		return nil, &Fault{Value: lua.LString(lib.scriptPosition(L) + err.Error())}
	}
	coroutines, current := len(lib.coroutines), L.G.CurrentThread
	defer func() {
		lib.nesting.Restore(outer)
		lib.coroutines, L.G.CurrentThread = lib.coroutines[:coroutines], current
	}()
	w := lib.worker(L)
	defer w.release()
	w.Push(fn)
	for _, a := range args {
		w.Push(a)
	}
	fault := w.call(func(f *Fault) {
		f.Frames = lib.Frames(w.LState)
		lib.improve(w.LState, f)
	})
	if fault != nil {
		return nil, fault
	}
	results := make([]lua.LValue, w.GetTop())
	for i := range results {
		results[i] = w.Get(i + 1)
	}
	return results, nil
}
