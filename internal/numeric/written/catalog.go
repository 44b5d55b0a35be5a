package written

import (
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Entry is one line of the catalog.
type Entry struct {
	Name    string // of the constructor in scripts, and in files
	Doc     string // one sentence
	Example constraint.Constraint
	Space   kernel.Space // one that the example applies to
}

// Catalog lists the constraints that a user can name, in the order help shows
// them.
func Catalog() []Entry {
	xy := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	time := kernel.Space{Names: []string{"x", "s", "y", "t"}, Inputs: 2}
	four := kernel.Space{Names: []string{"x1", "x2", "y1", "y2"}, Inputs: 2}
	return []Entry{
		{"symmetric", "G does not change when the named coordinates are exchanged.", constraint.Symmetric{Names: []string{"x", "y"}}, xy},
		{"antisymmetric", "G changes sign when two of the named coordinates are exchanged.", constraint.Antisymmetric{Names: []string{"x", "y"}}, xy},
		{"flip", "G does not change when the named coordinates are mirrored together.", constraint.Flip{Names: []string{"x", "y"}}, xy},
		{"permute", "G does not change when lists of coordinates are permuted together.", constraint.Permute{Lists: [][]string{{"x1", "y1"}, {"x2", "y2"}}}, four},
		{"causal", "G vanishes before the time of the input; where it does not, its kernel is that given, averaged over the exchange of the two times for each of its points.", constraint.Causal{Input: "s", Output: "t"}, time},
		{"anticausal", "G vanishes after the time of the input; where it does not, its kernel is that given, averaged over the exchange of the two times for each of its points.", constraint.Anticausal{Input: "s", Output: "t"}, time},
		{"time_invariant", "G depends on the times only through their difference, the lag; the kernel is then a function of the other coordinates and the lag.", constraint.TimeInvariant{Input: "s", Output: "t"}, time},
	}
}
