package node

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

const (
	minBegun = 4  // characters of the beginning of an id that are looked up
	maxBegun = 64 // members looked at for one beginning
)

// kindsOf are the kinds of changes whose ids are written with a prefix.
var kindsOf = map[string][]string{
	change.PrefixEntry:      {change.KindEntryPut},
	change.PrefixBounty:     {change.KindBountyOpen},
	change.PrefixSubmission: {change.KindBountyAct},
	change.PrefixComment:    {change.KindComment},
	change.PrefixNote:       {change.KindComment},
	change.PrefixMessage:    {change.KindMessage},
	change.PrefixSuggestion: {change.KindDocEdit},
	change.PrefixChange:     nil, // all
}

// Begun finds the id of which beginning, without its prefix, is the first part. ok
// is false when nothing begins so, or less than four characters are given; several
// are an invalid_param that names candidates. Of private teams only the given ones
// are looked at: what lies in another is found by its whole id alone.
func (n *Node) Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error) {
	if len(beginning) < minBegun || len(beginning) >= len(change.Base32(id[:])) {
		return id, false, nil
	}
	seen := func(s change.Space) bool {
		team, _ := s.Guild()
		return s.Area() != change.AreaTeam || slices.Contains(teams, team)
	}
	var found []change.ID
	switch prefix {
	case change.PrefixGuild:
		for _, g := range n.views.Guilds() {
			if (g.Space.Area() == change.AreaGuild || slices.Contains(teams, g.ID)) && strings.HasPrefix(change.Base32(g.ID[:]), beginning) {
				found = append(found, g.ID)
			}
		}
	default:
		kinds, known := kindsOf[prefix]
		if !known {
			return id, false, nil
		}
		all, err := n.log.Begun(ctx, beginning, maxBegun)
		if err != nil {
			return id, false, fmt.Errorf("complete id: %w", err)
		}
		for _, one := range all {
			m, err := n.log.Member(one)
			if err != nil {
				return id, false, fmt.Errorf("complete id: %w", err)
			}
			if m != nil && seen(m.Head.Space) && (kinds == nil || slices.Contains(kinds, m.Head.Kind)) {
				found = append(found, one)
			}
		}
	}
	switch len(found) {
	case 0:
		return id, false, nil
	case 1:
		return found[0], true, nil
	}
	var names []string
	for _, one := range found {
		names = append(names, one.Text(prefix))
	}
	return id, false, reason.Ambiguous(prefix+beginning, names)
}

// byHandle finds an agent by name#id, where id is the beginning of its own, or by
// that beginning alone.
func (n *Node) byHandle(text string) (id change.AgentID, ok bool, err error) {
	name, tag, tagged := "", "", false
	if at := strings.LastIndexByte(text, '#'); at > 0 {
		name, tag, tagged = text[:at], text[at+1:], true
	} else {
		tag, tagged = strings.CutPrefix(text, change.PrefixAgent)
	}
	if !tagged || len(tag) < minBegun {
		return id, false, nil
	}
	all, _ := n.agents.load(n)
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
func (n *Node) byText(ctx context.Context, text string) (view.Agent, error) {
	if id, ok := n.byName(text); ok {
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
