"""Reads estimates that the workbench saved (est:save("est.npz")), with NumPy alone.

    import workbench
    est = workbench.load("est.npz")
    u = est.predict(f)                  # f: one input, or n x points of the input mesh
    G = est.green(x, y)                 # at points x of the input and y of the output
    print(est.kernel, est.report["r2"])

An estimate is, in exact arithmetic,

    u(y) = bias(y) + sum over i of G(x_i, y) f(x_i) w_i       w: the weights of the quadrature
    G(p) = mask(p)/|maps| * sum over maps g of sign(g) F(g reduce(p)),   p = (x, y)
    F(z) = sum over j of k(z, z_j) W_j
    bias(y) = intercept + sum over k of q(y, y_k) b_k

and the file holds every part of it as arrays and as formulas made of elementary operations,
so that nothing here knows a kernel by name. Values agree with those of the workbench to about
1e-13 of the largest. Evaluation costs a formula for every point and every weight: for many
points, evaluate in the workbench and save the numbers.

Needs Python 3.8 and NumPy 1.20 or later. This file may be copied and changed at will.
"""

import json
import math
import zipfile

import numpy as np

__all__ = ["load", "Estimate"]

_BLOCK = 1 << 20  # values of a formula that are computed at once


def load(path):
    """The estimate in a file that est:save wrote."""
    try:
        file = np.load(path, allow_pickle=False)
    except (ValueError, zipfile.BadZipFile) as e:
        raise ValueError(f"{path}: not a saved estimate: {e}") from None
    if not hasattr(file, "files"):
        raise ValueError(f"{path}: not a saved estimate: it holds one array")
    with file, zipfile.ZipFile(path) as z:
        if "estimate.json" not in z.namelist():
            raise ValueError(f"{path}: not a saved estimate: est:save writes one")
        header = json.loads(z.read("estimate.json"))
        arrays = {name: file[name] for name in file.files if name != "estimate.json"}
    if header.get("format") != "workbench estimate":
        raise ValueError(f"{path}: format {header.get('format')!r}: must be 'workbench estimate'")
    if header.get("prior") is not None:
        raise ValueError(f"{path}: has a prior, which this reader does not evaluate: use green.load in the workbench")
    if header["version"] > 1:
        raise ValueError(f"{path}: format version {header['version']}, and this reader knows 1: use a newer workbench.py")
    if not header.get("evaluation"):
        raise ValueError(
            f"{path}: holds no formulas, because its kernel is too large to be written out or an older workbench wrote it: "
            "in a new one, green.load the file and est:save it again"
        )
    return Estimate(path, header, arrays)


class Estimate:
    """A learned Green's function G(x, y) and bias(y).

    kernel         the kernel as text
    report         what the fit found: a dictionary
    input_points   points of the input mesh, one in each row
    input_weights  their quadrature weights
    output_points  points of the output mesh, one in each row
    """

    def __init__(self, path, header, arrays):
        self.kernel, self.report = header["expression"], header["report"]
        self.input_points, self.input_weights = _mesh(header["input_mesh"])
        self.output_points, _ = _mesh(header["output_mesh"])
        self._intercept = header.get("intercept", 0.0)
        e = header["evaluation"]
        green = e["green"]
        self._weights = np.ravel(arrays["weights"])
        x, y = arrays["weight_x"], arrays["weight_y"]
        self._places = np.hstack([np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))])
        self._kernel = _Formula(green["kernel"], path)
        self._reduce = [_Formula(n, path) for n in green["reduce"]]
        self._maps = [(g["sign"], [_Formula(n, path) for n in g["at"]]) for g in green.get("images", [])]
        self._mask = _Formula(green["mask"], path) if "mask" in green else None
        self._seen = [_Formula(n, path) for n in green.get("seen", [])]
        self._bias = _Formula(e["bias"], path) if "bias" in e else None
        self._bias_weights = arrays.get("bias_weights")

    def __repr__(self):
        m, n = len(self.input_points), len(self.output_points)
        return f"estimate with kernel {self.kernel}, learned on {m} points of the input and {n} of the output"

    def green(self, x=None, y=None):
        """G, points of x times points of y; by default on the meshes of the data.

        x and y are points: numbers, or rows of coordinates.
        """
        x = self._points(x, self.input_points, "x")
        y = self._points(y, self.output_points, "y")
        at = [np.repeat(c, len(y)) for c in x.T] + [np.tile(c, len(x)) for c in y.T]
        reduced = [np.broadcast_to(f(at), at[0].shape) for f in self._reduce]
        if not self._maps:
            g = self._sum(reduced)
        else:
            g = sum(sign * self._sum([f(reduced) for f in image]) for sign, image in self._maps) / len(self._maps)
        if self._mask is not None:
            g = np.where(self._mask([np.broadcast_to(f(at), at[0].shape) for f in self._seen]) != 0, g, 0.0)
        return g.reshape(len(x), len(y))

    def bias(self, y=None):
        """The bias at points y; by default on the output mesh of the data."""
        y = self._points(y, self.output_points, "y")
        if self._bias is None:
            return np.zeros(len(y))
        return self._intercept + _expansion(self._bias, list(y.T), self.output_points, self._bias_weights)

    def predict(self, f, x=None, weights=None, y=None):
        """Outputs for inputs f: one, or one in each row.

        Inputs are sampled on the input mesh of the data, or at points x that are integrated
        with these weights; outputs are at points y, by default those of the data.
        """
        f = np.asarray(f, dtype=float)
        if (x is None) != (weights is None):
            raise ValueError("x and weights: give both, or neither")
        w = self.input_weights if weights is None else np.asarray(weights, dtype=float)
        if f.ndim not in (1, 2) or f.shape[-1] != len(w):
            raise ValueError(f"f has the shape {f.shape}: want {len(w)} values, or rows of as many, one for each point of the input")
        return self.bias(y) + (f * w) @ self.green(x, y)

    def _sum(self, at):
        return _expansion(self._kernel, at, self._places, self._weights)

    @staticmethod
    def _points(given, default, name):
        if given is None:
            return default
        p = np.asarray(given, dtype=float)
        if p.ndim < 2:
            p = p.reshape(-1, 1) if default.shape[1] == 1 else p.reshape(1, -1)
        if p.ndim != 2 or p.shape[1] != default.shape[1]:
            raise ValueError(f"{name} has the shape {np.shape(given)}: want points of {default.shape[1]} coordinates, one in each row")
        return p


def _mesh(axes):
    """Points and weights of a product of axes, the last one varying fastest."""
    points, weights = np.zeros((1, 0)), np.ones(1)
    for a in axes:
        p = np.asarray(a["Coordinates"], dtype=float).reshape(len(a["Weights"]), -1)
        points = np.hstack([np.repeat(points, len(p), axis=0), np.tile(p, (len(points), 1))])
        weights = np.outer(weights, a["Weights"]).ravel()
    return points, weights


def _expansion(kernel, at, places, weights):
    """sum over j of kernel(at, places[j]) weights[j], for coordinates at of many points."""
    out = np.empty(len(at[0]))
    rows = max(1, _BLOCK // len(weights))
    columns = [c[None, :] for c in places.T]
    for i in range(0, len(out), rows):
        block = [c[i : i + rows, None] for c in at]
        shape = (len(block[0]), len(weights))
        with np.errstate(all="ignore"):  # what a condition does not choose may be anything
            out[i : i + rows] = np.broadcast_to(kernel(block + columns), shape) @ weights
    return out


class _Formula:
    """A formula as a list of operations, each on results of earlier ones; the last is it."""

    def __init__(self, document, path):
        if document["version"] != 1:
            raise ValueError(f"{path}: formulas of version {document['version']}, and this reader knows 1: use a newer workbench.py")
        self._nodes = document["nodes"]
        for n in self._nodes:
            if n["op"] not in _OPERATIONS and n["op"] not in ("const", "var", "matern", "besselk"):
                raise ValueError(f"{path}: its kernel uses the operation {n['op']!r}, which this reader does not know: use a newer workbench.py")

    def __call__(self, variables):
        values = []
        for n in self._nodes:
            args = [values[i] for i in n.get("args", ())]
            op = n["op"]
            if op == "const":
                values.append(float(n["value"]))
            elif op == "var":
                values.append(variables[n.get("slot", 0)])
            elif op == "matern":
                values.append(_matern(float(n["value"]), args[0]))
            elif op == "besselk":
                values.append(_besselk(float(n["value"]), np.abs(args[0])))
            else:
                values.append(_OPERATIONS[op](*args))
        return np.asarray(values[-1], dtype=float)


_OPERATIONS = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "neg": np.negative,
    "^": lambda a, b: np.sqrt(a) if np.ndim(b) == 0 and b == 0.5 else np.power(np.asarray(a, dtype=float), b),
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil, "%": np.mod,
    "min": np.minimum, "max": np.maximum, "where": lambda c, a, b: np.where(np.asarray(c) != 0, a, b),
    "lt": lambda a, b: np.less(a, b).astype(float), "le": lambda a, b: np.less_equal(a, b).astype(float),
}  # fmt: skip


def _matern(nu, d):
    """The Matern function 2^(1-nu)/Gamma(nu) z^nu K_nu(z), z = sqrt(2 nu) |d|; 1 at 0."""
    d = np.abs(np.asarray(d, dtype=float))
    if math.isinf(nu):
        return np.exp(-d * d / 2)
    z = math.sqrt(2 * nu) * d
    m = nu - 0.5
    if m == int(m) and m < 30:  # a polynomial times an exponential
        m, s = int(m), np.zeros_like(z)
        for i in range(m + 1):
            s = s + math.factorial(m + i) // (math.factorial(i) * math.factorial(m - i)) * (2 * z) ** (m - i)
        return np.exp(-z) * s * (math.factorial(m) / math.factorial(2 * m))
    value = _bessel_integral(nu, z, nu * np.log(z) + (1 - nu) * math.log(2) - math.lgamma(nu))
    return np.where(z == 0, 1.0, value)


def _besselk(nu, x):
    return np.where(x == 0, np.inf, _bessel_integral(abs(nu), x, np.zeros_like(x)))


def _bessel_integral(nu, x, log_factor):
    """exp(log_factor) K_nu(x), K_nu(x) the integral of exp(-x cosh t) cosh(nu t) over t > 0.

    The trapezoidal rule with step 0.05 is exact to rounding: the integrand is analytic and
    falls doubly exponentially.
    """
    x, log_factor = np.broadcast_arrays(np.asarray(x, dtype=float), log_factor)
    unique, where = np.unique(np.stack([x.ravel(), log_factor.ravel()]), axis=1, return_inverse=True)
    out, h = np.zeros(unique.shape[1]), 0.05
    smallest = max(unique[0][unique[0] > 0].min(initial=1.0), 1e-300)
    last = math.acosh(1 + (800 + 60 * nu) / smallest)
    for k in range(int(last / h) + 1):
        t = k * h
        grow, fall = np.exp(nu * t - unique[0] * math.cosh(t) + unique[1]), np.exp(-nu * t - unique[0] * math.cosh(t) + unique[1])
        out += (h / 4 if k == 0 else h / 2) * (grow + fall)
    return out[where.ravel()].reshape(x.shape)
