// Package integrate computes integrals: of functions, adaptively and with an estimate of
// the error ([Quad], [NQuad]), and of sampled values ([Trapezoid], [Simpson] and their
// running forms).
//
// Functions may fail, and their errors are handed on. All that takes long takes a context.
package integrate
