package dense

import "syscall"

// hugePage is the size of one, and of how memory is aligned that can have them.
const hugePage = 1 << 21

// HugePages asks for memory in large pages, which come hundreds of times faster
// than as many small ones. It is a wish, which may be left without an answer.
func HugePages(memory []byte) {
	from := int(-Address(memory) % hugePage)
	to := len(memory) - int((Address(memory)+uintptr(len(memory)))%hugePage)
	if from < to {
		_ = syscall.Madvise(memory[from:to], syscall.MADV_HUGEPAGE)
	}
}
