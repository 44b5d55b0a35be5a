package runner

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
)

// An Invocation is a command line that was understood.
type Invocation struct {
	Command string   // "repl", "file", "code", "test", "doc", "lint", "version", "help"
	File    string   // of the script; "-" is standard input
	Args    []string // of the script, or of the command
	Code    []Snippet
	Stay    bool     // -i: the prompt follows, also after an error
	Options []string // the words before the file, but for -i

	Safe      bool
	NoInit    bool
	MaxMemory int64 // in bytes; 0 means no limit
	Timeout   time.Duration
	Threads   int // 0 means all processors
}

// A Snippet is code given on the command line.
type Snippet struct {
	Text  string
	Print bool // -p: print the value
}

// Usage is what --help prints.
const Usage = `usage: workbench [options]                 the prompt
       workbench [options] FILE [args...]  run a script ("-" is standard input)
       workbench [options] -e CODE         run CODE; -p CODE runs it and prints its value
       workbench test [PATH...]            run regression tests; see workbench test --help
       workbench doc [NAME]                the manual; --html DIR and --luals DIR write it
       workbench lint FILE...              undefined names and misspelt arguments
       workbench version

  -i                  after a script or code, also one that failed, the prompt
  --safe              for scripts of others: no files but data, no commands, no startup files
  --no-init           without ~/.config/workbench/init.lua
  --max-memory SIZE   end the computation that needs more: 4GiB, 500MB
  --timeout TIME      end the run after this time: 60s, 5m
  --threads N         use N processors

Exit status: 0 success, 1 a script or test failed, 2 usage or syntax, 3 tests could not be
loaded, 124 time limit, 130 interrupted, 137 memory limit.
`

// A UsageError is a command line that makes no sense.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// commands are words that mean a command when they stand where a file might.
func commands() []string { return []string{"test", "doc", "lint", "version", "help"} }

// Parse understands the arguments after the name of the program.
func Parse(args []string) (Invocation, error) {
	inv := Invocation{Command: "repl"}
	var words []string
	for len(args) > 0 {
		arg := args[0]
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			break
		}
		all := args
		args = args[1:]
		if arg == "--" {
			if len(args) > 0 {
				inv.script(args, words)
			}
			return inv.checked()
		}
		rest, err := inv.option(arg, args)
		if err != nil {
			return inv, err
		}
		args = rest
		if arg != "-i" && arg != "--interactive" {
			words = append(words, all[:len(all)-len(rest)]...)
		}
	}
	switch {
	case inv.Command == "help" || inv.Command == "version":
	case len(inv.Code) > 0:
		inv.Command, inv.Args = "code", args
	case len(args) > 0:
		for _, c := range commands() {
			if args[0] == c {
				inv.Command, inv.Args = c, args[1:]
				return inv.checked()
			}
		}
		inv.script(args, words)
	}
	return inv.checked()
}

func (inv *Invocation) script(args, options []string) {
	inv.Command, inv.File, inv.Args, inv.Options = "file", args[0], args[1:], options
}

func (inv Invocation) checked() (Invocation, error) {
	switch inv.Command {
	case "lint":
		if len(inv.Args) == 0 {
			return inv, &UsageError{"lint: which files?"}
		}
	case "version", "help":
		if len(inv.Args) > 0 {
			return inv, &UsageError{fmt.Sprintf("%s: unexpected argument %q", inv.Command, inv.Args[0])}
		}
	}
	if inv.Stay && inv.Command != "file" && inv.Command != "code" && inv.Command != "repl" {
		return inv, &UsageError{"-i needs a script or code"}
	}
	return inv, nil
}

// options are the long options, with a mark at those that take a value.
func options() []string {
	return []string{"--safe", "--no-init", "--max-memory", "--timeout", "--threads", "--version", "--help", "--interactive", "--eval", "--print"}
}

// option takes one option and its value, and returns the arguments after it.
func (inv *Invocation) option(arg string, args []string) ([]string, error) {
	name, value, hasValue := strings.Cut(arg, "=")
	if !strings.HasPrefix(arg, "--") {
		name, value, hasValue = arg, "", false
	}
	take := func() (string, error) {
		if hasValue {
			return value, nil
		}
		if len(args) == 0 {
			return "", &UsageError{name + ": a value is missing"}
		}
		v := args[0]
		args = args[1:]
		return v, nil
	}
	var err error
	switch name {
	case "-h", "--help":
		inv.Command = "help"
	case "-v", "--version":
		inv.Command = "version"
	case "-i", "--interactive":
		inv.Stay = true
	case "-e", "--eval", "-p", "--print":
		var code string
		if code, err = take(); err == nil {
			inv.Code = append(inv.Code, Snippet{code, strings.HasPrefix(strings.TrimLeft(name, "-"), "p")})
		}
	case "--safe":
		inv.Safe = true
	case "--no-init":
		inv.NoInit = true
	case "--max-memory":
		err = takeAs(take, &inv.MaxMemory, name, parseSize, "a size such as 4GiB")
	case "--timeout":
		err = takeAs(take, &inv.Timeout, name, parseTime, "a time such as 60s")
	case "--threads":
		err = takeAs(take, &inv.Threads, name, parseCount, "a number from 1")
	default:
		return nil, &UsageError{fmt.Sprintf("unknown option %s%s", name, bind.DidYouMean(name, options()))}
	}
	if err == nil && hasValue && value == "" {
		err = &UsageError{name + ": a value is missing"}
	}
	return args, err
}

func takeAs[T any](take func() (string, error), dst *T, name string, parse func(string) (T, bool), want string) error {
	text, err := take()
	if err != nil {
		return err
	}
	v, ok := parse(text)
	if !ok {
		return &UsageError{fmt.Sprintf("%s %s: want %s", name, text, want)}
	}
	*dst = v
	return nil
}

// parseSize reads 4GiB, 500MB, 2g, 1000000.
func parseSize(s string) (int64, bool) {
	number := strings.TrimRight(s, "kKmMgGtTiIbB")
	unit := strings.ToLower(s[len(number):])
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) {
		return 0, false
	}
	scale := 1.0
	if unit != "" && unit != "b" {
		power := strings.IndexByte("kmgt", unit[0]) + 1
		switch {
		case power == 0:
			return 0, false
		case unit[1:] == "ib" || unit[1:] == "":
			scale = math.Pow(1024, float64(power))
		case unit[1:] == "b":
			scale = math.Pow(1000, float64(power))
		default:
			return 0, false
		}
	}
	if x *= scale; x < 1 || x > 1<<60 {
		return 0, false
	}
	return int64(x), true
}

// parseTime reads 60s, 5m, 1.5h, and a bare number as seconds.
func parseTime(s string) (time.Duration, bool) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(x, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}

func parseCount(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 1
}
