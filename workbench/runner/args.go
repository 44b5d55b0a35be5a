package runner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/usage"
)

// An Invocation is a command line that was understood.
type Invocation struct {
	Command string   // "repl", "file", "code", or the word of a command
	File    string   // of the script; "-" is standard input
	Args    []string // of the script, or of the command
	Code    []Snippet
	Stay    bool     // -i: the prompt follows, also after an error
	Options []string // the words before the file, but for -i and --part

	Safe      bool
	NoInit    bool
	MaxMemory int64 // in bytes; 0 means no limit
	Timeout   time.Duration
	Threads   int    // 0 means all processors
	Part      string // of a sweep, "2/4"; "" is the whole
}

// A Snippet is code given on the command line.
type Snippet struct {
	Text  string
	Print bool // -p: print the value
}

// A UsageError is a command line that makes no sense.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

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
		if !slices.Contains([]string{"-i", "--interactive", "--part"}, strings.SplitN(arg, "=", 2)[0]) {
			words = append(words, all[:len(all)-len(rest)]...)
		}
	}
	switch {
	case inv.Command == "help" || inv.Command == "version":
	case len(inv.Code) > 0:
		inv.Command, inv.Args = "code", args
	case len(args) > 0:
		for _, c := range Declaration().Commands() {
			if args[0] == c.Word {
				inv.Command, inv.Args, inv.Options = c.Word, args[1:], words
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
	case "completion":
		if len(inv.Args) != 1 {
			return inv, &UsageError{"completion: which shell? " + strings.Join(usage.Shells(), ", ")}
		}
	case "kernel":
		if len(inv.Args) == 0 || !slices.Contains(kernelActions(), inv.Args[0]) {
			return inv, &UsageError{"kernel: what? " + strings.Join(kernelActions(), ", ")}
		}
	case "version", "help", "man":
		if len(inv.Args) > 0 {
			return inv, &UsageError{fmt.Sprintf("%s: unexpected argument %q", inv.Command, inv.Args[0])}
		}
	}
	if inv.Part != "" && inv.Command != "file" && inv.Command != "code" {
		return inv, &UsageError{"--part needs a script or code"}
	}
	if inv.Stay && inv.Command != "file" && inv.Command != "code" && inv.Command != "repl" {
		return inv, &UsageError{"-i needs a script or code"}
	}
	return inv, nil
}

// option takes one option and its value, and returns the arguments after it.
func (inv *Invocation) option(arg string, args []string) ([]string, error) {
	name, value, hasValue := strings.Cut(arg, "=")
	if !strings.HasPrefix(arg, "--") {
		name, value, hasValue = arg, "", false
	}
	all := options()
	k := slices.IndexFunc(all, func(o option) bool { return slices.Contains(o.Names, name) })
	switch {
	case k < 0:
		var long []string
		for _, o := range all {
			long = append(long, o.Long())
		}
		return nil, &UsageError{fmt.Sprintf("unknown option %s%s", name, bind.DidYouMean(name, long))}
	case all[k].Value == "" && hasValue:
		return nil, &UsageError{name + ": takes no value"}
	case all[k].Value == "":
		return args, all[k].set(inv, name, "")
	case hasValue && value == "" || !hasValue && len(args) == 0:
		return nil, &UsageError{name + ": a value is missing"}
	case !hasValue:
		value, args = args[0], args[1:]
	}
	return args, all[k].set(inv, name, value)
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
