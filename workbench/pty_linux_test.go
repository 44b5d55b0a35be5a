package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a screen may take to show what a test waits for. It is
// no measure of anything: a loaded machine is slow.
const patience = 30 * time.Second

// A tty is the program in a terminal of its own.
type tty struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	ended  chan error

	mu     sync.Mutex
	screen *screen
	raw    []byte
}

// options of a terminal session; the zero value is an ordinary one.
type options struct {
	args          []string
	env           []string
	dir           string
	columns, rows int
}

// open starts the program in a pseudo-terminal.
func open(t *testing.T, o options) *tty {
	t.Helper()
	if o.columns == 0 {
		o.columns, o.rows = 100, 40
	}
	if o.dir == "" {
		o.dir = t.TempDir()
	}
	master, slave, err := pseudoTerminal(o.columns, o.rows)
	if err != nil {
		t.Skipf("this system gives no pseudo-terminal: %v", err)
	}
	defer slave.Close()
	cmd := program(o.dir, o.args...)
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "PAGER=cat")
	cmd.Env = append(cmd.Env, o.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	y := &tty{t: t, cmd: cmd, master: master, ended: make(chan error, 1), screen: newScreen(o.columns, o.rows)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 1<<16)
		for {
			n, err := master.Read(buf)
			y.mu.Lock()
			y.screen.write(buf[:n])
			y.raw = append(y.raw, buf[:n]...)
			y.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { y.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		master.Close()
		<-read
	})
	return y
}

func pseudoTerminal(columns, rows int) (master, slave *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}); err != nil {
		return nil, nil, err
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	return master, slave, err
}

// send types keys.
func (y *tty) send(keys string) {
	y.t.Helper()
	if _, err := y.master.WriteString(keys); err != nil {
		y.t.Fatal(err)
	}
}

// rows is what is on the screen from a row on.
func (y *tty) rows(from int) []string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.screen.text(from)
}

// here is the row of the cursor.
func (y *tty) here() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.screen.row
}

// wait waits until the rows from one on satisfy a condition.
func (y *tty) wait(from int, what string, done func(rows []string) bool) []string {
	y.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if rows := y.rows(from); done(rows) {
			return rows
		}
	}
	y.t.Fatalf("waited for %s; the screen is\n%s", what, strings.Join(y.rows(0), "\n"))
	return nil
}

// prompt waits for the prompt in a row after the given one and returns the
// rows between.
func (y *tty) prompt(after int) []string {
	y.t.Helper()
	rows := y.wait(after, "the prompt", func(rows []string) bool {
		return len(rows) > 1 && rows[len(rows)-1] == ">" || after == 0 && len(rows) == 1 && rows[0] == ">"
	})
	return rows[min(1, len(rows)-1) : len(rows)-1]
}

// shows waits until the screen shows a text in or below a row.
func (y *tty) shows(from int, text string) {
	y.t.Helper()
	y.wait(from, fmt.Sprintf("%q", text), func(rows []string) bool {
		return strings.Contains(strings.Join(rows, "\n"), text)
	})
}

// run enters a line and returns what appears before the next prompt.
func (y *tty) run(line string) []string {
	y.t.Helper()
	from := y.here()
	y.send(line + "\r")
	return y.prompt(from)
}

// check enters a line and compares what appears.
func (y *tty) check(line string, want ...string) {
	y.t.Helper()
	if got := y.run(line); strings.Join(got, "\n") != strings.Join(want, "\n") {
		y.t.Errorf("%s\n got  %q\n want %q", line, got, want)
	}
}

// exit waits for the end of the program and returns its status.
func (y *tty) exit() int {
	y.t.Helper()
	select {
	case <-y.ended:
		return y.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		y.t.Fatalf("the program does not end; the screen is\n%s", strings.Join(y.rows(0), "\n"))
		return -1
	}
}

// resize changes the size of the window.
func (y *tty) resize(columns, rows int) {
	y.t.Helper()
	size := &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}
	conn, err := y.master.SyscallConn() // Fd would make reading block for good
	if err != nil {
		y.t.Fatal(err)
	}
	if e := conn.Control(func(fd uintptr) { err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) }); e != nil || err != nil {
		y.t.Fatal(e, err)
	}
	y.mu.Lock()
	y.screen.columns, y.screen.rows = columns, rows
	y.mu.Unlock()
}
