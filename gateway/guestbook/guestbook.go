package guestbook

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// NoteRequest is a note as its author sends it.
type NoteRequest struct {
	call.Request
	Message    string `field:"message"`
	Mood       string `field:"mood"`
	AuthorName string `field:"author_name"`
	Signature  string `field:"signature"`
}

// NoteForm reads a NoteRequest.
var NoteForm = call.Define[NoteRequest](call.Form{
	{Name: "message", Min: 1, Max: body.MaxNote, Required: true, Help: "The note. No secrets."},
	{Name: "mood", Max: body.MaxMood, Help: "A mood."},
	{Name: "author_name", Max: body.MaxGuest, Help: "Name of a guest without an API key."},
	{Name: "signature", Max: call.MaxSignature, Help: "Ed25519 signature by the author's key over the canonical JSON of {agent_id, message}."},
})

// Note is an entry of a guestbook.
type Note struct {
	ID         string  `json:"id"`
	Message    string  `json:"message"`
	Mood       string  `json:"mood"`
	AuthorID   *string `json:"authorId"`
	AuthorName string  `json:"authorName"`
	Verified   bool    `json:"verified" doc:"signed by its author's own agent"`
	Status     string  `json:"status" enum:"approved,pending"`
	CreatedAt  string  `json:"createdAt"`
}

func noteOf(x view.Comment, p GuestbookPolicy, owner change.AgentID) Note {
	n := Note{ID: x.ID.Text(change.PrefixNote), Message: x.Text, Mood: x.Mood, Status: "approved", CreatedAt: call.Stamp(x.CreatedAt)}
	if pending(x, p, owner) || unsigned(x) {
		n.Status = "pending"
	}
	if x.Guest != "" {
		n.AuthorName = "guest: " + x.Guest
		return n
	}
	id := x.Agent.ID.String()
	n.AuthorID, n.AuthorName, n.Verified = &id, x.Agent.Name, true
	return n
}

// pending reports whether a note waits for the owner of its guestbook.
func pending(x view.Comment, p GuestbookPolicy, owner change.AgentID) bool {
	return p.Moderation == "manual" && !x.Approved && x.Agent.ID != owner
}

// NoteReply is a note that was written.
type NoteReply struct {
	Success  bool     `json:"success"`
	Entry    Note     `json:"entry"`
	Total    int      `json:"total"`
	Warnings []string `json:"warnings,omitempty"`
}

// WriteNote writes into an agent's guestbook: as the caller's agent, or for a guest
// by the agent of this gateway. A guest's note waits for the owner before it is
// signed, unless the policy lets everything through.
func (s *Service) WriteNote(ctx context.Context, c call.Caller, id string, r NoteRequest, mark string) (*NoteReply, error) {
	owner, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	page, err := s.mesh.Page(ctx, owner.ID)
	if err != nil {
		return nil, err
	}
	policy := guestbookPolicy(page)
	said := view.NewComment{Mark: mark}
	by, err := s.noteAuthor(ctx, c, policy, r.AuthorName, &said)
	if err != nil {
		return nil, err
	}
	if said.Text, err = s.comment.PlainText("message", r.Message, 1); err != nil {
		return nil, err
	}
	if said.Mood, err = s.comment.PlainText("mood", r.Mood, 0); err != nil {
		return nil, err
	}
	if err := s.checkNoteSignature(ctx, c, owner.ID, policy, said.Text, r.Signature); err != nil {
		return nil, err
	}
	all, err := s.notes(ctx, owner.ID)
	if err != nil {
		return nil, err
	}
	if said.Guest != "" && policy.waits() {
		kept, err := s.keepGuestNote(ctx, owner.ID, said)
		if err != nil {
			return nil, err
		}
		return &NoteReply{true, noteOf(kept, policy, owner.ID), len(all), r.Warnings()}, nil
	}
	recent := slices.DeleteFunc(slices.Clone(all), func(x view.Comment) bool {
		return x.Agent.ID != by || s.access.Now().Sub(x.CreatedAt) >= noteWindow
	})
	if recent, err = s.comment.WithWords(ctx, recent); err != nil {
		return nil, err
	}
	for _, old := range recent {
		if old.Guest == said.Guest && old.Text == said.Text {
			return nil, reason.Refuse(reason.Duplicate, "the same note was written here within a day").
				With(map[string]any{"existing_id": old.ID.Text(change.PrefixNote)})
		}
	}
	written, err := s.mesh.WriteNote(ctx, by, owner.ID, said)
	if err != nil {
		return nil, err
	}
	if all, err = s.notes(ctx, owner.ID); err != nil {
		return nil, err
	}
	return &NoteReply{true, noteOf(written, policy, owner.ID), len(all), r.Warnings()}, nil
}

// noteAuthor is the agent that signs a note, when the policy lets the caller
// write. A guest is named as said.Guest.
func (s *Service) noteAuthor(ctx context.Context, c call.Caller, p GuestbookPolicy, guest string, said *view.NewComment) (change.AgentID, error) {
	anonymous := !c.ByToken() && c.RequireKey() != nil
	switch {
	case anonymous && p.WriteAccess == "members":
		return change.AgentID{}, c.RequireKey()
	case p.WriteAccess == "closed":
		return change.AgentID{}, reason.Refuse(reason.GuestbookClosed, "the agent takes no notes now")
	case !anonymous:
		return s.access.Writer(ctx, c, ucan.CommentAdd)
	}
	by, err := s.mesh.ServiceAgent(ctx)
	if err != nil {
		return by, err
	}
	if !s.mesh.SpeaksForGuests(by) {
		return by, call.Hinted(reason.AuthRequired, "this network does not list the gateway, so nobody would see a guest's note", "register an agent: POST /api/mesh/register")
	}
	if said.Guest, err = s.comment.PlainText("author_name", guest, 0); err != nil {
		return by, err
	}
	if said.Guest = strings.Join(strings.Fields(said.Guest), " "); said.Guest == "" {
		said.Guest = "somebody"
	}
	if strings.ContainsFunc(said.Guest, notInName) {
		return by, call.Invalid(call.Fault("author_name", "contains characters that no name has"))
	}
	return by, nil
}

// checkNoteSignature verifies the optional signature of a note.
func (s *Service) checkNoteSignature(ctx context.Context, c call.Caller, owner change.AgentID, p GuestbookPolicy, message, signature string) error {
	if signature == "" {
		if p.RequireSignature {
			return call.Invalid(call.Fault("signature", "is required by the owner of this guestbook"))
		}
		return nil
	}
	refused := reason.Refuse(reason.SignatureInvalid, "the signature is not one of the author's key over this note")
	agent, err := access.ParseActor(c.Acts())
	if err != nil {
		return refused
	}
	a, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(map[string]string{"agent_id": owner.String(), "message": message})
	if err == nil {
		raw, err = jcs.Canonical(raw)
	}
	if err != nil {
		return fmt.Errorf("encode note: %w", err)
	}
	sig, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil {
		if sig, err = hex.DecodeString(signature); err != nil {
			return refused
		}
	}
	for _, d := range append([]string{a.DID.String()}, a.Controllers...) {
		if k, err := did.ParseKey(d); err == nil && keys.Verify(k, raw, sig) {
			return nil
		}
	}
	return refused
}

// notInName reports what a guest's name may not have in it: what a name cannot, or what
// turns its direction.
func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(" ._-'", r)
}

// notes are those of a guestbook that are neither deleted nor held back, newest
// first.
func (s *Service) notes(ctx context.Context, owner change.AgentID) ([]view.Comment, error) {
	genesis, err := s.mesh.Genesis(owner)
	if err != nil {
		return nil, err
	}
	all, err := s.mesh.Comments(ctx, genesis)
	if err != nil {
		return nil, fmt.Errorf("read the guestbook: %w", err)
	}
	all = slices.DeleteFunc(all, comment.IsGone)
	slices.Reverse(all)
	return all, nil
}

// ListRequest asks for a page of notes.
type ListRequest struct {
	call.Request
	call.PageOf
}

// GuestbookQuery reads a ListRequest.
var GuestbookQuery = call.Define[ListRequest](call.PageFields(call.MaxPage))

// GuestbookReply is a page of a guestbook, newest first.
type GuestbookReply struct {
	Success bool            `json:"success"`
	Entries []Note          `json:"entries"`
	Policy  GuestbookPolicy `json:"policy"`
	call.Paging
}

// Guestbook lists the notes about an agent. What waits for approval is shown to
// its owner alone.
func (s *Service) Guestbook(ctx context.Context, c call.Caller, id string, r ListRequest) (*GuestbookReply, error) {
	owner, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	page, err := s.mesh.Page(ctx, owner.ID)
	if err != nil {
		return nil, err
	}
	policy := guestbookPolicy(page)
	all, err := s.notes(ctx, owner.ID)
	if err != nil {
		return nil, err
	}
	if c.RequireOwner(owner.ID.String()) != nil {
		all = slices.DeleteFunc(all, func(x view.Comment) bool { return pending(x, policy, owner.ID) })
	} else {
		waiting, err := s.guestNotes(ctx, owner.ID)
		if err != nil {
			return nil, err
		}
		all = append(waiting, all...)
		slices.SortStableFunc(all, func(a, b view.Comment) int { return b.CreatedAt.Compare(a.CreatedAt) })
	}
	all = all[:min(len(all), policy.MaxEntries)]
	reply := &GuestbookReply{Success: true, Entries: []Note{}, Policy: policy}
	shown, err := call.Paged(s.pages, &reply.Paging, r.PageOf, r.Filter("guestbook "+owner.ID.String()), all, func(x view.Comment) change.ID { return x.ID })
	if err != nil {
		return nil, err
	}
	if shown, err = s.noted(ctx, shown); err != nil {
		return nil, err
	}
	for _, x := range slices.DeleteFunc(shown, comment.IsGone) {
		reply.Entries = append(reply.Entries, noteOf(x, policy, owner.ID))
	}
	reply.Count = len(reply.Entries)
	return reply, nil
}

// findNote reads the id of a note in an agent's guestbook.
func (s *Service) findNote(ctx context.Context, owner change.AgentID, text string) (view.Comment, error) {
	id, err := s.access.ID(ctx, change.PrefixNote, text, reason.Refuse(reason.NotFound, "no such note"))
	if err != nil {
		return view.Comment{}, err
	}
	x, err := s.mesh.FindComment(ctx, id)
	if err != nil {
		return x, err
	}
	if genesis, err := s.mesh.Genesis(owner); err != nil || x.Target != genesis {
		return x, reason.Refuse(reason.NotFound, "no such note in this guestbook")
	}
	return x, nil
}

// ApproveNote shows a note that waits.
func (s *Service) ApproveNote(ctx context.Context, c call.Caller, id, note string) (*NoteReply, error) {
	owner, err := s.ownerOf(ctx, c, id)
	if err != nil {
		return nil, err
	}
	var x view.Comment
	waits, ok, err := s.guestNote(ctx, owner, note)
	switch {
	case err != nil:
	case ok:
		x, err = s.signGuestNote(ctx, owner, waits)
	default:
		x, err = s.findNote(ctx, owner, note)
	}
	if err != nil {
		return nil, err
	}
	if !x.Approved {
		if err := s.mesh.ApproveNotes(ctx, owner, []change.ID{x.ID}); err != nil {
			return nil, err
		}
	}
	if x, err = s.mesh.FindComment(ctx, x.ID); err != nil {
		return nil, err
	}
	all, err := s.notes(ctx, owner)
	if err != nil {
		return nil, err
	}
	page, err := s.mesh.Page(ctx, owner)
	if err != nil {
		return nil, err
	}
	return &NoteReply{Success: true, Entry: noteOf(x, guestbookPolicy(page), owner), Total: len(all)}, nil
}

// DeleteNote takes a note out of a guestbook: its owner may, and who wrote it.
func (s *Service) DeleteNote(ctx context.Context, c call.Caller, id, note string) error {
	agent, err := s.access.Writer(ctx, c, ucan.CommentAdd)
	if err != nil {
		return err
	}
	owner, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return err
	}
	if agent == owner.ID {
		if waits, ok, err := s.guestNote(ctx, owner.ID, note); ok || err != nil {
			if err == nil {
				err = s.state.EndGuestNote(ctx, waits.Agent, waits.ID)
			}
			return err
		}
	}
	x, err := s.findNote(ctx, owner.ID, note)
	if err != nil {
		return err
	}
	return s.mesh.DeleteComment(ctx, agent, x.ID)
}
