package line

import (
	"strings"
)

// greek are the letters of the Greek alphabet by their names; those with a capital first letter are capital.
var greek = strings.Fields("alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ " +
	"omicron ο pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω varepsilon ϵ vartheta ϑ varphi ϕ " +
	"Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ")

const (
	raised  = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	lowered = "₀₁₂₃₄₅₆₇₈₉"
)

// Symbol is the character that the end of a text stands for, \lambda, \^2 or \_1, and the length of that end in bytes; 0 if
// it stands for none.
func Symbol(before string) (symbol string, n int) {
	at := strings.LastIndexByte(before, '\\')
	if at < 0 {
		return "", 0
	}
	name := before[at+1:]
	if len(name) == 2 && name[1] >= '0' && name[1] <= '9' {
		switch name[0] {
		case '^':
			return string([]rune(raised)[name[1]-'0']), len(before) - at
		case '_':
			return string([]rune(lowered)[name[1]-'0']), len(before) - at
		}
	}
	for i := 0; i < len(greek); i += 2 {
		if greek[i] == name {
			return greek[i+1], len(before) - at
		}
	}
	return "", 0
}
