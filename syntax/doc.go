// Package syntax reads Lua 5.1 as text: tokens that remember where they stood, white
// space and comments included, and what can be done with tokens alone. Whatever looks at
// Lua source reads it through this package: the parser, the prompt, scripts that are
// tests, the manual and the functions that kernels are traced from.
//
// Every text has tokens, whether it is a program or not: what is not Lua becomes a token
// of the kind Unknown, what is not closed a token with Open set; the texts of all tokens
// are the source again. Reading is linear in the length of the source and allocates
// nothing but what it returns.
//
// A word or symbol of the language is added in this package and in the parser
// (workbench/chunk); a rewriting of source as a function over tokens, beside Flatten and
// Globalise.
package syntax
