// Package screen shows figures in a terminal.
//
//	Text        lines of text: half-blocks and braille dots in colour, or plain ASCII
//	WriteKitty, WriteITerm, WriteSixel   a picture, in the three protocols for it
//
// Text draws what plot.Resolve decided about a figure, panel by panel (figure.go), on a
// rectangle of cells (screen.go), which is written with the control sequences of the
// terminal. What a terminal can do is for the caller to find out.
package screen
