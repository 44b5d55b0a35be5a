"""Writes v73.mat, which is laid out as MATLAB 7.3 lays out its files: HDF5 behind a user block of 512 bytes,
deflated chunks, the class of the array in an attribute. Made by h5py 3.7 (Debian 12)."""
import h5py, numpy as np
with h5py.File("v73.mat", "w", userblock_size=512, libver="earliest") as f:
    d = f.create_dataset("A", data=np.random.default_rng(73).normal(size=(80, 80)).round(2), chunks=(20, 80), compression="gzip", compression_opts=3)
    d.attrs["MATLAB_class"] = np.bytes_("double")
with open("v73.mat", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(124) + b"\x00\x02IM")
