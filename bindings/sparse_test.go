package bindings_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings"
)

// What cannot be done with a sparse matrix is said by argument, with what was given.
func TestSparseErrors(t *testing.T) {
	eval := evaluator(t, bindings.Sparse())
	for _, tt := range []struct{ code, want string }{
		{`sparse.coo{rows = {0}, columns = {1}, values = {1}}`, "sparse.coo: rows[1] 0: indices start at 1"},
		{`sparse.coo{rows = {3}, columns = {1}, values = {1}, shape = {2, 2}}`, "sparse.coo: entry 1 is in row 3 and column 1 of a 2 × 2 matrix"},
		{`sparse.coo{rows = {1}, columns = {1, 2}, values = {1}}`, "sparse.coo: 1 row, 2 columns and 1 value: must be as many"},
		{`sparse.coo{rows = {}, columns = {}, values = {}}`, "sparse.coo: shape 0 × 0: both must be in 1"},
		{`sparse.diags({{1}}, {0})`, "sparse.diags: shape: missing"},
		{`sparse.diags({{1, 2}}, {0}, {shape = {3, 3}})`, "sparse.diags: diagonal 1 at offset 0 has 2 numbers: must be 3, or 1"},
		{`sparse.csr{1, 2}`, "sparse.csr: A of shape 2: want a matrix"},
		{`sparse.eye(2) * sparse.eye(2)`, "A:dot(B) is their product"},
		{`sparse.eye(2) + sparse.eye(3)`, "the sum of a 2 × 2 and a 3 × 3 matrix: must be of one shape"},
		{`sparse.eye(2):dot{1, 2, 3}`, "sparse:dot: the product of a 2 × 2 matrix with 3 numbers: must be 2"},
		{`sparse.eye(2):at(3, 1)`, "sparse:at: index 3: must be in 1 … 2"},
		{`sparse.solve(sparse.csr{{1, 2}, {2, 4}}, {1, 1})`, "sparse.solve: the matrix is singular"},
		{`sparse.solve(sparse.csr{{1, 2}}, {1})`, "sparse.solve: a 1 × 2 matrix: must be square"},
		{`sparse.cholesky(sparse.csr{{1, 2}, {2, 1}})`, "sparse.cholesky: the matrix is not positive definite: pivot 2 of 2 is -3"},
		{`sparse.cholesky(sparse.csr{{1, 2}, {3, 9}})`, "sparse.cholesky: the matrix is not symmetric"},
		{`sparse.lu(sparse.csr{{0/0}})`, "sparse.lu: the entry in row 1 and column 1 is NaN: must be finite"},
		{`sparse.lu(sparse.eye(2)):solve{1}`, "factor:solve: b of shape 1: want 2 rows"},
		{`sparse.lu(sparse.eye(2)):solve{1, 1/0}`, "b: element [2 1] is +Inf; want finite numbers"},
		{`sparse.cg(sparse.csr{{1, 2}, {3, 9}}, {1, 1})`, "sparse.cg: the matrix is not symmetric"},
		{`sparse.cg(sparse.csr{{1, -1}, {-1, 1}}, {1, 0})`, "null space off b"},
		{`sparse.cg(sparse.csr{{1, 2}, {2, 1}}, {1, -1})`, "sparse.cg: the matrix is not positive definite: a search direction"},
		{`sparse.cg(sparse.csr{{-1, 0}, {0, 1}}, {1, 1})`, "sparse.cg: the matrix is not positive definite: its diagonal has -1 in row 1"},
		{`error(select(2, sparse.cg(sparse.csr{{1, 2}, {2, 4}}, {1, 1})).reason)`, "the matrix is singular or nearly so: its LU factors"},
		{`error(select(2, sparse.gmres(sparse.csr{{1, 2}, {2, 4}}, {1, 1})).reason)`, "the matrix is singular or nearly so: its LU factors"},
		{`error(select(2, sparse.gmres(sparse.csr{{0, 0}, {0, 0}}, {1, 1})).reason)`, "the matrix is singular or nearly so: its LU factors"},
		{`sparse.gmres(sparse.eye(2), {1})`, "sparse.gmres: right side of 1 numbers: must be 2"},
		{`sparse.eigsh(sparse.csr{{1, 2}, {3, 9}})`, "sparse.eigsh: the matrix is not symmetric"},
		{`sparse.eye(1e6):dense()`, "needs"},
	} {
		if got := eval("return " + tt.code); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.code, got, tt.want)
		}
	}
}
