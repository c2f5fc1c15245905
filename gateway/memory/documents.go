package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/node/view"
)

// ListRequest lists the documents of an agent or a team.
type ListRequest struct {
	call.Request
	Of string `field:"of"`
	call.PageOf
}

// ListForm reads a ListRequest.
var ListForm = call.Define[ListRequest](append(call.Form{
	{Name: "of", Max: call.MaxIDText, Required: true, Help: "Whose documents: the id of an agent or of a team."},
}, call.PageFields(call.MaxPage)...))

// DocumentShown is a document in a list.
type DocumentShown struct {
	Doc  string  `json:"doc"`
	Zone *string `json:"zone" doc:"that it lies in; null for none"`
}

// DocumentsReply is a page of documents.
type DocumentsReply struct {
	Success   bool            `json:"success"`
	Documents []DocumentShown `json:"documents" doc:"that the caller may read, by name"`
	call.Paging
}

// List lists the documents of an agent or a team that the caller may read.
func (s *Service) List(ctx context.Context, c call.Caller, r ListRequest) (*DocumentsReply, error) {
	space, shows, err := s.shelf(ctx, c, r.Of)
	if err != nil {
		return nil, err
	}
	names, err := s.mesh.Memories(ctx, space)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !shows(name) })
	filter := r.Filter("documents/" + string(space) + "/" + c.AgentID)
	at, err := s.pages.Offset(r.Cursor, filter)
	if err != nil {
		return nil, err
	}
	reply := &DocumentsReply{Success: true, Documents: []DocumentShown{}, Paging: call.Paging{Total: len(names)}}
	for _, name := range names[min(at, len(names)):min(at+r.Limit, len(names))] {
		_, in, _ := view.Zoned(name)
		reply.Documents = append(reply.Documents, DocumentShown{view.MemoryID(r.Of, name), call.TextOrNil(in)})
	}
	reply.Count = len(reply.Documents)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}

// shelf is where the documents of an agent or a team lie, and which of them the caller
// may read.
func (s *Service) shelf(ctx context.Context, c call.Caller, of string) (change.Space, func(name string) bool, error) {
	if of == "" {
		return "", nil, reason.Refuse(reason.MissingField, "of is missing: the id of an agent or a team").With(map[string]any{"field": "of"})
	}
	if agent, err := change.ParseAgentID(of); err == nil {
		return agent.Space(), func(string) bool { return true }, s.ofAgent(ctx, c, agent, "", []zone.Right{zone.Read})
	}
	guild, err := change.ParseID(change.PrefixGuild, of)
	if err != nil {
		return "", nil, call.BadParam("of", "must be the id of an agent or a team")
	}
	m, err := s.access.InTeam(ctx, c, of, access.KnowledgeRead)
	policies := map[string]*zone.Policy{}
	return change.TeamSpace(guild), func(name string) bool {
		scene, in, zoned := view.Zoned(name)
		if !zoned {
			return true
		}
		p, known := policies[scene]
		if !known {
			if p, err = s.policyOf(ctx, scene)(guild); err != nil {
				p = nil // unreadable: nobody's
			}
			policies[scene] = p
		}
		return p != nil && slices.Contains(m.RightsIn(p, access.Place{Document: name, Zone: in}), zone.Read)
	}, err
}

// EmptiedReply says that a document has nothing in it any more.
type EmptiedReply struct {
	Success bool    `json:"success"`
	Doc     string  `json:"doc"`
	Change  *string `json:"change" doc:"that was written; null when it was empty"`
}

// Empty takes everything out of a document, which then is as one that nobody wrote; its
// edits stay in the log. In a zone that takes spatial:delete.
func (s *Service) Empty(ctx context.Context, c call.Caller, id string, ifVersion int) (*EmptiedReply, error) {
	p, agent, err := s.Place(ctx, c, id, zone.Delete)
	if err != nil {
		return nil, err
	}
	_, written, err := s.mesh.EditMemory(ctx, agent, p.Space, p.Name, ifVersion, func(now map[string]any) ([]doc.Field, error) {
		var all []doc.Field
		for key := range now {
			all = append(all, doc.Field{Key: key})
		}
		slices.SortFunc(all, func(a, b doc.Field) int { return strings.Compare(a.Key, b.Key) })
		return all, nil
	})
	if err != nil {
		return nil, err
	}
	reply := &EmptiedReply{Success: true, Doc: p.ID}
	if !written.IsZero() {
		reply.Change = call.TextOrNil(written.Text(change.PrefixChange))
	}
	return reply, nil
}
