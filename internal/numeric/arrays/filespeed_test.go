package arrays

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// fileScript writes the files and prints the least of three times that NumPy and SciPy
// take to read each, in seconds.
const fileScript = `
import json, sys, time
import numpy as np, scipy.io
folder = sys.argv[1] + "/"
rng = np.random.default_rng(1)
f = np.sin(np.arange(5000000).reshape(2500, 2000) / 50) + 1e-3 * rng.normal(size=(2500, 2000))
u = np.cumsum(f, axis=1)
np.savez(folder + "stored.npz", f=f, u=u)
np.savez_compressed(folder + "packed.npz", f=f, u=u)
np.save(folder + "plain.npy", np.concatenate([f, u]))
np.save(folder + "single.npy", np.concatenate([f, u]).astype(np.float32))
scipy.io.savemat(folder + "packed.mat", dict(f=f, u=u), do_compression=True)
lines = "\n".join(",".join(map(repr, row)) for row in rng.normal(size=(1000, 1000)).tolist()) + "\n"
with open(folder + "long.csv", "w") as out:
    for k in range(10):
        out.write(lines)
def both(load):
    def read(path):
        d = load(path)
        return d["f"], d["u"]
    return read
times = {}
for name, read in [("stored.npz", both(np.load)), ("packed.npz", both(np.load)), ("plain.npy", np.load),
                   ("single.npy", lambda p: np.load(p).astype(float)), ("packed.mat", both(scipy.io.loadmat)), ("long.csv", lambda p: None)]:
    best = 1e9
    for k in range(3):
        start = time.perf_counter()
        read(folder + name)
        best = min(best, time.perf_counter() - start)
    times[name] = best
print(json.dumps(times))
`

// BenchmarkFiles times files of 10^7 numbers here and in NumPy and SciPy, one after the
// other; NumPy has no number for text. The text has 17 digits a number.
//
//	go test ./internal/numeric/arrays -run '^$' -bench Files -benchtime 1x -v
func BenchmarkFiles(b *testing.B) {
	python := pythonWith("scipy.io")
	if python == "" {
		b.Skip("LEFT OUT: no python3 here has scipy")
	}
	dir := b.TempDir()
	script := filepath.Join(dir, "files.py")
	if err := os.WriteFile(script, []byte(fileScript), 0o644); err != nil {
		b.Fatal(err)
	}
	out, err := exec.Command(python, script, dir).Output()
	if err != nil {
		b.Fatal(err)
	}
	theirs := map[string]float64{}
	if err := json.Unmarshal(out, &theirs); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"stored.npz", "packed.npz", "plain.npy", "single.npy", "packed.mat", "long.csv"} {
		best := time.Hour
		for range 3 {
			start := time.Now()
			if _, err := LoadAll(filepath.Join(dir, name)); err != nil {
				b.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		b.Logf("%-11s %6.3f s, NumPy or SciPy %6.3f s, ratio %.2f", name, best.Seconds(), theirs[name], best.Seconds()/theirs[name])
	}
}
