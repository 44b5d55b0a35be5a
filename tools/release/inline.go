package main

const module = "github.com/greenbench/workbench/"

// once are packages whose functions are not copied to where they are called: those that scripts
// and the prompt call, that draw and that read tables, not those that compute. The program is
// more than half a megabyte smaller. Without copies in the standard library, too, scripts and the
// start take a tenth longer, which is not worth it.
func once() (list []string) {
	for _, own := range []string{
		"bindings/...", "workbench/...", "syntax", "lua", "internal/numeric/plot", "internal/numeric/prepare",
		"internal/numeric/sheet", "internal/numeric/records", "internal/numeric/remedy",
	} {
		list = append(list, module+own)
	}
	return list
}

// compilation are the flags of the compiler.
func compilation() (flags []string) {
	for _, p := range once() {
		flags = append(flags, "-gcflags="+p+"=-l")
	}
	return flags
}
