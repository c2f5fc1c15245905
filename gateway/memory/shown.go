package memory

import (
	"maps"
	"slices"

	"github.com/meshd/meshd/gateway/call"
)

// keep leaves out what is under other keys.
func (s *MemoryState) keep(want func(key string) bool) {
	maps.DeleteFunc(s.Values, func(k string, _ any) bool { return !want(k) })
	maps.DeleteFunc(s.Sets, func(k string, _ []any) bool { return !want(k) })
	maps.DeleteFunc(s.Lists, func(k string, _ []any) bool { return !want(k) })
	maps.DeleteFunc(s.Texts, func(k string, _ string) bool { return !want(k) })
}

// sizes are the bytes under each key.
func (s *MemoryState) sizes() map[string]int {
	out := map[string]int{}
	add := func(key string, v any) { out[key] += len(key) + len(call.JSONOf(v)) }
	for k, v := range s.Values {
		add(k, v)
	}
	for k, v := range s.Sets {
		add(k, v)
	}
	for k, v := range s.Lists {
		add(k, v)
	}
	for k, v := range s.Texts {
		add(k, v)
	}
	return out
}

// shorten leaves out what is longest until a model can be shown the rest, and says which
// keys these are.
func (r *MemoryReply) shorten() {
	sizes := r.State.sizes()
	total := 0
	for _, n := range sizes {
		total += n
	}
	keys := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		if sizes[a] != sizes[b] {
			return sizes[b] - sizes[a]
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	for _, key := range keys {
		if total <= maxShown {
			break
		}
		total -= sizes[key]
		r.Left = append(r.Left, key)
	}
	slices.Sort(r.Left)
	r.State.keep(func(key string) bool { return !slices.Contains(r.Left, key) })
}
