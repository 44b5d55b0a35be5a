//go:build !poison

package array

const (
	roomy  = 1 << 22 // from how many bytes on memory is taken without being cleared
	poison = false   // whether it is filled with what no element should be
)
