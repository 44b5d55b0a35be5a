//go:build !linux

package dense

// HugePages does nothing where the system cannot be asked for large pages.
func HugePages([]byte) {}
