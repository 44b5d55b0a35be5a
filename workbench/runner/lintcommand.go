package runner

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/runner/lint"
)

// lint is the command of that name: all findings of all files, suspicions
// included. The status is 1 if there are any, 2 if a file is no Lua.
func (p *program) lint() int {
	h, err := p.host(&everywhere.Desk{})
	if err != nil {
		p.complain("%v", err)
		return host.ExitFailure
	}
	defer h.Close()
	w := lint.NewWorld(h.L, h.Registry, lint.ReadFile)
	status := host.ExitOK
	for _, file := range p.Args {
		src, err := lint.ReadFile(file)
		if err != nil {
			p.complain("%v", err)
			status = host.ExitUsage
			continue
		}
		var syntax *chunk.SyntaxError
		if _, err := chunk.Compile(file, src); errors.As(err, &syntax) {
			fmt.Fprintln(p.out, lint.Finding{File: file, Line: syntax.Line, Column: syntax.Column, Message: syntax.Message})
			status = host.ExitUsage
			continue
		}
		for _, f := range w.Check(file, string(src)) {
			fmt.Fprintln(p.out, f)
			status = max(status, host.ExitFailure)
		}
	}
	return status
}
