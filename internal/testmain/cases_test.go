package testmain

import (
	"flag"
	"slices"
	"testing"
	"testing/fstest"
)

// Tests with cases are found where they ask by themselves, through functions, methods and
// variables, in other files too; what asks nothing is left out, and so is what is no test.
func TestWithCases(t *testing.T) {
	folder := fstest.MapFS{
		"a_test.go": {Data: []byte(`package a
			import ("math"; "testing"; "x.org/internal/testmain")
			func TestDirect(t *testing.T) { testmain.Long(t) }
			func TestThroughTwo(t *testing.T) { for range first() {} }
			func TestByVariable(t *testing.T) { t.Log(count) }
			func TestByMethod(t *testing.T) { table{}.rows(t) }
			func TestByInterface(t *testing.T) { for _, r := range []interface{ rows(*testing.T) }{table{}} { r.rows(t) } }
			func TestWithNone(t *testing.T) { t.Log(other()) }
			func TestOwnName(t *testing.T) { first := other(); t.Log(first, thing{count: 1}.count, math.Long) }
			func FuzzSeeds(f *testing.F) { seeds(f, 24/testmain.Stride(3)) }
			func BenchmarkAll(b *testing.B) { testmain.EveryCase() }
			func Testament() { testmain.EveryCase() }
			type thing struct{ count int }
			func other() int { return 1 }`)},
		"b_test.go": {Data: []byte(`package a
			import ("testing"; "x.org/internal/testmain")
			var count = second()
			type table struct{}
			func (table) rows(t *testing.T) { testmain.StopsAnywhere(t, "f", nil) }
			func first() int { return second() }
			func second() int { if testmain.EveryCase() { return 9 }; return 1 }`)},
		"c_test.go": {Data: []byte(`package a_test
			import ("testing"; cases "x.org/internal/testmain")
			func TestOutside(t *testing.T) { if cases.EveryCase() { t.Log() } }
			func TestOutsideWithNone(t *testing.T) { first() }
			func first() {}`)},
		"a.go": {Data: []byte(`package a; func other() { EveryCase() }`)},
	}
	names, err := withCases(folder)
	want := []string{"FuzzSeeds", "TestByInterface", "TestByMethod", "TestByVariable", "TestDirect", "TestOutside", "TestThroughTwo"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v; want %v", names, err, want)
	}
	folder["d_test.go"] = &fstest.MapFile{Data: []byte("package a; func {")}
	if _, err := withCases(folder); err == nil {
		t.Error("a file that is no Go is read")
	}
}

// Tests that are named are those that run.
func TestNamedTestsRun(t *testing.T) {
	run := flag.Lookup("test.run").Value
	before := run.String()
	defer func() {
		if err := run.Set(before); err != nil {
			t.Error(err)
		}
	}()
	folder := fstest.MapFS{"a_test.go": {Data: []byte(`package a; import "x.org/internal/testmain"; func TestIt(t *testing.T) { testmain.Long(t) }`)}}
	for _, c := range []struct{ given, want string }{{"", "^(TestIt)$"}, {"TestOther", "TestOther"}} {
		if err := run.Set(c.given); err != nil {
			t.Fatal(err)
		}
		if err := runOfCases(folder); err != nil || run.String() != c.want {
			t.Errorf("-run %q runs %q, %v; want %q", c.given, run, err, c.want)
		}
	}
}
