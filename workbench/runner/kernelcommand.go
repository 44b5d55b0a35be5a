package runner

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/notebook"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/usage"
)

// kernelOptions are those of workbench kernel.
func kernelOptions() []usage.Option {
	return []usage.Option{
		{Names: []string{"--name"}, Value: "NAME", Doc: "of the kernel for Jupyter; workbench if none is given"},
		{Names: []string{"--prefix"}, Value: "DIR", Doc: "for the environment in DIR, not for the user"},
		{Names: []string{"--svg"}, Doc: "figures as vector graphics, too; HTML exports need nbconvert 7"},
	}
}

// kernelActions are what can be done with the kernel for Jupyter.
func kernelActions() []string { return []string{"install", "remove", "run"} }

// kernel installs or removes the kernel for Jupyter, or is it: Jupyter starts "kernel run FILE".
func (p *program) kernel(ctx context.Context) int {
	action := p.Args[0]
	options, words, err := kernelArguments(p.Args[1:])
	switch {
	case err != nil:
		p.complain("kernel %s: %v", action, err)
		return host.ExitUsage
	case action == "run" && len(words) != 1:
		p.complain("kernel run: want the connection file, with which Jupyter starts it")
		return host.ExitUsage
	case action != "run" && len(words) > 0:
		p.complain("kernel %s: unexpected argument %q", action, words[0])
		return host.ExitUsage
	}
	switch action {
	case "install":
		return p.installKernel(options)
	case "remove":
		dir, err := notebook.Remove(p.kernelName(options), options["--prefix"], p.getenv)
		return p.told("removed "+dir, err)
	}
	return p.runKernel(ctx, words[0], options["--svg"] != "")
}

// kernelArguments are the options and the other words after the action.
func kernelArguments(args []string) (options map[string]string, words []string, err error) {
	options = map[string]string{}
	known := kernelOptions()
	for len(args) > 0 {
		name, value, hasValue := strings.Cut(args[0], "=")
		args = args[1:]
		if !strings.HasPrefix(name, "--") {
			words = append(words, name)
			continue
		}
		i := slices.IndexFunc(known, func(o usage.Option) bool { return o.Long() == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("unknown option %s; there are --name, --prefix and --svg", name)
		}
		if known[i].Value == "" {
			value = "yes"
		} else if !hasValue && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if value == "" {
			return nil, nil, fmt.Errorf("%s: a value is missing", name)
		}
		options[name] = value
	}
	return options, words, nil
}

// kernelName is what Jupyter calls the kernel: one in safe mode has a name of its own.
func (p *program) kernelName(options map[string]string) string {
	switch name := options["--name"]; {
	case name != "":
		return name
	case p.Safe:
		return "workbench-safe"
	}
	return "workbench"
}

// installKernel tells Jupyter of this program, with the options before the command.
func (p *program) installKernel(options map[string]string) int {
	path, err := os.Executable()
	if err != nil {
		return p.told("", err)
	}
	name := p.kernelName(options)
	if strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", r)
	}) {
		p.complain("kernel install: --name %q: letters, digits, '-', '_' and '.' only", name)
		return host.ExitUsage
	}
	title := "Workbench (Lua)"
	if name != "workbench" {
		title = "Workbench (Lua, " + strings.TrimPrefix(name, "workbench-") + ")"
	}
	command := append(append([]string{path}, p.Options...), "kernel", "run")
	if options["--svg"] != "" {
		command = append(command, "--svg")
	}
	dir, err := notebook.Install(notebook.Spec{Name: name, Title: title, Command: command}, options["--prefix"], p.getenv)
	return p.told(dir+"\nin Jupyter it is called "+title, err)
}

// told prints what was done, or why it was not.
func (p *program) told(text string, err error) int {
	if err != nil {
		p.complain("kernel: %v", err)
		return host.ExitFailure
	}
	fmt.Fprintln(p.out, text)
	return host.ExitOK
}

// runKernel serves the front end that waits at a connection.
func (p *program) runKernel(ctx context.Context, path string, svg bool) int {
	c, err := notebook.ReadConnection(path)
	if err != nil {
		return p.told("", err)
	}
	k, err := notebook.Listen(ctx, c)
	if err != nil {
		return p.told("", err)
	}
	desk := &everywhere.Desk{}
	p.screen, p.errs, p.input, p.stdinFile = k.Stdout(), k.Stderr(), bufio.NewReader(k.Stdin()), nil
	h, err := p.host(desk)
	if err != nil {
		return p.told("", err)
	}
	defer h.Close()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		for range signals {
			k.Interrupt()
		}
	}()
	if err := k.Serve(ctx, notebook.Session{Host: h, Desk: desk, Safe: p.Safe, SVG: svg}); err != nil {
		return p.told("", err)
	}
	return host.ExitOK
}
