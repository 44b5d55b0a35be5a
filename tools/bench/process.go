package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A process does the work of a row, ours or a peer's, whenever it is told to. What is said goes by lines: it says "ready";
// to "rest" it throws its last result away and says "rested"; to "go" it says the seconds of the processors when it is done;
// to "accuracy" it says names, each with numbers, and "end".
type process struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
	said *tail
}

// begin starts a program and waits until it is ready. The program ends with ctx.
func begin(ctx context.Context, environment []string, name string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, name, args...), said: &tail{}}
	p.cmd.Env, p.cmd.Stderr = environment, p.said
	var err error
	if p.to, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := p.expect("ready"); err != nil {
		p.end()
		return nil, p.why(err)
	}
	return p, nil
}

// measure has the work done once: seconds by the clock and of the processors.
func (p *process) measure() (t times, err error) {
	if _, err = io.WriteString(p.to, "rest\n"); err != nil {
		return t, p.why(err)
	}
	if err = p.expect("rested"); err != nil {
		return t, p.why(err)
	}
	before, start := used(p.cmd.Process.Pid), time.Now()
	if _, err = io.WriteString(p.to, "go\n"); err != nil {
		return t, p.why(err)
	}
	line, err := p.line()
	t.Wall = time.Since(start).Seconds()
	if err == nil {
		t.Processor, err = strconv.ParseFloat(line, 64)
	}
	if by := used(p.cmd.Process.Pid) - before; by > 0 {
		t.Processor = by // os.clock of old programs is the time that passed
	}
	if err != nil {
		return t, p.why(err)
	}
	return t, nil
}

// accuracy asks what is known of the last result.
func (p *process) accuracy() (map[string][]float64, error) {
	if _, err := io.WriteString(p.to, "accuracy\n"); err != nil {
		return nil, p.why(err)
	}
	known := map[string][]float64{}
	for {
		line, err := p.line()
		if err != nil {
			return nil, p.why(err)
		}
		if line == "end" {
			return known, nil
		}
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return nil, fmt.Errorf("%q is no name with numbers", line)
		}
		for _, f := range fields[1:] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", fields[0], err)
			}
			known[fields[0]] = append(known[fields[0]], v)
		}
	}
}

// end closes the process and returns the most memory that it had, in bytes.
func (p *process) end() float64 {
	_ = p.to.Close()
	_, _ = io.Copy(io.Discard, p.from)
	_ = p.cmd.Wait()
	return peak(p.cmd)
}

func (p *process) line() (string, error) {
	line, err := p.from.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

func (p *process) expect(want string) error {
	line, err := p.line()
	if err == nil && line != want {
		err = fmt.Errorf("%q where %q was expected", line, want)
	}
	return err
}

// why adds to an error what the program said of it.
func (p *process) why(err error) error {
	time.Sleep(50 * time.Millisecond) // what it said may be on its way
	if text := strings.TrimSpace(p.said.String()); text != "" {
		return fmt.Errorf("%s", text)
	}
	return err
}
