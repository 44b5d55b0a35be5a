// Package gram turns a kernel and meshes into an operator, keeping whatever
// structure the three have together. It is the one place that chooses a
// structure, and it says why.
//
// [Self] is the operator K of the estimator, on weights over X × Y; [Cross]
// evaluates Σ K(·; x_j, y_k) W_jk on other meshes. The forms:
//
//   - Toeplitz, by FFT: the kernel depends on differences only and the axes are
//     uniform;
//   - a sum of Kronecker products Σ Kx_q ⊗ Ky_q, found by adaptive cross
//     approximation of the kernel's values arranged as (x,ξ) × (y,η): any tensor
//     mesh, any kernel; one term is separability, found numerically;
//   - a mixture of Gaussians, each a product over all axes: kernels of distances
//     on products of more than two axes, of any kind;
//   - a sum of kernels scaled from point to point, Σ D_t K_t D_t, each K_t with a
//     form of its own: kinks along the diagonal, masks;
//   - a low rank Fᵀ F, by partial Cholesky factorisation: smooth kernels of any
//     other kind;
//   - blocks of the compiled kernel, never the whole matrix.
//
// A [Product] also gives its [Diagonal] in a basis of the output, which is all
// that the estimator's preconditioner needs to know about the kernel.
//
// Whatever is compressed is held against the kernel itself, and the next form is
// taken where it differs: [Check] says how, and what that can miss.
//
// To add a structure, write it in a file of its own and give structures a line.
package gram
