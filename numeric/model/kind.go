package model

import "github.com/greenbench/workbench/numeric/model/internal/term"

// Noise is the kind of a random curve of each sample that no other has, of which predictions are without.
const Noise = string(term.Noise)

// Form is what can be asked of a term, whatever its kind.
type Form = term.Form

const (
	Function    = term.Function    // its Green, of a family one for each θ
	OneCurve    = term.OneCurve    // its Effect
	LabelCurves = term.LabelCurves // its Effect for each of its Labels
	Formless    = term.Formless    // predictions alone
)
