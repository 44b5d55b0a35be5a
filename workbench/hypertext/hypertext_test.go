package hypertext

import (
	"errors"
	"fmt"
	"testing"
)

// Whatever is no HTML is escaped, in whichever type it comes.
func TestTextIsNoMarkup(t *testing.T) {
	const nasty = `<b a="1" c='2'>&amp;`
	const safe = `&lt;b a=&#34;1&#34; c=&#39;2&#39;&gt;&amp;amp;`
	type word string
	for _, arg := range []any{nasty, word(nasty), errors.New(nasty), fmt.Stringer(shown(nasty))} {
		if got := Format(`<i title="%s">%[1]s</i>%d`, arg, 3); got != HTML(`<i title="`+safe+`">`+safe+`</i>3`) {
			t.Errorf("%T: %s", arg, got)
		}
	}
	if got := Format("<p>%s</p>", HTML("<b>1</b>")); got != "<p><b>1</b></p>" {
		t.Errorf("HTML became %s", got)
	}
}

type shown string

func (s shown) String() string { return string(s) }

func TestLists(t *testing.T) {
	got := Each([]string{"a", "<"}, func(s string) HTML { return Format("<li>%s</li>", s) }) + If(true, "yes") + If(false, "no")
	if got != "<li>a</li><li>&lt;</li>yes" {
		t.Error(got)
	}
}
