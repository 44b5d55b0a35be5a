package bindings

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// remedies are what to do about errors of the numerical core, as one types it in a script.
// The arguments are those of the remedy in Go.
func remedies() map[remedy.Remedy]func(args ...any) string {
	say := func(format string) func(...any) string {
		return func(args ...any) string {
			if len(args) == 0 {
				return format
			}
			return fmt.Sprintf(format, args...)
		}
	}
	return map[remedy.Remedy]func(...any) string{
		remedy.UniformPoints:  say("make it by mesh.uniform"),
		remedy.PeriodicPoints: say("make it by mesh.periodic"),
		remedy.EvenPoints:     say("make it by mesh.uniform or mesh.periodic"),
		remedy.OrderedPoints:  say("make them by mesh.uniform or mesh.trapezoid"),
		remedy.GiveInterval:   say("give one such as mesh.uniform(0, 1, 100)"),
		remedy.GiveTimes:      say(`give one such as mesh.uniform(0, 1, 50, "t")`),
		remedy.GiveRectangle:  say("give one such as mesh.uniform(0, 1, 50) * mesh.uniform(0, 1, 50)"),
		remedy.NeedTimes:      say(`a problem in time needs the times, as in time = mesh.uniform(0, 1, 50, "t")`),
		remedy.TimeLast:       say(`make it as in mesh.uniform(0, 1, 50, "x") * mesh.uniform(0, 1, 50, "t")`),
		remedy.NameTime: say("a constraint on time needs a time axis on both sides, called s and t by default: name the axis, as in " +
			`mesh.uniform(0, 1, 50, "t"), or give its name as input = and output =`),
		remedy.LagPoint: say("the name is %[1]q, as in {x = p.x, y = p.y, %[1]s = p.t - p.s}; other kernels of functions of the coordinates " +
			"are written with kernel.define"),
		remedy.OtherDimension: say("write {dim = %d} after the function if the others do not matter, or multiply kernels with kernel.tensor"),
		remedy.TimeDerivative: say("add u:d(%q, 1)"),
		remedy.GiveCondition:  say("give one such as dirichlet = 0"),
		remedy.MarkInput:      say(`write dirichlet = "input" where the input is to be`),
		remedy.SourceTerm:     say("move it to the other side, with source = …"),
		remedy.NameOutput:     say("name at least one, such as output = {u = U}"),
		remedy.NameInput:      say("name at least one, such as input = {f = F}"),
		remedy.WeightPoints:   say("give the mesh weights, such as mesh.points(…, {1})"),
		remedy.Transpose:      say("transposed? Then give %[1]s = %[1]s:transpose()"),
		remedy.TransposeBoth:  say("transposed? Then give axis = \"columns\""),
		remedy.TransposeOne:   say("transposed? Then array.load both arrays, and data.new with %[1]s = %[1]s:transpose()"),
		remedy.MoreTime:       say("%sallow more with --timeout, or take fewer points or pairs"),
		remedy.CheckModel:     say("est:check() tests the data against the model; or take another truth: kernel = another one, or green = the G of a similar problem"),
		remedy.ShowBothSigns:  say("%[1]slin = 1 instead of log%[1]s shows both signs"),
		remedy.AllowOutside:   say("outside = \"extend\" continues the curve, and \"constant\" its last value"),
		remedy.AllowSeveral:   say("or several = true takes the one that continues the solution of the linear part"),
		remedy.FirstRows:      say("rows = {1, %d} takes the first of both"),
		remedy.AllowMissing:   say("missing = true allows outputs that were not observed"),
		remedy.MeshOfPoints:   say("want a mesh of %[2]d points, such as %[1]s = mesh.uniform(0, 1, %[2]d)"),
		remedy.MeshFromFile: func(args ...any) string {
			var axes []string
			for _, a := range args[3].([]mesh.Axis) {
				text := fmt.Sprintf("mesh.points(array.load(%q, %q))", args[2], a.Names[0])
				if a.Step > 0 {
					text = fmt.Sprintf("mesh.uniform(%g, %g, %d, %q)", a.Lower[0], a.Upper[0], a.Size(), a.Names[0])
				}
				axes = append(axes, text)
			}
			return fmt.Sprintf("the file holds %s: try %s = %s", args[1], args[0], strings.Join(axes, " * "))
		},
		remedy.TableOfNames:   say(`a table with names of rows and columns? sheet.load(path) shows it; with its names data.load(path, {pair = "id", x = "depth"}) makes pairs of one measurement a row, data.load(path, {pair = "id", output = "u.csv"}) of one function a row`),
		remedy.OneMatrix:      say("a text file holds one matrix: for several, numpy.savez(\"pairs.npz\", f=f, u=u), or one file each"),
		remedy.ComplexParts:   say("array.load reads them: z.re and z.im are their parts"),
		remedy.JoinAxes:       say("a product of meshes, m1 * m2, has an axis for each; or join them, the last one fastest: array.load(file, name):reshape(%d, %d) and data.new"),
		remedy.SparseParts:    say(`in MATLAB: [i, j, v] = find(A); save("x.mat", "i", "j", "v"); here: sparse.coo{rows = …, columns = …, values = …} of array.load("x.mat", "i"):reshape(%d):table() and its like`),
		remedy.OwnMesh:        say("leave the meshes out to have the file's coordinates, or, if these are wrong, array.load both arrays, array.flip one where it goes the other way, and data.new"),
		remedy.SayHeader:      say("header = true takes it for names, header = false for values"),
		remedy.OneUnit:        say("give input_mesh and output_mesh in one unit, or write the file so"),
		remedy.OrderAxis:      say("give input_mesh and output_mesh, or order the arrays along %s first"),
		remedy.NameArrays:     say("name the inputs and the outputs, such as input = %q, output = %q"),
		remedy.NameArray:      say("array.load(%q, %q) reads one"),
		remedy.LoadArrays:     say("array.load(%q) reads arrays, data.load pairs"),
		remedy.LoadSaved:      say("green.load(%q) reads it"),
		remedy.LoadPairs:      say("data.load(%q) reads them"),
		remedy.FilesOfFolder:  say(`data.load("%[1]s/*.csv", {x = "depth"}) reads its tables, each a pair; of arrays, input = "f.npy", output = "u.npy" name two in it`),
		remedy.NameOutputFile: say(`output = "u.csv" names the file beside it with the outputs; of a table with named columns, x = "depth" makes pairs`),
		remedy.KeepData:       say("est:save(path, {data = true}), of a layer net:save(path, {data = true}), keeps them: fit again and save so"),
		remedy.SaveEstimate:   say("est:save(path) writes one"),
		remedy.HaveItChosen:   say(`leave it out, or give "auto", to have it chosen`),
		remedy.SaveValues:     say(`its function is no formula; save what it gives, as arrays: est:green():save("green.npy")`),
		remedy.SkipLines:      say("skip = %d leaves out the lines before"),
		remedy.SkipBadRows:    say("skip_bad = true leaves out what cannot be read"),
		remedy.TextColumn:     say("text = {%q} takes the column as words"),
		remedy.SkipBadOrText:  say("skip_bad = true leaves out what cannot be read, na = {%[2]q} takes it for a missing value, text = {%[1]q} takes the column as words"),
		remedy.DecimalComma:   say("decimal = \",\" of sheet.load and data.load reads numbers with a decimal comma, decimal = \".\" with a point"),
		remedy.DecimalOrText:  say("decimal = \",\" reads numbers with a decimal comma, decimal = \".\" with a point, text = {%q} takes the column as words"),
		remedy.CommentSign:    say("comment = %q leaves out what follows it on a line"),
		remedy.DateOrder:      say("day_first = true or day_first = false says so"),
		remedy.NamePart: func(args ...any) string {
			return fmt.Sprintf("sheet = %q takes one of them; data.load takes all as pairs with sheet = \"*\"", args[0])
		},
		remedy.LeaveOneOut:   say("leave one out, with s:filter"),
		remedy.AverageTwice:  say("average = true takes their mean"),
		remedy.LeavePairOut:  say("leave it out: s = sheet.load(path), then s:filter(function(r) return … end):pairs{…}"),
		remedy.LeaveOutPair:  say("to leave the pair out, fit d:without{%d} with the weights of the others"),
		remedy.LeaveOutPairs: say("d:without{%s} leaves these pairs out"),
		remedy.LeaveOutValue: say("to leave the value out, set u[%d][%d] = 0/0 (NaN) and make the data by data.new{…, missing = true}, with any weight > 0 there"),
		remedy.OwnPoints:     say("one input and one output along one coordinate, without names, may have points of their own; others are interpolated to common positions first, with interp on each part of s:group(…)"),
	}
}
