package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// goStack is the stack of Go where an error arose that is a fault of the
// workbench, nil for all others.
func goStack(err error) []byte {
	var bound *bind.Error
	if errors.As(err, &bound) && bound.Stack != nil {
		return bound.Stack
	}
	var internal *stdlib.InternalError
	if errors.As(err, &internal) {
		return internal.Stack
	}
	return nil
}

// crash writes what a bug report needs to a file and says where it is. People
// are shown no stacks of Go; those who can use them need them whole.
func (p *program) crash(err error, script string) {
	stack := goStack(err)
	if stack == nil {
		return
	}
	now := time.Now()
	text := fmt.Sprintf("%s\n%s\n\n%v\n\n%s\n\n%s", everywhere.Version(), now.Format(time.RFC3339), err, script, stack)
	dir := os.TempDir()
	if path := p.historyPath(); path != "" && path != "off" {
		dir = filepath.Dir(path)
	}
	file := filepath.Join(dir, "crash-"+now.Format("20060102-150405.000")+".txt")
	if e := os.MkdirAll(dir, 0o700); e == nil {
		e = os.WriteFile(file, []byte(text), 0o600)
		if e == nil {
			fmt.Fprintf(p.errs, "  details for a report: %s\n", file)
		}
	}
}
