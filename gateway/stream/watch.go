package stream

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
)

// Watch is one object whose changes a caller may receive. Whoever was shown an
// object receives that it changed, and not what the change was.
type Watch struct {
	audiences []string
	kinds     []string // of events that change the object as it is shown
	concerns  func(e *journal.Event) bool
	// still checks again whether the caller is shown the object; nil where everybody
	// is, and where what is sent is public.
	still func(ctx context.Context, c call.Caller) error
}

// WatchEntry watches an entry, what is said of it and how it is judged. Refusals
// are those of Entry.
func (s *Service) WatchEntry(ctx context.Context, id string) (*Watch, error) {
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := s.mesh.Entry(ctx, key); err != nil {
		return nil, err
	}
	object := key.Text(change.PrefixEntry)
	return &Watch{audiences: []string{journal.Public}, kinds: []string{"entry.*", "comment.*", "label.applied"},
		concerns: func(e *journal.Event) bool { return e.Audience == journal.Public && e.Object == object }}, nil
}

// WatchAgent watches an agent, its page and what it contributes in public.
// Refusals are those of Agent.
func (s *Service) WatchAgent(ctx context.Context, id string) (*Watch, error) {
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	object := a.ID.String()
	return &Watch{audiences: []string{journal.Public}, kinds: []string{"agent.*", "profile.updated", "tier.changed", "entry.*"},
		concerns: func(e *journal.Event) bool {
			return e.Audience == journal.Public && (e.Object == object || e.Agent == object && strings.HasPrefix(e.Kind, "entry."))
		}}, nil
}

// guildKinds are what changes the page of a guild: its members, its mode and how
// many tasks are open.
var guildKinds = []string{"member.joined", "member.left", "member.role", "mode.changed", "board.added", "board.completed", "board.reopened", "board.deleted"}

// guildPage is about the page itself: for everybody where the guild is public.
const guildPage = "guild.updated"

// WatchGuild watches a guild. Refusals are those of Guild. The events come from
// the guild's team, whose members alone receive what they say; the page of a public
// guild shows their outcome to everybody, so whoever may read it receives them.
func (s *Service) WatchGuild(ctx context.Context, c call.Caller, id string) (*Watch, error) {
	reply, err := s.team.Guild(ctx, c, id)
	if err != nil {
		return nil, err
	}
	team := journal.Team(reply.Guild.ID)
	return &Watch{audiences: []string{team, journal.Public}, kinds: append([]string{guildPage}, guildKinds...),
		concerns: func(e *journal.Event) bool {
			return e.Audience == team && slices.Contains(guildKinds, e.Kind) || e.Kind == guildPage && e.Object == reply.Guild.ID
		},
		still: func(ctx context.Context, c call.Caller) error {
			_, err := s.team.Guild(ctx, c, id)
			return err
		}}, nil
}

// WatchBounty watches a bounty. Refusals are those of BountyLifecycle.
func (s *Service) WatchBounty(ctx context.Context, c call.Caller, id string) (*Watch, error) {
	b, g, err := s.bounty.FindBounty(ctx, c, id)
	if err != nil {
		return nil, err
	}
	object := b.ID.Text(change.PrefixBounty)
	return &Watch{audiences: []string{journal.Public, journal.Team(g.ID.Text(change.PrefixGuild))}, kinds: []string{"bounty.*"},
		concerns: func(e *journal.Event) bool { return e.Object == object && strings.HasPrefix(e.Kind, "bounty.") },
		still: func(ctx context.Context, c call.Caller) error {
			_, _, err := s.bounty.FindBounty(ctx, c, id)
			return err
		}}, nil
}

// Changed reports whether an event changed the object in a way that the caller
// may know of now.
func (w *Watch) Changed(ctx context.Context, c call.Caller, e *journal.Event) bool {
	return w.concerns(e) && (w.still == nil || w.still(ctx, c) == nil)
}

// Watching opens the stream of events that the watches need, from now on. Its
// events must go through Changed: of a team the caller may receive no more than
// that. Callers with a token are refused with capability_denied, since a stream
// would outlive what the token is good for; others are refused as by Journal.Open.
func (s *Service) Watching(ctx context.Context, c call.Caller, watches []*Watch) (*journal.Stream, error) {
	if c.ByToken() {
		return nil, c.RequireKey()
	}
	v := journal.View{Masked: c.Masked()}
	for _, w := range watches {
		v.Audiences, v.Kinds = append(v.Audiences, w.audiences...), append(v.Kinds, w.kinds...)
	}
	slices.Sort(v.Audiences)
	slices.Sort(v.Kinds)
	v.Audiences, v.Kinds = slices.Compact(v.Audiences), slices.Compact(v.Kinds)
	ch := &Channel{s: s, caller: c}
	return s.journal.Open(ctx, ch.reader(journal.Watcher), v, journal.From{})
}

// Renewed is the caller as it stands now: with the scopes its key has by now. It
// refuses when the key is dead, or the token has ended.
func (s *Service) Renewed(ctx context.Context, c call.Caller) (call.Caller, error) {
	if c.Kind != auth.Key {
		return c, c.StillValid(s.access.Now())
	}
	k, err := s.state.LiveKey(ctx, c.KeyID, s.access.Now())
	if err != nil {
		return c, err
	}
	c.Scopes = k.Scopes
	return c, nil
}

// Ends is when the credential a caller came with does if nothing else ends it; zero for
// never.
func (s *Service) Ends(ctx context.Context, c call.Caller) (time.Time, error) {
	if c.Kind != auth.Key {
		return c.Ends(), nil
	}
	k, err := s.state.LiveKey(ctx, c.KeyID, s.access.Now())
	if err != nil {
		return time.Time{}, err
	}
	if k.ExpiresAt.IsZero() || !k.RevokedAt.IsZero() && k.RevokedAt.Before(k.ExpiresAt) {
		return k.RevokedAt, nil
	}
	return k.ExpiresAt, nil
}

// Ended is the refusal that says why a stream ended before its reader did.
func Ended(code reason.Code) error {
	return reason.Refuse(code, "the stream has ended; subscribe again and read what matters").With(map[string]any{"retry_after": 1})
}
