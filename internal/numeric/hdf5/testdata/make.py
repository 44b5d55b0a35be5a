"""Makes HDF5 files with h5py and netCDF4, and beside each what h5py reads from it.

    python3 make.py FOLDER small|large [file ...]

For every file x.h5 there is x.h5.want: for each dataset a line of JSON (path, shape, kind) and, for numbers, the
values as float64 (complex: two each), little-endian, in the order in which h5py has them; strings are in the JSON.
"""

import json
import sys

import h5py
import numpy as np

folder, scale = sys.argv[1], sys.argv[2]
only = sys.argv[3:]
large = scale == "large"
rng = np.random.default_rng(7)


def numbers(*shape):
    return rng.standard_normal(shape)


def want(name):
    with h5py.File(f"{folder}/{name}", "r") as f, open(f"{folder}/{name}.want", "wb") as out:

        def put(path, d):
            if not isinstance(d, h5py.Dataset) or d.shape is None:
                return
            head = {"path": path, "shape": list(d.shape)}
            lo, hi = d.attrs.get("rows", (0, 0))
            v = d[lo:hi] if hi else d[()]
            head["lo"], head["hi"] = int(lo), int(hi)
            if h5py.check_string_dtype(d.dtype) is not None:
                v = np.asarray(v).ravel().tolist()
                head["strings"] = [s.decode() if isinstance(s, bytes) else s for s in v]
                data = b""
            elif d.dtype.kind == "c":
                data = np.asarray(v, "<c16").tobytes()
                head["complex"] = True
            elif d.dtype.kind in "fiub":
                v = np.asarray(v)
                if not hi:
                    head["shape"] = list(v.shape)
                data = v.astype("<f8").tobytes()
            else:
                return
            head["bytes"] = len(data)
            out.write(json.dumps(head).encode() + b"\n" + data)

        f.visititems(put)


makers = {}


def maker(f):
    makers[f.__name__ + ".h5"] = f
    return f


def kinds(f):
    """Types, byte orders, layouts, filters: what both formats have."""
    a, n = numbers(*((50, 33) if large else (5, 7))), 40 if large else 6
    f["scalar"] = 3.25
    f["f64"] = a
    f.create_dataset("big64", data=a, dtype=">f8")
    f.create_dataset("f32", data=a, dtype="<f4")
    f.create_dataset("big32", data=a, dtype=">f4")
    half = np.array([0, -0.0, 1, -2.5, 6e-8, 65504, np.inf, -np.inf, 1e-5], "<f2")
    f["half"] = half
    f["bighalf"] = half.astype(">f2")
    for t in ["i1", "u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8"]:
        info = np.iinfo(t)
        f["int/" + t.replace("<", "l").replace(">", "b")] = np.array([0, 1, info.min, info.max, 77], t)
    f["bool"] = np.array([[True, False], [False, True]])
    e = h5py.enum_dtype({"RED": 0, "GREEN": 7, "BLUE": 42}, basetype="i2")
    f.create_dataset("enum", data=[0, 42, 7], dtype=e)
    f["complex"] = a[:3, :4] + 1j * a[1:4, :4]
    f["complex64"] = (a[:3, :4] - 1j).astype("c8")
    f["text/fixed"] = np.array([b"abc", b"de", b""])
    f.create_dataset("text/variable", data=["größe", "", "x" * 50], dtype=h5py.string_dtype())
    f["text/one"] = "a single string"
    f["records"] = np.array([(1, 2.5, [1, 2]), (3, -4.5, [3, 4])], [("id", "<i4"), ("x", ">f8"), ("v", "<f4", (2,))])
    f["empty"] = np.zeros((0, 4))
    f["nothing"] = h5py.Empty("f8")
    f.create_dataset("filled", shape=(n, 3), dtype="f8", fillvalue=-9.5)
    f["run1/f"] = a * 2
    f["run1/deep/er/u"] = a * 3
    f["soft"] = h5py.SoftLink("/run1/f")
    f["run1/deep/soft"] = h5py.SoftLink("er/u")
    f["hard"] = f["f64"]
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    small = numbers(3, 4)
    d = h5py.h5d.create(f.id, b"compact", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((3, 4)), plist)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, small)
    chunked(f, a)
    f["f64"].attrs["units"] = "m/s"
    f["f64"].attrs["fixed"] = np.bytes_("kelvin")
    f["f64"].attrs["scale"] = np.float32(0.5)
    f["f64"].attrs["range"] = np.array([-1, 7], ">i4")
    f["f64"].attrs["names"] = ["a", "bc"]
    f.attrs["title"] = "kinds"


def chunked(f, a):
    n = 40 if large else 6
    m = a.shape[1]
    ints = (a * 100).astype("<i4")
    inf = None
    for name, options in {
        "plain": {},
        "gzip": dict(compression="gzip"),
        "shuffle": dict(compression="gzip", shuffle=True),
        "fletcher": dict(fletcher32=True),
        "all": dict(compression="gzip", compression_opts=9, shuffle=True, fletcher32=True),
        "lzf": dict(compression="lzf"),
        "lzfshuffle": dict(compression="lzf", shuffle=True, fletcher32=True),
    }.items():
        for kind, most in {"fixed": a.shape, "rows": (inf, m), "columns": (a.shape[0], inf), "both": (inf, inf), "more": (200, 100)}.items():
            if not large and name not in ("plain", "all") and kind != "fixed":
                continue
            f.create_dataset(f"chunked/{name}/{kind}", data=ints if name == "lzf" else a, chunks=(3, 4), maxshape=most, **options)
        f.create_dataset(f"chunked/{name}/single", data=a, chunks=a.shape, **options)
    d = f.create_dataset("chunked/partly", shape=(n, 9), chunks=(2, 2), dtype="f8", fillvalue=1.5)
    d[2:4, 1:5] = 7
    f.create_dataset("chunked/cube", data=numbers(4, 5, 6), chunks=(2, 5, 4), compression="gzip")
    f.create_dataset("chunked/inner", data=numbers(6, 4, 3), chunks=(2, 4, 3), compression="gzip", maxshape=(None, 4, 3))
    d = f.create_dataset("chunked/shrunk", data=numbers(9, 5), chunks=(2, 2), maxshape=(None, None))
    d.resize((5, 3))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((2, 3))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    d = h5py.h5d.create(f.id, b"chunked/implicit", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((5, 7)), plist)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers(5, 7))


@maker
def earliest(path):
    with h5py.File(path, "w", libver="earliest") as f:
        kinds(f)


@maker
def latest(path):
    with h5py.File(path, "w", libver="latest") as f:
        kinds(f)


@maker
def userblock(path):
    with h5py.File(path, "w", userblock_size=512) as f:
        f["a/b"] = numbers(3, 4)
        f.create_dataset("c", data=numbers(5, 6), chunks=(2, 3), compression="gzip", shuffle=True)


@maker
def superblock3(path):
    with h5py.File(path, "w", libver=("v110", "v110"), userblock_size=2048) as f:
        f["a/b"] = numbers(3, 4)
        f.create_dataset("c", data=numbers(5, 6), chunks=(2, 3), compression="gzip", shuffle=True)


@maker
def links(path):
    """Dense links and attributes in fractal heaps of several levels, in both orders."""
    with h5py.File(path, "w", libver="latest") as f:
        for order in (False, True):
            g = f.create_group(f"many{int(order)}", track_order=order)
            for i in range(600 if large else 40):
                g[f"x{(i * 7919) % 10007}_{'y' * (i % 30)}"] = float(i)
        d = f.create_dataset("attributes", data=[1.0])
        for i in range(300 if large else 20):
            d.attrs[f"a{i}"] = np.arange(i % 5 + 1) * 1.5
        d.attrs["huge"] = np.arange(9000.0 if large else 20.0)
        f["outside"] = h5py.ExternalLink("other.h5", "/x")
        f["dangling"] = h5py.SoftLink("/nowhere")


@maker
def oldlinks(path):
    """A symbol table with a B-tree of several levels."""
    with h5py.File(path, "w") as f:
        for i in range(1000 if large else 30):
            f[f"g/x{i}"] = float(i)


if large:

    @maker
    def pages(path):
        """Indexes of so many chunks that they are in pages, super blocks and inner nodes."""
        with h5py.File(path, "w", libver="latest") as f:
            x = rng.standard_normal(12000).astype("<f4")
            f.create_dataset("fixed", data=x, chunks=(4,))
            f.create_dataset("fixedzip", data=x, chunks=(5,), compression="gzip")
            f.create_dataset("extensible", data=x, chunks=(4,), maxshape=(None,))
            f.create_dataset("extensiblezip", data=x, chunks=(7,), maxshape=(None,), compression="gzip")
            y = x.reshape(60, 200)
            f.create_dataset("columns", data=y, chunks=(3, 2), maxshape=(60, None))
            f.create_dataset("cube", data=x.reshape(4, 100, 30), chunks=(3, 7, 4), maxshape=(4, None, 40))
            f.create_dataset("tree", data=y, chunks=(2, 3), maxshape=(None, None))
            f.create_dataset("treezip", data=y, chunks=(3, 3), maxshape=(None, None), compression="lzf")
            d = f.create_dataset("sparse", shape=(500000,), chunks=(8,), maxshape=(None,), dtype="f4")
            d[3000:3010] = 3
            d[400000:400100] = 4
            d = f.create_dataset("far", shape=(10**7,), chunks=(8,), maxshape=(None,), dtype="f4", fillvalue=3)
            d[8000000:8000100] = np.arange(100)
            d[8003000:8003100] = np.arange(100)
            d.attrs["rows"] = [7990000, 8010000]
            d = f.create_dataset("sparsefixed", shape=(500000,), chunks=(8,), dtype="f4", fillvalue=2)
            d[3000:3010] = 3
            d[400000:400100] = 4
        with h5py.File(path[:-3] + "old.h5", "w") as f:
            f.create_dataset("tree", data=x, chunks=(4,), maxshape=(None,))
            f.create_dataset("cube", data=x.reshape(4, 100, 30), chunks=(3, 7, 4), compression="gzip", shuffle=True)
        want("pagesold.h5")


for name, make in makers.items():
    if not only or name in only:
        make(f"{folder}/{name}")
        want(name)
