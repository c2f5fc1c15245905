package welcome_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// entries is what the room knowledge needs to show them.
type entries struct{ knowledge.Node }

func (entries) Check(context.Context, gate.Draft, change.AgentID) gate.Report { return gate.Report{} }

// node has one entry with a history.
type node struct{ entry view.Entry }

var _ welcome.Node = (*node)(nil)

func (n *node) Provenance(_ context.Context, id change.ID) (view.Provenance, error) {
	if id != n.entry.ID {
		return view.Provenance{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	return view.Provenance{Verdict: attest.Fabricated, Findings: []attest.Finding{{Check: attest.CheckDigest, Answer: attest.Yes},
		{Check: attest.CheckKey, Answer: attest.No, Detail: "the key was not the author's"}, {Check: attest.CheckReceipt, Detail: "no receipt is here"}}}, nil
}

func (*node) Agents(context.Context, view.AgentQuery) (view.AgentPage, error) {
	return view.AgentPage{}, nil
}
func (*node) Counts() view.Counts                 { return view.Counts{Agents: 2, Entries: 3, Domains: 4} }
func (*node) Network() (string, change.NetID)     { return "testnet", accesstest.Net }
func (*node) Guilds(context.Context) []view.Guild { return nil }

func (*node) Domains(context.Context) (out []view.Domain) {
	for i := range 100 {
		out = append(out, view.Domain{Name: fmt.Sprint("d", i), Count: 100 - i})
	}
	return out
}

func (n *node) Entries(context.Context, view.EntryQuery) (view.EntryPage, error) {
	return view.EntryPage{Entries: []view.Entry{n.entry}}, nil
}

func newRoom(t *testing.T, cfg welcome.Config) (*welcome.Service, *accesstest.Bench, string) {
	b := accesstest.New(t)
	n := &node{view.Entry{ID: change.ID{9}, Domain: "go", Agent: view.AgentRef{Name: "ada"}, Body: body.Entry{Type: "gotcha", Text: "The hidden text."}}}
	cfg.Version, cfg.Tools = "1.2.3", []string{"query_knowledge"}
	return welcome.New(n, b.Access, nil, nil, knowledge.New(entries{}, b.Access, nil, b.State, b.Pages, ""), nil, cfg), b, n.entry.ID.Text(change.PrefixEntry)
}

// The greeting is the owner's or names the network, and its samples are masked like any entry.
func TestOverview(t *testing.T) {
	t.Parallel()
	s, b, _ := newRoom(t, welcome.Config{})
	for what, c := range map[string]struct {
		who    call.Caller
		hidden bool
	}{"nobody": {call.Caller{}, true}, "a key": {accesstest.As(b.AddAgent("bo").ID), false}} {
		got, err := s.Overview(t.Context(), c.who)
		accesstest.Must(t, err)
		raw, err := json.Marshal(got)
		accesstest.Must(t, err)
		if strings.Contains(string(raw), "The hidden text.") == c.hidden || got.NetworkStats.Entries != 3 || len(got.TopDomains) != call.TopDomains || !strings.Contains(got.Welcome, "testnet") {
			t.Errorf("%s: %s", what, raw)
		}
	}
	own, _, _ := newRoom(t, welcome.Config{Welcome: "Come in."})
	if own.Welcome() != "Come in." {
		t.Errorf("greets with %q", own.Welcome())
	}
	if d := s.Discovery(); d.URL != accesstest.BaseURL+"/mcp" || len(d.Tools) != 1 || d.Version != "1.2.3" {
		t.Errorf("%+v", d)
	}
}

// Each client gets what it supports, and no reply repeats a key.
func TestConfigOfClients(t *testing.T) {
	t.Parallel()
	s, _, _ := newRoom(t, welcome.Config{})
	const (
		bridge = `{"mcpServers":{"mesh":{"command":"meshd","args":["mcp","--url","` + accesstest.BaseURL + `/mcp"],"env":{"MESH_API_KEY":"${MESH_API_KEY}"}}}}`
		remote = `{"type":"http","url":"` + accesstest.BaseURL + `/mcp","headers":{"Authorization":"Bearer ${env:MESH_API_KEY}"}}`
	)
	for format, want := range map[string]string{
		"generic": bridge, "claude": bridge, "cursor": `{"mcpServers":{"mesh":` + remote + `}}`, "vscode": `{"servers":{"mesh":` + remote + `}}`,
		"windsurf": `{"mcpServers":{"mesh":{"serverUrl":"` + accesstest.BaseURL + `/mcp","headers":{"Authorization":"Bearer ${env:MESH_API_KEY}"}}}}`,
	} {
		got := s.MCPConfig(accesstest.Request(t, welcome.MCPConfigForm, `{"format": "`+format+`"}`))
		if raw, err := json.Marshal(got.Config); err != nil || string(raw) != want || len(got.AlternativeFormats) != 4 {
			t.Errorf("%s: %s, %v, want %s", format, raw, err, want)
		}
		if raw, err := json.Marshal(got); err != nil || strings.Contains(string(raw), "mesh_sk_") {
			t.Errorf("%s: %s, %v", format, raw, err)
		}
	}
	if _, err := welcome.MCPConfigForm.FromJSON([]byte(`{"format": "emacs"}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("a client nobody knows: %v", err)
	}
}

// Everybody gets the verdict; what is wrong in words only holders of a key.
func TestHistoryOfAnEntry(t *testing.T) {
	t.Parallel()
	s, b, id := newRoom(t, welcome.Config{})
	for what, c := range map[string]struct {
		who      call.Caller
		detailed bool
	}{"nobody": {call.Caller{}, false}, "a key": {accesstest.As(b.AddAgent("bo").ID), true}} {
		got, err := s.VerifyEntry(t.Context(), c.who, id)
		if err != nil || got.Valid || got.Verdict != "fabricated" || len(got.Checks) != 3 {
			t.Fatalf("%s: %+v, %v", what, got, err)
		}
		ok, no, open := got.Checks[0], got.Checks[1], got.Checks[2]
		if !ok.OK || ok.Code != nil || no.State != "contradicted" || *no.Code != string(reason.RotationInvalid) || open.State != "open" || (no.Detail != nil) != c.detailed {
			t.Errorf("%s: %+v", what, got.Checks)
		}
	}
	_, err := s.VerifyEntry(t.Context(), call.Caller{}, change.ID{8}.Text(change.PrefixEntry))
	accesstest.Refused(t, "no such entry", err, reason.EntryNotFound)
}

// The network file is given where the owner publishes it, and nowhere else.
func TestNetworkIsGivenWherePublished(t *testing.T) {
	t.Parallel()
	s, _, _ := newRoom(t, welcome.Config{})
	if _, err := s.Network(); reason.Of(err) != reason.NotFound || !strings.Contains(err.(*reason.Refusal).Hint, "meshd invite") {
		t.Errorf("not published: %v", err)
	}
	s, _, _ = newRoom(t, welcome.Config{NetworkFile: func() (string, error) { return "mesh-net:x", nil }})
	if got, err := s.Network(); err != nil || got.File != "mesh-net:x" || got.Name != "testnet" || got.Network != accesstest.Net.String() {
		t.Errorf("%+v, %v", got, err)
	}
}
