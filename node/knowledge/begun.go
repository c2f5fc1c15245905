package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/directory"
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
func (n *Library) Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error) {
	if len(beginning) < directory.MinBegun || len(beginning) >= len(change.Base32(id[:])) {
		return id, false, nil
	}
	seen := func(s change.Space) bool {
		team, _ := s.Guild()
		return s.Area() != change.AreaTeam || slices.Contains(teams, team)
	}
	var found []change.ID
	switch prefix {
	case change.PrefixGuild:
		for _, g := range n.core.Views.Guilds() {
			if (g.Space.Area() == change.AreaGuild || slices.Contains(teams, g.ID)) && strings.HasPrefix(change.Base32(g.ID[:]), beginning) {
				found = append(found, g.ID)
			}
		}
	default:
		kinds, known := kindsOf[prefix]
		if !known {
			return id, false, nil
		}
		all, err := n.core.Log.Begun(ctx, beginning, directory.MaxBegun)
		if err != nil {
			return id, false, fmt.Errorf("complete id: %w", err)
		}
		for _, one := range all {
			m, err := n.core.Log.Member(one)
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
