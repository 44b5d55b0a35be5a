package bindings

import "github.com/greenbench/workbench/bindings/bind"

// foreignNames say what to write for names of NumPy, SciPy, MATLAB, R and Julia that are no function here. Functions of
// another name are found by their keywords.
func foreignNames() bind.Foreign {
	every := "every number is a float64; array.complex makes complex ones, math.floor whole ones"
	loop := "write for i = 1, 10 do … end, or array.arange"
	show := "write print(…); at the prompt a value is shown by its name"
	length := "write #a for the first axis, a.size for all numbers, a.shape for the axes"
	plain := "arrays are row by row already: nothing is to be done"
	functions := map[string]string{
		"dtype": every, "astype": every, "int32": every, "float32": every, "double": every,
		"range": loop, "plot": "write plot.lines{{x = …, y = …}}",
		"linalg": "the module is linalg", "random": "the module is random", "disp": show, "println": show, "printf": show, "fprintf": show, "display": show,
		"len": length, "length": length, "numel": length, "size": length, "ndim": "write a.rank",

		"take": "write a[{1, 3}], the indices in braces", "put": "write a[{1, 3}] = x, the indices in braces", "compress": "write a[mask], as a[a:gt(0)]",
		"average": "write a:mean(), or (w * a):sum() / w:sum() with weights", "ptp": "write a:max() - a:min()", "concat": "write array.concatenate{a, b}",
		"insert": "an array keeps its size: write array.concatenate{…} of its parts", "delete": "an array keeps its size: write a[mask] for what stays",
		"isnan":        "write a:ne(a), the mask of NaN, or x ~= x of a number",
		"nansum":       "write a[a:eq(a)]:sum(), without NaN",
		"nanmean":      "write a[a:eq(a)]:mean(), without NaN",
		"ascontiguous": plain, "ascontiguousarray": plain,
		"newaxis": "write a:reshape(-1, 1) for a column", "expand_dims": "write a:reshape(-1, 1) for a column",
		"mod": "write a % b", "power": "write a ^ b", "square": "write a ^ 2", "matmul": "write a:dot(b)",
		"isfinite": "write math.abs(a):lt(math.huge)", "isinf": "write math.abs(a):eq(math.huge)",
		"tic": "write time(function() … end)", "toc": "write time(function() … end)",
		"seed": "each draw takes a seed: random.normal{shape = {3}, seed = 1}",
		"rand": "write random.uniform{shape = {3}}", "randn": "write random.normal{shape = {3}}",
		"show": "write fig:show() for a figure, or call the plot function without file", "figure": "plot.lines, plot.heatmap and others make one; plot.grid puts several together",
		"hold": "give all series to one plot.lines{{…}, {…}}", "subplot": "write plot.grid{…}", "subplots": "write plot.grid{…}",
		"xlabel": "write plot.lines{…, xlabel = …}", "ylabel": "write plot.lines{…, ylabel = …}", "title": "write plot.lines{…, title = …}",
		"factorial": "write special.gamma(n + 1)", "comb": "write math.exp(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))",
		"nchoosek": "write math.exp(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))",
		"j0":       "write special.jv(0, x)", "j1": "write special.jv(1, x)", "besselj": "write special.jv(n, x)", "bessely": "write special.yv(n, x)",
		"besseli": "write special.iv(n, x)", "besselk": "write special.kv(n, x)",
		"real": "write z.re", "imag": "write z.im", "arctan2": "write math.atan2(y, x)", "arctan": "write math.atan(x)",
		"arcsin": "write math.asin(x)", "arccos": "write math.acos(x)", "log2": "write math.log(x) / math.log(2)", "absolute": "write math.abs(x)",
		"hypot": "write math.sqrt(a ^ 2 + b ^ 2)", "spsolve": "write sparse.solve(A, b)",
		"c": "R's c(1, 2) is array{1, 2}", "seq": "write array.arange(1, 10) or array.linspace(1, 10, n)", "sd": "write a:std{ddof = 1}",
		"spectrum": "write fft.welch(x)", "periodogram": "write fft.welch(x)", "psd": "write fft.welch(x)", "pspectrum": "write fft.welch(x)",
		"lm": "write stats.linregress(x, y), or linalg.lstsq(A, b) for several variables", "interp1": "write interp.interp1d(x, y)(at)",
	}
	for name, text := range languageNames() {
		if functions[name] == "" {
			functions[name] = text
		}
	}
	values := map[string]string{
		"NaN": "write 0/0", "nan": "write 0/0", "inf": "write math.huge", "Inf": "write math.huge",
		"None": "write nil", "try": functions["try"], "NULL": "write nil", "null": "write nil",
		"NA": "write 0/0", "True": "write true", "False": "write false", "TRUE": "write true", "FALSE": "write false",
	}
	return bind.Foreign{Functions: functions, Values: values, Methods: map[string]map[string]string{"complex": unordered()}}
}

// unordered say what to compare of complex numbers.
func unordered() map[string]string {
	methods := map[string]string{"ne": "write z:eq(w):logical_not()"}
	for _, name := range []string{
		"gt", "ge", "lt", "le", "max", "min", "argmax", "argmin", "sort", "argsort", "median", "quantile", "percentile", "clip", "searchsorted", "unique",
	} {
		methods[name] = "complex numbers have no order: compare z:abs(), z.re or z.im, as in z:abs():gt(1) of several, z:abs() > 1 of one"
	}
	return methods
}
