package guestbook_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

var (
	gateway = change.AgentID{0xee}
	genesis = change.ID{0xdd} // of every agent
)

// node keeps one guestbook and its owner's page.
type node struct {
	of     *accesstest.Directory
	now    func() time.Time
	notes  []view.Comment
	fields map[string]any
	mute   bool // the network takes no notes of guests from this gateway
}

var _ guestbook.Node = (*node)(nil)

func (n *node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n *node) Page(context.Context, change.AgentID) (view.Page, error) {
	return view.Page{Fields: n.fields}, nil
}

func (n *node) EditPage(_ context.Context, _ change.AgentID, set []doc.Field, _ int) (view.Page, error) {
	for _, f := range set {
		n.fields[f.Key] = f.Value
	}
	return view.Page{Fields: n.fields, Version: 1}, nil
}

func (*node) ServiceAgent(context.Context) (change.AgentID, error) { return gateway, nil }

func (*node) Genesis(change.AgentID) (change.ID, error) { return genesis, nil }

func (n *node) SpeaksForGuests(id change.AgentID) bool { return id == gateway && !n.mute }

func (n *node) WriteNote(_ context.Context, by, _ change.AgentID, c view.NewComment) (view.Comment, error) {
	x := view.Comment{ID: change.ID{byte(len(n.notes) + 1)}, Target: genesis, Agent: view.AgentRef{ID: by, Name: "by"}, Guest: c.Guest, Text: c.Text, Mood: c.Mood, CreatedAt: n.now()}
	n.notes = append(n.notes, x)
	return x, nil
}

func (n *node) ApproveNotes(_ context.Context, _ change.AgentID, ids []change.ID) error {
	for i, x := range n.notes {
		n.notes[i].Approved = x.Approved || slices.Contains(ids, x.ID)
	}
	return nil
}

func (n *node) Comments(context.Context, change.ID) ([]view.Comment, error) {
	return slices.Clone(n.notes), nil
}

func (n *node) FindComment(_ context.Context, id change.ID) (view.Comment, error) {
	if i := slices.IndexFunc(n.notes, func(x view.Comment) bool { return x.ID == id }); i >= 0 {
		return n.notes[i], nil
	}
	return view.Comment{}, reason.Refuse(reason.NotFound, "no such note")
}

func (n *node) DeleteComment(_ context.Context, _ change.AgentID, id change.ID) error {
	n.notes = slices.DeleteFunc(n.notes, func(x view.Comment) bool { return x.ID == id })
	return nil
}

// words is what the room comment needs here.
type words struct{ comment.Node }

func (words) CheckText(field, text string) []gate.Finding {
	return accesstest.Detector{}.CheckText(field, text)
}

func (words) Words(_ context.Context, of []view.Comment) ([]view.Comment, error) { return of, nil }

// news is what the room notice needs to notify the owner.
type news struct {
	notice.Node
	of  *accesstest.Directory
	bus *events.Bus
}

func (n news) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n news) Events() *events.Bus { return n.bus }

type bench struct {
	*accesstest.Bench
	*guestbook.Service
	node    *node
	ada, bo call.Caller // ada owns the guestbook
	adaID   change.AgentID
}

func newBench(t *testing.T, policy map[string]any) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{of: &b.Directory, now: b.Clock, fields: map[string]any{"guestbook": policy}}
	notices := notice.New(news{of: &b.Directory, bus: events.New(events.Config{})}, b.Access, b.State, b.Pages)
	b.Service = guestbook.New(b.node, b.Access, comment.New(words{}, b.Access, b.Pages), notices, b.State, b.Pages,
		guestbook.Config{Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	b.adaID = b.AddAgent("ada").ID
	b.ada, b.bo = accesstest.As(b.adaID), accesstest.As(b.AddAgent("bo").ID)
	return b
}

func (b *bench) write(t *testing.T, who call.Caller, raw string) (*guestbook.NoteReply, error) {
	t.Helper()
	return b.WriteNote(t.Context(), who, "ada", accesstest.Request(t, guestbook.NoteForm, raw), "")
}

// seen are the messages that a caller sees, newest first.
func (b *bench) seen(t *testing.T, who call.Caller) (out []string) {
	t.Helper()
	got, err := b.Guestbook(t.Context(), who, "ada", accesstest.Request(t, guestbook.GuestbookQuery, `{"limit": 100}`))
	accesstest.Must(t, err)
	for _, n := range got.Entries {
		out = append(out, n.Message+" ("+n.Status+")")
	}
	return out
}

// Who writes what where, and what of it others than the owner see at once.
func TestPolicyOfAGuestbook(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		policy map[string]any
		guest  bool
		want   reason.Code
		others int // notes that others see
		signed int // notes in the log
	}{
		{"an agent", nil, false, "", 1, 1},
		{"a guest waits", nil, true, "", 0, 0},
		{"a guest where all is let through", map[string]any{"moderation": "none"}, true, "", 1, 1},
		{"an agent where all waits", map[string]any{"moderation": "manual"}, false, "", 0, 1},
		{"a guest among members", map[string]any{"write_access": "members"}, true, reason.AuthRequired, 0, 0},
		{"an agent among members", map[string]any{"write_access": "members"}, false, "", 1, 1},
		{"an agent before a closed one", map[string]any{"write_access": "closed"}, false, reason.GuestbookClosed, 0, 0},
		{"a guest before a closed one", map[string]any{"write_access": "closed"}, true, reason.GuestbookClosed, 0, 0},
		{"without the signature that is asked for", map[string]any{"require_signature": true}, false, reason.ValidationFailed, 0, 0},
	} {
		b := newBench(t, c.policy)
		who := b.bo
		if c.guest {
			who = call.Caller{}
		}
		_, err := b.write(t, who, `{"message": "Hello."}`)
		if reason.Of(err) != c.want || len(b.seen(t, b.bo)) != c.others || len(b.node.notes) != c.signed {
			t.Errorf("%s: %v; others see %v, the log has %d", c.what, err, b.seen(t, b.bo), len(b.node.notes))
		}
		if owner := b.seen(t, b.ada); (len(owner) == 1) != (c.want == "") {
			t.Errorf("%s: the owner sees %v", c.what, owner)
		}
	}
}

// A guest's note is kept here until the owner approves it; then the gateway signs it.
func TestGuestsWaitForTheOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	note, err := b.write(t, call.Caller{}, `{"message": "Hello.", "author_name": "  Eve   K. "}`)
	if err != nil || note.Entry.AuthorName != "guest: Eve K." || note.Entry.Status != "pending" || note.Entry.Verified {
		t.Fatalf("%+v, %v", note, err)
	}
	notices, _, err := b.State.CountNotifications(t.Context(), b.ada.AgentID)
	if err != nil || notices != 1 {
		t.Errorf("the owner has %d notices, %v", notices, err)
	}
	_, err = b.write(t, call.Caller{}, `{"message": "Hello.", "author_name": "Eve K."}`)
	accesstest.Refused(t, "the same again", err, reason.Duplicate)
	_, err = b.ApproveNote(t.Context(), b.bo, "ada", note.Entry.ID)
	accesstest.Refused(t, "another approves it", err, reason.NotOwner)
	got, err := b.ApproveNote(t.Context(), b.ada, "ada", note.Entry.ID[:12])
	if err != nil || got.Entry.Status != "approved" || b.node.notes[0].Agent.ID != gateway || b.node.notes[0].Guest != "Eve K." {
		t.Errorf("%+v, %v; the log has %+v", got, err, b.node.notes)
	}
	if seen := b.seen(t, call.Caller{}); !slices.Equal(seen, []string{"Hello. (approved)"}) {
		t.Errorf("anybody sees %v", seen)
	}
	other, err := b.write(t, call.Caller{}, `{"message": "Bye."}`)
	accesstest.Must(t, err)
	accesstest.Must(t, b.DeleteNote(t.Context(), b.ada, "ada", other.Entry.ID))
	if seen := b.seen(t, b.ada); len(seen) != 1 {
		t.Errorf("after it was refused the owner sees %v", seen)
	}
	b.node.mute = true
	_, err = b.write(t, call.Caller{}, `{"message": "Again."}`)
	accesstest.Refused(t, "where the network does not list the gateway", err, reason.AuthRequired)
}

func TestNotesAreJudged(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	sign := func(n byte, message string) string {
		raw := fmt.Sprintf(`{"agent_id":%q,"message":%q}`, b.adaID, message)
		return base64.RawURLEncoding.EncodeToString(ed25519.Sign(accesstest.Key(n), []byte(raw)))
	}
	for _, c := range []struct {
		what, raw string
		guest     bool
		want      reason.Code
	}{
		{"a secret", `{"message": "` + accesstest.Secret + `"}`, false, reason.SecretDetected},
		{"nothing", `{"message": "  "}`, false, reason.ValidationFailed},
		{"a name that turns", `{"message": "x", "author_name": "a\u202eb"}`, true, reason.ValidationFailed},
		{"signed by its author", `{"message": "Hi.", "signature": "` + sign(2, "Hi.") + `"}`, false, ""},
		{"within a day the same", `{"message": "Hi."}`, false, reason.Duplicate},
		{"signed by another", `{"message": "Ho.", "signature": "` + sign(1, "Ho.") + `"}`, false, reason.SignatureInvalid},
		{"signed for another message", `{"message": "Ho.", "signature": "` + sign(2, "Hi.") + `"}`, false, reason.SignatureInvalid},
	} {
		who := b.bo
		if c.guest {
			who = call.Caller{}
		}
		if _, err := b.write(t, who, c.raw); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if _, err := guestbook.NoteForm.FromJSON([]byte(`{"message": "` + strings.Repeat("x", 501) + `"}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("501 characters: %v", err)
	}
	b.Now = b.Now.Add(24 * time.Hour)
	if _, err := b.write(t, b.bo, `{"message": "Hi."}`); err != nil {
		t.Errorf("a day later: %v", err)
	}
}

// The owner alone changes the policy, within its bounds, and older notes are not shown.
func TestPolicyIsEdited(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]any{"moderation": "odd", "max_entries": int64(5000)})
	edit := func(who call.Caller, raw string) (*guestbook.GuestbookPolicyReply, error) {
		return b.EditGuestbook(t.Context(), who, "ada", accesstest.Request(t, guestbook.GuestbookForm, raw))
	}
	got, err := edit(b.ada, `{"write_access": "members"}`)
	if want := (guestbook.GuestbookPolicy{WriteAccess: "members", Moderation: "auto", MaxEntries: 1000}); err != nil || got.Policy != want {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = edit(b.ada, `{}`)
	accesstest.Refused(t, "nothing", err, reason.NoFields)
	_, err = edit(b.bo, `{"write_access": "anyone"}`)
	accesstest.Refused(t, "another", err, reason.NotOwner)
	_, err = edit(accesstest.As(b.adaID, state.ScopeRead), `{"write_access": "anyone"}`)
	accesstest.Refused(t, "a key to read", err, reason.ScopeMissing)
	for _, raw := range []string{`{"max_entries": 9}`, `{"max_entries": 1001}`, `{"moderation": "odd"}`} {
		if _, err := guestbook.GuestbookForm.FromJSON([]byte(raw)); reason.Of(err) != reason.ValidationFailed {
			t.Errorf("%s: %v", raw, err)
		}
	}
	_, err = edit(b.ada, `{"max_entries": 10}`)
	accesstest.Must(t, err)
	for i := range 12 {
		_, err := b.write(t, b.bo, fmt.Sprintf(`{"message": "note %d"}`, i))
		accesstest.Must(t, err)
	}
	if seen := b.seen(t, b.bo); len(seen) != 10 || seen[0] != "note 11 (approved)" {
		t.Errorf("seen %v", seen)
	}
}
