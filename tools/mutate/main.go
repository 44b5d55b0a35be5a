// Command mutate asks whether the tests would see a mistake: it changes one operator,
// number or condition at a time, at a place that tests run, and runs them. A mutant that no
// test kills is a mistake that nobody would see, or one that makes no difference.
//
//	go run ./tools/mutate -n 60 -seed 1
//	go run ./tools/mutate -n 60 -seed 2,3 -areas 'numeric/(fit|gram|kernel|pde)$|trace|stdlib'
//	go run ./tools/mutate -only check.go:17 -tests TestTolerance
//
// Nothing is written to the sources: go test -overlay reads the mutants, all of them in one
// program, where package mutation says which one lives; those of several seeds are, too. A package
// of tests is built once, and each of its tests run once with no mutant living: it tells in which
// mutants it meets another value, and only these can fail it. So a mutant costs the tests that meet
// it: those of its own package, then of the packages that import it, the quick ones first. Mutants
// that make no difference are listed in explained.txt, with the reason, and do not count; what is
// drawn in place of changes that seldom make one is said at sites. The status is 1 if fewer than
// 95 % of a seed are killed.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const enough = 0.95 // of the mutants must be killed

// areas are what is mutated, an equal number in each: a folder stands for all packages in it.
func areas() [][]string {
	return [][]string{
		{"numeric/fit", "internal/numeric/criteria", "internal/numeric/families", "internal/numeric/lattice"},
		{"internal/numeric/gram"},
		{"numeric/kernel", "internal/numeric/kernels"},
		{"internal/numeric/pde"},
		{"internal/numeric/noise"},
		{"internal/numeric/network"},
		{"internal/numeric/assess"},
		{"internal/numeric/zarr"},
		{"bindings/trace"},
		{"workbench/stdlib"},
	}
}

// packages lists the folders with Go files in an area.
func packages(root string, area []string) (dirs []string, err error) {
	for _, folder := range area {
		found, err := packagesBelow(root, folder)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, found...)
	}
	return dirs, nil
}

func packagesBelow(root, area string) (dirs []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, area), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if dir = filepath.ToSlash(dir); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return err
	})
	if err == nil && len(dirs) == 0 {
		err = fmt.Errorf("%s: no Go files", area)
	}
	return dirs, err
}

//go:embed explained.txt
var explained string

// explanation says why nothing kills a mutant, if that is known of its line; the line may
// have moved. A line that is only numbers to search from has one for any of them.
func explanation(list string, s site, line string) (why string, ok bool) {
	for entry := range strings.Lines(list) {
		f := strings.Split(strings.TrimSpace(entry), "\t")
		if len(f) != 4 || f[0] != path.Base(s.file) || f[2] != strings.TrimSpace(line) {
			continue
		}
		if _, err := strconv.ParseFloat(s.old, 64); f[1] == s.old+" → "+s.new || f[1] == anyNumber && err == nil {
			return f[3], true
		}
	}
	return "", false
}

// anyNumber is a change of explained.txt: another number in place of any of the line.
const anyNumber = "any number"

// lineOf is the line of the source that a site is in.
func lineOf(root string, s site) string {
	source, err := os.ReadFile(filepath.Join(root, s.file))
	if err != nil {
		return ""
	}
	return strings.Split(string(source), "\n")[s.line-1]
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 60, "mutants")
	seeds := flag.String("seed", "1", "which mutants; several seeds, such as 1,2, are measured at once and counted apart")
	flag.StringVar(&o.only, "only", "", "mutants whose line contains this: file:line: old → new")
	flag.StringVar(&o.tests, "tests", "", "only tests whose name matches this")
	flag.StringVar(&o.users, "users", "", "of the packages that import a mutant's, only those whose folder matches this")
	areas := flag.String("areas", "", "only areas with a folder that this matches, such as 'numeric/(fit|gram|kernel|pde)$|trace|stdlib'")
	flag.Float64Var(&o.budget, "budget", 60, "seconds of tests of the packages that import the mutant's, for each mutant; 0: none of them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := o.read(*seeds, *areas)
	ok := false
	if err == nil {
		ok, err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// options are what can be asked for.
type options struct {
	n           int
	seeds       []uint64
	only, tests string
	users       string
	areas       *regexp.Regexp
	budget      float64
}

func (o *options) read(seeds, areas string) (err error) {
	if o.areas, err = regexp.Compile(areas); err != nil {
		return fmt.Errorf("-areas %s: %w", areas, err)
	}
	for _, text := range strings.Split(seeds, ",") {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("-seed %s: want whole numbers with commas between them, such as 1,2", seeds)
		}
		o.seeds = append(o.seeds, seed)
	}
	return nil
}

func run(ctx context.Context, o options) (bool, error) {
	b, users, err := newBench(ctx)
	if err != nil {
		return false, err
	}
	b.budget, b.only = o.budget, o.only
	if o.tests != "" {
		if b.tests, err = regexp.Compile(o.tests); err != nil {
			return false, err
		}
	}
	if b.work, err = os.MkdirTemp(b.scratch, "_run"); err != nil {
		return false, err
	}
	defer os.RemoveAll(b.work)
	asked, err := regexp.Compile(o.users)
	if err != nil {
		return false, err
	}
	for dir, of := range users {
		users[dir] = slices.DeleteFunc(of, func(user string) bool { return o.budget == 0 || !asked.MatchString(user) })
	}
	var drawn []draw
	var sites []site
	c, err := newChecker(ctx, b.root, b.module, b.targets)
	if err != nil {
		return false, err
	}
	for _, seed := range o.seeds {
		d, err := choose(c, o, seed)
		if err != nil {
			return false, err
		}
		drawn, sites = append(drawn, d), append(sites, slices.Concat(d.areas...)...)
	}
	if b.program, err = newProgram(c, b.work, sites); err != nil {
		return false, err
	}
	first, ok, known := 0, true, map[string]suite{}
	for _, d := range drawn {
		t := &tally{bench: b, users: users, known: known}
		if err := t.tryAll(ctx, d, first); err != nil {
			return false, err
		}
		first += len(slices.Concat(d.areas...))
		fmt.Printf("\n%d of %d mutants killed, %d of them because they did not end (seed %d)\n", t.killed, t.tried, t.ended, d.seed)
		fmt.Println(" ", strings.Join(t.byArea, ", "))
		for _, s := range t.survivors {
			fmt.Println("  survives:", s)
		}
		ok = ok && float64(t.killed) >= enough*float64(t.tried)
	}
	return ok, nil
}

// A draw are the mutants of a seed by area, and how many of each area are to count.
type draw struct {
	seed   uint64
	areas  [][]site
	shares []int
}

// choose draws the mutants of each area, more than its share, as some do not count.
func choose(c *checker, o options, seed uint64) (draw, error) {
	d := draw{seed: seed}
	var asked []int
	for i, area := range areas() {
		if slices.ContainsFunc(area, o.areas.MatchString) {
			asked = append(asked, i)
		}
	}
	for i, area := range areas() {
		nth := slices.Index(asked, i)
		if nth < 0 {
			d.areas, d.shares = append(d.areas, nil), append(d.shares, 0)
			continue
		}
		share := o.n/len(asked) + min(1, max(0, o.n%len(asked)-nth))
		places, err := c.areaSites(area)
		if err != nil {
			return d, err
		}
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		places = slices.DeleteFunc(places, func(s site) bool { return !strings.Contains(s.String(), o.only) })
		d.areas, d.shares = append(d.areas, places[:min(2*share+2, len(places))]), append(d.shares, share)
	}
	return d, nil
}

// A tally counts what became of the mutants.
type tally struct {
	bench                bench
	users                map[string][]string // folders whose tests are tried as well, by folder
	known                map[string]suite
	tried, killed, ended int
	survivors, byArea    []string
}

// tryAll tries the mutants of a draw, whose numbers begin at first.
func (t *tally) tryAll(ctx context.Context, d draw, first int) error {
	for i, area := range areas() {
		if len(d.areas[i]) == 0 {
			continue
		}
		fmt.Printf("== %s\n", strings.Join(area, " "))
		share, tried, killed := d.shares[i], t.tried, t.killed
		for n := range d.areas[i] {
			if share == 0 {
				break
			}
			counts, err := t.try(ctx, first+n)
			if err != nil {
				return err
			}
			if counts {
				share--
			}
		}
		first += len(d.areas[i])
		t.byArea = append(t.byArea, fmt.Sprintf("%s %d of %d", area[0], t.killed-killed, t.tried-tried))
		if share > 0 && t.bench.only == "" {
			fmt.Printf("%d too few: the others do not count\n", share)
		}
	}
	return nil
}

// try runs the tests against one mutant and says what became of it; one that is no Go, that no
// test runs or that is known to change nothing does not count.
func (t *tally) try(ctx context.Context, id int) (counts bool, err error) {
	s := t.bench.program.sites[id]
	dir, start := path.Dir(s.file), time.Now()
	v, err := t.bench.try(ctx, id, append([]string{dir}, t.users[dir]...), func(pkg string) (suite, error) { return t.measured(ctx, pkg) })
	if err != nil {
		return false, err
	}
	took := time.Since(start).Round(time.Second / 10)
	why, known := explanation(explained, s, lineOf(t.bench.root, s))
	switch {
	case v.broken != "":
		fmt.Printf("no Go     %s\n", s)
		return false, nil
	case v.tests+v.run == 0:
		fmt.Printf("not run   %s\n", s)
		return false, nil
	case v.killer != "":
		t.killed++
		if strings.HasSuffix(v.killer, endless) {
			t.ended++
		}
		fmt.Printf("killed    %s (%s, %v)\n", s, v.killer, took)
	case known:
		fmt.Printf("no matter %s (%s)\n", s, why)
		return false, nil
	default:
		t.survivors = append(t.survivors, s.String())
		fmt.Printf("SURVIVES  %s (%d tests run it, %d of them see another value, %d of these left out for time; %v)\n", s, v.run, v.tests, v.late, took)
	}
	t.tried++
	return true, nil
}

// measured is the suite of a package, measured once without a mutation.
func (t *tally) measured(ctx context.Context, pkg string) (suite, error) {
	if s, ok := t.known[pkg]; ok {
		return s, nil
	}
	fmt.Printf("measuring %s\n", pkg)
	s, err := t.bench.measure(ctx, pkg)
	if err != nil {
		return s, err
	}
	for _, test := range s.Tests {
		if test.Failed {
			fmt.Printf("  %s fails without a mutation and is left out\n", test.Name)
		}
	}
	t.known[pkg] = s
	return s, nil
}

func (c *checker) areaSites(area []string) (all []site, err error) {
	dirs, err := packages(c.root, area)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		found, err := c.sites(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// newBench finds the module and, for each package that is mutated, those that import it,
// by themselves or in their tests.
func newBench(ctx context.Context) (bench, map[string][]string, error) {
	b := bench{}
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}\n{{.Path}}").Output()
	if err != nil {
		return b, nil, fmt.Errorf("go list -m: %w", err)
	}
	b.root, b.module, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	for _, area := range areas() {
		dirs, err := packages(b.root, area)
		if err != nil {
			return b, nil, err
		}
		b.targets = append(b.targets, dirs...)
	}
	b.scratch = filepath.Join(b.root, "out", "mutate")
	if err := os.MkdirAll(b.scratch, 0o700); err != nil {
		return b, nil, err
	}
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}} {{join .TestImports \" \"}} {{join .XTestImports \" \"}}", "./...")
	list.Dir = b.root
	if out, err = list.Output(); err != nil {
		return b, nil, fmt.Errorf("go list: %w", err)
	}
	var lists [][]string
	for line := range strings.Lines(string(out)) {
		lists = append(lists, strings.Fields(line))
	}
	slices.SortStableFunc(lists, func(x, y []string) int { return len(x) - len(y) }) // what imports little is quick
	users := map[string][]string{}
	for _, words := range lists {
		pkg := strings.TrimPrefix(words[0], b.module+"/")
		for _, target := range b.targets {
			if pkg != target && slices.Contains(words[1:], b.module+"/"+target) {
				users[target] = append(users[target], pkg)
			}
		}
	}
	return b, users, nil
}
