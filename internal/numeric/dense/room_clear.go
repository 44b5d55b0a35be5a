//go:build !poison

package dense

const (
	Roomy  = 1 << 22 // from how many bytes on memory is taken without being cleared
	Poison = false   // whether it is filled with what no element should be
)
