//go:build poison

package array

const (
	roomy  = 8
	poison = true
)
