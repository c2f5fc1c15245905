package access_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/signed"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

var team = change.ID{4}

// teamed is a bench with a team of which each agent has the role that is its name.
func teamed(t *testing.T, page view.TeamPage) (*accesstest.Bench, map[string]*view.Agent) {
	b := accesstest.New(t)
	agents := map[string]*view.Agent{"stranger": b.AddAgent("stranger")}
	var members []view.Member
	for _, r := range []string{role.Owner, role.Admin, role.Member, role.Viewer} {
		agents[r] = b.AddAgent(r)
		members = append(members, view.Member{AgentRef: agents[r].AgentRef, Role: r})
	}
	b.AddTeam(team, page, members...)
	return b, agents
}

// Each role may do what the role below it may, and more.
func TestRolesInATeam(t *testing.T) {
	t.Parallel()
	for p, want := range map[access.Permission]string{
		access.TeamRead: "owner admin member viewer", access.KnowledgeRead: "owner admin member viewer",
		access.BoardWrite: "owner admin member", access.MessagesWrite: "owner admin member",
		access.ConfigWrite: "owner admin", access.MembersManage: "owner admin",
		access.TeamDelete: "owner",
	} {
		b, agents := teamed(t, view.TeamPage{})
		for name, a := range agents {
			m, err := b.Access.InTeam(t.Context(), accesstest.As(a.ID), team.Text(change.PrefixGuild), p)
			switch may := strings.Contains(want, name); {
			case name == "stranger":
				accesstest.Refused(t, "a stranger", err, reason.NotAMember)
			case may && (err != nil || m.Role != name || m.ID() != team.Text(change.PrefixGuild)):
				t.Errorf("%s %s: %+v, %v", name, p, m, err)
			case !may:
				accesstest.Refused(t, name+" "+string(p), err, reason.Forbidden)
			}
		}
		if n := len(strings.Fields(want)); b.Renewed != n {
			t.Errorf("%s: the claims of %d callers were renewed, want %d", p, b.Renewed, n)
		}
	}
}

// A team may let viewers write messages, take signed requests alone, and be closed.
func TestPolicyOfATeam(t *testing.T) {
	t.Parallel()
	signed := func(c call.Caller) call.Caller { c.Signed = true; return c }
	for what, c := range map[string]struct {
		page view.TeamPage
		role string
		need access.Permission
		as   func(call.Caller) call.Caller
		want reason.Code
	}{
		"viewers write":            {view.TeamPage{Policy: map[string]any{"allow_viewer_messages": true}}, role.Viewer, access.MessagesWrite, nil, ""},
		"and nothing else":         {view.TeamPage{Policy: map[string]any{"allow_viewer_messages": true}}, role.Viewer, access.BoardWrite, nil, reason.Forbidden},
		"unsigned":                 {view.TeamPage{Policy: map[string]any{"require_signed_writes": true}}, role.Member, access.BoardWrite, nil, reason.SignatureInvalid},
		"signed":                   {view.TeamPage{Policy: map[string]any{"require_signed_writes": true}}, role.Member, access.BoardWrite, signed, ""},
		"who reads needs not sign": {view.TeamPage{Policy: map[string]any{"require_signed_writes": true}}, role.Member, access.BoardRead, nil, ""},
		"closed":                   {view.TeamPage{Deleted: true}, role.Owner, access.TeamRead, nil, reason.TeamNotFound},
		"a key without the scope": {view.TeamPage{}, role.Owner, access.TeamRead, func(c call.Caller) call.Caller {
			c.Scopes = state.Scopes{state.ScopeRead}
			return c
		}, reason.ScopeMissing},
	} {
		b, agents := teamed(t, c.page)
		who := accesstest.As(agents[c.role].ID)
		if c.as != nil {
			who = c.as(who)
		}
		if _, err := b.Access.InTeam(t.Context(), who, team.Text(change.PrefixGuild), c.need); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// The beginning of the id of a private team names it for its members alone.
func TestBeginningOfAnId(t *testing.T) {
	t.Parallel()
	b, agents := teamed(t, view.TeamPage{})
	whole := team.Text(change.PrefixGuild)
	none := reason.Refuse(reason.TeamNotFound, "no such team")
	for name, want := range map[string]reason.Code{role.Viewer: "", "stranger": reason.TeamNotFound} {
		got, err := b.Access.IDFor(t.Context(), accesstest.As(agents[name].ID), change.PrefixGuild, whole[:12], none)
		if reason.Of(err) != want || want == "" && got != team {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := b.Access.ID(t.Context(), change.PrefixGuild, whole, none); err != nil || got != team {
		t.Errorf("whole: %v, %v", got, err)
	}
	_, err := b.Access.ID(t.Context(), change.PrefixGuild, "ent_abc", none)
	accesstest.Refused(t, "of another kind", err, reason.TeamNotFound)
}

func TestAdmins(t *testing.T) {
	t.Parallel()
	b := accesstest.New(t)
	ada, bo := b.AddAgent("ada").ID, b.AddAgent("bo").ID
	b.Admins = []change.AgentID{ada}
	for what, c := range map[string]struct {
		who  call.Caller
		want reason.Code
	}{
		"the owner": {accesstest.Owner(), ""}, "an admin": {accesstest.As(ada), ""}, "an agent": {accesstest.As(bo), reason.NotFound},
		"nobody": {call.Caller{}, reason.NotFound}, "an admin's key to read": {accesstest.As(ada, state.ScopeRead), reason.ScopeMissing},
	} {
		_, err := b.Access.Admin(c.who)
		if reason.Of(err) != c.want || b.Access.IsAdmin(c.who) != (c.want == "") || b.Access.RunsThis(c.who) != (c.want == "") {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

func TestWriters(t *testing.T) {
	t.Parallel()
	b := accesstest.New(t)
	ada := b.AddAgent("ada").ID
	for what, c := range map[string]struct {
		who  call.Caller
		want reason.Code
	}{
		"a key": {accesstest.As(ada), ""}, "nobody": {call.Caller{}, reason.AuthRequired}, "a key to read": {accesstest.As(ada, state.ScopeRead), reason.ScopeMissing},
		"an owner without an agent": {accesstest.Owner(), reason.AgentNotFound},
	} {
		if got, err := b.Access.Writer(t.Context(), c.who, ucan.EntryPut); reason.Of(err) != c.want || c.want == "" && got != ada {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	accesstest.Must(t, b.State.Suspend(t.Context(), ada.String(), "spam", "node", b.Now))
	accesstest.Refused(t, "a stopped account", b.Access.MayWrite(t.Context(), accesstest.As(ada)), reason.Suspended)
	if err := b.Access.MayWrite(t.Context(), accesstest.Owner()); err != nil {
		t.Errorf("the owner: %v", err)
	}
}

// Writes wait while the views are more than five seconds behind; reads go on.
func TestOverloadRefusesWrites(t *testing.T) {
	t.Parallel()
	b := accesstest.New(t)
	for _, c := range []struct {
		behind time.Duration
		bucket limit.Bucket
		want   reason.Code
	}{
		{5 * time.Second, limit.Write, ""}, {5*time.Second + 1, limit.Write, reason.Overloaded}, {5*time.Second + 1, limit.Guestbook, reason.Overloaded}, {time.Hour, limit.Read, ""},
	} {
		b.Behind = c.behind
		if err := b.Access.Unburdened(c.bucket); reason.Of(err) != c.want {
			t.Errorf("%s, %v behind: %v", c.bucket, c.behind, err)
		}
	}
	b.Sequence = 7
	if err := b.Access.WaitFor(t.Context(), 7); err != nil {
		t.Error(err)
	}
	accesstest.Refused(t, "a sequence that is not reached", b.Access.WaitFor(t.Context(), 8), reason.ViewBehind)
	for wait, want := range map[string]int{"": 0, "durable": 0, "peers:3": 3, "peers:0": -1, "peers:4": -1, "peers:10": -1} {
		if n, err := access.Replicas(wait); n != max(want, 0) || (err != nil) != (want < 0) {
			t.Errorf("wait=%s: %d, %v", wait, n, err)
		}
	}
}

// A success is repeated under its key, a failure may be tried again, and a key says
// nothing about another caller or body.
func TestOnce(t *testing.T) {
	t.Parallel()
	b := accesstest.New(t)
	ada, bo := accesstest.As(b.AddAgent("ada").ID), accesstest.As(b.AddAgent("bo").ID)
	runs := 0
	run := func(c call.Caller, a access.Attempt, fail error) (bool, error) {
		_, replayed, err := b.Access.Once(t.Context(), c, a, func() (state.Reply, error) {
			runs++
			return state.Reply{Status: http.StatusCreated, Body: []byte("{}")}, fail
		})
		return replayed, err
	}
	a := access.Attempt{Key: "a-key-of-ada", Method: "POST", Path: "/api/x", Body: []byte("1")}
	if _, err := run(ada, a, errors.New("the disk is full")); err == nil {
		t.Fatal("the failure is not reported")
	}
	for i, want := range []bool{false, true} {
		if replayed, err := run(ada, a, nil); replayed != want || err != nil {
			t.Errorf("time %d: replayed %t, %v", i, replayed, err)
		}
	}
	if replayed, err := run(bo, a, nil); replayed || err != nil || runs != 3 {
		t.Errorf("of another caller: replayed %t, %d runs, %v", replayed, runs, err)
	}
	other := a
	other.Body = []byte("2")
	if _, err := run(ada, other, nil); err == nil || other.Mark() == a.Mark() {
		t.Errorf("another body under the key: %v", err)
	}
	a.Key = ""
	if replayed, err := run(ada, a, nil); replayed || err != nil || a.Mark() != "" {
		t.Errorf("without a key: replayed %t, %v", replayed, err)
	}
}

// A signature by a key of the agent makes the caller one that signed, once.
func TestSignedRequests(t *testing.T) {
	t.Parallel()
	b := accesstest.New(t)
	ada, bo := b.AddAgent("ada"), b.AddAgent("bo") // with the keys 1 and 2
	message := func(nonce string) signed.Message {
		o, ok := b.Access.Signatures().Origin()
		if !ok || o.Authority != "mesh.example.org" {
			t.Fatalf("the origin is %+v", o)
		}
		params := fmt.Sprintf(`("@method" "@target-uri" "authorization");created=%d;nonce=%q`, b.Now.Unix(), nonce)
		base := "\"@method\": GET\n\"@target-uri\": " + accesstest.BaseURL + "/api/x\n\"authorization\": Bearer k\n\"@signature-params\": " + params
		sig := base64.StdEncoding.EncodeToString(ed25519.Sign(accesstest.Key(1), []byte(base)))
		return signed.Message{Method: "GET", Target: "/api/x", Origins: []signed.Origin{o},
			Header: http.Header{"Authorization": {"Bearer k"}, "Signature-Input": {"s=" + params}, "Signature": {"s=:" + sig + ":"}}}
	}
	for _, c := range []struct {
		what  string
		who   call.Caller
		nonce string
		want  reason.Code
	}{
		{"its agent", accesstest.As(ada.ID), "n-1", ""},
		{"again", accesstest.As(ada.ID), "n-1", reason.SignatureInvalid},
		{"with another nonce", accesstest.As(ada.ID), "n-2", ""},
		{"another agent", accesstest.As(bo.ID), "n-3", reason.SignatureInvalid},
		{"nobody", call.Caller{}, "n-4", reason.SignatureInvalid},
	} {
		got, err := b.Access.Signatures().Signed(context.Background(), c.who, message(c.nonce))
		if reason.Of(err) != c.want || got.Signed != (c.want == "") {
			t.Errorf("%s: signed %t, %v", c.what, got.Signed, err)
		}
	}
}
