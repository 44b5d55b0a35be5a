package stdlib

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
)

// file is an open file, a standard stream or a pipe.
type file struct {
	os       *os.File  // nil for streams and pipes
	in       io.Reader // what os is read through
	out      io.Writer // and written through
	reader   *bufio.Reader
	writer   flusher
	command  *exec.Cmd // of a pipe
	pipe     io.Closer // its end for writing
	standard bool
	closed   bool
}

// flusher is a writer with a buffer.
type flusher interface {
	io.Writer
	Flush() error
}

// unbuffered is a flusher that has nothing to flush but what its writer may keep.
type unbuffered struct{ io.Writer }

// Flush has the writer write what it keeps.
func (u unbuffered) Flush() error {
	if w, ok := u.Writer.(flusher); ok {
		return w.Flush()
	}
	return nil
}

// lines is a flusher that keeps no line that is complete.
type lines struct{ buffer *bufio.Writer }

// Write writes p, and what waits if a line ends in it.
func (l lines) Write(p []byte) (int, error) {
	n, err := l.buffer.Write(p)
	if err == nil && bytes.IndexByte(p, '\n') >= 0 {
		err = l.Flush()
	}
	return n, err
}

// Flush writes what waits.
func (l lines) Flush() error { return l.buffer.Flush() }

// file returns argument i, which must be an open file.
func (c call) file(i int) *file {
	if u, ok := c.Get(i).(*lua.LUserData); ok {
		if f, ok := u.Value.(*file); ok {
			if f.closed {
				c.refuse("attempt to use a closed file")
			}
			return f
		}
	}
	c.wrongType(i, "file")
	return nil
}

func fileToString(c call) int {
	u, ok := c.Get(1).(*lua.LUserData)
	if !ok {
		c.wrongType(1, "file")
	}
	if f, ok := u.Value.(*file); !ok {
		c.wrongType(1, "file")
	} else if f.closed {
		return c.push(lua.LString("file (closed)"))
	}
	return c.push(lua.LString(fmt.Sprintf("file (%p)", u)))
}

func (f *file) close() error {
	f.closed = true
	var err error
	if f.writer != nil {
		err = f.writer.Flush()
	}
	if f.pipe != nil {
		err = errors.Join(err, f.pipe.Close())
	}
	if f.os != nil {
		err = errors.Join(err, f.os.Close())
	}
	return err
}

func (c call) closeFile(f *file) int {
	if f.standard {
		return c.push(lua.LNil, lua.LString("the standard streams cannot be closed"))
	}
	err := f.close()
	delete(c.lib.writers, f)
	if f.command != nil {
		err = f.command.Wait()
		c.checkRun()
		return c.push(lua.LNumber(exitStatus(err)))
	}
	return c.success(err)
}

func fileClose(c call) int { return c.closeFile(c.file(1)) }

func (c call) flush(f *file) int {
	if f.writer == nil {
		return c.push(lua.LTrue)
	}
	return c.success(f.writer.Flush())
}

func fileFlush(c call) int { return c.flush(c.file(1)) }

// fileSetBuffer (mode [, size]) chooses whether what is written waits in a buffer, and with "line" until a line is complete.
func fileSetBuffer(c call) int {
	f := c.file(1)
	mode := c.option(2, "full", "no", "full", "line")
	if f.writer == nil || f.os == nil {
		return c.push(lua.LTrue)
	}
	err := f.writer.Flush()
	buffer := bufio.NewWriterSize(f.out, min(max(c.integerOr(3, 4096), 16), 1<<20))
	switch mode {
	case "no":
		f.writer = unbuffered{f.out}
	case "line":
		f.writer = lines{buffer}
	default:
		f.writer = buffer
	}
	return c.success(err)
}

// fileSeek ([whence [, offset]])
func fileSeek(c call) int {
	f := c.file(1)
	whence := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}[c.option(2, "cur", "set", "cur", "end")]
	offset := int64(c.integerOr(3, 0))
	if f.os == nil {
		return c.push(lua.LNil, lua.LString("cannot seek in a stream"))
	}
	if err := f.settle(whence == io.SeekCurrent, &offset); err != nil {
		return c.failure(err)
	}
	position, err := f.os.Seek(offset, whence)
	if err != nil {
		return c.failure(err)
	}
	return c.push(lua.LNumber(position))
}

// settle writes and forgets the buffers, so that the position of the system's file is the script's. A relative offset is
// corrected by what was read ahead.
func (f *file) settle(relative bool, offset *int64) error {
	if f.writer != nil {
		if err := f.writer.Flush(); err != nil {
			return err
		}
	}
	if f.reader != nil {
		if relative {
			*offset -= int64(f.reader.Buffered())
		}
		f.reader.Reset(f.in)
	}
	return nil
}

// write writes the arguments from i on and returns the file.
func (c call) write(f *file, u *lua.LUserData, i int) int {
	if f.writer == nil {
		return c.push(lua.LNil, lua.LString("the file is open for reading only"), lua.LNumber(9))
	}
	if f.reader != nil && f.os != nil && f.reader.Buffered() > 0 {
		if _, err := f.os.Seek(-int64(f.reader.Buffered()), io.SeekCurrent); err != nil {
			return c.failure(err)
		}
		f.reader.Reset(f.in)
	}
	for ; i <= c.GetTop(); i++ {
		if _, err := io.WriteString(f.writer, c.text(i)); err != nil {
			return c.failure(err)
		}
	}
	return c.push(u)
}

func fileWrite(c call) int {
	f := c.file(1)
	return c.write(f, c.Get(1).(*lua.LUserData), 2)
}

func fileRead(c call) int { return c.read(c.file(1), 2) }

// read reads by the formats in the arguments from i on, a line if there are none.
func (c call) read(f *file, i int) int {
	formats := []lua.LValue{lua.LString("*l")}
	if c.GetTop() >= i {
		formats = formats[:0]
		for ; i <= c.GetTop(); i++ {
			formats = append(formats, c.Get(i))
		}
	}
	return c.readFormats(f, formats)
}

func (c call) readFormats(f *file, formats []lua.LValue) int {
	if f.reader == nil {
		return c.push(lua.LNil, lua.LString("the file is open for writing only"), lua.LNumber(9))
	}
	if f.writer != nil {
		f.writer.Flush()
	}
	for n, format := range formats {
		value, err := c.readFormat(f, format)
		c.checkRun()
		if err != nil && err != io.EOF {
			return c.failure(err)
		}
		c.Push(value)
		if value == lua.LNil {
			return n + 1
		}
	}
	return len(formats)
}

// readFormat reads one value, nil at the end of the file.
func (c call) readFormat(f *file, format lua.LValue) (lua.LValue, error) {
	if n, ok := format.(lua.LNumber); ok {
		return c.readBytes(f, toInt(float64(n)))
	}
	text, ok := format.(lua.LString)
	if !ok {
		c.refuse("invalid format: number or string expected, got %s", format.Type())
	}
	if letter := strings.TrimPrefix(string(text), "*"); letter != "" { // "*line" is "*l"
		switch letter[0] {
		case 'l':
			line, err := c.readLine(f)
			return trimLine(line), err
		case 'L':
			return c.readLine(f)
		case 'a':
			data, err := io.ReadAll(io.LimitReader(f.reader, chunk.MaxString+1))
			c.checkLength(float64(len(data)))
			return lua.LString(data), err
		case 'n':
			return readNumber(f.reader)
		}
	}
	c.refuse("invalid format '%s'", string(text))
	return lua.LNil, nil
}

func (c call) readBytes(f *file, n int) (lua.LValue, error) {
	if n <= 0 {
		if _, err := f.reader.Peek(1); err != nil {
			return lua.LNil, err
		}
		return lua.LString(""), nil
	}
	c.checkLength(float64(n))
	var out bytes.Buffer
	_, err := io.CopyN(&out, f.reader, int64(n))
	if out.Len() == 0 {
		return lua.LNil, err
	}
	return lua.LString(out.String()), nil
}

// readLine reads a line with its end.
func (c call) readLine(f *file) (lua.LValue, error) {
	var line []byte
	for {
		piece, err := f.reader.ReadSlice('\n')
		line = append(line, piece...)
		c.checkLength(float64(len(line)))
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && len(line) == 0 {
			return lua.LNil, err
		}
		return lua.LString(line), nil
	}
}

// trimLine takes the line break away.
func trimLine(line lua.LValue) lua.LValue {
	s, ok := line.(lua.LString)
	if !ok {
		return line
	}
	return lua.LString(strings.TrimSuffix(string(s), "\n"))
}

const longestNumber = 200 // characters of a number in a file

// readNumber reads the longest text that begins a number, after white space. Of more characters than longestNumber the
// others are left. If it is not a number, the result is nil.
func readNumber(r *bufio.Reader) (lua.LValue, error) {
	next := func() byte {
		b, _ := r.Peek(1)
		if len(b) == 0 {
			return 0 // at the end: of no number
		}
		return b[0]
	}
	for b := next(); b == ' ' || 9 <= b && b <= 13; b = next() {
		r.Discard(1)
	}
	var text []byte
	accept := func(set string, most int) bool {
		n := 0
		for ; n < most && len(text) < longestNumber && strings.IndexByte(set, next()) >= 0; n++ {
			text = append(text, next())
			r.Discard(1)
		}
		return n > 0
	}
	digits, exponent := "0123456789", "eE"
	accept("+-", 1)
	if accept("0", 1) && accept("xX", 1) {
		digits, exponent = "0123456789abcdefABCDEF", "pP"
	}
	accept(digits, longestNumber)
	if accept(".", 1) {
		accept(digits, longestNumber)
	}
	if accept(exponent, 1) {
		accept("+-", 1)
		accept("0123456789", longestNumber)
	}
	if x, ok := chunk.ParseNumber(string(text)); ok {
		return lua.LNumber(x), nil
	}
	return lua.LNil, nil
}

// fileLines (formats…) iterates over the rest of a file.
func fileLines(c call) int { return c.push(c.lines(c.file(1), 2, false)) }

// lines returns an iterator that reads by the formats in the arguments from i on.
func (c call) lines(f *file, i int, closing bool) *lua.LFunction {
	formats := []lua.LValue{lua.LString("*l")}
	for ; i <= c.GetTop(); i++ {
		if len(formats) == 1 && i == 2 {
			formats = formats[:0]
		}
		formats = append(formats, c.Get(i))
	}
	return c.lib.function(c.LState, "lines", func(c call) int {
		if f.closed {
			c.refuse("file is already closed")
		}
		n := c.readFormats(f, formats)
		if closing && c.Get(-n) == lua.LNil {
			f.close()
		}
		return n
	})
}
