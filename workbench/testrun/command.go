package testrun

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/greenbench/workbench/workbench/usage"
)

// Program is what the command needs of the program it is part of.
type Program struct {
	Maker   Maker
	Version string
	Out     io.Writer // results
	Err     io.Writer // diagnostics
	Color   bool      // whether Out shows colours
}

// Command runs "workbench test" with the arguments after that word and returns
// the exit status: 0 passed, 1 failed, 2 usage, 3 a file did not load or no
// test matched, 124 ctx met its deadline, 130 ctx was cancelled.
func Command(ctx context.Context, args []string, p Program) int {
	o, err := parseFlags(args, p.Err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ExitOK
	case err != nil:
		fmt.Fprintf(p.Err, "workbench test: %v\n", err)
		return ExitUsage
	}
	o.Version, o.Color = p.Version, p.Color
	report, err := Run(ctx, o, p.Maker, p.Out)
	var usage *UsageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(p.Err, "workbench test: %v\n", err)
		return ExitUsage
	case err != nil:
		fmt.Fprintf(p.Err, "workbench test: %v\n", err)
		return ExitNotLoaded
	}
	status := report.ExitCode()
	if status == ExitNotLoaded && o.Format != "" && o.Format != "pretty" || status == ExitNotLoaded && o.List {
		fmt.Fprintln(p.Err, "workbench test: a file did not load, or no test matched")
	}
	return status
}

// Flags declares the options of the command.
func Flags() []usage.Option {
	return []usage.Option{
		{Names: []string{"--filter"}, Value: "TEXT", Doc: "only tests whose \"path: name\" contains TEXT, or matches /TEXT/"},
		{Names: []string{"--jobs"}, Value: "N", Doc: "files at a time (default: one for each processor)"},
		{Names: []string{"--list"}, Doc: "name the tests instead of running them"},
		{Names: []string{"--fail-fast"}, Doc: "stop at the first failure"},
		{Names: []string{"--update-golden"}, Doc: "write golden files instead of comparing with them"},
		{Names: []string{"--format"}, Value: "FORMAT", Values: []string{"pretty", "tap", "json"}, Doc: "pretty, tap or json"},
		{Names: []string{"--junit"}, Value: "FILE", Doc: "also write JUnit XML"},
	}
}

const introduction = `usage: workbench test [PATH...]
  Runs the tests in the files, and in the .lua files below the folders, given;
  in scripts/tests when none is given.
`

// parseFlags reads flags and paths in any order.
func parseFlags(args []string, out io.Writer) (o Options, err error) {
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Filter, "filter", "", "")
	flags.IntVar(&o.Jobs, "jobs", 0, "")
	flags.BoolVar(&o.List, "list", false, "")
	flags.BoolVar(&o.FailFast, "fail-fast", false, "")
	flags.BoolVar(&o.UpdateGolden, "update-golden", false, "")
	flags.StringVar(&o.Format, "format", "pretty", "")
	flags.StringVar(&o.JUnit, "junit", "", "")
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				fmt.Fprint(out, introduction+usage.Table(Flags()))
			}
			return o, err
		}
		rest := flags.Args()
		// After -- everything is a path.
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			o.Paths = append(o.Paths, rest...)
			return o, nil
		}
		if len(rest) == 0 {
			break
		}
		o.Paths = append(o.Paths, rest[0])
		args = rest[1:]
	}
	return o, nil
}
