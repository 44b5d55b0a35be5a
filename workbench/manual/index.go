package manual

import (
	"bytes"
	"encoding/json"
	"strings"
)

// searchScript is theme/manual.js with the index it searches in front:
// [name, kind, address, summary, keywords, text] for every entry.
func (b *book) searchScript() ([]byte, error) {
	script, err := themeFiles.ReadFile("theme/manual.js")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("const manualIndex = [\n")
	for _, e := range b.entries {
		line, err := json.Marshal([]string{e.name, e.kind, e.url, e.summary, strings.Join(e.keywords, "|"), e.text})
		if err != nil {
			return nil, err
		}
		out.Write(line)
		out.WriteString(",\n")
	}
	out.WriteString("];\n\n")
	out.Write(script)
	return out.Bytes(), nil
}
