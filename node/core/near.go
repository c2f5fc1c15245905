package core

import "github.com/meshd/meshd/crdt/change"

// TeamOf is a space that only a team reads, or "".
func TeamOf(s change.Space) change.Space {
	if s.Area() == change.AreaTeam {
		return s
	}
	return ""
}
