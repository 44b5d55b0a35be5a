// Package laws is what constraints ask of a function, as formulas: maps that it obeys, masks
// outside of which it vanishes, two times that are one. [Laws.On] makes the [Transform] of
// laws on a space: reduction, group and mask. [Laws.Average] is a kernel averaged over it.
// Package constraint says what all of them mean, and in which order they act.
package laws
