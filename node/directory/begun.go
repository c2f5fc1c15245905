package directory

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// Limits of looking something up by the beginning of its id.
const (
	MinBegun = 4  // characters of the beginning of an id that are looked up
	MaxBegun = 64 // members looked at for one beginning
)

// byHandle finds an agent by name#id, where id is the beginning of its id, or by
// that beginning alone.
func (n *Directory) byHandle(text string) (id change.AgentID, ok bool, err error) {
	name, tag, tagged := "", "", false
	if at := strings.LastIndexByte(text, '#'); at > 0 {
		name, tag, tagged = text[:at], text[at+1:], true
	} else {
		tag, tagged = strings.CutPrefix(text, change.PrefixAgent)
	}
	if !tagged || len(tag) < MinBegun {
		return id, false, nil
	}
	all, _ := n.AgentCache.load(n)
	var names []string
	var found fold.AgentStats
	for _, a := range all {
		if strings.HasPrefix(strings.TrimPrefix(a.ID.String(), change.PrefixAgent), tag) && (name == "" || strings.EqualFold(a.Name, name)) {
			found = a
			names = append(names, a.ID.String())
		}
	}
	if len(names) > 1 {
		return id, false, reason.Ambiguous(text, names)
	}
	return found.ID, len(names) == 1, nil
}

// byText finds an agent as FindAgent does for what is neither an id nor a DID.
func (n *Directory) byText(ctx context.Context, text string) (view.Agent, error) {
	if id, ok := n.core.ByName(text); ok {
		return n.Agent(ctx, id)
	}
	id, ok, err := n.byHandle(text)
	if err != nil {
		return view.Agent{}, err
	}
	if !ok {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return n.Agent(ctx, id)
}
