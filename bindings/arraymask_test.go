package bindings_test

import "testing"

// Selecting, assigning and comparing as scripts write them; each value by hand.
func TestArraySelection(t *testing.T) {
	eval := evaluator(t)
	for _, tt := range []struct{ code, want string }{
		{`array{3,1,2}[array{3,1,2}:gt(1)]`, "[2][3 2]"},
		{`array{{1,2},{3,4}}[array{0,1}:gt(0)]`, "[1 2][3 4]"},
		{`array{1,2,3}[{3,1,1}]`, "[3][3 1 1]"},
		{`array{1,2,3}[array{-1,1}]`, "[2][3 1]"},
		{`array{1,2,3}[-1]`, "3"},
		{`array{{1,2},{3,4}}:at(-1,-2)`, "3"},
		{`array{1,2,3}[{}]`, "[0][]"},
		{`array{{1,2,3},{4,5,6}}[{{-1,1,-1},{1,3,2}}]`, "[2 2][4 6 1 3]"},
		{`array{{1,2,3},{4,5,6}}[{{},2}]`, "[2][2 5]"},
		{`array{{1,2,3},{4,5,6}}[{{},array{3,1}}]`, "[2 2][3 1 6 4]"},
		{`array{{1,2,3},{4,5,6}}[{{},array{1,0,1}:gt(0)}]`, "[2 2][1 3 4 6]"},
		{`array{1,2,3}:slice{{3,1,-2}}`, "[2][3 1]"},
		{`(function() local a = array{1,2,3} a[a:ge(2)] = 0 return a end)()`, "[3][1 0 0]"},
		{`(function() local a = array{1,2,3} a[a:ge(2)] = {7,8} return a end)()`, "[3][1 7 8]"},
		{`(function() local a = array{1,2,3} a[{3,1}] = {7,8} return a end)()`, "[3][8 2 7]"},
		{`(function() local a = array{{1,2},{3,4}} a[{{},2}] = 0 return a end)()`, "[2 2][1 0 3 0]"},
		{`(function() local a = array{1,2,3} a[-1] = 9 return a end)()`, "[3][1 2 9]"},
		{`array{1,2,3}:gt(1) * array{1,2,3}:lt(3)`, "mask 3, 1 true, 2 false\n  0  1  0"},
		{`array{1,2,3}:gt(2) + array{1,2,3}:lt(2)`, "mask 3, 2 true, 1 false\n  1  0  1"},
		{`array{1,2,3}:gt(1) * 5`, "[3][0 5 5]"},
		{`array{1,2,3} + array{1,2,3}:gt(1)`, "[3][1 3 4]"},
		{`10 - array{1,2,3}:gt(1)`, "[3][10 9 9]"},
		{`array{1,2} == array{1,2}`, "true"},
		{`array{1,2} == array{{1,2}}`, "false"},
		{`array{1,2} ~= array{1,3}`, "true"},
		{`array{1,0/0} == array{1,0/0}`, "false"},
		{`array{1,2}:gt(1) == array{0,5}:gt(1)`, "true"},
		{`array.complex(1,2) == array.complex(1,2)`, "true"},
		{`array{{1,2},{3,5}}:sum(-1)`, "[2][3 8]"},
		{`array{{1,2},{3,5}}:sort{axis = -2, descending = true}`, "[2 2][3 5 1 2]"},
		{`array{array{1,2}, array{3,4}}`, "[2 2][1 2 3 4]"},
		{`array.complex({1,2},{3,4}).im`, "[2][3 4]"},
		{`array.complex(1,2) * array{1,2}`, "complex array 2\n  1 + 2i  2 + 4i"},
		{`2 * array.complex(1,2)`, "2 + 4i"},
		{`array{1,2} - array.complex(1,2)`, "complex array 2\n  0 - 2i  1 - 2i"},
		{`array{1,2}:gt(1) + array.complex(0,1)`, "complex array 2\n  0 + 1i  1 + 1i"},
		{`array.complex({1,2},{3,4})[{2}]`, "2 + 4i"},
		{`(function() local z = array.complex({1,2}) z[z.re:gt(1)] = array.complex(0,1) return z end)()`, "complex array 2\n  1 + 0i  0 + 1i"},
	} {
		if got := eval("return " + tt.code); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.code, got, tt.want)
		}
	}
}

func TestArraySelectionErrors(t *testing.T) {
	eval := evaluator(t)
	for _, tt := range []struct{ code, want string }{
		{`array{1,2}[array{0,1}]`, "array[array]: index: indices[1] 0: indices start at 1; to take where something holds, give a mask: a[a:gt(1)], or a[b:ne(0)] for b of 0 and 1"},
		{`array{1,2}[array{1.5}]`, "array[array]: index: indices[1] 1.5: must be an integer"},
		{`array{1,2}[{3}]`, "array[table]: indices[1]: index 3: must be in 1 … 2"},
		{`array{1,2}[{{1,2},{1,2}}]`, "array[table]: 2 ranges for an array of shape 2; a range per axis is written {{1, 3}, {2, 5}}"},
		{`array{1,2}[array{1,2,3}:gt(1)]`, "array[mask]: mask of shape 3: does not fit an array of shape 2; want the same shape, or that of its first axes"},
		{`array{1,2}:gt{1,2,3}`, "array:gt: shapes 2 and 3: do not broadcast (2 against 3: want equal lengths, or 1)"},
		{`array.max(array{1})`, "module 'array' has no 'max'; write a:max() for an array, math.max(x, y) for numbers"},
		{`array.complex(1, 2):gt(1)`, "a complex has no 'gt'; complex numbers have no order: compare z:abs(), z.re or z.im, as in z:abs():gt(1) of several, z:abs() > 1 of one"},
		{`array.complex({1, 2}):ne(1)`, "a complex has no 'ne'; write z:eq(w):logical_not()"},
		{`array.complex({1, 2}):cumsum()`, "a complex has no 'cumsum'; of its parts, which are arrays, write z.re:cumsum(…)"},
		{`array{1,2}:sort(2)`, "array:sort: axis 2: must be in 1 … 1, or negative, from -1 for the last"},
		{`array{2,1}:searchsorted(1)`, "array:searchsorted: element 2, 1, is less than the one before it, 2: want increasing numbers; sort them first"},
		{`array{1, array{2}}`, "array: table: [2]: want a number, as the first one, got an array"},
		{`array{1,2}:add_{1,2,3}`, "array:add_: value of shape 3: does not fit into shape 2"},
	} {
		if got := eval("return " + tt.code); got != "<string>:1: "+tt.want {
			t.Errorf("%s: %s, want %s", tt.code, got, tt.want)
		}
	}
}
