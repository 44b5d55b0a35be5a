package runner

import (
	"fmt"
	"strings"
	"time"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/testrun"
	"github.com/greenbench/workbench/workbench/usage"
)

// An option is one of the command line, and what it does.
type option struct {
	usage.Option
	set func(inv *Invocation, name, value string) error
}

// options are those before the command or the file. To add one: a line here.
func options() []option {
	return []option{
		flag("open the prompt after the script or code, even if it failed", func(inv *Invocation) { inv.Stay = true }, "-i", "--interactive"),
		valued("CODE", "run CODE; may be given several times", code(false), "-e", "--eval"),
		valued("CODE", "run CODE and print its value", code(true), "-p", "--print"),
		flag("for untrusted scripts: data files only, no commands or startup files", func(inv *Invocation) { inv.Safe = true }, "--safe"),
		flag("without ~/.config/workbench/init.lua", func(inv *Invocation) { inv.NoInit = true }, "--no-init"),
		valued("SIZE", "end the computation that needs more: 4GiB, 500MB", parsed(parseSize, "a size such as 4GiB", func(inv *Invocation, v int64) { inv.MaxMemory = v }), "--max-memory"),
		valued("TIME", "end the run after this time: 60s, 5m", parsed(parseTime, "a time such as 60s", func(inv *Invocation, v time.Duration) { inv.Timeout = v }), "--timeout"),
		valued("N", "use N processors", parsed(parseCount, "a number from 1", func(inv *Invocation, v int) { inv.Threads = v }), "--threads"),
		valued("PART", "do one part of the script's sweep: 2/4, or auto in a job array", parsed(func(s string) (string, bool) { return s, s != "" }, "2/4, or auto in a job array", func(inv *Invocation, v string) { inv.Part = v }), "--part"),
		flag("print this", func(inv *Invocation) { inv.Command = "help" }, "-h", "--help"),
		flag("print the version and the commit", func(inv *Invocation) { inv.Command = "version" }, "-v", "--version"),
	}
}

func flag(doc string, set func(*Invocation), names ...string) option {
	return option{usage.Option{Names: names, Doc: doc}, func(inv *Invocation, _, _ string) error {
		set(inv)
		return nil
	}}
}

func valued(value, doc string, set func(inv *Invocation, name, value string) error, names ...string) option {
	return option{usage.Option{Names: names, Value: value, Doc: doc}, set}
}

func code(print bool) func(*Invocation, string, string) error {
	return func(inv *Invocation, _, text string) error {
		inv.Code = append(inv.Code, Snippet{text, print})
		return nil
	}
}

// parsed refuses values that are no want.
func parsed[T any](parse func(string) (T, bool), want string, set func(*Invocation, T)) func(*Invocation, string, string) error {
	return func(inv *Invocation, name, text string) error {
		v, ok := parse(text)
		if !ok {
			return &UsageError{fmt.Sprintf("%s %s: want %s", name, text, want)}
		}
		set(inv, v)
		return nil
	}
}

// docOptions are those of workbench doc.
func docOptions() []usage.Option {
	return []usage.Option{
		{Names: []string{"--html"}, Value: "DIR", Doc: "write the manual as pages for a browser"},
		{Names: []string{"--live"}, Doc: "with --html: the code on the pages runs in the browser, and there is a playground"},
		{Names: []string{"--notebooks"}, Value: "DIR", Doc: "write the guides as notebooks of Jupyter"},
		{Names: []string{"--luals"}, Value: "DIR", Doc: "write definitions for editors that use lua-language-server"},
	}
}

// Declaration is the command line, from which --help, the manual page and completion
// are derived.
func Declaration() usage.Program {
	p := usage.Program{
		Name: "workbench", About: "learn Green's functions from data, in Lua",
		Forms: []usage.Form{
			{Synopsis: "[options]", Doc: "the prompt"},
			{Synopsis: "[options] FILE [args...]", Doc: `run a script ("-" is standard input)`},
			{Synopsis: "[options] -e CODE", Doc: "run CODE; -p CODE runs it and prints its value"},
			{Word: "test", Synopsis: "[PATH...]", Doc: "run regression tests; see workbench test --help", Options: testrun.Flags()},
			{Word: "doc", Synopsis: "[NAME]", Doc: "the manual; --html, --notebooks, --luals DIR write it", Options: docOptions()},
			{Word: "lint", Synopsis: "FILE...", Doc: "undefined names and misspelt arguments"},
			{Word: "kernel", Synopsis: strings.Join(kernelActions(), "|"), Doc: "the kernel for Jupyter", Options: kernelOptions(), Words: kernelActions()},
			{Word: "completion", Synopsis: strings.Join(usage.Shells(), "|"), Doc: "print the completions of this command for a shell", Words: usage.Shells()},
			{Word: "man", Doc: "print this as a manual page", Words: []string{}},
			{Word: "version", Doc: "the version and the commit", Words: []string{}},
			{Word: "help", Doc: "this text", Words: []string{}},
		},
		Statuses: []usage.Status{
			{Code: host.ExitOK, Doc: "success"},
			{Code: host.ExitFailure, Doc: "a script or test failed"},
			{Code: host.ExitUsage, Doc: "usage or syntax"},
			{Code: testrun.ExitNotLoaded, Doc: "tests could not be loaded"},
			{Code: host.ExitTimeout, Doc: "time limit"},
			{Code: host.ExitInterrupted, Doc: "interrupted"},
			{Code: host.ExitMemory, Doc: "memory limit"},
		},
		Paragraphs: []usage.Paragraph{
			{Title: "Files", Text: "~/.config/workbench/init.lua runs before the first prompt, and " + projectFile + " of the folder once it is trusted. " +
				"XDG_CONFIG_HOME and XDG_STATE_HOME say where else settings and the history are."},
			{Title: "Environment", Text: partVariable + "=2/4 is --part 2/4, which goes before it."},
			{Title: "See also", Text: "workbench doc is the manual; workbench doc NAME is the page of a module or function."},
		},
	}
	for _, o := range options() {
		p.Options = append(p.Options, o.Option)
	}
	for i, f := range p.Forms {
		if f.Word == "doc" {
			for _, m := range bindings.All() {
				p.Forms[i].Words = append(p.Forms[i].Words, m.Name)
			}
		}
	}
	return p
}
