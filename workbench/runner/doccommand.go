package runner

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/live"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/testrun"
	"github.com/greenbench/workbench/workbench/usage"
)

const docIntroduction = `usage: workbench doc [NAME]
  Prints the page of the manual on a name, such as green.fit, or its contents;
  with an option, writes the whole manual to a folder.
`

// doc prints a page of the manual, or writes the whole of it: as pages for a
// browser (--html DIR), as notebooks (--notebooks DIR), as definitions for editors (--luals DIR).
func (p *program) doc(ctx context.Context) int {
	desk := &everywhere.Desk{}
	desk.Registry = registry(desk, testrun.Module())
	var words []string
	args := slices.DeleteFunc(slices.Clone(p.Args), func(word string) bool { return word == "--live" })
	p.live = len(args) < len(p.Args)
	if p.live && !slices.ContainsFunc(args, func(word string) bool { return strings.HasPrefix(word, "--h") }) {
		p.complain("doc: --live is for --html DIR: workbench doc --html DIR --live")
		return host.ExitUsage
	}
	for ; len(args) > 0; args = args[1:] {
		option, dir, hasDir := strings.Cut(args[0], "=")
		if !strings.HasPrefix(option, "--") {
			words = append(words, args[0])
			continue
		}
		if option == "--help" {
			io.WriteString(p.out, docIntroduction+usage.Table(docOptions()))
			return host.ExitOK
		}
		if !hasDir && len(args) > 1 {
			dir, args = args[1], args[1:]
		}
		if status := p.writeManual(ctx, desk.Registry, option, dir); status != host.ExitOK || len(args) == 1 {
			return status
		}
	}
	text, found := manual.Text(desk.Registry, strings.Join(words, " "), min(p.terminal.Width(), 100))
	if !found {
		io.WriteString(p.errs, text)
		return host.ExitFailure
	}
	io.WriteString(p.out, text)
	return host.ExitOK
}

func (p *program) writeManual(ctx context.Context, reg *bind.Registry, option, dir string) int {
	var err error
	var known []string
	for _, o := range docOptions() {
		known = append(known, o.Long())
	}
	switch {
	case !slices.Contains(known, option):
		p.complain("doc: unknown option %s%s", option, bind.DidYouMean(option, known))
		return host.ExitUsage
	case dir == "":
		p.complain("doc: %s: which folder?", option)
		return host.ExitUsage
	case option == "--html":
		err = p.writeHTML(ctx, reg, dir)
	case option == "--notebooks":
		err = manual.WriteNotebooks(dir)
	default:
		err = manual.WriteLuaLS(reg, dir)
	}
	if err != nil {
		p.complain("%v", err)
		return host.ExitFailure
	}
	fmt.Fprintln(p.out, dir)
	return host.ExitOK
}

// writeHTML writes the manual as pages, whose code runs if that is wanted.
func (p *program) writeHTML(ctx context.Context, reg *bind.Registry, dir string) error {
	if !p.live {
		return manual.WriteHTML(ctx, reg, dir, nil)
	}
	program, err := live.Find()
	if err != nil {
		return err
	}
	if err := live.Write(ctx, reg, dir, program); err != nil {
		return err
	}
	fmt.Fprintf(p.errs, "the pages run where a server gives them: (cd %s && python3 -m http.server), then http://localhost:8000\n", dir)
	return nil
}
