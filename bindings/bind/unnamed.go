package bind

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// inside says that a name is one of the tables in the list that a function takes.
func (s *signature) inside(name, full string) string {
	if s.list == nil || full == "" {
		return ""
	}
	elem := s.list.codec.(listCodec).elem
	if named, ok := elem.(namedCodec); ok {
		elem = named.base
	}
	if table, ok := elem.(structCodec); !ok || table.sig.byName(name) == nil {
		return ""
	}
	return fmt.Sprintf("; it belongs in a table of its own: write %s{{%s = …}}", full, name)
}

// unnamed is the error for a value in a table of named arguments that has no name.
func (s *signature) unnamed(c *Call, table *lua.LTable, v lua.LValue, full string) error {
	value := describe(v)
	switch v := v.(type) {
	case lua.LNumber:
		value = formatNumber(float64(v))
	case lua.LString:
		value = quote(string(v))
	}
	p := s.mainParam()
	if p == nil {
		return &argError{msg: value + " needs a name"}
	}
	shown := "…"
	list, several := listOf(table)
	switch kind := v.Type(); {
	case several && p.codec.fits(c, list) && !p.codec.fits(c, lua.LNil):
		value = brief(list)
		shown = value
	case (kind == lua.LTNumber || kind == lua.LTString) && p.codec.fits(c, v):
		shown = value
	}
	return &argError{msg: fmt.Sprintf("%s needs a name; write %s{%s = %s}", value, full, p.name, shown)}
}

// listOf is the list of values without a name in a table, and whether they are several numbers.
func listOf(table *lua.LTable) (list *lua.LTable, several bool) {
	list = &lua.LTable{}
	for i := 1; i <= table.MaxN(); i++ {
		x, ok := table.RawGetInt(i).(lua.LNumber)
		if !ok {
			return list, false
		}
		list.Append(x)
	}
	return list, list.Len() > 1
}

// brief writes a list of numbers, the first of many.
func brief(list *lua.LTable) string {
	const most = 4
	var texts []string
	for i := 1; i <= min(list.Len(), most); i++ {
		texts = append(texts, formatNumber(float64(list.RawGetInt(i).(lua.LNumber))))
	}
	if list.Len() > most {
		texts = append(texts, "…")
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// mainParam is the argument a value without a name is most likely meant for.
func (s *signature) mainParam() *param {
	for _, p := range s.named {
		if p.required {
			return p
		}
	}
	if len(s.named) == 1 {
		return s.named[0]
	}
	return nil
}
