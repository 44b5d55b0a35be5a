// Package prepare gets measured samples ready for a fit: it says what is in them
// ([Summarize], [Figure]) and takes out what is not the operator's: trends ([Detrend]),
// repeated measurements ([Average]), single samples ([Without]). [Windows] cuts long records
// of time into samples, [Concat] and [Shuffled] arrange them, [Resample] puts pairs on other
// meshes and [Coarser] on fewer points.
//
// All work on a [dataset.Table]; pairs of one function and one other are one, see
// [dataset.Dataset.Table]. Nothing is changed in place.
package prepare
