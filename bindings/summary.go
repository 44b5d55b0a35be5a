package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/mesh"
)

type (
	dataSummary = *prepare.Summary
	summaryOf   = *prepare.Function
	// oneOrNamed is the summary of the one function of pairs, or those of a frame by name.
	oneOrNamed = bind.Either[summaryOf, map[string]summaryOf]
)

type placeOfData struct {
	Sample int     `arg:"sample"`
	Point  int     `arg:"point"`
	Value  float64 `arg:"value"`
}

func summaryType() bind.Type {
	return bind.TypeOf[dataSummary]("summary", "What d:summary found in data: samples and points count from 1.",
		bind.ToString(func(s dataSummary) string { return s.Describe(meshText) }),
		bind.Properties(
			bind.Prop("n", "number of pairs or samples", func(s dataSummary) int { return s.N }),
			bind.Prop("input", "of the inputs; in a frame by name", func(s dataSummary) oneOrNamed { return functionsOf("input", s.Inputs) }),
			bind.Prop("output", "of the outputs; in a frame by name", func(s dataSummary) oneOrNamed { return functionsOf("output", s.Outputs) }),
			bind.Prop("repeats", "lists of samples with the same inputs", func(s dataSummary) [][]int {
				all := make([][]int, len(s.Repeats))
				for i, g := range s.Repeats {
					all[i] = toOne(g)
				}
				return all
			}),
			bind.Prop("notes", "what looks like a mistake, a sentence each", func(s dataSummary) []string { return s.Notes }),
		))
}

// functionSummaryType is what a summary says of one function.
func functionSummaryType() bind.Type {
	return bind.TypeOf[summaryOf]("function_summary", "What d:summary found in one function of all samples.",
		bind.ToString(func(f summaryOf) string {
			return fmt.Sprintf("from %.4g to %.4g, mean %.4g, spread %.4g, %d missing", f.Low, f.High, f.Mean, f.Spread, f.Missing)
		}),
		bind.Properties(
			bind.Prop("mesh", "where it is sampled", func(f summaryOf) mesh.Mesh { return f.Mesh }),
			bind.Prop("low", "smallest value", func(f summaryOf) float64 { return f.Low }),
			bind.Prop("high", "largest value", func(f summaryOf) float64 { return f.High }),
			bind.Prop("mean", "of all values", func(f summaryOf) float64 { return f.Mean }),
			bind.Prop("spread", "by how much samples differ at the same point: root mean square", func(f summaryOf) float64 { return f.Spread }),
			bind.Prop("missing", "how many values were not observed", func(f summaryOf) int { return f.Missing }),
			bind.Prop("empty", "samples without any value", func(f summaryOf) []int { return toOne(f.Empty) }),
			bind.Prop("constant", "samples with one value everywhere", func(f summaryOf) []int { return toOne(f.Constant) }),
			bind.Prop("outliers", "samples that are far from the others as a whole", func(f summaryOf) []int { return toOne(f.Outliers) }),
			bind.Prop("values", "single values far from their neighbours and from the other samples, {sample=, point=, value=} each", func(f summaryOf) []placeOfData {
				all := make([]placeOfData, len(f.OutlyingValues))
				for i, v := range f.OutlyingValues {
					all[i] = placeOfData{v.Sample + 1, v.Point + 1, v.Value}
				}
				return all
			}),
		))
}

func functionsOf(side string, all []prepare.Function) oneOrNamed {
	named := make(map[string]summaryOf)
	for i, f := range all {
		if f.Name == side && len(all) == 1 {
			return bind.First[summaryOf, map[string]summaryOf](&all[i])
		}
		named[f.Name] = &all[i]
	}
	return bind.Second[summaryOf](named)
}

// toOne are numbers counted from 1 for those counted from 0.
func toOne(list []int) []int {
	out := make([]int, len(list))
	for i, k := range list {
		out[i] = k + 1
	}
	return out
}
