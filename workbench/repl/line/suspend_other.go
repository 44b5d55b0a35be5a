//go:build !unix

package line

// suspend does nothing: there are no jobs to stop.
func suspend() {}
