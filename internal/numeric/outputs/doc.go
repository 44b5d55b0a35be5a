// Package outputs is what was observed of a dataset's outputs, and how well: which are there
// and which are missing, the variances of their errors, the map that makes these errors white
// ([Whitening]), the direction that a free constant has among them ([Contrast]), and the same of
// several outputs as one ([Stacked]).
package outputs
