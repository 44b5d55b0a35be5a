package runner

import (
	"io"
	"strings"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
)

// doc prints pages of the manual; without a name, the table of contents.
func (p *program) doc() int {
	desk := &everywhere.Desk{Width: p.terminal.Width}
	desk.Registry = registry(desk)
	if len(p.Args) == 0 {
		text, err := desk.Manual("")
		if err != nil {
			p.complain("%v", err)
			return host.ExitFailure
		}
		io.WriteString(p.out, text)
		return host.ExitOK
	}
	for _, name := range p.Args {
		text, ok := desk.Help(name)
		if !ok {
			p.complain("no page about '%s'\n%s", name, strings.TrimRight(desk.Search(name), "\n"))
			return host.ExitFailure
		}
		io.WriteString(p.out, text)
	}
	return host.ExitOK
}
