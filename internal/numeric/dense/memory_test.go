package dense

import (
	"math"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// What does not fit is refused with what it needs and what there is.
func TestCheckSize(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(16 << 30))
	if err := CheckMatrix("n 1000", 1, 1000, 1000); err != nil {
		t.Errorf("8 MB of 16 GiB: %v", err)
	}
	err := CheckMatrix("n 200000", 1, 200000, 200000)
	if want := "n 200000: a matrix of 200000 × 200000 needs 298 GiB; the limit is 16 GiB"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, numbers := range []float64{math.Inf(1), math.NaN(), 1e300} {
		wantSaid(t, CheckSize("it", numbers), "it needs", "the limit is 16 GiB")
	}
}

// What is in use counts, and garbage does not.
func TestCheckSizeInUse(t *testing.T) {
	held := make([]float64, 1<<23) // 64 MiB
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(128 << 20))
	wantSaid(t, CheckSize("it", 15<<20/2*2), "it needs 120 MiB; the limit is 128 MiB, of which", "in use")
	held[0] = 1
	held = nil
	if err := CheckSize("it", 10<<20); err != nil {
		t.Errorf("80 MiB beside garbage: %v", err)
	}
}

// The files of Linux: kibibytes in /proc/meminfo, bytes or "max" in control groups.
func TestDefaultLimit(t *testing.T) {
	const meminfo, v2, v1 = "/proc/meminfo", "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"no files", nil, 16 << 30},
		{"a machine of 8 GiB", map[string]string{meminfo: "MemTotal:        8388608 kB\nMemFree:  1 kB\n"}, 6 << 30},
		{"no limit of the group", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v2: "max\n"}, 6 << 30},
		{"a group of 4 GiB", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v2: "4294967296\n"}, 3 << 30},
		{"an old group of 4 GiB", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v1: "4294967296\n"}, 3 << 30},
		{"an old group without limit", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v1: "9223372036854771712\n"}, 6 << 30},
		{"nonsense", map[string]string{meminfo: "nothing", v2: ""}, 16 << 30},
	} {
		got := limitFrom(func(path string) ([]byte, error) {
			if text, ok := tt.files[path]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		})
		if got != tt.want {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
}

// wantSaid checks that err says every one of the given things.
func wantSaid(t *testing.T, err error, say ...string) {
	t.Helper()
	for _, s := range say {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("error %v does not say %q", err, s)
		}
	}
}
