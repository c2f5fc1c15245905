// Package accesstest is what tests of the rooms of a gateway stand on: callers, the room
// access over the part of a node that it asks, and an empty state. It knows of no other
// room, so the tests of a room do not build the rest of the gateway.
package accesstest

import (
	"bytes"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/statetest"
	"github.com/meshd/meshd/node/view"
)

// BaseURL is the address of the gateway of a Bench.
const BaseURL = "https://mesh.example.org"

// Bench is what a room is made of.
type Bench struct {
	*Mesh
	Access *access.Service
	State  *state.DB
	Limits *limit.Limiter
	Pages  call.Pages
	Now    time.Time // the clock stands until a test moves it
}

// New returns a Bench with an empty node and an empty state.
func New(t testing.TB) *Bench { return NewWith(t, limit.Config{}) }

// NewWith is New with limits of requests.
func NewWith(t testing.TB, limits limit.Config) *Bench {
	t.Helper()
	b := &Bench{Mesh: &Mesh{}, State: statetest.Open(t), Now: statetest.Start}
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if b.Limits, err = limit.New(limits); err != nil {
		t.Fatal(err)
	}
	b.Pages = call.NewPages(cursors, b.Clock)
	b.Access = access.New(b.Mesh, b.State, b.Limits, access.Config{Now: b.Clock, BaseURL: func() string { return BaseURL }})
	return b
}

// Clock is the clock of the bench.
func (b *Bench) Clock() time.Time { return b.Now }

// As is a caller with an API key of an agent; without scopes it has those that a
// registration gives.
func As(agent change.AgentID, scopes ...state.Scope) call.Caller {
	if scopes == nil {
		scopes = state.RegistrationScopes()
	}
	return call.Caller{Principal: auth.Principal{Kind: auth.Key, AgentID: agent.String(), Scopes: scopes, Since: statetest.Start.Add(-48 * time.Hour)}}
}

// Owner is the owner of the node at its control socket.
func Owner() call.Caller {
	return call.Caller{Principal: auth.Principal{Kind: auth.Owner, Scopes: state.Scopes{state.ScopeAll}}}
}

// Request reads a request body into what a use case takes.
func Request[T any](t testing.TB, f call.FormOf[T], raw string) T {
	t.Helper()
	r, err := f.ReadJSON([]byte(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return r
}

// Refused wants an error to be a refusal of that code.
func Refused(t testing.TB, what string, err error, want reason.Code) {
	t.Helper()
	if got := reason.Of(err); err == nil || got != want {
		t.Errorf("%s: got %q (%v), want %q", what, got, err, want)
	}
}

// Must ends a test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Home makes this gateway the home of an agent.
func (b *Bench) Home(t testing.TB, a *view.Agent) {
	t.Helper()
	Must(t, b.State.ClaimName(t.Context(), state.Agent{ID: a.ID.String(), Name: a.Name, Subject: a.DID.String(), ActingKey: "acting-" + a.Name,
		Custody: state.CustodyGateway, CreatedAt: a.CreatedAt}, b.Now))
	Must(t, b.State.ConfirmAgent(t.Context(), a.ID.String()))
}

// KeyOf is a caller with an API key that the state knows, of an agent with its home
// here; a zero end is none.
func (b *Bench) KeyOf(t testing.TB, a *view.Agent, ends time.Time, scopes ...state.Scope) call.Caller {
	t.Helper()
	c := As(a.ID, scopes...)
	k, _, err := b.State.CreateKey(t.Context(), state.NewKey{AgentID: c.AgentID, Scopes: c.Scopes, ExpiresAt: ends}, b.Now)
	Must(t, err)
	c.KeyID = k.ID
	return c
}
