package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
)

// correlations declares covariances, and tests that samples vary together.
func correlations() []bind.Func {
	coefficient := func(name, doc, example string, words ...string) bind.Func {
		method := map[string]string{"pearsonr": "pearson", "spearmanr": "spearman", "kendalltau": "kendall"}[name]
		return bind.Fn(name, doc, func(c *bind.Call, p *twoSamples) (tested, error) {
			return outcome(stats.Correlation(c, method, p.X, p.Y))
		}, bind.Errors("a sample that does not vary", "fewer than three pairs", "NaN"), bind.Example(example), bind.Keywords(words...), bind.See("stats.corr", "stats.linregress"))
	}
	return []bind.Func{
		bind.Fn("cov", "Covariances of the columns of a matrix, or of two samples.", func(c *bind.Call, p *struct {
			columns
			Ddof float64 `arg:"ddof" doc:"the sums are divided by n - ddof" default:"1" allow:">=0 finite"`
		},
		) (*array.Array, error) {
			return p.compare(c, p.Ddof, false)
		}, bind.Returns("matrix, the variances on its diagonal"), bind.Errors("NaN", "samples that differ in length"),
			bind.Example("print(stats.cov({1, 2, 3}, {2, 4, 6}):at(1, 2))  --> 2"), bind.Keywords("covariance", "variance matrix"), bind.See("stats.corr", "array:var")),
		bind.Fn("corr", "Correlations of the columns of a matrix, or of two samples (Pearson's). NaN for a column that does not vary.", func(c *bind.Call, p *struct{ columns }) (*array.Array, error) {
			return p.compare(c, 0, true)
		}, bind.Returns("matrix, 1 on its diagonal"), bind.Errors("NaN", "samples that differ in length"),
			bind.Example("print(stats.corr({1, 2, 3}, {6, 4, 2}):at(1, 2))  --> -1"), bind.Keywords("corrcoef", "correlation"), bind.See("stats.pearsonr", "stats.cov")),
		coefficient("pearsonr", "Pearson's correlation of two samples, and a test of the hypothesis that it is 0, for normal data.", "print(stats.pearsonr({1, 2, 3, 4}, {2, 1, 4, 3}).statistic)  --> 0.6", "correlation"),
		coefficient("spearmanr", "Spearman's rank correlation of two samples, and a test of the hypothesis that it is 0.", "print(stats.spearmanr({1, 2, 3, 4}, {1, 10, 100, 1000}).statistic)  --> 1", "rank correlation"),
		coefficient("kendalltau", "Kendall's rank correlation τ_b of two samples, and a test of the hypothesis that it is 0: exact for up to 50 values that all differ, otherwise by the normal approximation.",
			"print(stats.kendalltau({1, 2, 3, 4}, {1, 2, 4, 3}).statistic)  --> 0.66666666666667", "rank correlation", "concordance"),
	}
}

// columns are variables: the columns of a matrix, or two samples.
type columns struct {
	X *array.Array `arg:"x" pos:"1" doc:"a matrix with a column for each variable, or a sample"`
	Y []float64    `arg:"y" pos:"2" doc:"another sample" default:"{}"`
}

func (p columns) compare(c *bind.Call, ddof float64, correlate bool) (*array.Array, error) {
	if p.X.Rank() > 2 || p.X.Size() == 0 {
		return nil, fmt.Errorf("x of shape %s: want a sample, or a matrix with a column for each variable", dense.ShapeString(p.X.Shape))
	}
	width := p.X.Size() / p.X.Shape[0]
	list := make([][]float64, width)
	for i, v := range p.X.Data {
		list[i%width] = append(list[i%width], v)
	}
	if len(p.Y) > 0 {
		list = append(list, p.Y)
	}
	m, err := stats.Covariance(c, list, ddof, correlate)
	if err != nil {
		return nil, err
	}
	out := array.New(len(m), len(m))
	for i, row := range m {
		copy(out.Data[i*len(m):], row)
	}
	return out, nil
}
