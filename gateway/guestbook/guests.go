package guestbook

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// What guests write is nobody's signed word: it waits in this gateway's state for the
// owner of the guestbook, unless that lets everything through, and becomes a change
// of the network when the owner approves it.

// minNoteID is how many characters of the beginning of a note's id are looked up.
const minNoteID = 4

// waits reports whether a guest's note waits for its owner.
func (p GuestbookPolicy) waits() bool { return p.Moderation != "none" }

// keepGuestNote lets a guest's note wait. The same mark gives the same note.
func (s *Service) keepGuestNote(ctx context.Context, owner change.AgentID, said view.NewComment) (view.Comment, error) {
	waiting, err := s.guestNotes(ctx, owner)
	if err != nil {
		return view.Comment{}, err
	}
	id := change.ID(sha256.Sum256([]byte("guest note\x00" + owner.String() + "\x00" + said.Mark)))
	if said.Mark == "" {
		if _, err := io.ReadFull(s.cfg.Random, id[:]); err != nil {
			return view.Comment{}, fmt.Errorf("make the id of a note: %w", err)
		}
	}
	for _, old := range waiting {
		if old.ID != id && old.Guest == said.Guest && old.Text == said.Text && s.access.Now().Sub(old.CreatedAt) < noteWindow {
			return old, reason.Refuse(reason.Duplicate, "the same note was written here within a day").
				With(map[string]any{"existing_id": old.ID.Text(change.PrefixNote)})
		}
	}
	n := state.GuestNote{ID: id.Text(change.PrefixNote), Agent: owner.String(), Guest: said.Guest, Message: said.Text, Mood: said.Mood, At: s.access.Now()}
	if err := s.state.KeepGuestNote(ctx, n); err != nil {
		return view.Comment{}, err
	}
	if err := s.notice.Keep(ctx, view.AgentRef{ID: owner}, notice.Guestbook, n.ID, "guest: "+n.Guest+" wrote into your guestbook; the note waits for you.", "/api/mesh/agent/"+n.Agent+"/guestbook"); err != nil {
		s.cfg.Log.Warn("the owner of a guestbook was not notified", "error", err)
	}
	return guestComment(n)
}

// unsigned reports whether a note waits here and is no change of the network: it is
// about nothing there.
func unsigned(x view.Comment) bool { return x.Target.IsZero() }

// guestComment is a note that waits, as one that does not is shown.
func guestComment(n state.GuestNote) (view.Comment, error) {
	id, err := change.ParseID(change.PrefixNote, n.ID)
	return view.Comment{ID: id, Guest: n.Guest, Text: n.Message, Mood: n.Mood, CreatedAt: n.At}, err
}

// guestNotes are those that wait in a guestbook, newest first.
func (s *Service) guestNotes(ctx context.Context, owner change.AgentID) ([]view.Comment, error) {
	all, err := s.state.GuestNotes(ctx, owner.String())
	if err != nil {
		return nil, err
	}
	out := make([]view.Comment, 0, len(all))
	for _, n := range all {
		x, err := guestComment(n)
		if err != nil {
			return nil, fmt.Errorf("read a guest's note: %w", err)
		}
		out = append(out, x)
	}
	return out, nil
}

// guestNote finds a note that waits by its id or the beginning of it.
func (s *Service) guestNote(ctx context.Context, owner change.AgentID, text string) (n state.GuestNote, ok bool, err error) {
	if n, ok, err = s.state.GuestNote(ctx, owner.String(), text); ok || err != nil {
		return n, ok, err
	}
	all, err := s.state.GuestNotes(ctx, owner.String())
	if err != nil {
		return n, false, err
	}
	var ids []string
	for _, x := range all {
		if len(text) >= len(change.PrefixNote)+minNoteID && strings.HasPrefix(x.ID, text) {
			n = x
			ids = append(ids, x.ID)
		}
	}
	if len(ids) > 1 {
		return n, false, reason.Ambiguous(text, ids)
	}
	return n, len(ids) == 1, nil
}

// signGuestNote makes a note that waits a change of the network, by this gateway's
// agent for the guest.
func (s *Service) signGuestNote(ctx context.Context, owner change.AgentID, n state.GuestNote) (view.Comment, error) {
	by, err := s.mesh.ServiceAgent(ctx)
	if err != nil {
		return view.Comment{}, err
	}
	// A crash between the change and the end of the note asks again with the same mark.
	written, err := s.mesh.WriteNote(ctx, by, owner, view.NewComment{Guest: n.Guest, Text: n.Message, Mood: n.Mood, Mark: n.ID})
	if err != nil {
		return written, err
	}
	return written, s.state.EndGuestNote(ctx, n.Agent, n.ID)
}

// noted gives the notes of a page their words; those that wait have them.
func (s *Service) noted(ctx context.Context, shown []view.Comment) ([]view.Comment, error) {
	bare := slices.DeleteFunc(slices.Clone(shown), func(x view.Comment) bool { return unsigned(x) })
	full, err := s.comment.WithWords(ctx, bare)
	if err != nil {
		return nil, err
	}
	words := map[change.ID]view.Comment{}
	for _, x := range full {
		words[x.ID] = x
	}
	out := make([]view.Comment, 0, len(shown))
	for _, x := range shown {
		if y, ok := words[x.ID]; ok {
			out = append(out, y)
		} else if unsigned(x) {
			out = append(out, x)
		}
	}
	return out, nil
}
