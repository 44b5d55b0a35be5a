//go:build poison

package dense

// Every size is taken without being cleared, and filled with what is wrong.
const (
	Roomy  = 8
	Poison = true
)
