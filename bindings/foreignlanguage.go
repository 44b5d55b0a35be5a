package bindings

// languageNames say what to write for functions that are part of other languages themselves: Python, MATLAB, R, Julia.
func languageNames() map[string]string {
	loops := "write for i, x in ipairs(list) do … end"
	modules := "the modules are there already: array, linalg, fft and more; a script of your own is loaded by require"
	raise := "errors are raised by error(…) and caught by pcall(…)"
	shape := "write a.shape, whose entries are the lengths of the axes: #a is the first"
	types := `write type(x) == "number", or tostring(x) for what a value is`
	return map[string]string{
		"str": "write tostring(x)", "string": "write tostring(x)", "num2str": "write tostring(x)", "repr": "write tostring(x)",
		"int": "write math.floor(x), or tonumber(s) for a string", "str2num": "write tonumber(s)", "str2double": "write tonumber(s)",
		"float": "every number is a float64; write tonumber(s) for a string", "bool": "write x ~= 0; only nil and false are false",
		"sprintf": "write string.format(…)", "strcat": "write s .. t", "paste": "write s .. t", "paste0": "write s .. t",
		"cat": "write print(…)", "enumerate": loops, "zip": "write for i = 1, #a do … a[i] … b[i] … end", "map": loops, "filter": loops,
		"apply": loops, "lapply": loops, "sapply": loops, "arrayfun": loops, "sorted": "write a:sort() for an array, table.sort(t) for a list",
		"reversed": "write for i = #t, 1, -1 do … end", "list": "a list is written {1, 2, 3}", "dict": "a table is written {name = value}",
		"struct": "a table is written {name = value}", "cell": "a table is written {1, \"two\"}", "tuple": "a list is written {1, 2, 3}",
		"set": "a table is written {name = true}", "isinstance": types, "isa": types, "is": types, "class": types, "typeof": types,
		"hasattr": "write t.name ~= nil", "isempty": "write #t == 0", "exist": "write name ~= nil", "eval": "write load(text)()",
		"exec": "write load(text)()", "source": "write dofile(path)", "run": "write dofile(path)", "library": modules, "include": modules,
		"import": modules, "addpath": "package.path says where require looks", "throw": raise, "raise": raise, "try": raise, "except": raise, "catch": raise, "stop": raise, "warning": "write print(…)",
		"Exception": raise, "ValueError": raise, "nrow": shape, "ncol": shape, "dim": shape, "ndims": "write a.rank", "nargin": "write select(\"#\", …)",
		"max": "write a:max() for an array, math.max(x, y) for numbers", "min": "write a:min() for an array, math.min(x, y) for numbers",
		"round": "write math.floor(x + 0.5), or a:round() for an array", "any": "write a:gt(0):any()", "all": "write a:gt(0):all()",
		"rep": "write array.full(…), or s:rep(n) for a string", "which": "write a:gt(0):nonzero()", "item": "write a[1]",
		"tolist": "write a:table()", "ravel": "write a:reshape(-1)", "clc": "press Ctrl-L to clear the screen", "clear": "a variable is removed by name = nil",
		"clearvars": "a variable is removed by name = nil", "close": "figures are values: nothing has to be closed",
		"whos": "write who()", "exit": "write os.exit(), or exit at the prompt", "pass": "an empty block has nothing in it: do end", "continue": "Lua has no continue: write goto continue, and ::continue:: before the end of the loop", "open": "write io.open(path), or sheet.load and data.load for data", "read_csv": "write sheet.load(path) or data.load(path)",
		"loadtxt": "write array.load(path)", "genfromtxt": "write array.load(path)", "csvread": "write array.load(path)", "readmatrix": "write array.load(path)",
		"savetxt": "write a:save(path)", "csvwrite": "write a:save(path)", "writematrix": "write a:save(path)", "savefig": "write plot.lines{…, file = \"x.png\"} or fig:save(\"x.png\")",
		"log10": "write math.log(x) / math.log(10)", "sign": "write x > 0 and 1 or -1",
	}
}
