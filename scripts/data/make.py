"""Makes the small data files of scripts/examples, as instruments and programs write them.

    python3 scripts/data/make.py        (from the root; needs NumPy and h5py)

beams.csv      30 loads on a beam (force) and how far it bends (deflection), at 40 depths: a
               measurement a row, semicolons, decimal commas, units in the header, 1 % of the
               deflections missing. G(x, y) = min(x, y) (1 - max(x, y)), noise 2 %.
runs/          20 runs of a heated rod, a file each with position, source, temperature, as
               spreadsheets save them. The same G, an offset of 293 K, noise 1 %.
rods.mat       the same kind of rod from MATLAB, version 7.3: arrays x, f and u, a run in each
               column, in an HDF5 file behind MATLAB's block of 512 bytes.
catchment.csv  1500 hours of rain [mm/h] and discharge [m3/s]: base flow 2 and the response
               t/36 exp(-t/6) per hour, 0.15 of each hour's rain, noise 3 %, 1 % of the discharges missing.
"""

import datetime
import os

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(14)


def smooth(n, x, scale):
    """Normal random functions with the kernel exp(-d^2 / (2 scale^2))."""
    k = np.exp(-((x[:, None] - x[None, :]) ** 2) / (2 * scale**2))
    w, v = np.linalg.eigh(k)
    return rng.normal(size=(n, len(x))) @ (v * np.sqrt(np.maximum(w, 0))).T


def respond(f, x):
    """The integral of min(x, y) (1 - max(x, y)) f(x), by trapezoids."""
    g = np.minimum(x[:, None], x[None, :]) * (1 - np.maximum(x[:, None], x[None, :]))
    w = np.full(len(x), x[1] - x[0])
    w[[0, -1]] /= 2
    return (f * w) @ g


def noisy(u, level):
    return u + level * u.std(axis=0).mean() * rng.normal(size=u.shape)


def beams():
    x = np.linspace(0, 1, 40)
    f = smooth(30, x, 0.15)
    u = noisy(respond(f, x), 0.02)
    u[rng.random(u.shape) < 0.01] = np.nan
    cell = lambda v: "" if np.isnan(v) else f"{v:.6g}".replace(".", ",")
    with open(os.path.join(here, "beams.csv"), "w") as out:
        out.write("load;depth [m];force [N/m];deflection [mm]\n")
        for i in range(len(f)):
            for k in range(len(x)):
                out.write(f"L{i + 1};{cell(x[k])};{cell(f[i, k])};{cell(u[i, k])}\n")


def runs():
    x = np.linspace(0, 1, 30)
    f = smooth(20, x, 0.15)
    u = 293 + noisy(respond(f, x), 0.01)
    os.makedirs(os.path.join(here, "runs"), exist_ok=True)
    for i in range(len(f)):
        rows = "".join(f"{x[k]:.6g},{f[i, k]:.6g},{u[i, k]:.8g}\r\n" for k in range(len(x)))
        with open(os.path.join(here, "runs", f"run{i + 1:02}.csv"), "w", newline="") as out:
            out.write('"position","source","temperature"\r\n' + rows)


def rods():
    import h5py

    x = np.linspace(0, 1, 40)
    f = smooth(25, x, 0.15)
    u = noisy(respond(f, x), 0.01)
    path = os.path.join(here, "rods.mat")
    with h5py.File(path, "w", userblock_size=512, libver=("earliest", "v108")) as out:
        for name, v in [("x", x[None, :]), ("f", f), ("u", u)]:  # MATLAB's columns are HDF5's rows
            out.create_dataset(name, data=v).attrs["MATLAB_class"] = np.bytes_("double")
    with open(path, "r+b") as out:
        out.write(b"MATLAB 7.3 MAT-file, as MATLAB lays it out; made by make.py".ljust(116) + b"\0" * 8 + b"\x00\x02IM")


def catchment():
    n = 1500
    rain = np.where(rng.random(n) < 0.05, rng.gamma(1.5, 2, n), 0)
    rain = np.round(np.convolve(rain, [0.6, 0.3, 0.1])[:n], 2)
    t = np.arange(100)
    flow = 2 + 0.15 * np.convolve(rain, t / 36 * np.exp(-t / 6))[:n]
    flow = flow + 0.03 * flow.std() * rng.normal(size=n)
    flow[rng.random(n) < 0.01] = np.nan
    start = datetime.datetime(2024, 3, 1)
    with open(os.path.join(here, "catchment.csv"), "w") as out:
        out.write("time,rain [mm/h],discharge [m3/s]\n")
        for k in range(n):
            when = (start + datetime.timedelta(hours=k)).strftime("%Y-%m-%dT%H:%M")
            out.write(f"{when},{rain[k]:g},{'NA' if np.isnan(flow[k]) else f'{flow[k]:.4f}'}\n")


beams()
runs()
rods()
catchment()
