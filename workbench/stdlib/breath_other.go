//go:build !js

package stdlib

// breath is nothing where a clock interrupts what runs.
type breath struct{}

func (breath) instruction() {}
func (breath) take()        {}
