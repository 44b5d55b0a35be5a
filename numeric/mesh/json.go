package mesh

import (
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the axes with every coordinate and weight, so that a mesh
// read back is the same to the bit.
func (m Mesh) MarshalJSON() ([]byte, error) { return json.Marshal(m.axes) }

// UnmarshalJSON reads what MarshalJSON writes and refuses what is not a mesh.
func (m *Mesh) UnmarshalJSON(b []byte) error {
	var axes []Axis
	if err := json.Unmarshal(b, &axes); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	for i, a := range axes {
		d := a.Dim()
		if d == 0 || a.Size() == 0 || len(a.Coordinates) != d*a.Size() || len(a.Lower) != d || len(a.Upper) != d {
			return fmt.Errorf("mesh: axis %d: %d coordinates and %d weights for %d names: do not fit together", i+1, len(a.Coordinates), a.Size(), d)
		}
	}
	read, err := New(axes...)
	if err != nil {
		return err
	}
	*m = read
	return nil
}
