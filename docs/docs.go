// Package docs contains the pages that a node serves itself. The tests of this folder
// compare all pages with the code.
package docs

import "embed"

// Pages are all pages, as files named <name>.md.
//
//go:embed *.md
var Pages embed.FS

// Language is the page about the source language.
//
//go:embed language.md
var Language string
