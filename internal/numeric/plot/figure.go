package plot

// A Figure is a picture described by plain data, one of the structs of this package that
// are named after what they show; values and pointers to them serve alike.
type Figure interface {
	check() error
	// sheet resolves ranges, colours and styles. It checks all arguments.
	sheet() (*Sheet, error)
}

// Check returns an error that names the first argument of a figure which cannot be drawn and
// says what is allowed; nil if the figure can be drawn.
func Check(f Figure) error { return f.check() }

// single makes the sheet of a figure with one panel.
func single(p *Panel, err error) (*Sheet, error) {
	if err != nil {
		return nil, err
	}
	return &Sheet{Rows: [][]*Panel{{p}}}, nil
}

// aspects are the allowed values of the Aspect of a figure.
const (
	aspectEqual = "equal"
	aspectFill  = "fill"
)
