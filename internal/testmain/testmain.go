// Package testmain runs the tests of a package as fast as they go: what they make is mostly
// garbage on a heap of a few megabytes, on which the collector would take a third of the time.
package testmain

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
)

// Percent is how much garbage a test collects at once, in percent of what lives.
const Percent = 800

// Run runs the tests and ends the program: TestMain of a package is one call of it.
func Run(m *testing.M) { os.Exit(Code(m)) }

// Code runs the tests and returns their exit status, for a TestMain that has to clean up.
//
// Packages are tested beside each other, so that one processor for each is enough: sharing work
// out between two that are both busy takes an eighth of the time. Where GOMAXPROCS is set, as for
// the tests at other instruction levels, it holds; what must not depend on the number of
// processors is tested with several.
//
// What tests and the examples in help leave among temporary files goes when they end.
func Code(m *testing.M) int {
	temporary, err := os.MkdirTemp("", "workbench-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(temporary)
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} { // of Unix, and of Windows
		os.Setenv(name, temporary)
	}
	runtime.MemProfileRate = 0
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	debug.SetGCPercent(Percent)
	if os.Getenv(choice) == cases {
		if err := runOfCases(os.DirFS(".")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// choice names the environment variable that chooses tests: every case of all tests, or only of
// those that leave some out in a plain run.
const (
	choice = "WORKBENCH_TESTS"
	all    = "all"
	cases  = "cases"
)

// EveryCase says that tests of many cases try all of them, as CI does, and not only those that
// tell most: WORKBENCH_TESTS=all, or cases, which leaves out the tests that have no more.
func EveryCase() bool { return slices.Contains([]string{all, cases}, os.Getenv(choice)) }

// Long is for tests of what others test too, on larger or more problems: a plain run leaves them
// to CI.
func Long(t testing.TB) {
	t.Helper()
	if !EveryCase() {
		t.Skip("takes long: run with WORKBENCH_TESTS=all")
	}
}

// Stride is n, and 1 where every case is tried.
func Stride(n int) int {
	if EveryCase() {
		return 1
	}
	return n
}

// CollectAsUsually is for tests of limits of memory: until they end, garbage is collected
// as it is for users.
func CollectAsUsually(t testing.TB) {
	t.Helper()
	const usual = 100 // the percentage where GOGC is not set
	before := debug.SetGCPercent(usual)
	t.Cleanup(func() { debug.SetGCPercent(before) })
}

// Environment is what programs started by tests need in order to collect as seldom.
func Environment() string { return "GOGC=" + strconv.Itoa(Percent) }

// Unzipped is the contents of a file that gzip made.
func Unzipped(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Must is the value of a call that does not fail, Must(f(x))(t): the test ends with the error
// where it does.
func Must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
