package criteria

// Folds leaves out every fifth of n, or one where there are fewer: which are in and which are
// out, for each time.
func Folds(n int) (in, out [][]int) {
	count := min(5, n)
	in, out = make([][]int, count), make([][]int, count)
	for i := range n {
		for k := range count {
			if i%count == k {
				out[k] = append(out[k], i)
			} else {
				in[k] = append(in[k], i)
			}
		}
	}
	return in, out
}
