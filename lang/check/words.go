package check

import (
	"slices"

	"github.com/meshd/meshd/lang/trait"
)

// Kinds are the kinds of blocks that mean something, sorted.
func Kinds() []string {
	out := slices.Clone(words().names)
	slices.Sort(out)
	return out
}

// Settings are the known settings of a kind of block, nil for one without.
func Settings(kind string) []trait.Param {
	if e, ok := words().settings.Lookup(kind); ok {
		return e.Params
	}
	return nil
}

// Events are the events that the host raises, sorted.
func Events() []string {
	out := slices.Clone(hostEvents)
	slices.Sort(out)
	return out
}

// Geometries are the names of built-in shapes, sorted.
func Geometries() []string {
	out := slices.Clone(geometries)
	slices.Sort(out)
	return out
}

// Library are the names of the standard library and the objects that are always
// there, sorted.
func Library() []string {
	out := make([]string, 0, len(standard))
	for name := range standard {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Directives are the known line directives, sorted.
func Directives() []string {
	out := slices.Clone(directives)
	slices.Sort(out)
	return out
}
