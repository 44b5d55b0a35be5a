// Package manual writes the documentation: help pages and guides as text, the
// HTML manual, and definition files for editors. Everything about functions
// comes from [bind.Registry.Manual], so there is nothing to keep in step; the
// guides are hand-written, in guide/*.md.
//
// [Text] answers "workbench doc NAME", [WriteHTML] "doc --html DIR" and
// [WriteLuaLS] "doc --luals DIR".
//
// The book (book.go) joins guides and modules and knows the address of every
// name. Guides are parsed into blocks (guide.go), whose text is a line of spans
// (span.go); text.go and html.go are the two ways to render them. What pages are made of is in
// htmlpage.go and htmlparts.go, their look in theme, with a script that searches an index made
// here (index.go). Lua is coloured by highlight.go.
//
// # To add
//
//   - a guide: a file in guide, and its name in guideGroups
//   - a picture: code in a guide that writes name.png, and ![caption](name.png)
//     below it; in an example, a figure in the variable fig (picture.go)
//   - a kind of block: a case in parseGuide, in text.go and in html.go
//
// The tests run the Lua of the guides, follow every link, and open the pages in
// a browser. testdata/manual.txt is the manual as text; "go test -update" writes
// it again, and its diff shows what a change of a declaration does to the reader.
package manual
