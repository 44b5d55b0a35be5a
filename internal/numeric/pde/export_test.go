package pde

import "github.com/greenbench/workbench/numeric/mesh"

// Known and the functions below let the tests from outside ask a closed form at single
// points, and one mesh at a time.
type Known = known

// Describe is a problem as text.
func Describe(p Problem) string { return describe(p) }

// GreenAt is G(x, y) by the closed form.
func GreenAt(p Known, x, y []float64) float64 { return p.greenAt(x, y) }

// BiasAt is β(y) by the closed form.
func BiasAt(p Known, y []float64) float64 { return p.biasAt(y) }

// InputMesh is the first of Meshes.
func InputMesh(p Problem) mesh.Mesh { return p.inputMesh() }

// OutputMesh is the second of Meshes.
func OutputMesh(p Problem) mesh.Mesh { return p.outputMesh() }
