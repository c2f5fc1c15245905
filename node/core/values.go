package core

import (
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// TimeOf is the time of day of a logical time, in UTC and to the millisecond.
func TimeOf(hlc uint64) time.Time { return time.UnixMilli(int64(hlc >> 10)).UTC() }

// VersionConflict is the refusal to write over what is at another version than its writer
// has read; now is the present one.
func VersionConflict(what string, now int) error {
	return reason.Refuse(reason.VersionConflict, "the %s changed since it was read", what).With(map[string]any{"current_version": now})
}

// SizeOf is about how many bytes a value takes in a chunk.
func SizeOf(v any) int {
	switch x := v.(type) {
	case string:
		return len(x)
	case []any:
		n := 0
		for _, item := range x {
			n += SizeOf(item) + 4
		}
		return n
	}
	return 8
}

// ReputationOf is a reputation as it is shown, with the next tier and what is missing for it.
func ReputationOf(r fold.Reputation) view.Reputation {
	out := view.Reputation{
		Score: r.Score, Tier: r.Tier, Contributions: r.Contributions, Served: r.Served, Reuses: r.Reuses, Up: r.Up, Down: r.Down, Labels: r.Labels,
		Disputes: r.Disputes, Direct: r.Direct, Reuse: r.Reuse, Votes: r.Votes, Penalties: r.Penalties,
	}
	out.Next, out.Missing = fold.Next(r.Score)
	return out
}

// ServiceKey is the vault's name of the key by which a gateway itself writes.
const ServiceKey = "gateway-service"

// ErrNotHome is the refusal of what only the home of a team can do.
var ErrNotHome = reason.Refuse(reason.Forbidden, "the home of the team is another node")

// Private reports whether a set is that of a team, which only members may see.
func Private(set string) bool { return strings.HasPrefix(set, "team/") }

// TeamOf is a space that only a team reads, or "".
func TeamOf(s change.Space) change.Space {
	if s.Area() == change.AreaTeam {
		return s
	}
	return ""
}
