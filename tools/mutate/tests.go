package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A test is one test, example or seed of a fuzz target, and what it reaches.
type test struct {
	Name    string
	Seconds float64             // of processors: a busy machine changes nothing
	Failed  bool                // without any mutation
	Covers  map[string][][2]int // lines from, to, by file below the root
}

// covers reports whether the test runs the line.
func (t test) covers(s site) bool {
	return slices.ContainsFunc(t.Covers[s.file], func(lines [2]int) bool { return lines[0] <= s.line && s.line <= lines[1] })
}

// suite are the tests of a package and what each reaches in the packages under test.
type suite struct {
	Package string // its folder below the root
	Tests   []test
}

// A bench builds and runs the tests of packages.
type bench struct {
	root, scratch string // of the module; for what is remembered
	work          string // for mutants, of this run only
	module        string
	targets       []string // packages whose lines are counted
	budget        float64  // seconds of tests of other packages, for one mutant
}

// measure runs every test of a package by itself and keeps what it took and reached. What
// was measured of the same binary before is read again.
func (b bench) measure(ctx context.Context, pkg string) (suite, error) {
	s := suite{Package: pkg}
	binary := filepath.Join(b.scratch, strings.ReplaceAll(pkg, "/", "-")+".cover")
	if out, err := b.compile(ctx, binary, pkg, "-cover", "-coverpkg="+b.imports(b.targets)); err != nil {
		return s, fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	text, err := os.ReadFile(binary)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil // a package without tests
	} else if err != nil {
		return s, err
	}
	sum := sha256.Sum256(text)
	memory := binary + "." + hex.EncodeToString(sum[:8]) + ".json"
	if known, err := os.ReadFile(memory); err == nil && json.Unmarshal(known, &s) == nil {
		return s, nil
	}
	list, err := b.command(ctx, pkg, binary, unlimited, "-test.list", "^(Test|Example|Fuzz)").Output()
	if err != nil {
		return s, err
	}
	profile := binary + ".out"
	for _, name := range strings.Fields(string(list)) {
		cmd := b.command(ctx, pkg, binary, unlimited, "-test.run", "^"+name+"$", "-test.coverprofile", profile, "-test.timeout", "30m")
		err := cmd.Run()
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		t := test{Name: name, Seconds: used.Seconds(), Failed: err != nil, Covers: map[string][][2]int{}}
		if err := b.read(profile, &t); err != nil {
			return s, fmt.Errorf("%s %s: %w", pkg, name, err)
		}
		s.Tests = append(s.Tests, t)
	}
	known, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(memory, known, 0o600)
	}
	return s, err
}

// read takes the blocks that ran from a profile.
func (b bench) read(profile string, t *test) error {
	data, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	block := regexp.MustCompile(`^(.*):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$`)
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		m := block.FindStringSubmatch(sc.Text())
		if m == nil || m[4] == "0" {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		file := strings.TrimPrefix(m[1], b.module+"/")
		t.Covers[file] = append(t.Covers[file], [2]int{from, to})
	}
	return os.Remove(profile)
}

func (b bench) imports(dirs []string) string {
	var all []string
	for _, d := range dirs {
		all = append(all, b.module+"/"+d)
	}
	return strings.Join(all, ",")
}

// compile builds the tests of a package.
func (b bench) compile(ctx context.Context, binary, pkg string, flags ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-vet=off", "-o", binary}, flags...), "./"+pkg)...)
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
	tests  int    // that run the line
	late   int    // of these, left out because they take long
	broken string // why it does not compile
}

// try runs the tests that reach the line, package by package and the quick ones first,
// until one fails.
func (b bench) try(ctx context.Context, s site, packages []string, measured func(pkg string) (suite, error)) (verdict, error) {
	source, err := os.ReadFile(filepath.Join(b.root, s.file))
	if err != nil {
		return verdict{}, err
	}
	changed, overlay := filepath.Join(b.work, "mutant.go"), filepath.Join(b.work, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(b.root, s.file): changed}})
	if err != nil {
		return verdict{}, err
	}
	if err := errors.Join(os.WriteFile(changed, s.mutant(source), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return verdict{}, err
	}
	v, budget := verdict{}, b.budget
	for _, pkg := range packages {
		su, err := measured(pkg)
		if err != nil {
			return v, err
		}
		var tests []test
		for _, t := range su.Tests {
			if !t.Failed && (t.covers(s) || s.global && su.Package == filepath.ToSlash(filepath.Dir(s.file))) {
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
		binary := filepath.Join(b.work, "mutant.test")
		if out, err := b.compile(ctx, binary, su.Package, "-overlay", overlay); err != nil {
			if ctx.Err() != nil {
				return v, context.Cause(ctx)
			}
			v.broken = strings.TrimSpace(string(out))
			return v, nil
		}
		if v.killer, err = b.kill(ctx, binary, su.Package, tests); err != nil || v.killer != "" {
			return v, err
		}
	}
	return v, nil
}

// kill runs tests in portions of growing length and returns those that failed.
func (b bench) kill(ctx context.Context, binary, pkg string, tests []test) (string, error) {
	for portion := 3.0; len(tests) > 0; portion *= 4 {
		seconds, n, names := 0.0, 0, []string{}
		for n < len(tests) && (n == 0 || seconds+tests[n].Seconds <= portion) {
			seconds += tests[n].Seconds
			names = append(names, tests[n].Name)
			n++
		}
		tests = tests[n:]
		limit := int(20 + 10*seconds) // of processors; what waits for ever is ended by the clock
		out, err := b.command(ctx, pkg, binary, strconv.Itoa(limit), "-test.run", "^("+strings.Join(names, "|")+")$", "-test.failfast",
			"-test.timeout", strconv.Itoa(20*limit)+"s").CombinedOutput()
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
