// Package noise learns G and β from pairs whose noise is not white, and finds out how it is
// distributed: standard deviations that vary along the output and from pair to pair, random
// curves that are correlated along the output, values that are off.
//
// [Fit] is fit.Fit for a [Choice] of noise. Whatever is found becomes the errors of the data
// (dataset.Errors), which every route of a fit knows: the estimate is the certified minimiser
// for them, and its bands, its calibration and its file are those of any other fit.
//
//	diagonal.go   variances of residuals, each divided by what the fit leaves of it (REML's
//	              equations), drawn towards each other as far as the data are silent (shrink.go)
//	curves.go     kernels of random curves, by likelihood of the residuals, then by REML
//	loudness.go   variances of pairs beside curves, of residuals that these make white
//	choose.go     which of these: REML, less what their numbers would gain from white noise
//	outliers.go   which values are wrong: begun with Huber's loss (huber.go), with noise that is found beside it (robust.go)
package noise
