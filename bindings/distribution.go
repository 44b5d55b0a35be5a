package bindings

import "github.com/greenbench/workbench/numeric/stats"

// distribution is one with its name and parameters.
type distribution struct {
	stats.Distribution
	text string
}
