package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/criteria"
)

// checkAdvice says what to do about a test that failed.
func checkAdvice(k assess.Kind) string {
	return map[assess.Kind]string{
		assess.AlongOutput:  "the noise is correlated along the output, or the kernel is too stiff to follow G. Fit with noise = \"auto\"; if that stays white, with a rougher kernel or kernel = \"auto\".",
		assess.AcrossPairs:  "the pairs are no independent repetitions: an instrument drifts, or subjects were measured several times. Put time or the subject into the data as a covariate or group of data.new, and leave whole groups out in green.crossvalidate.",
		assess.WithInputs:   "the operator is not linear in the input, or an input is missing. Look at larger and smaller inputs apart; add the input, or its square, as a term of data.new.",
		assess.OutputSpread: "the noise is louder at some points of the output. Where all values are measured equally well and points are uneven, fit with noise = array.ones(m), for m points; otherwise with noise = \"diagonal\", which finds standard deviations along the output, or a transformed output, such as its logarithm.",
		assess.PairSpread:   "some pairs are noisier than others. est:plot_residuals() shows which; see whether they were measured otherwise. Fit with noise = \"diagonal\", which finds how loud each pair is, or with weights where that is known.",
		assess.Freedom:      "the fit follows the data as closely as any noise would be followed, so they leave sigma open, and no test above can see that. Learn from more pairs, or give what is known: a smoother kernel, or lambda. Until then report no sigma, and no bands but those of few data (up to 200 values) and of models of several terms, which are means over all lambdas that the data allow.",
		assess.Outliers:     "some values are wrong, or the noise has long tails, at all points and in all pairs alike. d:summary() and est:plot_residuals() show where; fit with loss = \"huber\", or take out what is wrong (NaN, with missing = true in data.new).",
		assess.LeftValues:   "bands of predictions are of the wrong width: see the tests above, which say why; otherwise the kernel does not suit G.",
		assess.LeftMeans:    "predictions are off by more than their bands say in what is alike along the output: correlated noise (noise = \"auto\"), or a mean that differs from pair to pair (a group or covariate in data.new).",
		assess.Kernels:      "G is rougher or smoother than the kernel takes it to be, so its bands are too narrow. Fit with the likelier kernel, or with kernel = \"auto\".",
	}[k]
}

// checkedTest is a test in a table.
type checkedTest struct {
	Name    string   `arg:"name"`
	Passed  *bool    `arg:"passed"`
	P       *float64 `arg:"p"`
	Finding string   `arg:"finding"`
	Advice  string   `arg:"advice"`
}

func checkMethod() bind.Func {
	return bind.Fn("check", `Tests whether the data contradict the model, and with it its bands and its sigma; prints pass or fail for each test, and what to do.

Residuals of a smooth fit are neither independent nor of one size, so each test compares them with what 999 data sets would leave for which the model is true: same inputs, kernel, lambda and rho. The tests are: correlation along the output and from pair to pair, dependence on the squares of the inputs, spread along the output and from pair to pair, outliers, what the fit leaves of the degrees of freedom of the values; each pair, and its mean over the output, predicted from the others, against the predicted bands. At last other kernels are fitted: where one is likelier by 8 nats, the share of G is computed that the bands hold if that kernel is the true one, and less than 90 % fails. What notes of est.report say against reporting something, such as G near where it may jump, is excepted at the end.

A test fails where p is at most 0.002 and what was found is large enough to matter. Where the model is true about one check of thirty fails by chance.`,
		func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			Seed     uint64   `arg:"seed" doc:"of the draws" default:"1"`
			Kernels  bool     `arg:"kernels" doc:"also fit with other kernels, which takes the time of three automatic fits" default:"true"`
		},
		) (*assess.Check, error) {
			return assess.Run(c, p.Estimate, assess.Options{Seed: p.Seed, NoKernels: !p.Kernels, Write: kernelText})
		}, bind.Example(sampleNoisy+"print(est:check{kernels = false}.passed)  --> true"),
		bind.Returns("what was found, a table when printed"),
		bind.Errors("the estimate was read from a file without its data", "there are fewer than 4 pairs", "the outputs of all pairs are the same"),
		bind.Keywords("diagnostics", "residuals", "validate", "goodness of fit", "misspecified", "assumptions"), bind.See("estimate:plot_residuals", "estimate:summary", "green.compare"))
}

func checkType() bind.Type {
	return bind.TypeOf[*assess.Check]("check", "What est:check found.",
		bind.ToString(func(k *assess.Check) string { return k.Describe(checkAdvice) }),
		bind.Properties(
			bind.Prop("passed", "whether tests were made and none of them failed", (*assess.Check).Passed),
			bind.Prop("tests", "each with name, passed (nil where it could not be made), p (nil for the kernel), finding and advice", func(k *assess.Check) []checkedTest {
				var all []checkedTest
				for _, t := range k.Tests {
					one := checkedTest{string(t.Kind), &t.Passed, t.P, t.Finding, ""}
					switch {
					case t.Skipped:
						one.Passed = nil
					case !t.Passed:
						one.Advice = t.Advice(checkAdvice)
					}
					all = append(all, one)
				}
				return all
			}),
			bind.Prop("limits", "what notes of the report except from what may be reported, whatever the tests say, each with of (what that is) and note", func(k *assess.Check) []criteria.Note {
				return append([]criteria.Note{}, k.Limits...)
			}),
			bind.Prop("failed", "names of the tests that failed", func(k *assess.Check) []string {
				names := []string{}
				for _, f := range k.Failed() {
					names = append(names, string(f))
				}
				return names
			}),
		))
}
