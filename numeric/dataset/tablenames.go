package dataset

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/mesh"
)

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Reserved are the names that estimates have for other things, so that est.u.f is never
// one of them.
func Reserved() []string {
	return []string{
		"adjoint", "apply", "at", "bias", "bias_std", "check", "compare", "coupling", "data", "diff", "draw", "effect", "error", "green",
		"input", "kernel", "lambda", "mesh", "n", "name", "noise", "output", "outputs", "plot", "plot_residuals", "predict", "prior", "report",
		"residuals", "rho", "sample", "save", "score", "std", "summary", "term", "terms",
	}
}

// checkNames looks at the names alone: those of the meshes must be those of the values.
func (s TableSpec) checkNames() error {
	seen := make(map[string]string) // role of each name: est.f is a term or an output
	for _, r := range []struct {
		role  string
		names []string
	}{{"input", sorted(s.Input)}, {"group", sorted(s.Group)}, {"parameter", sorted(s.Parameter)}, {"output", sorted(s.Output)}} {
		for _, name := range r.names {
			if err := checkName(r.role, name); err != nil {
				return err
			}
			if other, ok := seen[name]; ok {
				return fmt.Errorf("%s.%s: the name is that of %s.%s too; choose another", r.role, name, other, name)
			}
			seen[name] = r.role
		}
	}
	if err := s.InputMesh.checkNames("input", sorted(s.Input)); err != nil {
		return err
	}
	if err := s.OutputMesh.checkNames("output", sorted(s.Output)); err != nil {
		return err
	}
	return s.checkCoordinates()
}

func checkName(role, name string) error {
	switch {
	case !identifier.MatchString(name):
		return fmt.Errorf("%s: the name %q: must be a letter, then letters, digits and _", role, name)
	case slices.Contains(Reserved(), name):
		return fmt.Errorf("%s: the name %q: estimates have it for something else; choose another", role, name)
	}
	return nil
}

// checkNames refuses a mesh that belongs to nothing.
func (ms Meshes) checkNames(role string, names []string) error {
	if len(names) == 0 {
		names = []string{"none"}
	}
	for _, name := range sorted(ms.Of) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s_mesh.%s: there is no %s.%s; %ss: %s", role, name, role, name, role, strings.Join(names, ", "))
		}
	}
	return nil
}

// checkCoordinates keeps a parameter from being taken for a coordinate by kernels, which
// name them in the same way.
func (s TableSpec) checkCoordinates() error {
	used := make(map[string]string)
	add := func(role string, m mesh.Mesh) {
		for _, name := range m.Names() {
			used[name] = role
		}
	}
	meshes := func(role string, ms Meshes) {
		add(role, ms.All)
		for _, name := range sorted(ms.Of) {
			add(role+"."+name, ms.Of[name])
		}
	}
	meshes("output_mesh", s.OutputMesh)
	meshes("input_mesh", s.InputMesh)
	for _, name := range sorted(s.Parameter) {
		if role, ok := used[name]; ok {
			return fmt.Errorf("parameter.%s: a coordinate of %s has the name too, and kernels could not tell them apart; choose another", name, role)
		}
	}
	return nil
}
