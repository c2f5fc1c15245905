package effect_test

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/effect"
)

// dump tells a history with what was said of it, a line for each change.
func dump(made []*change.Change, f *follower) string {
	var b strings.Builder
	names := map[change.ID]string{}
	for i, c := range made {
		names[c.ID] = fmt.Sprint("#", i)
	}
	list := func(label string, ids ...change.ID) {
		fmt.Fprint(&b, " ", label)
		for _, id := range ids {
			fmt.Fprint(&b, " ", names[id])
		}
	}
	for i, c := range made {
		fmt.Fprintf(&b, "\n#%d %s by %x in %.12s", i, c.Head.Kind, c.Head.Author[2:5], c.Head.Space)
		list("prev", c.Head.Prev)
		list("proof", c.Head.Proof...)
		r, ok, err := effect.Read(c)
		if err != nil {
			panic(err)
		}
		if g := r.Grant; g != nil {
			fmt.Fprintf(&b, " to %x as %q", g.Audience[2:5], g.Role)
		}
		if e := r.End; e != nil {
			list("ends", e.Grant)
			for _, cut := range e.Cut {
				for _, id := range cut {
					list("keeps", id)
				}
			}
		}
		if o := r.Rotate; o != nil {
			fmt.Fprintf(&b, " from %x by %s", o.Old[2:5], o.By)
			for _, id := range o.Cut {
				list("keeps", id)
			}
		}
		list("readmits", r.Readmits...)
		if !ok {
			fmt.Fprint(&b, ": ", f.said[c.ID])
			continue
		}
		v, _ := f.s.Control(c.ID)
		fmt.Fprint(&b, ": ", v.Why)
		list("by", v.By)
	}
	return b.String() + "\n"
}
