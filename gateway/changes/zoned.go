package changes

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// zoned says which changes of a team's set a member is shown with their bodies: not the
// edits of documents in zones that it may not read.
func (s *Service) zoned(ctx context.Context, c call.Caller, guild change.ID) func(*change.Change) bool {
	known := map[string]bool{}
	return func(one *change.Change) bool {
		if one.Head.Kind != change.KindDocEdit {
			return true
		}
		full, ok := body.EditedDoc(one.Body)
		name, memory := view.MemoryName(doc.Name(full).Base())
		if _, _, in := view.Zoned(name); !ok || !memory || !in {
			return true
		}
		shows, asked := known[name]
		if !asked {
			shows = s.documents.Shows(ctx, c, guild.Text(change.PrefixGuild), name)
			known[name] = shows
		}
		return shows
	}
}
