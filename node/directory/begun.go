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

// byHandle finds an agent by name@host of the gateway of the manifest that sponsored it
// and is its home, by name#id, where id is the beginning of its id, or by that beginning
// alone.
func (n *Directory) byHandle(text string) (id change.AgentID, ok bool, err error) {
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		name, host := text[:at], strings.ToLower(text[at+1:])
		return n.only(text, func(a fold.AgentStats) bool {
			return strings.EqualFold(a.Name, name) && host != "" && a.Home == host && a.Host == host
		})
	}
	name, tag, tagged := "", "", false
	if at := strings.LastIndexByte(text, '#'); at > 0 {
		name, tag, tagged = text[:at], text[at+1:], true
	} else {
		tag, tagged = strings.CutPrefix(text, change.PrefixAgent)
	}
	if !tagged || len(tag) < MinBegun {
		return id, false, nil
	}
	return n.only(text, func(a fold.AgentStats) bool {
		return strings.HasPrefix(strings.TrimPrefix(a.ID.String(), change.PrefixAgent), tag) && (name == "" || strings.EqualFold(a.Name, name))
	})
}

// only is the one agent that passes; several are refused as ambiguous.
func (n *Directory) only(text string, pass func(fold.AgentStats) bool) (id change.AgentID, ok bool, err error) {
	all, _ := n.AgentCache.load(n)
	var names []string
	for _, a := range all {
		if pass(a) {
			id = a.ID
			names = append(names, a.ID.String())
		}
	}
	if len(names) > 1 {
		return id, false, reason.Ambiguous(text, names)
	}
	return id, len(names) == 1, nil
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
