package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Pipes and devices given as files. What reads data refuses them; what reads text
// waits, as long as the run may last.
func TestNoRegularFiles(t *testing.T) {
	dir := t.TempDir()
	pipes := func(dir string) { // of each case its own: they would open one another's
		if err := os.MkdirAll(filepath.Join(dir, "out"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"p.csv", "p.npy", "p.npz", "p.mat", "p.lua", "p.session", "p.txt", "out/0123456789abcdef.json"} {
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Skipf("this system makes no pipes: %v", err)
			}
		}
	}
	const refused, waits = 1, 124
	for code, status := range map[string]int{
		`array.load("p.csv")`: refused, `array.load("p.npy")`: refused, `data.load("p.npz")`: refused, `data.load("p.mat")`: refused,
		`sheet.load("p.csv")`: refused,
		`data.load(".", {input = "p.csv", output = "p.npy"})`: refused, `green.load("p.npz")`: refused,
		`load_session("p.session")`: refused, `sweep.load("out")`: refused, `array.load("/dev/stdin.csv")`: refused,
		`dofile("p.lua")`: waits, `loadfile("p.lua")`: waits, `require "p"`: waits, `io.open("p.txt")`: waits, `io.open("p.txt", "w")`: waits,
		`io.open("p.txt", "r+"):read()`: waits, `local f = io.open("p.txt", "r+") while true do f:write(("x"):rep(1e5)) end`: waits,
		`for l in io.lines("p.txt") do end`: waits, `io.input("p.txt")`: waits, `io.output("p.txt")`: waits,
		`io.popen("sleep 20; true"):read()`: waits, `os.execute("sleep 20; true")`: waits,
		`local p = io.popen("sleep 20", "w") while true do p:write(("x"):rep(1e5)) end`: waits,
		`io.popen("sleep 20; true", "w"):close()`:                                       waits,
		`io.read()`: waits, `io.read("*n")`: waits, `io.read("*a")`: waits, `for l in io.lines() do end`: waits, `dofile()`: waits,
		`for l in io.lines("/dev/urandom") do end`: waits, `watch("p.lua")`: waits,
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			dir := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256([]byte(code))))
			pipes(dir)
			p := program(dir, "--timeout", "300ms", "--max-memory", "400MB", "-e", code)
			cmd := exec.CommandContext(ctx, p.Path, p.Args[1:]...)
			cmd.Dir, cmd.Env = p.Dir, p.Env
			silent, end, err := os.Pipe() // nobody writes
			if err != nil {
				t.Fatal(err)
			}
			defer silent.Close()
			defer end.Close()
			var errs bytes.Buffer
			cmd.Stdin, cmd.Stderr = silent, &errs
			began := time.Now()
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != status || status == refused && !strings.Contains(errs.String(), "p.") && !strings.Contains(errs.String(), "dev") {
				t.Errorf("status %d after %v, want %d: %s", got, time.Since(began), status, errs.String())
			}
		})
	}
}

// A command at the prompt takes nothing that is typed for the prompt, and ends when it ends.
func TestCommandsAtThePrompt(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check(`os.execute("exit 3")`, "3")
	y.check(`io.popen("echo out"):read()`, "out")
	y.check("1 + 1", "2")
	from := y.here()
	y.send("os.execute('read line; echo got $line')\r")
	y.shows(from, "os.execute")
	time.Sleep(100 * time.Millisecond)
	y.send("typed\r")
	y.shows(from, "got typed")
	y.prompt(from)
	y.check("2 + 2", "4")
}

// What a pipe gives arrives whole, also where reads wait in between.
func TestPipesAreRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "p"), 0o600); err != nil {
		t.Skipf("this system makes no pipes: %v", err)
	}
	go func() {
		f, err := os.OpenFile(filepath.Join(dir, "p"), os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for range 3 {
			f.WriteString(strings.Repeat("x", 50_000) + "\nhalf")
			time.Sleep(30 * time.Millisecond)
			f.WriteString(" and half\n")
		}
	}()
	r := command(t, dir, "1\n2\n3", "-e", `for l in io.lines("p") do io.write(#l, " ") end print(io.read(), io.read("*n"), io.read("*a"))`)
	if r.out != "50000 13 50000 13 50000 13 1\t2\t\n3\n" || r.status != 0 {
		t.Errorf("status %d, %q, %s", r.status, r.out, r.errs)
	}
}

// Ctrl-C ends a wait for a pipe at the first time it is pressed, and the session goes on.
func TestInterruptedPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "p"), 0o600); err != nil {
		t.Skipf("this system makes no pipes: %v", err)
	}
	y := open(t, options{dir: dir})
	y.prompt(0)
	for _, line := range []string{`io.open("p")`, `io.popen("sleep 30; true"):read()`, `dofile("p")`} {
		from := y.here()
		y.send(line + "\r")
		y.shows(from, line)
		time.Sleep(100 * time.Millisecond)
		y.send("\x03")
		if rows := y.prompt(from); !strings.Contains(strings.Join(rows, "\n"), "interrupted") {
			t.Errorf("%s: %q", line, rows)
		}
		y.check("1 + 1", "2")
	}
}
