package dense

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
)

// worthAsking is the size in bytes up to which nobody asks whether there is room.
const worthAsking = 1 << 22

// CheckSize says whether so many float64s can be allocated. It must be asked
// before an allocation whose size depends on what a user gave: an allocation that
// fails ends the program and the session with it. what begins the error:
// "n 200000: a matrix of 200000 × 200000" gives "n 200000: a matrix of 200000 ×
// 200000 needs 298 GiB; the limit is 16 GiB".
//
// The limit is Go's (GOMEMLIMIT, debug.SetMemoryLimit); where there is none, three
// quarters of the memory of the machine or of the container. What is in use
// already counts.
func CheckSize(what string, numbers float64) error {
	bytes := 8 * numbers
	if bytes <= worthAsking {
		return nil
	}
	limit := MemoryLimit()
	if !(bytes <= limit) { // NaN needs too much
		return fmt.Errorf("%s needs %s; the limit is %s", what, Bytes(bytes), Bytes(limit))
	}
	if bytes+InUse() <= limit {
		return nil
	}
	runtime.GC() // what is garbage does not count
	if used := InUse(); bytes+used > limit {
		return fmt.Errorf("%s needs %s; the limit is %s, of which %s are in use", what, Bytes(bytes), Bytes(limit), Bytes(used))
	}
	return nil
}

// CheckMatrix is [CheckSize] for count matrices of rows × columns.
func CheckMatrix(name string, count, rows, columns int) error {
	what := fmt.Sprintf("%s: a matrix of %d × %d", name, rows, columns)
	if count > 1 {
		what = fmt.Sprintf("%s: work on matrices of %d × %d", name, rows, columns)
	}
	return CheckSize(what, float64(count)*float64(rows)*float64(columns))
}

// MemoryLimit is how many bytes the process may use: see [CheckSize].
func MemoryLimit() float64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return float64(limit)
	}
	return defaultLimit()
}

// InUse is how many bytes the objects of the process take, garbage included.
func InUse() float64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return float64(sample[0].Value.Uint64())
}

// defaultLimit is read once: the machine does not change.
var defaultLimit = sync.OnceValue(func() float64 { return limitFrom(os.ReadFile) })

// unknownLimit is the limit on systems that do not say how much memory they have.
const unknownLimit = 16 << 30

// limitFrom is three quarters of the memory that the files of Linux tell of: that
// of the machine, or of the control group, versions 2 and 1, if that is less.
func limitFrom(readFile func(string) ([]byte, error)) float64 {
	least := math.Inf(1)
	for _, source := range []struct {
		path, before string
		unit         float64
	}{
		{"/proc/meminfo", "MemTotal:", 1024},
		{"/sys/fs/cgroup/memory.max", "", 1},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1},
	} {
		text, err := readFile(source.path)
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(text), source.before)
		if words := strings.Fields(after); len(words) > 0 {
			if n, err := strconv.ParseFloat(words[0], 64); err == nil && n > 0 {
				least = min(least, n*source.unit)
			}
		}
	}
	if math.IsInf(least, 1) {
		return unknownLimit
	}
	return least * 3 / 4
}

// Bytes writes a size in bytes for people: "298 GiB".
func Bytes(bytes float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	k := 0
	for bytes >= 1024 && k < len(units)-1 {
		bytes /= 1024
		k++
	}
	return strconv.FormatFloat(bytes, 'g', 3, 64) + " " + units[k]
}
