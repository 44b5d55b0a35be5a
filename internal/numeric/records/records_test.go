package records_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/records"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// spec is the columns of most of the tables below.
func spec(pair, x string) records.Spec {
	return records.Spec{Pair: pair, X: strings.Fields(x), Input: map[string]string{"": "f"}, Output: map[string]string{"": "u"}}
}

func with(s records.Spec, change func(s *records.Spec)) records.Spec {
	change(&s)
	return s
}

// tables are files of inputs, and of outputs where these are in others, with the pairs that they
// make: labels; positions and values of the inputs; those of the outputs; notes.
var tables = []struct {
	name            string
	inputs, outputs []string
	spec            records.Spec
	want            string
}{
	{"a measurement a row", []string{"id,x,f,u\na,0,1,2\na,1,3,4\nb,0,5,6\nb,1,7,8\n"}, nil, spec("id", "x"), "a b; 0 1: 1 3 5 7; 0 1: 2 4 6 8"},
	{"in any order", []string{"id,x,f,u\nb,1,7,8\na,1,3,4\nb,0,5,6\na,0,1,2\n"}, nil, spec("id", "x"), "b a; 0 1: 5 7 1 3; 0 1: 6 8 2 4"},
	{
		"outputs missing",
		[]string{"id,x,f,u\na,0,1,2\na,1,3,\nb,0,5,6\nb,1,7,8\n"},
		nil, spec("id", "x"),
		"a b; 0 1: 1 3 5 7; 0 1: 2 NaN 6 8; output (u): 1 of 4 values are missing, where pairs lack positions",
	},
	{
		"rows for one of both",
		[]string{"id,x,f,u\na,0,1,\na,0.5,,2\na,1,3,\na,1.5,,4\nb,0,5,\nb,0.5,,6\nb,1,7,\nb,1.5,,8\n"},
		nil, spec("id", "x"),
		"a b; 0 1: 1 3 5 7; 0.5 1.5: 2 4 6 8",
	},
	{
		"positions that differ by rounding",
		[]string{"id,x,f,u\na,0.30000000000000004,1,2\na,1,3,4\nb,0.3,5,6\nb,1,7,8\n"},
		nil, spec("id", "x"),
		"a b; 0.3 1: 1 3 5 7; 0.3 1: 2 4 6 8",
	},
	{
		"two columns of positions",
		[]string{"id,xf,f,xu,u\na,0,1,5,2\na,1,3,6,4\nb,0,5,5,6\nb,1,7,6,8\n"},
		nil,
		with(spec("id", ""), func(s *records.Spec) { s.InputX, s.OutputX = []string{"xf"}, []string{"xu"} }), "a b; 0 1: 1 3 5 7; 5 6: 2 4 6 8",
	},
	{
		"a column of kinds",
		[]string{"id,kind,x,value\na,f,0,1\na,f,1,2\na,u,5,3\nb,f,0,4\nb,f,1,5\nb,u,5,6\n"},
		nil,
		with(spec("id", "x"), func(s *records.Spec) { s.Kind = "kind" }), "a b; 0 1: 1 2 4 5; 5: 3 6",
	},
	{
		"a column of units, each kind in one",
		[]string{"id,kind,x,value,unit\na,f,0,1,N\na,u,5,3,mm\nb,f,0,4,N\nb,u,5,6,mm\n"},
		nil,
		with(spec("id", "x"), func(s *records.Spec) { s.Kind = "kind" }), "a b; 0: 1 4; 5: 3 6",
	},
	{
		"a column of units of nobody knows what",
		[]string{"id,x,f,u,unit\na,0,1,2,mm\nb,0,5,6,m\n"},
		nil, spec("id", "x"), "a b; 0: 1 5; 0: 2 6; column unit has mm and m: numbers are taken as they are, whatever their unit",
	},
	{
		"an index that pandas wrote",
		[]string{",id,kind,x,value\n0,a,f,0,1\n1,a,u,5,3\n2,b,f,0,4\n3,b,u,5,6\n"},
		nil,
		with(spec("id", "x"), func(s *records.Spec) { s.Kind = "kind" }), "a b; 0: 1 4; 5: 3 6",
	},
	{"two files", []string{"id,x,f\na,0,1\na,1,2\nb,0,3\nb,1,4\n"}, []string{"id,x,u\nb,5,2\na,5,1\n"}, spec("id", "x"), "a b; 0 1: 1 2 3 4; 5: 1 2"},
	{"a file a run", []string{"x,f,u\n0,1,2\n1,3,4\n", "x,f,u\n0,5,6\n1,7,8\n"}, nil, spec("", "x"), "run0 run1; 0 1: 1 3 5 7; 0 1: 2 4 6 8"},
	{"several pairs a file", []string{"id,x,f,u\n1,0,1,2\n", "id,x,f,u\n1,0,3,4\n"}, nil, spec("id", "x"), "run0/1 run1/1; 0: 1 3; 0: 2 4"},
	{
		"a function a row",
		[]string{"id,1,0\na,3,1\nb,7,5\n"},
		[]string{"id,0.5,1.5\nb,6,8\na,2,\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"a b; 0 1: 1 3 5 7; 0.5 1.5: 2 NaN 6 8; output (u): 1 of 4 values are missing, where pairs lack positions",
	},
	{"two coordinates, a grid", []string{"id,p,q,f,u\na,0,0,1,1\na,0,1,2,2\na,1,0,3,3\na,1,1,4,4\n"}, nil, spec("id", "p q"), "a; 0 0 0 1 1 0 1 1: 1 2 3 4; 0 0 0 1 1 0 1 1: 1 2 3 4"},
	{"two coordinates, scattered", []string{"id,p,q,f,u\na,0,0,1,1\na,2,1,2,2\na,1,3,3,3\n"}, nil, spec("id", "p q"), "a; 0 0 1 3 2 1: 1 3 2; 0 0 1 3 2 1: 1 3 2"},
	{
		"times of one day",
		[]string{"id,t,f,u\na,2024-03-01T12:00,1,1\na,2024-03-01T13:00,2,2\nb,2024-03-01T12:00,3,3\nb,2024-03-01T13:00,4,4\n"},
		nil, spec("id", "t"),
		"a b; 0 3600: 1 2 3 4; 0 3600: 1 2 3 4; t: seconds since 2024-03-01 12:00:00",
	},
	{
		"times of several days",
		[]string{"t,f,u\n2024-03-01T12:00,1,1\n2024-03-01T13:00,2,2\n", "t,f,u\n2024-03-02T12:00,3,3\n2024-03-02T13:00,4,4\n"},
		nil, spec("", "t"),
		"run0 run1; 0 3600: 1 2 3 4; 0 3600: 1 2 3 4; t: seconds since the start of each pair, as they were measured at different times",
	},
	{ // integrals of the inputs by the points of each: trapezoids over those of all
		"points of their own",
		[]string{"id,x,f,u\na,0,1,2\na,1,3,4\na,3,2,1\nb,0.5,5,6\nb,1,7,8\nb,2,7,\n"},
		nil, spec("id", "x"),
		"a b; 0 0.5 1 2 3: 2 0 6 0 4 0 2.5 7 3.5 0; 0 0.5 1 3: 2 NaN 4 1 NaN 6 8 NaN; " +
			"input (f): pairs have points of their own, 3 to 3 of the 5 positions in all",
	},
	{
		"a function a column",
		[]string{"x,a,b\n0,1,5\n1,3,7\n"},
		[]string{"x,b,a\n5,6,2\n"},
		with(spec("", "x"), func(s *records.Spec) { s.Wide = true }), "a b; 0 1: 1 3 5 7; 5: 2 6",
	},
	{ // to the last digit, though seconds since the first time have fewer
		"times of two days to the millisecond",
		[]string{"id,t,f,u\na,2024-03-01T12:00:00.001,1,1\na,2024-03-01T12:00:00.101,2,2\nb,2024-03-05T07:13:11.337,3,3\nb,2024-03-05T07:13:11.437,4,4\n"},
		nil, spec("id", "t"),
		"a b; 0 0.1: 1 2 3 4; 0 0.1: 1 2 3 4; t: seconds since the start of each pair, as they were measured at different times",
	},
	{
		"near, and not one",
		[]string{"id,x,f,u\na,0,1,\na,1,3,\na,1.0000001,,2\nb,0,5,\nb,1,7,\nb,1.0000002,,4\n"},
		nil, spec("id", "x"),
		"a b; 0 1: 1 3 5 7; 1.0000001 1.0000002: 2 NaN NaN 4; output (u): 2 of 4 values are missing, where pairs lack positions",
	},
	{
		"means",
		[]string{"id,x,f,u\na,0,1,2\na,0,3,4\na,1,5,6\n"},
		nil, with(spec("id", "x"), func(s *records.Spec) { s.Average = true }),
		"a; 0 1: 2 5; 0 1: 3 6; input (f): values of one pair in one place are averaged; output (u): values of one pair in one place are averaged",
	},

	{"twice", []string{"id,x,f,u\na,0,1,2\na,1,5,6\na,0,3,4\n"}, nil, spec("id", "x"), "! run0.csv: input (f) of pair a at x = 0 is there twice, on line 2 and line 4; Average"},
	{"without outputs", []string{"id,x,f,u\na,0,1,2\nb,0,1,\n"}, nil, spec("id", "x"), "! pair b (run0.csv, line 3) has no output (u)"},
	{"without inputs", []string{"id,x,f\na,0,1\n"}, []string{"id,x,u\na,0,1\nb,0,1\n"}, spec("id", "x"), "! pair b (out0.csv, line 3) has no input (f)"},
	{"a value nowhere", []string{"id,x,f,u\na,0,1,2\na,,1,2\n"}, nil, spec("id", "x"), "! run0.csv, line 3: f has a value where x is missing"},
	{"a pair without a name", []string{"id,x,f,u\na,0,1,2\n,1,1,2\n"}, nil, spec("id", "x"), "! run0.csv: column id: is missing on line 3"},
	{"units", []string{"x [m],f,u\n0,1,2\n1,3,4\n", "x [ft],f,u\n0,5,6\n1,7,8\n"}, nil, spec("", "x"), "! column x is in m in run0.csv and in ft in run1.csv"},
	{"a unit in one file only", []string{"x [mm],f,u\n0,1,2\n1000,3,4\n", "x,f,u\n0,5,6\n1,7,8\n"}, nil, spec("", "x"), "! column x is in mm in run0.csv and without a unit in run1.csv"},
	{"a unit of the outputs only", []string{"id,x,f\na,0,1\n"}, []string{"id,x [mm],u\na,0,1\n"}, spec("id", "x"), "! column x is without a unit in run0.csv and in mm in out0.csv"},
	{"names that are one number", []string{"id,x,f,u\n20240101123456780,0,1,2\n20240101123456781,1,3,4\n"}, nil, spec("id", "x"), "! run0.csv: column id: 20240101123456780 on line 2"},
	{
		"a position twice",
		[]string{"id,0,0.1,0.1,0.3\na,1,2,3,4\n"},
		[]string{"id,0,1\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: the header has the position 0.1 twice",
	},
	{
		"a position twice, with units",
		[]string{"id,0 [s],0.1 [s],0.1 [s]\na,1,2,3\n"},
		[]string{"id,0 [s],1 [s]\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: the header has ",
	},
	{
		"positions in two units",
		[]string{"id,0 [mm],1 [mm],2 [cm]\na,1,2,3\n"},
		[]string{"id,0 [mm],1 [mm]\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: the header has \"0 [mm]\" and \"2 [cm]\": want one unit",
	},
	{
		"positions of inputs and outputs in two units",
		[]string{"id,y [km],x [m],f,u\na,0,0,1,2\na,1,1,3,4\n"},
		nil,
		with(spec("id", ""), func(s *records.Spec) { s.InputX, s.OutputX = []string{"y"}, []string{"x"} }),
		"! y of the input (f) is in km and x of the output (u) in m: want one unit",
	},
	{
		"positions of two kinds",
		[]string{"id,y [km],x [s],f,u\na,0,0,1,2\na,1,1,3,4\n"},
		nil,
		with(spec("id", ""), func(s *records.Spec) { s.InputX, s.OutputX = []string{"y"}, []string{"x"} }),
		"a; 0 1: 1 3; 0 1: 2 4",
	},
	{
		"no underscores in numbers",
		[]string{"id,1_0,2_0\na,1,2\n"},
		[]string{"id,0,1\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: the header has \"1_0\", want the number of a position",
	},
	{"two units in a header", []string{"id,x [m],x [ft],f,u\na,0,1,2,3\n"}, nil, spec("id", "x"), "! run0.csv: column \"x\": several have this name, in different units"},
	{"words for numbers", []string{"id,x,f,u\na,0,hot,2\n"}, nil, spec("id", "x"), "! run0.csv: column f: holds words such as \"hot\" (line 2), want numbers"},
	{"infinite", []string{"id,x,f,u\na,0,inf,2\n"}, nil, spec("id", "x"), "! run0.csv, line 2: f is +Inf: must be finite"},
	{
		"a function twice",
		[]string{"id,0,1\na,1,2\na,3,4\n"},
		[]string{"id,0,1\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: pair a is there twice, on line 2 and line 3",
	},
	{
		"a function twice, the first time without values",
		[]string{"id,0,1\na,,\na,3,4\n"},
		[]string{"id,0,1\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: pair a is there twice, on line 2 and line 3",
	},
	{
		"no position",
		[]string{"id,0,age\na,1,2\n"},
		[]string{"id,0,1\na,1,2\n"},
		with(spec("id", ""), func(s *records.Spec) { s.Wide = true }),
		"! run0.csv: the header has \"age\", want the number of a position",
	},
	{"no such kind", []string{"id,kind,x,value\na,f,0,1\na,v,0,1\n"}, nil, with(spec("id", "x"), func(s *records.Spec) { s.Kind = "kind" }), "! run0.csv: column kind: has no \"u\"; there are f, v"},
	{"over midnight", []string{"t,f,u\n23:50,1,2\n23:55,3,4\n00:05,5,6\n"}, nil, spec("", "t"), "! run0.csv, line 4: t goes back from 23:55:00 to 00:05:00: is that after midnight? give the dates with the times"},
	{
		"the end of summer time",
		[]string{"t,f,u\n2024-10-27 01:30,1,2\n2024-10-27 02:30,1,2\n2024-10-27 02:00,3,4\n2024-10-27 02:30,5,6\n"},
		nil, spec("", "t"), "! run0.csv: input (f) of pair run0 at t = 2024-10-27T02:30:00 is there twice, on line 3 and line 5; on line 4 the time goes back to 2024-10-27T02:00:00: is that the end of summer time?",
	},
	{
		"a column of units",
		[]string{"id,kind,x,value,Unit\na,f,0,1,N\na,u,0,1,mm\nb,f,0,1,N\nb,u,0,1,m\n"},
		nil,
		with(spec("id", "x"), func(s *records.Spec) { s.Kind = "kind" }),
		"! output (u) is in mm (run0.csv, line 3) and in m (run0.csv, line 5): want one unit",
	},
	{
		"a column of units in two files",
		[]string{"kind,x,value,unit\nf,0,1,N\nu,0,1,mm\n", "kind,x,value,unit\nf,0,1,kN\nu,0,1,mm\n"},
		nil,
		with(spec("", "x"), func(s *records.Spec) { s.Kind = "kind" }),
		"! input (f) is in N (run0.csv, line 2) and in kN (run1.csv, line 2): want one unit",
	},
	{"no x", []string{"id,x,f,u\na,0,1,2\n"}, nil, spec("id", ""), "! run0.csv: x: missing"},
}

func parts(t *testing.T, name string, texts []string, wide bool) (all []records.Part) {
	t.Helper()
	o := sheet.Options{}
	if wide {
		o.Header = &wide
	}
	for i, text := range texts {
		called := fmt.Sprintf("%s%d", name, i)
		s, err := sheet.Read(context.Background(), called+".csv", []byte(text), o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, records.Part{Name: called, Sheet: s})
	}
	return all
}

func numbers(x []float64) string { return strings.Trim(fmt.Sprint(x), "[]") }

func described(r *records.Result) string {
	d := r.Pairs
	text := fmt.Sprintf("%s; %s: %s; %s: %s", strings.Join(r.Labels, " "), numbers(d.InputMesh.Points()), numbers(d.Input.Data),
		numbers(d.OutputMesh.Points()), numbers(d.Output.Data))
	return strings.Join(append([]string{text}, r.Notes...), "; ")
}

func TestTables(t *testing.T) {
	for _, c := range tables {
		s := c.spec
		s.Inputs, s.Outputs = parts(t, "run", c.inputs, s.Wide), parts(t, "out", c.outputs, s.Wide)
		r, err := records.New(context.Background(), s)
		if message, refused := strings.CutPrefix(c.want, "! "); refused {
			if err == nil || !strings.HasPrefix(err.Error(), message) {
				t.Errorf("%s: %v\nwant the error %s", c.name, err, message)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := described(r); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if missing := strings.Contains(c.want, "NaN"); r.Pairs.Missing != missing {
			t.Errorf("%s: missing %v", c.name, r.Pairs.Missing)
		}
	}
}

// The mesh of a table has the weights that the same points have when they are given by hand:
// positions that are equally spaced are uniform, a grid is a product, and scattered points
// share their box.
func TestWeights(t *testing.T) {
	for text, want := range map[string]string{
		"x,f,u\n0,1,1\n1,1,2\n3,2,2\n":                                  "0.5 1.5 1",
		"x,f,u\n2,1,1\n1,1,2\n0,2,2\n":                                  "0.5 1 0.5",
		"x,y,f,u\n0,0,1,1\n0,1,1,2\n2,0,2,2\n2,1,3,3\n":                 "0.5 0.5 0.5 0.5",
		"x,y,f,u\n0,0,1,1\n0,1,1,2\n2,0,2,2\n":                          "0.6666666666666666 0.6666666666666666 0.6666666666666666",
		"x,y,f,u\n0,0,1,1\n1,0,1,2\n2,0,2,2\n0,3,1,1\n1,3,1,2\n2,3,2,2": "0.75 0.75 1.5 1.5 0.75 0.75",
	} {
		s := spec("", strings.Join(strings.Split(text[:strings.Index(text, ",f")], ","), " "))
		s.Inputs = parts(t, "run", []string{text}, false)
		r, err := records.New(context.Background(), s)
		if err != nil {
			t.Error(err)
		} else if got := numbers(r.Pairs.InputMesh.Weights()); got != want {
			t.Errorf("%q: weights %s, want %s", text, got, want)
		}
	}
}

// Inputs with names make a table: functions, covariates that are the same in all rows of a
// pair, groups and parameters by column.
func TestNamed(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,who,age,theta,x,f,g,u\n")
	for k := range 6 {
		for i := range 4 {
			x, z := float64(i), float64(k)
			fmt.Fprintf(&b, "p%d,%s,%d,%g,%g,%g,%g,%g\n", k, []string{"anna", "ben"}[k%2], 20+k*k, z/2, x, math.Sin(z*x+1), math.Cos(z+2*x*x), z+x*z)
		}
	}
	s := spec("id", "x")
	s.Inputs = parts(t, "run", []string{b.String()}, false)
	s.Input, s.Output = map[string]string{"f": "f", "g": "g", "age": "age"}, map[string]string{"u": "u"}
	s.Group, s.Parameter = map[string]string{"subject": "who"}, map[string]string{"theta": "theta"}
	r, err := records.New(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	table := r.Table
	if table.N() != 6 || len(table.Fields) != 2 || table.Scalar("age").Values[5] != 45 || table.Grouping("subject").Labels[1] != "ben" ||
		table.Parameters[0].Values[3] != 1.5 || table.Output("u").Values.Data[23] != 20 {
		t.Errorf("%v", table)
	}
	s.Group = map[string]string{"subject": "x"}
	if _, err := records.New(context.Background(), s); err == nil || !strings.Contains(err.Error(), "pair p0 has 0 on line 2 and 1 on line 3, want one value") {
		t.Errorf("a group that changes: %v", err)
	}
}

// A dataset that is written as a table and read again is the same to the bit.
func TestBackAgain(t *testing.T) {
	var b strings.Builder
	b.WriteString("pair,x,f,u\n")
	n, m := 7, 11
	var f, u []float64
	for i := range n {
		for k := range m {
			f, u = append(f, math.Sin(float64(i*k)+0.1)), append(u, math.Exp(float64(k-i)))
			fmt.Fprintf(&b, "p%d,%v,%v,%v\n", i, math.Sqrt(float64(k)), f[len(f)-1], u[len(u)-1])
		}
	}
	s := spec("pair", "x")
	s.Inputs = parts(t, "run", []string{b.String()}, false)
	r, err := records.New(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Pairs
	if numbers(d.Input.Data) != numbers(f) || numbers(d.Output.Data) != numbers(u) {
		t.Error("the numbers are others")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := records.New(ctx, s); err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("after the end of its context: %v", err)
	}
}
