package capability_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/view"
)

// node keeps what was issued.
type node struct {
	lent     int
	reissued []view.Lent
	of       *accesstest.Directory
	issued   []view.Capability
	endorsed []change.ID
	fault    error // of Revoke
}

var _ capability.Node = (*node)(nil)

func (n *node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n *node) Delegate(_ context.Context, agent change.AgentID, d view.Delegation) (view.Capability, error) {
	i := len(n.issued) + 1
	c := view.Capability{ID: change.ID{byte(i)}, CID: fmt.Sprint("cid", i), Token: "token", Space: agent.Space(), Agent: agent, Audience: d.Audience,
		Expires: d.Expires, State: view.Active, Key: d.Key, Until: d.Until}
	n.issued = append(n.issued, c)
	return c, nil
}

func (n *node) Capabilities(_ context.Context, agent change.AgentID) (issued, received []view.Capability, err error) {
	for _, c := range n.issued {
		if c.Agent == agent {
			issued = append(issued, c)
		}
	}
	return issued, nil, nil
}

func (n *node) FindCapability(_ context.Context, cid string) (view.Capability, error) {
	for _, c := range n.issued {
		if c.CID == cid {
			return c, nil
		}
	}
	return view.Capability{}, reason.Refuse(reason.NotFound, "no such capability")
}

func (n *node) Revoke(_ context.Context, agent change.AgentID, grant change.ID, upTo body.Cuts, _ string) (view.Revocation, error) {
	if n.fault != nil {
		return view.Revocation{}, n.fault
	}
	i := slices.IndexFunc(n.issued, func(c view.Capability) bool { return c.ID == grant })
	if n.issued[i].Agent != agent {
		return view.Revocation{}, reason.Refuse(reason.Forbidden, "it is another's")
	}
	n.issued[i].State = view.Revoked
	return view.Revocation{ID: change.ID{77}, Grant: grant, CID: n.issued[i].CID, Cut: upTo}, nil
}

func (n *node) Endorse(_ context.Context, _ change.AgentID, ids []change.ID) (view.Receipt, error) {
	n.endorsed = ids
	return view.Receipt{ID: change.ID{78}}, nil
}

func (n *node) Lend(agent change.AgentID, d view.Delegation) (view.Lent, error) {
	if n.fault != nil {
		return view.Lent{}, n.fault
	}
	n.lent++
	return view.Lent{CID: fmt.Sprintf("lent%d", n.lent), Token: "Cx", Audience: d.Audience, Expires: d.Expires}, nil
}

func (n *node) Reissue(change.AgentID, string, v0.Check) ([]view.Lent, error) {
	return n.reissued, n.fault
}

func (*node) ReadLent(token string) (view.Lent, error) { return view.Lent{Token: token}, nil }

func (*node) SignRevocation(change.AgentID, string) (string, error) { return `{}`, nil }

func (*node) OwnsResource(did.DID, string) bool    { return true }
func (*node) RevokedToken(string) bool             { return false }
func (*node) SameParty(string, string) bool        { return true }
func (*node) TokenOf(string) (raw string, ok bool) { return "", false }

type bench struct {
	*accesstest.Bench
	*capability.Service
	node *node
	ada  *view.Agent
	to   string
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), to: accesstest.DID(accesstest.Key(99)).String()}
	b.node = &node{of: &b.Directory}
	b.Service = capability.New(b.node, b.Access, b.State, nil)
	b.ada = b.AddAgent("ada")
	b.Home(t, b.ada)
	return b
}

func (b *bench) give(t *testing.T, who call.Caller, more string) (*capability.CapabilityReply, error) {
	t.Helper()
	return b.Delegate(t.Context(), who, accesstest.Request(t, capability.DelegateForm, `{"audience": "`+b.to+`"`+more+`}`))
}

// A key gives no more than it has, nor for longer.
func TestKeyGivesNoMoreThanItHas(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := accesstest.Owner()
	owner.AgentID = b.ada.ID.String()
	day := b.Now.Add(24 * time.Hour)
	keys := b.KeyOf(t, b.ada, time.Time{}, state.ScopeKeys, state.ScopeRead)
	writes := b.KeyOf(t, b.ada, day, state.ScopeKeys, state.ScopeWrite)
	rotated := b.KeyOf(t, b.ada, time.Time{}, state.ScopeKeys, state.ScopeWrite)
	_, _, _, err := b.State.RotateKey(t.Context(), rotated.AgentID, rotated.KeyID, state.Rotation{Grace: time.Hour, By: rotated.KeyID}, b.Now)
	accesstest.Must(t, err)
	for what, c := range map[string]struct {
		who  call.Caller
		more string
		want reason.Code
	}{
		"no key":                       {call.Caller{}, ``, reason.AuthRequired},
		"a key that may not":           {accesstest.As(b.ada.ID, state.ScopeWrite), `, "can": ["entry/put"]`, reason.ScopeMissing},
		"what its scopes do not cover": {keys, `, "can": ["entry/put"]`, reason.ScopeMissing},
		"everything":                   {writes, `, "can": ["*"]`, reason.ScopeMissing},
		"a role":                       {writes, `, "role": "viewer"`, reason.ScopeMissing},
		"another's space":              {writes, `, "can": ["entry/put"], "with": "mesh://x/guild/y"`, reason.ScopeMissing},
		"for longer":                   {writes, `, "can": ["entry/put"], "expires_in": 86401`, reason.InvalidParam},
		"for as long":                  {writes, `, "can": ["entry/put"], "expires_in": 86400`, ""},
		"without an end":               {writes, `, "can": ["entry/put"]`, ""},
		"a key that was rotated":       {rotated, `, "can": ["entry/put"]`, reason.KeyRevoked},
		"the owner of the node":        {owner, `, "can": ["*"]`, ""},
	} {
		before := len(b.node.issued)
		_, err := b.give(t, c.who, c.more)
		if reason.Of(err) != c.want || (len(b.node.issued) > before) != (c.want == "") {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
		if c.who.KeyID == writes.KeyID && c.want == "" {
			if got := b.node.issued[before]; got.Key != writes.KeyID || got.Expires == nil || !got.Expires.Equal(day) {
				t.Errorf("%s: it names the key %q and ends at %v", what, got.Key, got.Expires)
			}
		}
	}
	_, err = b.Delegate(t.Context(), writes, accesstest.Request(t, capability.DelegateForm, `{"audience": "did:web:x"}`))
	accesstest.Refused(t, "to no key", err, reason.InvalidDID)
}

// What a key lends beside the log is bounded and ends as what it gives in the log.
func TestLentTokensEndWithTheirKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	day := b.Now.Add(24 * time.Hour)
	one, two := b.KeyOf(t, b.ada, day), b.KeyOf(t, b.ada, time.Time{})
	for _, who := range []call.Caller{one, two} {
		_, err := b.give(t, who, `, "can": ["entry/put"], "expires_in": 60, "format": "ucan-1.0"`)
		accesstest.Must(t, err)
	}
	_, err := b.give(t, one, `, "can": ["entry/put"], "expires_in": 86401, "format": "ucan-1.0"`)
	accesstest.Refused(t, "for longer than the key", err, reason.InvalidParam)
	form := accesstest.Request(t, capability.ReissueForm, `{"token": "x"}`)
	late := day.Add(time.Second)
	b.node.reissued = []view.Lent{{CID: "lent3", Source: "cid0", Caps: []view.Cap{{With: "mesh://x/agent/y", Can: "entry/put"}}, Expires: &late}}
	_, err = b.Reissue(t.Context(), one, form)
	accesstest.Refused(t, "what outlasts the key", err, reason.InvalidParam)
	b.node.reissued[0].Expires = nil
	_, err = b.Reissue(t.Context(), two, form)
	accesstest.Refused(t, "without an end", err, reason.InvalidParam)
	b.node.reissued[0].Expires = &day
	got, err := b.Reissue(t.Context(), two, form)
	if err != nil || got.Source != "cid0" || len(got.Tokens) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	ended, err := b.State.RevokeKey(t.Context(), two.AgentID, two.KeyID, b.Now)
	accesstest.Must(t, err)
	if got := b.EndWith(t.Context(), two.AgentID, ended); !slices.Equal(got.Capabilities, []string{"lent2", "lent3"}) {
		t.Errorf("ended %+v", got)
	}
	for cid, want := range map[string]bool{"lent1": false, "lent2": true, "lent3": true} {
		if got, err := b.State.TokenRevoked(t.Context(), cid); got != want || err != nil {
			t.Errorf("%s revoked: %v, %v", cid, got, err)
		}
	}
}

// What a key issued ends with it, and what another issued does not.
func TestCapabilitiesEndWithTheirKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	one, two := b.KeyOf(t, b.ada, time.Time{}), b.KeyOf(t, b.ada, time.Time{})
	for _, who := range []call.Caller{one, two, one} {
		_, err := b.give(t, who, `, "can": ["entry/put"], "expires_in": 60`)
		accesstest.Must(t, err)
	}
	ended, err := b.State.RevokeKey(t.Context(), one.AgentID, one.KeyID, b.Now)
	accesstest.Must(t, err)
	b.node.fault = reason.Refuse(reason.NotReady, "the log is closed")
	if got := b.EndWith(t.Context(), one.AgentID, ended); len(got.Capabilities) != 0 || len(got.Keys) != 1 {
		t.Errorf("while the log is closed: %+v", got)
	}
	o, owes, err := b.State.OwedOf(t.Context(), state.OwedIssued, one.KeyID)
	if err != nil || !owes {
		t.Fatalf("nothing is owed: %v", err)
	}
	b.node.fault = nil
	accesstest.Must(t, b.RevokeOwed(t.Context(), o))
	for i, want := range []view.CapState{view.Revoked, view.Active, view.Revoked} {
		if got := b.node.issued[i].State; got != want {
			t.Errorf("capability %d is %s", i, got)
		}
	}
	if got := b.EndAll(t.Context(), one.AgentID, nil); !slices.Equal(got.Capabilities, []string{"cid2"}) {
		t.Errorf("all: %+v", got)
	}
}

// An agent that another node writes for now cannot take back here what it gave.
func TestWhatIsWrittenElsewhereStaysOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	key := b.KeyOf(t, b.ada, time.Time{})
	_, err := b.give(t, key, `, "can": ["entry/put"], "expires_in": 60`)
	accesstest.Must(t, err)
	b.ada.Local = false
	if got := b.EndWith(t.Context(), key.AgentID, []string{key.KeyID}); !slices.Equal(got.Open, []string{"cid1"}) || len(got.Capabilities) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestRevokeAndEndorse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	key := b.KeyOf(t, b.ada, time.Time{})
	_, err := b.give(t, key, `, "can": ["entry/put"], "expires_in": 60`)
	accesstest.Must(t, err)
	id := change.ID{5}.Text(change.PrefixChange)
	for what, c := range map[string]struct {
		cid, raw string
		want     reason.Code
	}{
		"no such capability": {"cid9", `{}`, reason.NotFound},
		"a cut of no author": {"cid1", `{"up_to": {"ada": {}}}`, reason.InvalidParam},
		"a cut at no change": {"cid1", `{"up_to": {"` + b.to + `": {"commons/go": "x"}}}`, reason.InvalidParam},
		"a cut":              {"cid1", `{"up_to": {"` + b.to + `": {"commons/go": "` + id + `"}}}`, ""},
	} {
		got, err := b.RevokeCapability(t.Context(), key, c.cid, accesstest.Request(t, capability.RevokeForm, c.raw))
		if reason.Of(err) != c.want || c.want == "" && got.Cut[b.to]["commons/go"] != id {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	form := accesstest.Request(t, capability.EndorseForm, `{"changes": ["`+id+`"]}`)
	if got, err := b.Endorse(t.Context(), key, form); err != nil || got.Endorsed != 1 || len(b.node.endorsed) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.Endorse(t.Context(), accesstest.As(b.ada.ID, state.ScopeKeys), form)
	accesstest.Refused(t, "to endorse without the right to write", err, reason.ScopeMissing)
	_, err = b.Endorse(t.Context(), key, accesstest.Request(t, capability.EndorseForm, `{"changes": ["agt_x"]}`))
	accesstest.Refused(t, "what is no change", err, reason.InvalidParam)
}
