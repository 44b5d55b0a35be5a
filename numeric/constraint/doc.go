// Package constraint says what is known of a Green's function before any data:
// symmetries, causality, time invariance, where it vanishes. A constraint
// transforms the kernel, so that every function of its space obeys it (paper,
// appendix E).
//
// A [Constraint] is up to three maps, applied in this order:
//
//	reduce   φ : coordinates → fewer coordinates          time invariance: (x,s,y,t) ↦ (x, y, t-s)
//	average  a finite set of signed coordinate maps g     symmetry: {(x,y), (y,x)}
//	mask     χ : coordinates → {0, 1}                     causality: t ≥ s
//
//	K_c(p,q) = χ(p) χ(q) / |Γ|² Σ_{g,h ∈ Γ} sign(g) sign(h) k(φ(g p), φ(h q))
//
// [Apply] gives that kernel as an expression, exact anywhere; on meshes that the
// maps send to themselves, package fit works with index maps instead. A [List]
// composes: reductions, then averages, then masks.
//
// To add a constraint, write name.go with its parameter struct and a Transform
// method, and one line in catalog.go.
package constraint
