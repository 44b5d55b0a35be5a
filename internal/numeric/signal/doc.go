// Package signal has Fourier and cosine transforms of any length, windows, convolutions and
// estimates of spectra, with the signs and factors of NumPy and SciPy.
package signal
