package bindings

import "github.com/greenbench/workbench/internal/numeric/stats"

// distribution is one with its name and parameters.
type distribution struct {
	stats.Distribution
	text string
}
