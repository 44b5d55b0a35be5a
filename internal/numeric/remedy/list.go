package remedy

// The remedies. Whoever says them in other words has a sentence for each.
const (
	UniformPoints  Remedy = "make it by mesh.Uniform"
	PeriodicPoints Remedy = "make it by mesh.Periodic"
	EvenPoints     Remedy = "make it by mesh.Uniform or mesh.Periodic"
	OrderedPoints  Remedy = "make them by mesh.Uniform or mesh.Trapezoid"
	GiveInterval   Remedy = "give one such as 100 uniform points from 0 to 1"
	GiveTimes      Remedy = "give one such as 50 uniform points from 0 to 1, called t"
	GiveRectangle  Remedy = "give one such as the product of 50 uniform points in each direction"
	NeedTimes      Remedy = "a problem in time needs the times"
	TimeLast       Remedy = "make it a product of which time is the last factor"
	NameTime       Remedy = "a constraint on time needs a time axis on both sides, called s and t by default: name the axes so, or say which they are"
	LagPoint       Remedy = "the difference is called %q"
	OtherDimension Remedy = "say that its points have %d coordinates if the others do not matter, or take the tensor product with another kernel"
	TimeDerivative Remedy = "add the first derivative in %s"
	GiveCondition  Remedy = "give one such as the value 0"
	MarkInput      Remedy = "make InputValue the value of a condition where the input is to be"
	SourceTerm     Remedy = "move it to the other side, as the source"
	NameOutput     Remedy = "name at least one"
	NameInput      Remedy = "name one at least"
	WeightPoints   Remedy = "give the mesh weights"
	Transpose      Remedy = "give the transpose of %s"
	TransposeBoth  Remedy = "give the transposes of both"
	TransposeOne   Remedy = "make the pairs of the arrays, with the transpose of %s"
	FirstRows      Remedy = "rows 1 to %d are the first of both"
	AllowMissing   Remedy = "Missing allows outputs that were not observed"
	MeshOfPoints   Remedy = "give %s, a mesh of %d points"
	MeshFromFile   Remedy = "%[2]s in %[3]s may be the coordinates of %[1]s"
	SparseParts    Remedy = "save the rows, the columns and the values of its %d entries"
	OrderAxis      Remedy = "give the meshes, or order the arrays along %s first"
	OneUnit        Remedy = "give InputMesh and OutputMesh in one unit, or write the file so"
	OwnMesh        Remedy = "leave the meshes out to have the file's coordinates, or, if these are wrong, read the arrays and make a dataset of them"
	SayHeader      Remedy = "Header says which"
	NameArrays     Remedy = "Input %q and Output %q name two of them"
	NameArray      Remedy = "Load(%q, %q) reads one"
	LoadArrays     Remedy = "Load of package files reads arrays of %q"
	LoadSaved      Remedy = "Load of package fit, model or network reads %q"
	LoadPairs      Remedy = "Load of package dataset reads %q"
	FilesOfFolder  Remedy = "name files in it as Input and Output, or read the tables of %s one by one"
	NameOutputFile Remedy = "Output names the file beside it that holds the outputs"
	KeepData       Remedy = "SaveWithData keeps them"
	SaveEstimate   Remedy = "Save writes one"
	HaveItChosen   Remedy = "0 has it chosen"
	SaveValues     Remedy = "save what it gives on meshes, as arrays"
	SkipLines      Remedy = "Skip %d leaves out the lines before"
	SkipBadRows    Remedy = "SkipBad leaves out what cannot be read"
	SkipBadOrText  Remedy = "SkipBad leaves out what cannot be read; Missing %[2]q takes it for a missing value; Text %[1]q takes the column as words"
	TextColumn     Remedy = "Text %q takes the column as words"
	DecimalComma   Remedy = "Decimal says which sign numbers are written with"
	DecimalOrText  Remedy = "Decimal says which sign numbers are written with; Text %q takes the column as words"
	CommentSign    Remedy = "Comment %q leaves out what follows it on a line"
	DateOrder      Remedy = "DayFirst says so"
	NamePart       Remedy = "Part %q takes one of them"
	LeaveOneOut    Remedy = "leave one of them out"
	AverageTwice   Remedy = "Average takes their mean"
	LeavePairOut   Remedy = "leave the pair out"
	LeaveOutPair   Remedy = "leave pair %d out of the data"
	LeaveOutPairs  Remedy = "leave these pairs out: %s"
	LeaveOutValue  Remedy = "make output [%d][%d] NaN, with Missing"
	OwnPoints      Remedy = "interpolate to common positions"
	TableOfNames   Remedy = "package sheet reads tables with names of rows and columns"
	OneMatrix      Remedy = "a text file holds one matrix: several go into one .npz, or into files of their own"
	JoinAxes       Remedy = "a product of meshes has an axis for each; Reshape(%d, %d) joins them, the last one fastest"
	ComplexParts   Remedy = "LoadNumbers reads them; Real and Imag are their parts"
	AllowSeveral   Remedy = "or Several takes the one that continues the solution of the linear part"
	AllowOutside   Remedy = "Outside Extend continues the curve, and Constant its last value"
	ShowBothSigns  Remedy = "a linear part of the %s axis shows both signs"
	MoreTime       Remedy = "%sallow more time, or take fewer points or pairs"
	CheckModel     Remedy = "package assess tests the data against the model; the prior of another kernel, or the G of a similar problem, is a truth that tells something"
)

// All lists the remedies.
func All() []Remedy {
	return []Remedy{
		UniformPoints, PeriodicPoints, EvenPoints, OrderedPoints, GiveInterval, GiveTimes, GiveRectangle, NeedTimes, TimeLast, NameTime,
		LagPoint, OtherDimension, TimeDerivative, GiveCondition, MarkInput, SourceTerm, NameOutput, NameInput, WeightPoints, Transpose, TransposeBoth, TransposeOne,
		FirstRows, AllowMissing, MeshOfPoints, MeshFromFile, KeepData, SaveEstimate, HaveItChosen, SaveValues, SkipLines, SkipBadRows, SkipBadOrText, TextColumn,
		DecimalComma, DecimalOrText, CommentSign, DateOrder, NamePart, LeaveOneOut, AverageTwice, LeavePairOut, LeaveOutPair, LeaveOutPairs, LeaveOutValue, OwnPoints, TableOfNames, OneMatrix,
		AllowSeveral, AllowOutside, ShowBothSigns, ComplexParts, JoinAxes, MoreTime, CheckModel, SparseParts, OrderAxis, OneUnit, OwnMesh, SayHeader, NameArrays, NameArray, LoadArrays, LoadSaved, LoadPairs, FilesOfFolder, NameOutputFile,
	}
}
