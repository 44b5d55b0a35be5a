// Package stats has probability distributions ([New]), the usual tests, least squares with
// standard errors, and what predictions are worth beside the truth ([R2], [RelativeError]).
package stats
