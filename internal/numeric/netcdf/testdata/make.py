"""Makes NetCDF classic files of the three formats with netCDF4: python3 make.py FOLDER.

Beside each, x.nc.want has for every variable a line "name shape" and the numbers as they are stored, as float64.
"""

import json
import sys

import netCDF4
import numpy as np

folder = sys.argv[1]
for name, format in {"classic": "NETCDF3_CLASSIC", "offset64": "NETCDF3_64BIT_OFFSET", "data64": "NETCDF3_64BIT_DATA"}.items():
    for records in (1, 3):
        path = f"{folder}/{name}{records}.nc"
        rng = np.random.default_rng(records)
        with netCDF4.Dataset(path, "w", format=format) as f:
            f.title = "classic"
            f.createDimension("time", None)
            f.createDimension("x", 5)
            f.createDimension("y", 3)
            f.createVariable("x", "f8", ("x",))[:] = np.linspace(0, 1, 5)
            f.createVariable("one", "i4", ())[...] = -7
            f.createVariable("label", "S1", ("x",))[:] = np.array(list("abcde"), "S1")
            for t in ["i1", "i2", "i4", "f4", "f8"] + (["u1", "u2", "u4", "i8", "u8"] if name == "data64" else []):
                f.createVariable(f"fixed_{t}", t, ("y", "x"))[:] = (rng.standard_normal((3, 5)) * 50 + 60).astype(t)
            for t in ["i2", "f8", "i1"][:records]:
                f.createVariable(f"record_{t}", t, ("time", "y"))[:] = (rng.standard_normal((4, 3)) * 50).astype(t)
            v = f.createVariable("packed", "i2", ("y", "x"), fill_value=-1)
            v.scale_factor, v.add_offset = 0.25, 3.0
            v.set_auto_maskandscale(False)
            v[:] = np.arange(15).reshape(3, 5) - 1
        with netCDF4.Dataset(path) as f, open(path + ".want", "wb") as out:
            f.set_auto_mask(False)
            f.set_auto_scale(False)
            for n, v in f.variables.items():
                if v.dtype.kind != "S":
                    data = np.asarray(v[...]).astype("<f8")
                    out.write(json.dumps({"name": n, "shape": list(v.shape), "n": data.size}).encode() + b"\n" + data.tobytes())
