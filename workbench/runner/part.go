package runner

import (
	"context"

	"github.com/greenbench/workbench/bindings/sweep"
	"github.com/greenbench/workbench/workbench/host"
)

// partVariable is the environment variable that says what --part says.
const partVariable = "WORKBENCH_PART"

// inPart runs a script, whose sweep does the part that the command line or the environment says, and returns the exit status.
func (p *program) inPart(ctx context.Context, run func(context.Context) int) int {
	text, name := p.Part, "--part "+p.Part
	if text == "" {
		text = p.getenv(partVariable)
		name = partVariable + "=" + text
	}
	if text == "" {
		return run(ctx)
	}
	part, err := sweep.ParsePart(text, p.getenv)
	if err != nil {
		p.complain("%s: %v", name, err)
		return host.ExitUsage
	}
	ctx, met := sweep.WithPart(ctx, part)
	status := run(ctx)
	if status == host.ExitOK && !met() {
		p.complain("%s: the script has no sweep.run; every part does the same", name)
	}
	return status
}
