package bindings

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestEveryRemedyIsSaidInLua: each has words of its own, and these take what the remedy in Go
// names: a verb without its value, or of another type, would show as "%!".
func TestEveryRemedyIsSaidInLua(t *testing.T) {
	args := map[remedy.Remedy][]any{
		remedy.LeaveOutPair: {3}, remedy.LeaveOutPairs: {"3, 7"}, remedy.DecimalOrText: {"id"}, remedy.CommentSign: {"#"}, remedy.LeaveOutValue: {1, 28}, remedy.ShowBothSigns: {"y"}, remedy.MoreTime: {"it would take about 2s with λ given; "},
		remedy.LagPoint: {"lag"}, remedy.OtherDimension: {2}, remedy.TimeDerivative: {"t"}, remedy.Transpose: {"u"}, remedy.TransposeOne: {"u"},
		remedy.OrderAxis: {"lat"}, remedy.SparseParts: {3}, remedy.NameArrays: {"s.f", "s.u"}, remedy.NameArray: {"a.npz", "u"}, remedy.LoadArrays: {"a.npz"}, remedy.LoadSaved: {"est.npz"}, remedy.LoadPairs: {"d.npz"}, remedy.FilesOfFolder: {"runs"}, remedy.FirstRows: {5}, remedy.JoinAxes: {5, 6}, remedy.SkipLines: {3}, remedy.NamePart: {"A"}, remedy.SkipBadOrText: {"id", "x7"}, remedy.TextColumn: {"id"}, remedy.MeshOfPoints: {"input_mesh", 7},
		remedy.MeshFromFile: {"input_mesh", "x", "a.npz", mesh.Must(mesh.Uniform(0, 1, 5, "x")).Axes()},
	}
	words := remedies()
	for _, r := range remedy.All() {
		if words[r] == nil {
			t.Errorf("%q is not said in Lua", r)
			continue
		}
		if (len(args[r]) > 0) != strings.Contains(string(r), "%") {
			t.Errorf("%q: this test does not say what it names", r)
		}
		text, inGo := words[r](args[r]...), (&remedy.Error{Remedy: r, Args: args[r]}).Text()
		if strings.Contains(text+inGo, "%!") {
			t.Errorf("%q, in Lua %q: a value and its verb do not fit", inGo, text)
		}
		delete(words, r)
	}
	for r := range words {
		t.Errorf("%q is said in Lua and is no remedy", r)
	}
}

// TestMeshesOfFilesAreWritten: the mesh that the coordinates in a file suggest can be typed as
// the message has it.
func TestMeshesOfFilesAreWritten(t *testing.T) {
	uneven, err := mesh.Trapezoid([]float64{0, 1, 2, 4}, "t")
	if err != nil {
		t.Fatal(err)
	}
	found := append(mesh.Must(mesh.Uniform(-1, 1, 3, "x")).Axes(), uneven)
	want := `the file holds x, t: try output_mesh = mesh.uniform(-1, 1, 3, "x") * mesh.points(array.load("heat.npz", "t"))`
	if got := remedies()[remedy.MeshFromFile]("output_mesh", "x, t", "heat.npz", found); got != want {
		t.Errorf("%s", got)
	}
}
