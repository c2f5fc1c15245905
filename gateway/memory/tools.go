package memory

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
)

type docRequest struct {
	call.Request
	Doc string `field:"doc"`
}

// ofDoc begins the forms of the tools about one document.
var ofDoc = call.Define[docRequest](call.Form{{Name: "doc", Max: maxMemoryID, Required: true,
	Help: "The document: an agent or a team by id, a dot, a name, such as agt_….notes or gld_….zone/town/lab."}})

func docOf(c *endpoint.Call) string { return ofDoc.Read(c.Values).Doc }

// quoted are the members of a document whose texts others wrote.
var quoted = []string{"values", "sets", "lists", "texts"}

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "list_documents", Set: endpoint.Documents, Title: "List documents", Needs: needs(ucan.MemoryRead), Read: true, Bucket: limit.Read,
			Help: "The shared documents of an agent or a team that the caller may read.",
			Form: endpoint.Fields(ListForm.Pick("of"), endpoint.ToolPages(endpoint.ToolPage)), Output: DocumentsReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.List(ctx, c.Caller, ListForm.Read(c.Values))
			},
		},
		{
			Name: "read_document", Set: endpoint.Documents, Quotes: quoted, Title: "Read a document", Needs: needs(ucan.MemoryRead), Read: true, Bucket: limit.Read,
			Help: "What a shared document says: registers, sets, lists and texts. One that nobody wrote is empty.", Form: endpoint.Fields(ofDoc.Form, MemoryStateForm.Pick("keys")), Output: MemoryReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				r := MemoryStateForm.Read(c.Values)
				reply, err := s.Memory(ctx, c.Caller, docOf(c), r)
				if err == nil && len(r.Keys) == 0 {
					reply.shorten()
				}
				return reply, err
			},
		},
		{
			Name: "edit_document", Set: endpoint.Documents, Quotes: quoted, Title: "Change a document", Needs: needs(ucan.DocEdit), Bucket: limit.Write,
			Help: "Change a shared document by operations that merge with those of others. An agent writes its own documents, a member those of its team, and in a zone who has spatial:write there.",
			Form: endpoint.Fields(ofDoc.Form, MemoryOpsForm.Form), Output: MemoryReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := s.EditMemory(ctx, c.Caller, docOf(c), MemoryOpsForm.Read(c.Values), -1)
				if err == nil {
					reply.shorten()
				}
				return reply, err
			},
		},
		{
			Name: "delete_document", Set: endpoint.Documents, Title: "Empty a document", Needs: needs(ucan.SpatialDelete), Again: true, Bucket: limit.Write,
			Help: "Take everything out of a shared document. In a zone that takes spatial:delete.", Form: ofDoc.Form, Output: EmptiedReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Empty(ctx, c.Caller, docOf(c), -1)
			},
		},
		{
			Name: "get_zones", Set: endpoint.Documents, Title: "List zones", Needs: ofScene(ucan.SpatialRead, role.Viewer), Read: true, Bucket: limit.Read,
			Help: "The zones of a scene in which the caller has a right, with their documents; in full for who administers them. The scene is gld_….zone/<scene>.",
			Form: ofDoc.Form, Output: ZonesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Zones(ctx, c.Caller, docOf(c))
			},
		},
		{
			Name: "set_zones", Set: endpoint.Documents, Title: "Write zones", Needs: ofScene(ucan.SpatialAdmin, role.Admin), Again: true, Bucket: limit.Write,
			Help: "Say who reads, writes and deletes what lies in the zones of a scene of a team; for its owners and admins. It replaces all zones of the scene gld_….zone/<scene>.",
			Form: endpoint.Fields(ofDoc.Form, ZonesForm.Form), Output: ZonesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.SetZones(ctx, c.Caller, docOf(c), ZonesForm.Read(c.Values), -1)
			},
		},
		{
			Name: "zone_at", Set: endpoint.Documents, Title: "Rights at a place", Needs: ofScene(ucan.SpatialRead, role.Viewer), Read: true, Bucket: limit.Read,
			Help: "What the caller may do at a point of a scene, or in all of a box, and which document is the memory of that place.",
			Form: endpoint.Fields(ofDoc.Form, SpotForm.Form), Output: SpotReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Spot(ctx, c.Caller, docOf(c), SpotForm.Read(c.Values))
			},
		},
	}
}
