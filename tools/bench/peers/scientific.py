"""What NumPy, SciPy and, below these, BLAS and LAPACK take for the rows of the table: python3 scientific.py NAME MODE CALLS FOLDER

Each function is named like a row's peer and returns the work to time and what is known of its result; ours has put its
data into the folder. What is said on standard input and output is in driver.lua."""

import inspect
import sys
import time

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

name, mode, calls, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def pick(full, small):
    return small if mode == "quick" else full


def shared(name):
    return np.load(f"{folder}/{name}.npy")


def matrix(work, known):
    a = shared("a")
    return lambda: work(a), lambda x: {"answer": known(x)}


def eigh():
    return matrix(np.linalg.eigh, lambda x: x[0])


def svd():
    return matrix(lambda a: np.linalg.svd(a, full_matrices=False), lambda x: x[1])


def qr():
    return matrix(np.linalg.qr, lambda x: (x[1] ** 2).sum(1))


def inv():
    return matrix(np.linalg.inv, lambda x: x[0])


def solve():
    b = shared("b")
    return matrix(lambda a: np.linalg.solve(a, b), lambda x: x)


def cholesky():
    return matrix(np.linalg.cholesky, lambda x: x[-1])


def dot():
    b = shared("b")
    return matrix(lambda a: a @ b, lambda x: x)


def product():
    return matrix(lambda a: a @ a, lambda x: x[0])


def laplacian():
    """-Δ by five points on the unit square, zero on its edge, and the right-hand side inside."""
    f = shared("f").ravel()
    k = int(round(f.size**0.5))
    h, inner = 1 / (k - 1), k - 2
    second = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(inner, inner)) / h**2
    eye = scipy.sparse.identity(inner)
    matrix = (scipy.sparse.kron(second, eye) + scipy.sparse.kron(eye, second)).tocsc()
    return matrix, f.reshape(k, k)[1:-1, 1:-1].ravel(), k


def whole_square(u, k):
    return np.pad(u.reshape(k - 2, k - 2), 1)


def middle(k):
    return lambda u: {"answer": u[k // 2 - 1]}


def factored(matrix):
    return scipy.sparse.linalg.splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})


def laplace():
    k = laplacian()[2]

    def work():
        matrix, f, k = laplacian()
        return whole_square(factored(matrix).solve(f), k)

    return work, middle(k)


def laplace_again():
    matrix, f, k = laplacian()
    lu = factored(matrix)
    return lambda: whole_square(lu.solve(f), k), middle(k)


def numbers():
    rng = np.random.default_rng(1)
    n = pick(5000, 100)
    return np.sin(np.arange(n * 2000).reshape(n, 2000) / 50) + 1e-3 * rng.normal(size=(n, 2000))


def packed_npz():
    np.savez_compressed(folder + "/packed.npz", f=numbers())
    return lambda: np.load(folder + "/packed.npz")["f"], lambda a: {"answer": a[6]}


def plain_npy():
    np.save(folder + "/plain.npy", numbers())
    return lambda: np.load(folder + "/plain.npy"), lambda a: {"answer": a[6]}


def trapezoid(x):
    w = np.zeros(len(x))
    w[:-1] += np.diff(x) / 2
    w[1:] += np.diff(x) / 2
    return w


def matern(d):
    return (1 + 5**0.5 * d + 5 * d * d / 3) * np.exp(-(5**0.5) * d)


def toeplitz(m, h, scale):
    """The Matérn kernel of (x, y) on a uniform grid of m × m points, as an operator by FFT."""
    p = scipy.fft.next_fast_len(2 * m - 1, True)
    i = np.minimum(np.arange(p), p - np.arange(p)) * h / scale
    symbol = scipy.fft.rfft2(matern(np.hypot(i[:, None], i[None]))).real
    return lambda w: scipy.fft.irfft2(scipy.fft.rfft2(w, s=(p, p)) * symbol, s=(p, p))[:m, :m]


def lines(scale=0.1, lam=1e-6, tolerance=1e-10):
    """Conjugate gradients in the space of the data, preconditioned by the operator's diagonal in the eigenvectors of the
    y axis and of the data's rows, with an offset as a constant input."""
    f, u = shared("f"), shared("u")
    n, m = f.shape
    x = np.linspace(0, 1, m)
    dx, h = trapezoid(x), x[1] - x[0]

    def work():
        K, q = toeplitz(m, h, scale), matern(np.abs(x[:, None] - x) / scale)
        P, s, Vt = np.linalg.svd(np.hstack([f * dx, np.ones((n, 1))]) / n**0.5, full_matrices=False)
        keep = s > 1e-13 * s[0]
        P, B, root = P[:, keep], s[keep, None] * Vt[keep], np.sqrt(dx)
        t = (P.T @ u) * root / n**0.5

        def operator(z):
            w = B.T @ (z * root)
            return (B @ np.vstack([K(w[:m]), w[m:] @ q]) / lam) * root + z

        e, V = np.linalg.eigh(root[:, None] * q * root)
        # The diagonal in V of the kernel at each lag of x: products of V's columns, correlated, times the kernel at lags of y.
        p = scipy.fft.next_fast_len(2 * m, True)
        power = np.abs(scipy.fft.rfft(root[:, None] * V, p, axis=0)) ** 2
        correlated = scipy.fft.irfft(power, p, axis=0)[:m]
        correlated[1:] *= 2
        lags = np.arange(m) * h / scale
        C = matern(np.hypot(lags[:, None], lags)) @ correlated
        M = B[:, :m] @ scipy.linalg.toeplitz(C.sum(1)) @ B[:, :m].T + np.outer(B[:, m], B[:, m]) * e.sum()
        E = np.linalg.eigh(M)[1]
        BE = B.T @ E
        spectrum = np.abs(scipy.fft.rfft(BE[:m], p, axis=0)) ** 2
        ac = scipy.fft.irfft(spectrum, p, axis=0)[:m].T
        ac[:, 1:] *= 2
        D = np.maximum(1 + (ac @ C + np.outer(BE[m] ** 2, e)) / lam, 1)
        z, r, direction, old, size = np.zeros_like(t), t.copy(), 0, 1, np.linalg.norm(t)
        for iteration in range(1, 200):
            y = (E @ ((E.T @ (r @ V)) / D)) @ V.T
            rz = (r * y).sum()
            direction, old = y + rz / old * direction if iteration > 1 else y, rz
            ad = operator(direction)
            a = rz / (direction * ad).sum()
            z, r = z + a * direction, r - a * ad
            if np.linalg.norm(r) <= tolerance * size:
                break
        w = B.T @ (z * root) / lam
        return w[:m], w[m], K, q, iteration, np.linalg.norm(r) / size

    def known(result):
        w, b, K, q, iterations, residual = result
        g, beta = K(w), q @ b
        mse = ((u - beta - (f * dx) @ g) ** 2 * dx).sum() / n
        return {"answer": mse + lam * (w * g).sum() + lam * b @ beta, "iterations": iterations, "residual": residual}

    return work, known


def symmetric(lam=1e-5, scale=0.02, tolerance=1e-10):
    """GMRES in the space of symmetric weights, preconditioned in the eigenvectors of the axis."""
    f, u = shared("f"), shared("u")
    n, m = f.shape
    x = np.linspace(0, 1, m)
    dx, h = trapezoid(x), x[1] - x[0]
    root = np.sqrt(dx)
    relative = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.gmres).parameters else "tol"  # before SciPy 1.12

    def work():
        K0 = toeplitz(m, h, scale)
        K = lambda v: K0(v * root[:, None] * root) * root[:, None] * root
        half = lambda v: (v + v.T) / 2
        A = f * root / n**0.5
        c, b = A.T @ A, half(A.T @ (u * root / n**0.5))
        V = np.linalg.eigh(root[:, None] * matern(np.abs(x[:, None] - x) / scale) * root)[1]
        correlated = np.array([np.correlate(root * V[:, j], root * V[:, j], "full") for j in range(m)])
        lag = np.abs(np.arange(1 - m, m)) * h / scale
        kappa = np.maximum(correlated @ matern(np.hypot(lag[:, None], lag)) @ correlated.T, 0)
        d = np.diag(V.T @ c @ V)
        D = (d[:, None] + d) / 2 * kappa + lam
        pre = lambda r: half(V @ ((V.T @ r @ V) / D) @ V.T)
        count = 0

        def operator(z):
            nonlocal count
            count += 1
            v = pre(z.reshape(m, m))
            return (half(c @ K(v)) + lam * v).ravel()

        linear = scipy.sparse.linalg.LinearOperator((m * m, m * m), matvec=operator)
        z = scipy.sparse.linalg.gmres(linear, b.ravel(), atol=0, restart=300, maxiter=1, **{relative: tolerance})[0]
        v = pre(z.reshape(m, m))
        residual = np.linalg.norm(b - half(c @ K(v)) - lam * v) / np.linalg.norm(b)
        return v * root[:, None] * root, K0, count, residual

    def known(result):
        w, K0, count, residual = result
        g = K0(w)
        mse = ((u - (f * dx) @ g) ** 2 * dx).sum() / n
        return {"answer": mse + lam * (w * g).sum(), "iterations": count, "residual": residual}

    return work, known


def main():
    work, known = globals()[name]()
    print("ready", flush=True)
    result = None
    for line in sys.stdin:
        if line == "rest\n":
            result = None
            print("rested", flush=True)
        elif line == "go\n":
            start = time.process_time()
            for _ in range(calls):
                result = work()
            print(time.process_time() - start, flush=True)
        else:
            for key, value in known(result).items():
                print(key, *(repr(float(v)) for v in np.ravel(value)))
            print("end", flush=True)


main()
