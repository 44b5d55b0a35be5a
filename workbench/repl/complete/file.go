package complete

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/workbench/repl/offer"
)

// A File is one name that a path may go on to.
type File struct {
	Path string // as it would be typed, from the beginning of the path
	Dir  bool
}

// maxFiles bounds how much of a directory is looked at.
const maxFiles = 2000

// Files lists the files whose path begins with prefix, relative to the current
// directory or to the home directory after "~/". Hidden files are listed when
// the prefix asks for them.
func Files(prefix string) []File {
	dir, base := filepath.Split(filepath.FromSlash(prefix))
	read := dir
	if rest, ok := strings.CutPrefix(filepath.ToSlash(dir), "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		read = filepath.Join(home, rest)
	}
	if read == "" {
		read = "."
	}
	d, err := os.Open(read)
	if err != nil {
		return nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxFiles) // what could be read is good enough
	var out []File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") {
			continue
		}
		isDir := entry.IsDir()
		if entry.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(read, name))
			isDir = err == nil && info.IsDir()
		}
		out = append(out, File{Path: filepath.ToSlash(dir) + name, Dir: isDir})
	}
	return out
}

// files are the candidates in a string: a directory goes on, a file closes
// the quotes.
func (e *Engine) files(s Site, before string) []offer.Candidate {
	if e.Dir == nil || strings.ContainsAny(s.Prefix, "\n\\") {
		return nil
	}
	quote := before[s.From-1 : s.From]
	var out []offer.Candidate
	for _, f := range e.Dir(s.Prefix) {
		show := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		if strings.ContainsAny(f.Path, "\n\\"+quote) {
			continue
		}
		if f.Dir {
			out = append(out, offer.Candidate{Text: f.Path + "/", Show: show + "/"})
		} else {
			out = append(out, offer.Candidate{Text: f.Path + quote, Show: show})
		}
	}
	return beginning(out, s.Prefix)
}
