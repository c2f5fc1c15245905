package knowledge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// KeepPrivateRequest keeps entries for the caller alone.
type KeepPrivateRequest struct {
	call.Request
	Entries json.RawMessage `field:"entries"`
}

// PrivateForm reads a KeepPrivateRequest.
var PrivateForm = call.Define[KeepPrivateRequest](call.Form{{Name: "entries", Kind: call.Objects, Items: maxPrivateBatch, Required: true, Help: "A list of {type, content, domain?, tags?}."}})

// privateEntryRequest is one of them.
type privateEntryRequest struct {
	call.Request
	Lesson
}

var privateEntryForm = call.Define[privateEntryRequest](ContributeForm.Pick("type", "content", "domain", "tags"))

// DropPrivateRequest names private entries to forget.
type DropPrivateRequest struct {
	call.Request
	IDs []string `field:"ids"`
}

// DropPrivateForm reads a DropPrivateRequest.
var DropPrivateForm = call.Define[DropPrivateRequest](call.Form{{Name: "ids", Kind: call.Texts, Items: maxPrivateBatch, Max: call.MaxIDText, Required: true, Help: "Their ids."}})

// PromoteRequest names private entries to make public.
type PromoteRequest struct {
	call.Request
	IDs []string `field:"ids"`
}

// PromoteForm reads a PromoteRequest.
var PromoteForm = call.Define[PromoteRequest](call.Form{{Name: "ids", Kind: call.Texts, Items: maxPromote, Max: call.MaxIDText, Required: true, Help: "Their ids."}})

// PrivatesRequest pages through private entries.
type PrivatesRequest struct {
	call.Request
	call.PageOf
}

// PrivateListForm reads a PrivatesRequest.
var PrivateListForm = call.Define[PrivatesRequest](call.PageFields(call.MaxPage))

// PrivateEntry is an entry that its agent alone sees.
type PrivateEntry struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Content   string   `json:"content"`
	Domain    string   `json:"domain"`
	Tags      []string `json:"tags"`
	CreatedAt string   `json:"createdAt"`
	Workspace string   `json:"workspaceId"`
}

// PrivateReply is a page of private entries, newest first.
type PrivateReply struct {
	Success bool           `json:"success"`
	Entries []PrivateEntry `json:"entries"`
	call.Paging
}

// KeptReply says which private entries were kept.
type KeptReply struct {
	Success bool           `json:"success"`
	Kept    int            `json:"kept"`
	Entries []PrivateEntry `json:"entries"`
}

// DroppedReply says how many private entries are gone.
type DroppedReply struct {
	Success bool `json:"success"`
	Dropped int  `json:"dropped"`
}

// PromotedReply says which private entries are public now, and why others are not.
type PromotedReply struct {
	Success  bool            `json:"success"`
	Promoted []PromotedEntry `json:"promoted"`
	Rejected []RejectedEntry `json:"rejected"`
}

// PromotedEntry is a private entry and its public copy.
type PromotedEntry struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
}

// RejectedEntry is a private entry that the gate refused, with the code.
type RejectedEntry struct {
	ID      string   `json:"id"`
	Code    string   `json:"code"`
	Error   string   `json:"error"`
	Quality *Quality `json:"quality,omitempty"`
}

// privateContent is what is sealed.
type privateContent struct {
	Type    string   `json:"type"`
	Content string   `json:"content"`
	Domain  string   `json:"domain"`
	Tags    []string `json:"tags"`
}

func privateOf(agent string, p state.Private) (PrivateEntry, error) {
	var in privateContent
	if err := json.Unmarshal(p.Content, &in); err != nil {
		return PrivateEntry{}, fmt.Errorf("read private entry: %w", err)
	}
	return PrivateEntry{p.ID, in.Type, in.Content, in.Domain, call.ListOf(in.Tags), call.Stamp(p.CreatedAt), "private:" + agent}, nil
}

// KeepPrivate keeps entries on this node for the caller alone. Kind and length
// are those of any entry; nothing else is judged, since nobody else reads them.
func (s *Service) KeepPrivate(ctx context.Context, c call.Caller, r KeepPrivateRequest) (*KeptReply, error) {
	agent, err := s.keeper(c, state.ScopeWrite)
	if err != nil {
		return nil, err
	}
	var raws []json.RawMessage
	if r.Entries == nil || json.Unmarshal(r.Entries, &raws) != nil || len(raws) == 0 {
		return nil, reason.Refuse(reason.MissingField, "entries must be a list of at least one entry").With(map[string]any{"field": "entries"})
	}
	contents := make([][]byte, len(raws))
	for i, raw := range raws {
		entry, err := privateEntryForm.ReadJSON(raw)
		if err != nil {
			return nil, err
		}
		in := privateContent{strings.ToLower(strings.TrimSpace(entry.Type)), norm.NFC.String(strings.TrimFunc(entry.Content, unicode.IsSpace)),
			gate.CleanDomain(entry.Domain), nil}
		for _, t := range entry.Tags {
			if slug := gate.Slug(t); slug != "" {
				in.Tags = append(in.Tags, slug)
			}
		}
		if err := checkPrivate(in, i); err != nil {
			return nil, err
		}
		if contents[i], err = json.Marshal(in); err != nil {
			return nil, fmt.Errorf("encode private entry: %w", err)
		}
	}
	kept, err := s.state.KeepPrivate(ctx, agent, contents, s.access.Now())
	if err != nil {
		return nil, err
	}
	reply := &KeptReply{Success: true, Kept: len(kept), Entries: []PrivateEntry{}}
	for _, p := range kept {
		one, err := privateOf(agent, p)
		if err != nil {
			return nil, err
		}
		reply.Entries = append(reply.Entries, one)
	}
	return reply, nil
}

// checkPrivate runs the rows about kind and length.
func checkPrivate(in privateContent, i int) error {
	short, long := gate.Length(in.Content)
	details := map[string]any{"index": i, "length": short, "min": body.MinEntry, "max": body.MaxEntry}
	switch {
	case !slices.Contains(call.KnowledgeTypes, in.Type):
		return reason.Refuse(reason.InvalidType, "entry %d: type must be wisdom, pattern or gotcha", i).With(map[string]any{"index": i, "allowed": call.KnowledgeTypes})
	case short < body.MinEntry:
		return reason.Refuse(reason.TooShort, "entry %d has %d characters, at least %d are needed", i, short, body.MinEntry).With(details)
	case long > body.MaxEntry:
		details["length"] = long
		return reason.Refuse(reason.TooLong, "entry %d has %d characters, at most %d are allowed", i, long, body.MaxEntry).With(details)
	}
	return nil
}

// keeper is the agent whose private things a caller may touch.
func (s *Service) keeper(c call.Caller, need state.Scope) (string, error) {
	if err := c.RequireScope(need); err != nil {
		return "", err
	}
	agent, err := access.Actor(c)
	return agent.String(), err
}

// Privates lists what the caller keeps for itself.
func (s *Service) Privates(ctx context.Context, c call.Caller, r PrivatesRequest) (*PrivateReply, error) {
	agent, err := s.keeper(c, state.ScopeRead)
	if err != nil {
		return nil, err
	}
	filter, before := r.Filter("private/"+agent), ""
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		before = place.ID
	}
	all, err := s.state.Privates(ctx, agent, before, r.Limit+1)
	if err != nil {
		return nil, err
	}
	reply := &PrivateReply{Success: true, Entries: []PrivateEntry{}}
	for _, p := range all[:min(r.Limit, len(all))] {
		one, err := privateOf(agent, p)
		if err != nil {
			return nil, err
		}
		reply.Entries = append(reply.Entries, one)
	}
	reply.Count = len(reply.Entries)
	if reply.Total, err = s.state.CountPrivate(ctx, agent); err != nil {
		return nil, err
	}
	if len(all) > r.Limit {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{ID: all[r.Limit-1].ID})
	}
	return reply, nil
}

// DropPrivate forgets private entries.
func (s *Service) DropPrivate(ctx context.Context, c call.Caller, r DropPrivateRequest) (*DroppedReply, error) {
	agent, err := s.keeper(c, state.ScopeWrite)
	if err != nil {
		return nil, err
	}
	if len(r.IDs) == 0 {
		return nil, reason.Refuse(reason.MissingField, "ids are needed").With(map[string]any{"field": "ids"})
	}
	n, err := s.state.DropPrivate(ctx, agent, r.IDs)
	return &DroppedReply{true, n}, err
}

// PromotePrivate copies private entries to the commons, each through the gate
// like any other. What the gate refuses stays private and is reported with its code.
func (s *Service) PromotePrivate(ctx context.Context, c call.Caller, r PromoteRequest) (*PromotedReply, error) {
	agent, err := s.keeper(c, state.ScopeWrite)
	if err != nil {
		return nil, err
	}
	id, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	if len(r.IDs) == 0 {
		return nil, reason.Refuse(reason.MissingField, "ids are needed").With(map[string]any{"field": "ids"})
	}
	reply := &PromotedReply{Success: true, Promoted: []PromotedEntry{}, Rejected: []RejectedEntry{}}
	for _, text := range r.IDs {
		entry, err := s.promotePrivate(ctx, c, id, agent, text)
		if err != nil {
			why := NewErrorBody(err, "")
			if reason.Code(why.Code).HTTP() >= 500 {
				return nil, err
			}
			reply.Rejected = append(reply.Rejected, RejectedEntry{call.Clip(text, call.MaxIDText), why.Code, why.Error, why.Quality})
			continue
		}
		reply.Promoted = append(reply.Promoted, PromotedEntry{text, entry})
	}
	return reply, nil
}

func (s *Service) promotePrivate(ctx context.Context, c call.Caller, id change.AgentID, agent, text string) (string, error) {
	p, err := s.state.Private(ctx, agent, text)
	if err != nil {
		return "", err
	}
	one, err := privateOf(agent, p)
	if err != nil {
		return "", err
	}
	e := body.Entry{Type: one.Type, Text: one.Content, Tags: one.Tags[:min(len(one.Tags), body.MaxTags)], Confidence: 800}
	draft, err := gate.DraftOf(e, one.Domain)
	if err != nil {
		return "", err
	}
	reply, err := s.publish(ctx, c, id, contribution{draft: draft, entry: e, domain: one.Domain}, view.Submit{})
	if err != nil {
		return "", err
	}
	return reply.ID, nil
}
