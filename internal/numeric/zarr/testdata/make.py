"""Writes version2.zip: arrays of a Zarr store of version 2 as zarr-python 2.13 (Debian 12) writes them,
each with what it holds as text in want/NAME. Run with a folder: the store and the texts are written there.
The committed one is of long vectors of 2000 numbers, `make.py FOLDER 2000`."""
import os, sys, zipfile
import numpy as np, zarr
from numcodecs import Blosc, GZip, Shuffle, Zlib

def arrays(folder, length):
    g = zarr.open_group(os.path.join(folder, "x.zarr"), mode="w")
    rng = np.random.default_rng(14)
    def put(name, a, **how):
        g.create_dataset(name, data=a, **how)
        want[name] = g[name][...]
    want = {}
    table = np.round(rng.normal(size=(7, 11)), 2)
    put("raw", table, chunks=(3, 4), compressor=None)
    put("zlib", table, chunks=(3, 4), compressor=Zlib(6))
    put("gzip", table, chunks=(7, 11), compressor=GZip(6))
    put("default", table, chunks=(3, 4))
    put("columns", table, chunks=(3, 4), order="F", compressor=Zlib(1))
    put("shuffled", table, chunks=(4, 4), filters=[Shuffle(8)], compressor=Zlib(1))
    put("runs/slash", table, chunks=(3, 4), dimension_separator="/", compressor=Zlib(1))
    put("cube", np.arange(4 * 5 * 6, dtype=">i2").reshape(4, 5, 6), chunks=(2, 2, 5))
    put("number", np.array(2.5))
    long = np.cumsum(rng.normal(size=length)).round(1)
    for name, by in {"lz4": Blosc("lz4", 5, Blosc.SHUFFLE), "lz4hc": Blosc("lz4hc", 9, Blosc.NOSHUFFLE), "bloszlib": Blosc("zlib", 5, Blosc.SHUFFLE)}.items():
        put("blosc/" + name, long, chunks=(3 * length // 4,), compressor=by)
    put("blosc/single", long.astype("f4"), chunks=(length,), compressor=Blosc("lz4", 1, Blosc.SHUFFLE, blocksize=4096))
    put("blosc/noise", rng.integers(0, 256, 1000).astype("u1"), chunks=(1000,), compressor=Blosc("lz4", 1, Blosc.SHUFFLE))
    for t in "f2 f4 i1 i4 i8 u1 u2 u4 u8 ?".split():
        put("types/" + t.replace("?", "b"), (np.arange(9) % 5).astype(t))
    holes = g.create_dataset("holes", shape=(6, 4), chunks=(2, 2), dtype="f8", fill_value=float("nan"))
    holes[2:4, 2:] = 7
    want["holes"] = holes[...]
    g["raw"].attrs.update({"_ARRAY_DIMENSIONS": ["run", "x"], "scale_factor": 1.5})
    for name, v in {"text": np.array(["a", "b"]), "complex": np.ones(3, "c16"), "records": np.zeros(2, [("a", "f8"), ("b", "i4")])}.items():
        g.create_dataset("refused/" + name, data=v)
    for name, by in {"zstd": Blosc("zstd"), "blosclz": Blosc("blosclz"), "bits": Blosc("lz4", 5, Blosc.BITSHUFFLE)}.items():
        g.create_dataset("refused/" + name, data=long, chunks=(length,), compressor=by)
    return want

if __name__ == "__main__":
    folder = sys.argv[1]
    for name, v in arrays(folder, int(sys.argv[2])).items():
        path = os.path.join(folder, "want", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            print(*v.shape, file=f)
            print(*(repr(float(x)) for x in v.ravel()), file=f)
    with zipfile.ZipFile(os.path.join(folder, "version2.zip"), "w", zipfile.ZIP_DEFLATED) as z:
        for part in ("x.zarr", "want"):
            for base, _, names in sorted(os.walk(os.path.join(folder, part))):
                for name in sorted(names):
                    z.write(os.path.join(base, name), os.path.relpath(os.path.join(base, name), folder))
