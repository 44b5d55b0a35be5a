// Package constraint says what is known of a Green's function before any data:
// symmetries, causality, time invariance, where it vanishes. A constraint
// transforms the kernel, so that every function of its space obeys it (paper,
// appendix E).
//
// # What a list means
//
// A [Constraint] asks for laws ([LawsOf]) of a function G of points p = (x, y):
//
//	reduce   G(p) = h(φ p)             time invariance: φ(x,s,y,t) = (x, y, t-s)
//	obey     G(g p) = σ(g) G(p)        symmetry: g(x,y) = (y,x); flip: g p = -p; σ = ±1
//	mask     G(p) = 0 where χ(p) = 0   causality: χ = 1 where t ≥ s
//
// A function that obeys the maps g₁, g₂, … obeys all their compositions: a list of
// constraints stands for the group Γ that its maps generate together, whatever their
// order. σ extends to Γ by σ(g h) = σ(g) σ(h); if some composition is the identity with
// σ = -1, only G = 0 obeys, and the list is refused. And a function that obeys Γ and
// vanishes where χ is 0 vanishes at the images of these points too, so the mask is
//
//	χ̄(p) = Π_{g ∈ Γ} χ(g p),
//
// the largest one that Γ leaves as it is. With the average A h(p) = 1/|Γ| Σ_g σ(g) h(g p),
// a projection on the functions that obey Γ, the functions that obey everything are
// the χ̄ · A h, for any h, and
//
//	K_c(p,q) = χ̄(p) χ̄(q) / |Γ|² Σ_{g,h ∈ Γ} σ(g) σ(h) k(g p, h q)
//
// is the kernel of their space. χ̄ A h obeys Γ since χ̄ does; nothing depends on the order of
// the list.
//
// # Time invariance
//
// A reduction goes first: maps and masks of the other constraints act on the
// reduced points r = φ p, the kernel k is one of them, and K_c is taken at φ p and φ q.
// A map g has an image there, ḡ with φ g = ḡ φ, if it keeps pairs of times with the same
// lag together, as exchanging or mirroring both times does. Mirroring one time
// does not: with time invariance G would not depend on time at all, and the list is
// refused. So is a mask that depends on more than the lag.
//
// # Causality
//
// Of a causal G nothing is known where t ≥ s, but the kernel is symmetrised in time
// before it is cut (paper, appendix E.3). Such maps, Symmetrise of its laws, are none: G
// does not obey them. The average is then over the group Δ that they generate with Γ,
// while χ̄ is that of Γ. Where Δ is no group, or too large, or would tie values of G that no
// constraint ties (p and δ p both inside of χ̄, δ in Δ but not in Γ), the kernel is
// not symmetrised: the functions obey the same laws, with another norm.
//
// # In the program
//
// Package internal/numeric/laws has what laws do on a space: reduction, group and mask.
// [Apply] gives K_c as an expression, exact anywhere, and sees through kernels that are
// constrained themselves; on meshes that the maps send to themselves, package fit works
// with index maps instead.
//
// To add a constraint, write name.go with its parameter struct and a laws method, and one line
// in the catalog of internal/numeric/written, which has constraints as scripts and files do. What it
// means for numbers is a line of oracles in numeric/fit/oracle_test.go, which fits are held against.
//
// A mask compares coordinates with what laws.Rounding allows them: of points at the same
// distance, |x - y| as computed is a little less for some and a little more for others, and a
// mask without that would cut some of a diagonal of the meshes and leave the rest.
package constraint
