package core

import "strings"

// Private reports whether a set is that of a team, which only members may see.
func Private(set string) bool { return strings.HasPrefix(set, "team/") }
