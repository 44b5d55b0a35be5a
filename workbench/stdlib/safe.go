package stdlib

import (
	"fmt"
	"slices"
)

// SafeNotice says what safe mode does, for help and for the prompt.
const SafeNotice = `Safe mode is for scripts you did not write and have not read. It prevents accidents:
  - no files, commands or environment: io only reads and writes the standard streams; os has clock, date, difftime,
    exit, setlocale and time; require, dofile and loadfile reach only the folder of the script, and so do array.load, sheet.load,
    data.load and green.load; arrays, tables, data, estimates and figures are not saved; no getfenv, no setfenv;
  - calls nest at most 5,000 deep, strings hold at most 256 MiB, a pattern match gives up after a second or so.
It is not a security boundary: a script can still use up processor time and, within the memory limit, memory, and mistakes in
this program are not ruled out. Run code that may be hostile in a container or a virtual machine.`

// CheckRead refuses, in safe mode, files outside the folder of the script. Functions of modules that read files ask it.
func (lib *Library) CheckRead(name string) error { return lib.checkPath(name) }

// CheckWrite refuses, in safe mode, every file. Functions of modules that write files ask it.
func (lib *Library) CheckWrite(name string) error {
	if !lib.options.Safe {
		return nil
	}
	return fmt.Errorf("%s: safe mode does not write files", name)
}

// leftOut reports whether safe mode is why there is no function of that name.
func (lib *Library) leftOut(name string) bool {
	return lib.options.Safe && slices.Contains([]string{
		"getfenv", "setfenv", "io.close", "io.input", "io.lines", "io.open", "io.output", "io.popen", "io.tmpfile",
		"os.execute", "os.getenv", "os.remove", "os.rename", "os.tmpname", "package.loadlib",
	}, name)
}
