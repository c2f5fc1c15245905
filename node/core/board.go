package core

import (
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

func TimeOf(hlc uint64) time.Time { return time.UnixMilli(int64(hlc >> 10)).UTC() }

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
