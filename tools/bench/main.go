// Command bench measures what people wait for: the rows of rows.go, each in a process of its own, beside NumPy, SciPy,
// OpenBLAS, C and lua5.1 where these are installed, in turn in one run, with the accuracy beside each time.
//
//	go run ./tools/bench                     every row; a table, out/bench.json and out/bench-growth.png
//	go run ./tools/bench -rows 'eigh|svd'    some
//	go run ./tools/bench -quick              every row on a small problem, to see that it runs
//	go run ./tools/bench -against COMMIT     beside the program of another commit, pair by pair
//	go run ./tools/bench -diff A.json B.json what differs between two runs
//
// Ratios are of pairs measured one after the other, so that they hold on a busy machine, too; seconds by the clock only
// hold on an idle one. A row meets its reach by the least of its times, or, where that is said, by the time of the processors.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type options struct {
	setting
	rows, levels, threads, out, against string
	diff, benchmarks                    bool
}

func main() {
	var o options
	flag.StringVar(&o.rows, "rows", "", "names of rows, a regular expression; none: no rows")
	flag.IntVar(&o.setting.rounds, "rounds", 5, "rounds of each row")
	flag.BoolVar(&o.quick, "quick", false, "small problems, one round")
	flag.StringVar(&o.levels, "levels", "", "instruction levels: avx512,avx2,plain; by default the highest")
	flag.StringVar(&o.threads, "threads", "2", "numbers of threads: 1,2")
	flag.Float64Var(&o.budget, "budget", 10, "seconds after which a row begins no other round")
	flag.Float64Var(&o.limit, "limit", 400, "seconds after which a row is ended")
	flag.StringVar(&o.workbench, "workbench", "bin/workbench", "the program")
	flag.StringVar(&o.out, "out", "out/bench.json", "where the numbers go; the growth plot stands beside it")
	flag.StringVar(&o.against, "against", "", "a commit to compare with, pair by pair, instead of the peers")
	flag.BoolVar(&o.diff, "diff", false, "compare two files of numbers")
	flag.BoolVar(&o.benchmarks, "benchmarks", false, "the lists of Go's benchmarks, too: announcements, growth, threads")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.do(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func (o options) do(ctx context.Context, files []string) error {
	if o.diff {
		if len(files) != 2 {
			return errors.New("-diff compares two files: -diff before.json after.json")
		}
		before, err := read(files[0])
		if err != nil {
			return err
		}
		after, err := read(files[1])
		if err == nil {
			fmt.Printf("before: %s\nafter:  %s\n", before.Machine, after.Machine)
			printChanges(os.Stdout, changes(before, after))
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	}
	folder, remove, err := inFolder()
	if err != nil {
		return err
	}
	defer remove()
	o.folder, o.python = folder, python()
	if o.against != "" {
		if o.other, err = buildCommit(ctx, o.against, folder); err != nil {
			return err
		}
	}
	run, err := o.run(ctx)
	if err != nil {
		return err
	}
	return o.report(ctx, run)
}

// report prints a run and saves it.
func (o options) report(ctx context.Context, run run) error {
	if o.other != "" {
		fmt.Printf("%s, beside %s\n", run.Machine, o.against)
		printChanges(os.Stdout, run.inTurn())
		return run.save(o.out)
	}
	run.print(os.Stdout)
	if err := errors.Join(run.save(o.out), run.draw(ctx, o.workbench, strings.TrimSuffix(o.out, ".json")+"-growth.png")); err != nil {
		return err
	}
	for _, r := range run.Results {
		if r.Error != "" {
			return errors.New("some rows failed")
		}
	}
	return nil
}

// run measures the rows that are asked for.
func (o options) run(ctx context.Context) (run, error) {
	chosen, levels, threads, err := o.chosen()
	if err != nil {
		return run{}, err
	}
	if o.quick {
		o.setting.rounds = 1
	}
	start := time.Now()
	out := run{Machine: thisMachine(), Quick: o.quick}
	for _, o.setting.level = range levels {
		for i, n := range threads {
			o.setting.threads = n
			for _, r := range chosen {
				if r.threads != 0 && i > 0 || r.code == "" && o.other != "" {
					continue // measured already; programs are of one commit
				}
				fmt.Fprintf(os.Stderr, "%s, %s, %d threads: ", r.name, o.setting.level, n)
				result := measure(ctx, o.setting, r)
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				out.Results = append(out.Results, result)
				if err := out.save(o.out); err != nil { // what is measured is kept if the run is ended
					return out, err
				}
				fmt.Fprintf(os.Stderr, "%s s %s\n", number(median(walls(result.Ours.Times))), result.Met)
			}
		}
	}
	if o.benchmarks {
		for _, b := range benchmarks() {
			fmt.Fprintln(os.Stderr, b.Name)
			out.Benchmarks = append(out.Benchmarks, b.measure(ctx, o.quick))
		}
	}
	out.Machine.After, out.Machine.Seconds = load(), time.Since(start).Seconds()
	return out, ctx.Err()
}

// chosen reads which rows, levels and numbers of threads are asked for.
func (o options) chosen() (chosen []row, level []string, threads []int, err error) {
	match, err := regexp.Compile(o.rows)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("-rows: %w", err)
	}
	for _, r := range rows() {
		if match.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 && o.rows != "none" {
		return nil, nil, nil, fmt.Errorf("-rows: no row is called like %q", o.rows)
	}
	for n := range strings.SplitSeq(o.threads, ",") {
		k, err := strconv.Atoi(n)
		if err != nil || k < 1 {
			return nil, nil, nil, fmt.Errorf("-threads: %q is no number of threads", n)
		}
		threads = append(threads, k)
	}
	has := strings.Fields(field("/proc/cpuinfo", "flags"))
	available := slices.DeleteFunc([]string{"avx512", "avx2", "plain"}, func(l string) bool {
		return l == "avx512" && !slices.Contains(has, "avx512f") || l == "avx2" && !slices.Contains(has, "avx2")
	})
	if level = available[:1]; o.levels != "" {
		level = strings.Split(o.levels, ",")
	}
	for _, l := range level {
		if !slices.Contains(available, l) {
			return nil, nil, nil, fmt.Errorf("-levels: this machine has %s, not %q", strings.Join(available, ", "), l)
		}
	}
	return chosen, level, threads, nil
}
