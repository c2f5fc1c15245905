package changes

import (
	"context"
	"fmt"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/node/view"
)

// ChangesReply says what became of changes that were signed elsewhere.
type ChangesReply struct {
	Success    bool            `json:"success"`
	Accepted   []string        `json:"accepted" doc:"durable on this node now"`
	Duplicates []string        `json:"duplicates" doc:"here before"`
	Refused    []RefusedChange `json:"refused"`
}

// RefusedChange is a change that was not taken in.
type RefusedChange struct {
	ID    string      `json:"id,omitempty" doc:"absent when the head cannot be read"`
	Index int         `json:"index" doc:"place in the request, from 0"`
	Code  reason.Code `json:"code"`
}

// TakeChanges takes in changes that prove themselves, whoever brings them. Each
// costs its author what its kind would cost at its own endpoint; one that begins an
// agent, and one whose author is not known before the rules have judged it,
// costs the caller's address a registration.
func (s *Service) TakeChanges(ctx context.Context, c call.Caller, raw []byte) (*ChangesReply, error) {
	items, err := signedItems(raw)
	if err != nil {
		return nil, err
	}
	reply := &ChangesReply{Success: true, Accepted: []string{}, Duplicates: []string{}, Refused: []RefusedChange{}}
	var cs []*change.Change
	var places []int
	for i, item := range items {
		ch, err := change.Decode(item.head, item.body)
		if err != nil {
			out := RefusedChange{Index: i, Code: reason.Of(err)}
			if ch != nil {
				out.ID = ch.ID.Text(change.PrefixChange)
			}
			reply.Refused = append(reply.Refused, out)
			continue
		}
		cs, places = append(cs, ch), append(places, i)
	}
	took, err := s.mesh.TakeIn(ctx, cs, func(a view.Author) reason.Code { return s.mayBring(ctx, c, a) })
	if err != nil {
		return nil, fmt.Errorf("take changes in: %w", err)
	}
	for i, t := range took {
		switch id := cs[i].ID.Text(change.PrefixChange); {
		case t.Known:
			reply.Duplicates = append(reply.Duplicates, id)
		case t.Code != "":
			reply.Refused = append(reply.Refused, RefusedChange{id, places[i], t.Code})
		default:
			reply.Accepted = append(reply.Accepted, id)
		}
	}
	return reply, nil
}

type signedItem struct{ head, body []byte }

// signedItems reads the array of [head, body] pairs.
func signedItems(raw []byte) ([]signedItem, error) {
	r := cbor.NewReader(raw)
	n, err := r.Array()
	if err != nil {
		return nil, notChanges(err)
	}
	if n > maxChanges {
		return nil, call.Invalid(call.Fault("changes", "must have at most %d items", maxChanges))
	}
	items := make([]signedItem, n)
	for i := range items {
		pair, err := r.Array()
		if err == nil && pair != 2 {
			err = fmt.Errorf("item %d has %d parts", i, pair)
		}
		if err == nil {
			items[i].head, err = r.Bytes()
		}
		if err == nil {
			items[i].body, err = r.BytesOrNull()
		}
		if err != nil {
			return nil, notChanges(err)
		}
		r.End()
	}
	r.End()
	if err := r.Done(); err != nil {
		return nil, notChanges(err)
	}
	return items, nil
}

func notChanges(err error) error {
	return call.Hinted(reason.BadEncoding, "the body is no array of changes: "+err.Error(), "send canonical CBOR: an array of [head, body], both byte strings")
}

// buckets are those of the endpoints that write a kind; write is that of the rest.
var buckets = map[string]limit.Bucket{
	change.KindEntryPut: limit.Contribute, change.KindComment: limit.Comment, change.KindVote: limit.Vote,
	change.KindMessage: limit.Message, change.KindLabel: limit.Report,
}

// mayBring says why an author may not write one more change now, "" when it may.
func (s *Service) mayBring(ctx context.Context, c call.Caller, a view.Author) reason.Code {
	if c.Kind == auth.Owner {
		return ""
	}
	if a.Opens || !a.Proven {
		if !s.limits.Allow(limit.Register, limit.Principal{Addr: c.Addr}, s.access.Now()).OK {
			return reason.AdmissionRate
		}
		return ""
	}
	bucket, ok := buckets[a.Kind]
	if !ok {
		bucket = limit.Write
	}
	author := limit.Principal{Agent: a.Key.String(), Since: s.access.Now(), Addr: c.Addr}
	if !a.Agent.IsZero() {
		known := call.Caller{Principal: auth.Principal{AgentID: a.Agent.String()}}
		if err := s.access.MayWrite(ctx, known); err != nil {
			return reason.Of(err)
		}
		author = limit.Principal{Agent: a.Agent.String(), Sponsor: s.access.SponsorOf(known), Addr: c.Addr}
		author.Since = s.access.BornAt(ctx, a.Agent.String())
	}
	if !s.limits.Allow(bucket, author, s.access.Now()).OK {
		return reason.AdmissionRate
	}
	return ""
}

// SpaceRequest selects changes of one space.
type SpaceRequest struct {
	call.Request
	Space string `field:"space"`
	Since int    `field:"since"`
	Limit int    `field:"limit"`
}

// ChangesForm reads a SpaceRequest.
var ChangesForm = call.Define[SpaceRequest](call.Form{
	{Name: "space", Max: change.MaxSpace, Required: true, Help: "net, agent/…, commons/…, guild/… or, for members, team/…"},
	{Name: "since", Kind: call.Int, Min: 0, Max: maxSequence, Default: 0, Help: "Only changes that came after this local sequence: X-Mesh-Next of the answer before."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: maxChangesPage, Default: maxChangesPage, Help: "How many at most."},
})

// Changes encodes the changes of a space that came after a local sequence, as an
// array of [head, body], and says where to go on. A body is null where this node
// has or shows none.
func (s *Service) Changes(ctx context.Context, c call.Caller, r SpaceRequest) (raw []byte, next uint64, err error) {
	space, err := change.ParseSpace(r.Space)
	if err != nil {
		return nil, 0, reason.Refuse(reason.InvalidParam, "space names no space").With(map[string]any{"param": "space"})
	}
	shown := func(*change.Change) bool { return true }
	if guild, _ := space.Guild(); space.Area() == change.AreaTeam {
		if _, err := s.access.InTeam(ctx, c, guild.Text(change.PrefixGuild), access.KnowledgeRead); err != nil {
			return nil, 0, err
		}
		shown = s.zoned(ctx, c, guild)
	}
	cs, next, err := s.mesh.ChangesIn(ctx, space, uint64(r.Since), r.Limit)
	if err != nil {
		return nil, 0, fmt.Errorf("list changes: %w", err)
	}
	raw = cbor.AppendArray(nil, len(cs))
	for _, one := range cs {
		raw = cbor.AppendBytes(cbor.AppendArray(raw, 2), one.RawHead)
		if one.Body == nil || !shown(one) {
			raw = cbor.AppendNull(raw)
		} else {
			raw = cbor.AppendBytes(raw, one.Body)
		}
	}
	return raw, next, nil
}
