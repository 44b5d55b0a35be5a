package bindings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// suggested is an error of data.load on a table whose columns nobody has given roles, with the call that
// their names and contents suggest.
func (p loadData) suggested(c *bind.Call, err error) error {
	if err == nil || p.given() || p.Input.A != "" || p.Input.IsB || p.Output.A != "" || p.Output.IsB || p.InputMesh.Size() > 0 || p.OutputMesh.Size() > 0 || !isTableFile(p.Path) {
		return err
	}
	s, broken := loadSheet(c, p.Path, p.sheetOptions)
	if broken != nil || c.Err() != nil {
		return err
	}
	if call := rolesOf(s); call != "" {
		return fmt.Errorf("%s: a table with the columns %s: which of them are the pairs, the positions, the inputs and the outputs? Perhaps data.load(%q, %s)",
			p.Path, shortList(s.Names()), p.Path, call)
	}
	return err
}

// rolesOf are arguments that a table suggests; "" if it does not look like one of measurements.
func rolesOf(s *sheet.Sheet) string {
	var words, numbers, positions []*sheet.Column
	for _, c := range s.Columns {
		switch _, err := strconv.ParseFloat(c.Name, 64); {
		case err == nil:
			positions = append(positions, c)
		case c.Kind == sheet.Text || pairLike(c.Name):
			words = append(words, c)
		case c.Name != "index" || c.Kind == sheet.Time:
			numbers = append(numbers, c)
		}
	}
	roles := ""
	if len(words) > 0 {
		roles = fmt.Sprintf("pair = %q, ", words[0].Name)
	}
	switch {
	case len(positions) > 1 && len(positions) >= len(s.Columns)-1: // a function a row
		if roles == "" {
			roles = "pair = \"index\", "
		}
		return fmt.Sprintf("{%soutput = \"u.csv\"}", roles)
	case len(words) > 1 && len(numbers) == 2: // what a row measures is a word in it
		return fmt.Sprintf("{%sx = %q, kind = %q%s}", roles, numbers[0].Name, words[1].Name, kindsOf(words[1].Labels))
	case len(positions) > 0 || len(numbers) < 3 || strings.HasPrefix(numbers[0].Name, "c1"):
		return ""
	}
	left := numbers[1:]
	named := func(name string) bool {
		return slices.ContainsFunc(left, func(c *sheet.Column) bool { return c.Name == name })
	}
	roles += fmt.Sprintf("x = %q", numbers[0].Name)
	if !named("f") || !named("u") {
		roles += fmt.Sprintf(", input = %q, output = %q", left[0].Name, left[1].Name)
	}
	return "{" + roles + "}"
}

// kindsOf names the words for inputs and outputs, unless they are f and u.
func kindsOf(labels []string) string {
	if len(labels) < 2 || slices.Contains(labels, "f") && slices.Contains(labels, "u") {
		return ""
	}
	return fmt.Sprintf(", input = %q, output = %q", labels[0], labels[1])
}

// pairLike says whether a column is called as those are that say which pair a row is of.
func pairLike(name string) bool {
	return slices.Contains([]string{"id", "pair", "run", "sample", "series", "subject", "experiment"}, strings.ToLower(name))
}

func shortList(names []string) string {
	const enough = 12
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}
