// Package examples has the sources of this folder as data: get_examples and
// lang://example/{name} return them. Tests compile every one of them.
package examples

import "embed"

// Files are the sources, and README.md with a line about each.
//
//go:embed README.md *.holo *.hs *.hsplus observatory
var Files embed.FS
