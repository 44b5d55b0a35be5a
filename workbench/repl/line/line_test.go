package line

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chzyer/readline"

	"github.com/greenbench/workbench/workbench/repl/offer"
)

// chunks gives its strings one Read at a time, as a terminal does.
type chunks []string

func (c *chunks) Read(p []byte) (int, error) {
	if len(*c) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*c)[0])
	(*c)[0] = (*c)[0][n:]
	if (*c)[0] == "" {
		*c = (*c)[1:]
	}
	return n, nil
}

func newKeys(in ...string) *keys {
	c := chunks(in)
	return &keys{src: &c, unprompt: func(l []string) []string { return l }}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    []string
		out   string
		paste []string
	}{
		{"text", []string{"x = 1\r"}, "x = 1\r", nil},
		{"characters that are not ASCII", []string{"s='数λ'"}, "s='数λ'", nil},
		{"a character in two reads", []string{"\xce", "\xbb"}, "λ", nil},
		{"control characters without a meaning", []string{"a\x00b\x11c\x1c"}, "abc", nil},
		{"private characters", []string{"a\U0010F700b"}, "ab", nil},
		{"arrows", []string{"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA"}, "\U0010F700\U0010F701\x06\x02\U0010F700", nil},
		{"an arrow in three reads", []string{"\x1b", "[", "A"}, "\U0010F700", nil},
		{"word by word", []string{"\x1b[1;5C\x1b[1;5D\x1b[1;3C\x1bb"}, "\U0010F712\U0010F711\U0010F712\U0010F711", nil},
		{"home, end, delete", []string{"\x1b[1~\x1b[4~\x1b[3~\x1b[H\x1b[F"}, "\U0010F705\U0010F706\U0010F70D\U0010F705\U0010F706", nil},
		{"two keys in two reads", []string{"\x18", "\x05"}, "\r", nil},
		{"unknown sequences", []string{"\x1b[15~\x1b[?1;2cx\x1bq"}, "x", nil},
		{"pasted word", []string{"\x1b[200~sin\tx\x1b[201~"}, "sin    x", nil},
		{"pasted lines", []string{"\x1b[200~for i=1,2 do\n\tprint(i)\nend\n\x1b[201~"}, "\r", []string{"for i=1,2 do", "\tprint(i)", "end"}},
		{"pasted in pieces", []string{"a\x1b[20", "0~b\r", "\nc\x1b[2", "01~d"}, "a\rd", []string{"b"}},
		{"last line stays editable", []string{"\x1b[200~x=1\ny=2\nz\x1b[201~"}, "\r", []string{"x=1", "y=2"}},
		{"a long text", []string{"x = {" + strings.Repeat("1, ", 100) + "}\r"}, "\U0010F703\r", nil},
		{"escape in a paste", []string{"\x1b[200~a\x1b[Ab\x1b[201~"}, "a[Ab", nil},
	} {
		k := newKeys(c.in...)
		out, err := io.ReadAll(k)
		if err != nil || string(out) != c.out || !slices.Equal(k.paste, c.paste) {
			t.Errorf("%s: keys %q, waiting %q, %v; want %q, %q", c.name, out, k.paste, err, c.out, c.paste)
		}
	}
}

func TestUnpromptedPaste(t *testing.T) {
	k := newKeys("\x1b[200~> x = 1\n1\n> y = 2\n\x1b[201~")
	k.unprompt = func(lines []string) []string {
		var out []string
		for _, l := range lines {
			if rest, ok := strings.CutPrefix(l, "> "); ok {
				out = append(out, rest)
			}
		}
		return out
	}
	out, _ := io.ReadAll(k)
	if lines, tail := k.pasted(); string(out) != "\r" || !slices.Equal(lines, []string{"x = 1", "y = 2"}) || tail != "" {
		t.Errorf("got %q and %q", out, lines)
	}
}

// Whatever the terminal sends and however it is cut up, readline sees no
// character that it would put into the line without being able to show it.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("x = 1\r\x1b[A\x1b[200~a\nb\x1b[201~"), 3)
	f.Add([]byte("\x1b[200~never ends"), 1)
	f.Add([]byte("\x1b\x1b[\x1bO\xff\xfe\x00\x1b[99999999999999999999999"), 2)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		size = 1 + max(size, -size)%8
		var in []string
		for part := range slices.Chunk(data, size) {
			in = append(in, string(part))
		}
		k := newKeys(in...)
		out, err := io.ReadAll(k)
		if err != nil || !utf8.Valid(out) {
			t.Fatalf("%q became %q, %v", data, out, err)
		}
		for _, r := range string(out) {
			if r < ' ' && !known(byte(r)) {
				t.Fatalf("%q became %q", data, out)
			}
		}
		for _, l := range append(append(k.paste, k.tail), k.inserts...) {
			if strings.ContainsAny(l, "\n\r\x1b\x00") {
				t.Fatalf("pasted line %q", l)
			}
		}
	})
}

func TestRecall(t *testing.T) {
	r := recall{}
	for _, s := range []string{"k = 1", "for i=1,2 do\nprint(i)\nend", "x = 2", "k = 3", "k = 3"} {
		r.add(s)
	}
	walk := func(line string, keys string) string {
		r.reset()
		for _, k := range keys {
			if s, ok := r.move(line, k == '^'); ok {
				line = s
			} else {
				line += "!"
			}
		}
		return line
	}
	for _, c := range []struct{ line, keys, want string }{
		{"", "^", "k = 3"},
		{"", "^^", "x = 2"},
		{"", "^^^", "for i=1,2 do\nprint(i)\nend"},
		{"", "^^v", "k = 3"},
		{"", "^v", ""},
		{"k", "^^", "k = 1"},
		{"k", "^^^", "k = 1!"},
		{"k", "^^vv", "k"},
		{"f", "^", "for i=1,2 do\nprint(i)\nend"},
		{"nothing", "^", "nothing!"},
		{"", "v", "!"},
	} {
		if got := walk(c.line, c.keys); got != c.want {
			t.Errorf("%q then %s: %q, want %q", c.line, c.keys, got, c.want)
		}
	}
	if got := r.suggestion("for"); got != " i=1,2 do" {
		t.Errorf("the suggestion is %q", got)
	}
}

func TestColumns(t *testing.T) {
	var c offer.Completion
	for i := range 10 {
		c.Candidates = append(c.Candidates, offer.Candidate{Text: fmt.Sprintf("name%d", i)})
	}
	c.Title = "kernel.matern{nu, lengthscale}"
	got := Columns(c, 24, 40)
	want := "kernel.matern{nu, lengthscale}\nname0  name4  name8\nname1  name5  name9\nname2  name6\nname3  name7\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Columns(c, 5, 8); !strings.Contains(got, "name3\n… 6 more") {
		t.Errorf("a narrow, low window shows\n%s", got)
	}
}

func TestShared(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{nil, ""}, {[]string{"abc"}, "abc"}, {[]string{"abc", "abd"}, "ab"}, {[]string{"λa", "μa"}, ""}, {[]string{"x", "y"}, ""},
	} {
		var cs []offer.Candidate
		for _, s := range c.in {
			cs = append(cs, offer.Candidate{Text: s})
		}
		if got := shared(cs); got != c.want {
			t.Errorf("shared(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	var out bytes.Buffer
	p := NewPlain(strings.NewReader("\ufeffx = 1\r\ny\n\nlast"), &out, true)
	var got []string
	for {
		s, err := p.ReadLine("> ")
		if err == io.EOF {
			break
		}
		got = append(got, s)
	}
	if want := []string{"x = 1", "y", "", "last"}; !slices.Equal(got, want) || out.String() != "> > > > > " {
		t.Errorf("lines %q, prompts %q", got, out.String())
	}
}

// readline tells of a key after it has given the text of an Enter or a Ctrl-C away, when the next text may be begun: that
// stays as it is. Of other keys the characters are taken.
func TestKeysThatEndedTheTextBefore(t *testing.T) {
	for key, want := range map[rune]string{readline.CharEnter: "q * 3", readline.CharInterrupt: "q * 3", 0: "q * 3", 'x': ""} {
		e := &Editor{opts: Options{}.withDefaults(), goal: -1, now: text{[]rune("q * 3"), 5}}
		if _, _, changed := e.changed(nil, 0, key); changed || e.now.String() != want {
			t.Errorf("key %d: %q, changed %t; want %q", key, e.now.String(), changed, want)
		}
	}
}
