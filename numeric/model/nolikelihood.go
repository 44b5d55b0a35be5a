package model

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// noLikelihood says why kinds of noise cannot be told apart.
func noLikelihood(outs []*dataset.Field) error {
	all, seen, spread := 0, 0, 0.0
	for _, o := range outs {
		d := &dataset.Dataset{Input: o.Values, Output: o.Values, OutputMesh: o.Mesh}
		all, seen, spread = all+len(o.Values.Data), seen+outputs.Count(d), spread+outputs.Spread2(d)
	}
	const otherwise = "say which noise they have"
	switch {
	case spread == 0:
		return errors.New("noise: the outputs of all pairs are the same, so there is none to be found")
	case seen < all:
		return fmt.Errorf("noise: %d of %d outputs were observed. Kinds of noise are told apart by the likelihood, for which a matrix of all that were observed is factored for up to %d. Leave out the pairs with missing outputs, or %s", seen, all, fit.MostFactored, otherwise)
	}
	return fmt.Errorf("noise: kinds of noise are told apart by the likelihood, which was not computed, of %d outputs; %s", seen, otherwise)
}
