package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/tools/mutate/mutation"
)

// A test is one test, example or seed of a fuzz target, and the mutants that it would see.
type test struct {
	Name    string
	Seconds float64 // of processors: a busy machine changes nothing
	Failed  bool    // without any mutant
	Runs    []int   // mutants whose place the test runs
	Reaches []int   // of these, those that give another value there, at least once
}

// suite are the tests of a package.
type suite struct {
	Package string // its folder below the root
	Tests   []test
}

// A bench builds and runs the tests of packages.
type bench struct {
	root, scratch string // of the module; for what is remembered
	work          string // for mutants, of this run only
	module        string
	program       *program
	tests         *regexp.Regexp // names of those that are run; nil: all
	only          string         // names what is tried; "": all
	targets       []string       // the packages that are mutated
	budget        float64        // seconds of tests of other packages, for one mutant
}

// binary is where the tests of a package are, with all mutants in them.
func (b bench) binary(pkg string) string {
	return filepath.Join(b.scratch, strings.ReplaceAll(pkg, "/", "-")+".test")
}

// measure runs every test of a package by itself, no mutant living, and keeps what it took
// and which mutants it would see; of a package that is not mutated itself as many tests as
// twice the budget for a mutant is enough for. What was measured of the same binary before is
// read again.
func (b bench) measure(ctx context.Context, pkg string) (suite, error) {
	s := suite{Package: pkg}
	binary := b.binary(pkg)
	if out, err := b.compile(ctx, binary, pkg, b.program.overlay); err != nil {
		return s, fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	text, err := os.ReadFile(binary)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil // a package without tests
	} else if err != nil {
		return s, err
	}
	sum := sha256.Sum256(text)
	limit, memory := unlimited, binary+"."+hex.EncodeToString(sum[:8])
	if !slices.Contains(b.targets, pkg) {
		limit = strconv.Itoa(int(math.Ceil(b.budget)))
		memory += "." + limit
	}
	memory += ".json"
	if known, err := os.ReadFile(memory); err == nil && json.Unmarshal(known, &s) == nil {
		return s, nil
	}
	list, err := b.command(ctx, pkg, binary, unlimited, "-test.list", "^(Test|Example|Fuzz)").Output()
	if err != nil {
		return s, err
	}
	used := 0.0
	for _, name := range strings.Fields(string(list)) {
		if b.tests != nil && !b.tests.MatchString(name) {
			continue
		}
		if limit != unlimited && used > 2*b.budget {
			break
		}
		t, err := b.record(ctx, pkg, name, limit)
		if err != nil {
			return s, fmt.Errorf("%s %s: %w", pkg, name, err)
		}
		s.Tests = append(s.Tests, t)
		used += t.Seconds
	}
	if b.tests != nil {
		return s, nil
	}
	known, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(memory, known, 0o600)
	}
	return s, err
}

// record runs one test, no mutant living, for so many seconds of processors.
func (b bench) record(ctx context.Context, pkg, name, limit string) (test, error) {
	recorded := filepath.Join(b.work, "recorded")
	cmd := b.command(ctx, pkg, b.binary(pkg), limit, "-test.run", "^"+name+"$", "-test.timeout", "10m")
	cmd.Env = append(os.Environ(), mutation.Recorded+"="+recorded)
	err := cmd.Run()
	if ctx.Err() != nil {
		return test{}, context.Cause(ctx)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t := test{Name: name, Seconds: used.Seconds(), Failed: err != nil}
	text, err := os.ReadFile(recorded)
	if errors.Is(err, os.ErrNotExist) {
		return t, nil
	} else if err != nil {
		return t, err
	}
	for line := range strings.Lines(string(text)) {
		word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, err := strconv.Atoi(number)
		if err != nil {
			return t, err
		}
		if word == "runs" {
			t.Runs = append(t.Runs, id)
		} else {
			t.Reaches = append(t.Reaches, id)
		}
	}
	return t, os.Remove(recorded)
}

// compile builds the tests of a package with other sources.
func (b bench) compile(ctx context.Context, binary, pkg, overlay string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", binary, "-overlay", overlay, "./"+pkg)
	cmd.Dir = b.root
	return cmd.CombinedOutput()
}

const unlimited = "unlimited" // of processor time

// command runs a test binary in the folder of its package, with so many seconds of
// processors and bounded memory: a mutant may loop, or append, for ever.
func (b bench) command(ctx context.Context, pkg, binary, seconds string, args ...string) *exec.Cmd {
	const bounded = `ulimit -v 12000000 2>/dev/null; ulimit -t "$1" 2>/dev/null; shift; exec "$0" "$@"`
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", bounded, binary, seconds}, args...)...)
	cmd.Dir = filepath.Join(b.root, pkg)
	return cmd
}

// A verdict is what became of a mutant.
type verdict struct {
	killer string // the package and the tests that failed; "" for a survivor
	run    int    // tests that run the place
	tests  int    // of these, tests in which the mutant gives another value there
	late   int    // of these, left out because they take long
	broken string // why it does not compile
}

// try runs the tests that would see a mutant, package by package and the quick ones first,
// until one fails.
func (b bench) try(ctx context.Context, id int, packages []string, measured func(pkg string) (suite, error)) (verdict, error) {
	s, v, budget := b.program.sites[id], verdict{}, b.budget
	for _, pkg := range packages {
		su, err := measured(pkg)
		if err != nil {
			return v, err
		}
		var tests []test
		for _, t := range su.Tests {
			if !t.Failed && slices.Contains(t.Runs, id) {
				v.run++
			}
			if !t.Failed && (slices.Contains(t.Reaches, id) || s.global && b.program.alone[id] && pkg == path.Dir(s.file)) {
				tests = append(tests, t)
			}
		}
		slices.SortFunc(tests, func(x, y test) int { return cmp.Compare(x.Seconds, y.Seconds) })
		v.tests += len(tests)
		if pkg != packages[0] { // all of its own, of others those that are quick
			for n, t := range tests {
				if budget -= t.Seconds; budget < 0 {
					v.late += len(tests) - n
					tests = tests[:n]
					break
				}
			}
		}
		if len(tests) == 0 {
			continue
		}
		binary := b.binary(pkg)
		if b.program.alone[id] {
			if v.broken, err = b.alone(ctx, s, pkg); err != nil || v.broken != "" {
				return v, err
			}
			binary = filepath.Join(b.work, "mutant.test")
		}
		if v.killer, err = b.kill(ctx, id, binary, pkg, tests); err != nil || v.killer != "" {
			return v, err
		}
	}
	return v, nil
}

// alone builds the tests of a package with one mutant and says why that is no Go, if so.
func (b bench) alone(ctx context.Context, s site, pkg string) (broken string, err error) {
	source, err := os.ReadFile(filepath.Join(b.root, s.file))
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(b.work, "mutant.go"), filepath.Join(b.work, "mutant.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(b.root, s.file): changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, s.mutant(source), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	out, err := b.compile(ctx, filepath.Join(b.work, "mutant.test"), pkg, overlay)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return strings.TrimSpace(string(out)), nil
	}
	return "", nil
}

// kill runs tests in portions of growing length and returns those that failed.
func (b bench) kill(ctx context.Context, id int, binary, pkg string, tests []test) (string, error) {
	for portion := 1.0; len(tests) > 0; portion *= 4 {
		seconds, n, names := 0.0, 0, []string{}
		for n < len(tests) && (n == 0 || seconds+tests[n].Seconds <= portion) {
			seconds += tests[n].Seconds
			names = append(names, tests[n].Name)
			n++
		}
		tests = tests[n:]
		limit := int(4 + 10*seconds) // of processors; what waits for ever is ended by the clock
		cmd := b.command(ctx, pkg, binary, strconv.Itoa(limit), "-test.run", "^("+strings.Join(names, "|")+")$", "-test.failfast",
			"-test.timeout", strconv.Itoa(20*limit)+"s")
		cmd.Env = append(os.Environ(), mutation.Living+"="+strconv.Itoa(id))
		out, err := cmd.CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case err != nil:
			return pkg + " " + cause(string(out)), nil
		}
	}
	return "", nil
}

// cause says from the output of tests how they failed.
func cause(out string) string {
	if m := regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindStringSubmatch(out); m != nil {
		return m[1]
	}
	if m := regexp.MustCompile(`(?m)^(panic|fatal error): .*`).FindString(out); m != "" && !strings.Contains(m, "test timed out") {
		return m
	}
	return endless
}

const endless = "(no end)" // a cause: ten times the time that the tests take was not enough
