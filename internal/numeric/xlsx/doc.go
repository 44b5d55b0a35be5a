// Package xlsx reads the cells of Excel workbooks (.xlsx and .xlsm: Office Open XML,
// ECMA-376), of which it knows what holds values: numbers, texts, truth values, dates and
// errors. Pictures, formats, formulas and everything else are passed over; of a formula
// the value counts that the program which saved the file computed.
//
// [Rows] returns one sheet, [Sheets] the names of all.
package xlsx
