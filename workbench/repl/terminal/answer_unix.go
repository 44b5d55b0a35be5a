//go:build unix

package terminal

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// readAnswer reads from a terminal in raw mode until the final letter of an
// answer or the end of the time. What was typed meanwhile is lost.
func readAnswer(fd int, limit time.Duration) string {
	var b strings.Builder
	buf := make([]byte, 256)
	for end := time.Now().Add(limit); ; {
		left := time.Until(end).Milliseconds()
		if left <= 0 {
			return b.String()
		}
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(polled, int(left))
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return b.String()
		}
		m, err := unix.Read(fd, buf)
		if err != nil || m <= 0 {
			return b.String()
		}
		b.Write(buf[:m])
		if _, rest, ok := strings.Cut(b.String(), "\x1b[?"); ok && strings.Contains(rest, "c") {
			return b.String()
		}
	}
}
