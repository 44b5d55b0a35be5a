package hdf5_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/hdf5"
)

// TestSpeed compares with h5py on 100 MB of compressed chunks: HDF5_SPEED=1 go test -run Speed -v.
func TestSpeed(t *testing.T) {
	p := python()
	if os.Getenv("HDF5_SPEED") == "" || p == "" {
		t.Skip("takes a minute: set HDF5_SPEED, with h5py installed")
	}
	path := t.TempDir() + "/a.h5"
	script := `
import h5py, numpy as np, sys, time
x = np.cumsum(np.random.default_rng(1).standard_normal((500, 25000)), axis=1)
noisy = np.random.default_rng(2).standard_normal((500, 25000))
with h5py.File(sys.argv[1], "w") as f:
    f.create_dataset("deflate", data=x.round(3), chunks=(50, 2500), compression="gzip")
    f.create_dataset("shuffle", data=x.round(3), chunks=(50, 2500), compression="gzip", shuffle=True)
    f.create_dataset("noise", data=noisy, chunks=(50, 2500), compression="gzip", shuffle=True)
    f.create_dataset("lzf", data=x.round(3), chunks=(50, 2500), compression="lzf", shuffle=True)
    f["plain"] = x
`
	if out, err := exec.Command(p, "-c", script, path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	theirs := `
import h5py, sys, time
with h5py.File(sys.argv[1]) as f:
    best = 1e9
    for _ in range(3):
        t = time.perf_counter(); f[sys.argv[2]][()]; best = min(best, time.perf_counter() - t)
    print(round(best, 3))
`
	for _, name := range []string{"deflate", "shuffle", "noise", "lzf", "plain"} {
		out, err := exec.Command(p, "-c", theirs, path, name).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		best := time.Hour
		for range 3 {
			start := time.Now()
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			info, _ := file.Stat()
			f, err := hdf5.Open(file, info.Size())
			if err != nil {
				t.Fatal(err)
			}
			d, err := f.Dataset(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Read(context.Background(), 0, d.Rows()); err != nil {
				t.Fatal(err)
			}
			file.Close()
			best = min(best, time.Since(start))
		}
		t.Logf("%s: %v, h5py %s s", name, best, out)
	}
}
