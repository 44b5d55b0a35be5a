package dataset

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMeshFromCoordinates: NetCDF files of both formats bring their meshes; the last one has outputs on points of
// their own in two dimensions.
func TestMeshFromCoordinates(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4")
	}
	script := `
import netCDF4, numpy as np, sys
for name, format in {"a4.nc": "NETCDF4", "a3.nc": "NETCDF3_CLASSIC"}.items():
    with netCDF4.Dataset(sys.argv[1] + "/" + name, "w", format=format) as f:
        for d, n in {"run": 6, "x": 4, "y": 3, "z": 2}.items():
            f.createDimension(d, n)
            if d != "run":
                f.createVariable(d, "f8", (d,))[:] = np.arange(n) ** 2.0
        f.createVariable("f", "f4", ("run", "x"))[:] = np.arange(24.0).reshape(6, 4)
        f.createVariable("u", "f8", ("run", "y", "z"))[:] = np.arange(36.0).reshape(6, 3, 2) ** 2
`
	dir := t.TempDir()
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"a4.nc", "a3.nc"} {
		d, err := Load(filepath.Join(dir, name), LoadSpec{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m := d.InputMesh; m.Dim() != 1 || d.N() != 6 || m.Names()[0] != "x" || m.Size() != 4 || m.Points()[3] != 9 {
			t.Errorf("%s: %v", name, d.InputMesh)
		}
		if d.OutputMesh.Dim() != 2 || d.OutputMesh.Size() != 6 || d.Output.Data[35] != 35*35 {
			t.Errorf("%s: %v, outputs %v", name, d.OutputMesh, d.Output.Shape)
		}
	}
}
