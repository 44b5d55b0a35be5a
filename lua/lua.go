// Package lua is the part of the library that is written in Lua: modules for
// require, one file each, which use the public modules only. To add one, write
// name.lua here; it is embedded and then found as require "name".
package lua

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.lua
var files embed.FS

// Sources returns the text of every module by the name that require knows it by.
func Sources() map[string]string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("lua: embedded files: %v", err)) // they are part of the program
	}
	sources := make(map[string]string, len(entries))
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(fmt.Sprintf("lua: embedded files: %v", err))
		}
		sources[strings.TrimSuffix(e.Name(), ".lua")] = string(text)
	}
	return sources
}
