// Package sheet reads tables of named columns from the files that people have, and takes them
// apart: spreadsheets saved as text, logs of instruments, lists of measurements.
//
// [Load] finds out by itself what separates the fields, whether a comma is a decimal comma,
// where the names of the columns are and which units they have, and which columns are
// numbers, times or words; [Options] say what it cannot know. It refuses what it does not
// understand, with the line: a cell is never guessed. A [Sheet] is not to be changed once
// made; [Sheet.Take], [Sheet.Sort], [Sheet.Groups], [Sheet.Means] and [Sheet.With] make new ones.
//
// Reading takes the memory of the file and of the columns, on all processors, some 10⁷
// numbers a second and processor.
package sheet
