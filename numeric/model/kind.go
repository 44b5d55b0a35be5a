package model

import "github.com/greenbench/workbench/numeric/model/internal/term"

// Kind is what a term is made of.
type Kind = term.Kind

const (
	Linear      = term.Linear      // ∫ G(x,y) f(x) dx
	Coefficient = term.Coefficient // (z - z̄) ∫ G(x,y) f(x) dx
	Covariate   = term.Covariate   // (z - z̄) γ(y)
	Curves      = term.Curves      // a random curve γ_g(y) for each group g
	Operator    = term.Operator    // an operator of a field that need not be linear
	Noise       = term.Noise       // a random curve of each sample that no other has, of which predictions are without
)
