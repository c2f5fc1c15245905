package fold

import "slices"

// timeline keeps entries by (hlc, id), oldest first. Most come at the end.
type timeline []*entry

func compareEntries(a, b *entry) int {
	if a.hlc != b.hlc {
		if a.hlc < b.hlc {
			return -1
		}
		return 1
	}
	return a.id.Compare(b.id)
}

func (t *timeline) insert(e *entry) {
	if n := len(*t); n == 0 || compareEntries((*t)[n-1], e) < 0 {
		*t = append(*t, e)
		return
	}
	at, _ := slices.BinarySearchFunc(*t, e, compareEntries)
	*t = slices.Insert(*t, at, e)
}

// within counts the entries of a span of logical time, in which until 0 is no end.
func (t timeline) within(since, until uint64) int {
	from, to := 0, len(t)
	if since > 0 {
		from, _ = slices.BinarySearchFunc(t, since, compareTime)
	}
	if until > 0 {
		to, _ = slices.BinarySearchFunc(t, until, compareTime)
	}
	return max(0, to-from)
}

func compareTime(e *entry, hlc uint64) int {
	if e.hlc < hlc {
		return -1
	}
	return 1 // the first of several of one time is what is looked for
}

func (t *timeline) remove(e *entry) {
	if at, ok := slices.BinarySearchFunc(*t, e, compareEntries); ok {
		*t = slices.Delete(*t, at, at+1)
	}
}
