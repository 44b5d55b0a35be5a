//go:build unix

package line

import "syscall"

// suspend stops the process group of the terminal's foreground job, as the
// terminal itself does on Ctrl-Z, and returns when it is continued. readline's
// own version stops the parent process as well, whoever that is.
func suspend() { _ = syscall.Kill(0, syscall.SIGTSTP) }
