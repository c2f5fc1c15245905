package trail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/jcs"
)

// AppendRequest appends to the audit trail that an agent keeps of itself.
type AppendRequest struct {
	call.Request
	Record  json.RawMessage `field:"record"`
	Records json.RawMessage `field:"records"`
}

// TrailForm reads an AppendRequest.
var TrailForm = call.Define[AppendRequest](call.Form{
	{Name: "record", Kind: call.Object, Help: "One record: {tick_iso, layer_hashes[7], operation, prev_hash, fnv1a_chain, version_vector_fingerprint?, brain_class?, trust_epoch?, detail?}."},
	{Name: "records", Kind: call.Objects, Items: maxTrailBatch, Help: "Several of them, oldest first."},
})

// TrailRequest selects records.
type TrailRequest struct {
	call.Request
	call.PageOf
	Since     time.Time `field:"since"`
	Until     time.Time `field:"until"`
	Operation string    `field:"operation"`
}

// TrailQuery reads a TrailRequest.
var TrailQuery = call.Define[TrailRequest](call.Form{
	{Name: "since", Kind: call.Time, Help: "Only ticks from this time on."},
	{Name: "until", Kind: call.Time, Help: "Only ticks before this time."},
	{Name: "operation", Max: maxOperation, Help: "Only this operation."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: maxTrailPage, Default: call.MaxPage, Help: "Records in a page."},
	{Name: "cursor", Max: cursor.MaxText, Help: "next_cursor of the page before."},
})

// TrailHead is where an audit trail stands.
type TrailHead struct {
	N     int     `json:"n" doc:"records in all"`
	Chain *string `json:"fnv1a_chain"`
	Tick  *string `json:"tick_iso"`
}

// AppendedReply says what of a request is in the trail now.
type AppendedReply struct {
	Success    bool             `json:"success"`
	Handle     string           `json:"handle"`
	Appended   int              `json:"appended" doc:"records that are in now"`
	Rejected   int              `json:"rejected" doc:"records that are not"`
	Rejections []RejectedRecord `json:"rejections" doc:"why each of them is not, in the order of the request"`
	Head       TrailHead        `json:"head"`
}

// RejectedRecord is a record that is not in the trail, and why.
type RejectedRecord struct {
	Index int    `json:"index"`
	Code  string `json:"code"`
}

// TrailReply is a page of an audit trail, newest first.
type TrailReply struct {
	Success  bool              `json:"success"`
	Records  []json.RawMessage `json:"records"`
	Head     TrailHead         `json:"head"`
	Verified bool              `json:"verified" doc:"every record names the one before it, or begins a segment"`
	Anchors  map[string]string `json:"anchors" doc:"hashes in the network's log, by day"`
	call.Paging
}

// trailRecord is a record as it is checked. What else it contains is kept with it.
type trailRecord struct {
	Tick        string          `json:"tick_iso"`
	Layers      []string        `json:"layer_hashes"`
	Operation   string          `json:"operation"`
	Prev        *string         `json:"prev_hash"`
	Chain       string          `json:"fnv1a_chain"`
	Fingerprint json.RawMessage `json:"version_vector_fingerprint"`
	Brain       json.RawMessage `json:"brain_class"`
	Epoch       json.RawMessage `json:"trust_epoch"`
	Detail      json.RawMessage `json:"detail"`
}

// readTrail checks the form of one record; ok is false for audit_malformed.
func readTrail(raw json.RawMessage) (state.TrailRecord, bool) {
	var in trailRecord
	if err := json.Unmarshal(raw, &in); err != nil || len(raw) > maxTrailRecord {
		return state.TrailRecord{}, false
	}
	tick, err := time.Parse(time.RFC3339, in.Tick)
	if err != nil || len(in.Layers) != trailLayers || slices.ContainsFunc(in.Layers, func(s string) bool { return !isHash(s) }) ||
		in.Operation == "" || call.Chars(in.Operation) > maxOperation || !isHash(in.Chain) || len(in.Detail) > maxTrailDetail {
		return state.TrailRecord{}, false
	}
	out := state.TrailRecord{Tick: tick.UTC(), Operation: in.Operation, Chain: in.Chain}
	if in.Prev != nil {
		if out.Prev = *in.Prev; !isHash(out.Prev) {
			return state.TrailRecord{}, false
		}
	}
	canonical, _, err := jcs.CanonicalObject(raw)
	out.Record = canonical
	return out, err == nil
}

// isHash reports whether s is some hash in hex.
func isHash(s string) bool {
	if s == "" || len(s) > maxTrailHash {
		return false
	}
	for _, r := range s {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F') {
			return false
		}
	}
	return true
}

// own is the caller's agent, when it is the one named.
func (s *Service) own(ctx context.Context, c call.Caller, handle string, need state.Scope) (change.AgentID, error) {
	if err := c.RequireScope(need); err != nil {
		return change.AgentID{}, err
	}
	a, err := s.access.FindAgent(ctx, handle)
	if err != nil {
		return change.AgentID{}, err
	}
	return a.ID, c.RequireOwner(a.ID.String())
}

// AppendTrail appends records to the caller's audit trail. Those that do not fit
// are reported one by one, the others are in.
func (s *Service) AppendTrail(ctx context.Context, c call.Caller, handle string, r AppendRequest) (*AppendedReply, error) {
	agent, err := s.own(ctx, c, handle, state.ScopeWrite)
	if err != nil {
		return nil, err
	}
	var raws []json.RawMessage
	if r.Records != nil {
		if err := json.Unmarshal(r.Records, &raws); err != nil {
			return nil, fmt.Errorf("read records: %w", err)
		}
	} else if r.Record != nil {
		raws = []json.RawMessage{r.Record}
	}
	if len(raws) == 0 {
		return nil, reason.Refuse(reason.MissingField, "record or records are needed").With(map[string]any{"field": "records"})
	}
	reply := &AppendedReply{Success: true, Handle: handle, Rejections: []RejectedRecord{}}
	var records []state.TrailRecord
	var places []int
	for i, raw := range raws {
		record, ok := readTrail(raw)
		if !ok {
			reply.Rejections = append(reply.Rejections, RejectedRecord{i, string(reason.AuditMalformed)})
			continue
		}
		records, places = append(records, record), append(places, i)
	}
	appended, codes, head, err := s.state.AppendTrail(ctx, agent.String(), records, s.access.Now())
	if err != nil {
		return nil, err
	}
	for i, code := range codes {
		reply.Rejections = append(reply.Rejections, RejectedRecord{places[i], string(code)})
	}
	slices.SortFunc(reply.Rejections, func(a, b RejectedRecord) int { return a.Index - b.Index })
	reply.Appended, reply.Rejected, reply.Head = appended, len(reply.Rejections), headOf(head)
	if appended == 0 {
		return reply, nil
	}
	s.owed.Try(ctx, state.OwedAnchor, agent.String())
	return reply, nil
}

// Anchor puts where an audit trail stands now into the agent's space.
func (s *Service) Anchor(ctx context.Context, o state.Owed) error {
	agent, err := change.ParseAgentID(o.Agent)
	if err != nil {
		return fmt.Errorf("read agent: %w", err)
	}
	head, err := s.state.TrailHead(ctx, o.Agent)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(strconv.Itoa(head.N) + "\x00" + head.Chain))
	return s.mesh.AnchorAudit(ctx, agent, s.access.Now().UTC().Format(time.DateOnly), hex.EncodeToString(sum[:]))
}

func headOf(h state.TrailHead) TrailHead {
	return TrailHead{h.N, call.TextOrNil(h.Chain), call.StampOrNil(h.Tick)}
}

// Trail lists the caller's audit trail.
func (s *Service) Trail(ctx context.Context, c call.Caller, handle string, r TrailRequest) (*TrailReply, error) {
	agent, err := s.own(ctx, c, handle, state.ScopeRead)
	if err != nil {
		return nil, err
	}
	filter, before := r.Filter("trail/"+agent.String()), 0
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		if before, err = strconv.Atoi(place.Sort); err != nil {
			return nil, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
		}
	}
	all, err := s.state.Trail(ctx, agent.String(), r.Operation, r.Since, r.Until, before, r.Limit+1)
	if err != nil {
		return nil, err
	}
	head, err := s.state.TrailHead(ctx, agent.String())
	if err != nil {
		return nil, err
	}
	reply := &TrailReply{Success: true, Records: []json.RawMessage{}, Head: headOf(head), Paging: call.Paging{Total: head.N}}
	for _, one := range all[:min(r.Limit, len(all))] {
		reply.Records = append(reply.Records, one.Record)
	}
	reply.Count = len(reply.Records)
	if reply.Verified, err = s.state.TrailUnbroken(ctx, agent.String()); err != nil {
		return nil, err
	}
	if reply.Anchors, err = s.mesh.AuditAnchors(ctx, agent); err != nil {
		return nil, err
	}
	if len(all) > r.Limit {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: strconv.Itoa(all[r.Limit-1].N)})
	}
	return reply, nil
}
