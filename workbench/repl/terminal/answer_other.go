//go:build !unix

package terminal

import "time"

// readAnswer returns nothing: there is no reading with a time limit here.
func readAnswer(int, time.Duration) string { return "" }
