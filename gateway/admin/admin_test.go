package admin_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/transfer"
	"github.com/meshd/meshd/node/view"
)

// fake is a node whose answers are fixed.
type fake struct {
	owner  change.AgentID
	purged change.ID
}

func (f *fake) Status() health.Status      { return health.Status{PeerID: "12D3"} }
func (f *fake) Peers() []health.PeerStatus { return []health.PeerStatus{{ID: "12D3b"}} }
func (f *fake) SyncNow(context.Context, bool) ([]peering.PassSummary, bool, error) {
	return nil, false, errors.New("the node runs without peers")
}
func (f *fake) Verify(context.Context) (node.DeepCheck, error) {
	return node.DeepCheck{Changes: 2, ViewsOK: true}, nil
}
func (f *fake) VerifyDeep(context.Context) (node.DeepCheck, error) {
	return node.DeepCheck{Changes: 2, Problems: []string{"body of change 1"}}, nil
}
func (f *fake) Private() (sets int, changes uint64) { return 1, 7 }
func (f *fake) Export(_ context.Context, w io.Writer, _ bool) (transfer.Exported, error) {
	_, err := io.WriteString(w, "{}\n")
	return transfer.Exported{Changes: 1, Damaged: 2}, err
}
func (f *fake) Repair(context.Context) (repair.Report, error) {
	return repair.Report{Changes: 9, Damaged: 3, Healed: 2, LeftAll: 1, Left: []string{"chg_a"}}, nil
}
func (f *fake) Damaged() int { return 0 }
func (f *fake) Present(agent change.AgentID, gateway did.Key, can, part string, life time.Duration) (string, error) {
	return fmt.Sprint(agent == f.owner, " ", gateway, " ", can, " ", part, " ", life), nil
}
func (f *fake) SignLogin(_ change.AgentID, text string) (did.Key, []byte, error) {
	if text != "text" {
		return did.Key{}, nil, reason.Refuse(reason.InvalidParam, "no login")
	}
	return did.Key{1}, []byte("signed"), nil
}
func (f *fake) Import(_ context.Context, r io.Reader) (transfer.ImportReport, error) {
	text, err := io.ReadAll(r)
	return transfer.ImportReport{Read: strings.Count(string(text), "\n")}, err
}
func (f *fake) Purge(_ context.Context, id change.ID) error { f.purged = id; return nil }
func (f *fake) Begun(context.Context, []change.ID, string, string) (change.ID, bool, error) {
	return change.ID{}, false, nil
}
func (f *fake) Rename(context.Context, change.AgentID, string) (view.Agent, error) {
	return view.Agent{}, errors.New("renamed")
}
func (*fake) LostVoice(string) error { return nil }

func (f *fake) FindAgent(_ context.Context, s string) (view.Agent, error) {
	switch s {
	case "bob":
		return view.Agent{AgentRef: view.AgentRef{ID: change.AgentID{2}}, Local: true}, nil
	case "far":
		return view.Agent{AgentRef: view.AgentRef{ID: change.AgentID{3}}}, nil
	}
	return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}
func (f *fake) Owner() (change.AgentID, bool) { return f.owner, true }
func (f *fake) Backup(context.Context, io.Writer, func(context.Context, string) error, string) (backup.End, error) {
	return backup.End{}, errors.New("backed up")
}
func (f *fake) Unsure() error       { return nil }
func (f *fake) Vault() *vault.Vault { return nil }
func (f *fake) ImportKey(name string, kind vault.Kind, _ [32]byte, public string) (vault.Info, error) {
	return vault.Info{Name: name, Kind: kind, Public: public}, nil
}
func (f *fake) ImportHybrid(name string, kind vault.Kind, _, _ [32]byte, public string) (vault.Info, error) {
	return vault.Info{Name: name, Kind: kind, Public: public}, nil
}
func (f *fake) RotateHere(context.Context, change.AgentID, account.Consent, view.Turn) (view.Agent, error) {
	return view.Agent{}, errors.New("rotated")
}
func (f *fake) Author(change.AgentID) (core.Author, error) {
	return core.Author{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}
func (f *fake) ConsentOfKey(change.AgentID) account.Consent { return nil }

// till is a market with one payment.
type till struct{ actor string }

func (t *till) PaymentsUnderWay(context.Context) (*market.PaymentsReply, error) {
	return &market.PaymentsReply{Payments: []market.PaymentReport{{ID: "pay_1", State: "started"}}}, nil
}

func (t *till) EndPayment(_ context.Context, actor string, o market.PaymentOrder) (*market.PaymentReply, error) {
	if o.ID != "pay_1" {
		return nil, reason.Refuse(reason.NotFound, "no such payment")
	}
	t.actor = actor
	return &market.PaymentReply{Changed: true, Payment: market.PaymentReport{ID: o.ID, State: o.Outcome, Transaction: &o.Transaction}}, nil
}

// whoami is a handler that replies whom it takes the caller for.
func whoami(w http.ResponseWriter, r *http.Request) {
	p, err := auth.New(nil).Authenticate(r, time.Time{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, p.Kind.String()+" "+p.AgentID)
}

func serve(t *testing.T, cfg admin.Config) func(method, path, body string, header ...string) (int, string) {
	t.Helper()
	st, err := state.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), state.Config{Pepper: make([]byte, 32), Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	cfg.State, cfg.Faces, cfg.Metrics = st, http.HandlerFunc(whoami), prometheus.NewRegistry()
	h, err := admin.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path, body string, header ...string) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
}

func TestRequestsOfTheOwner(t *testing.T) {
	t.Parallel()
	f := &fake{owner: change.AgentID{1}}
	stopped := false
	money := &till{}
	ask := serve(t, admin.Config{Node: f, Payments: money, Stop: func() { stopped = true }, API: func() string { return "http://127.0.0.1:1" },
		Reload: func() ([]string, []string, error) { return []string{"log.level"}, nil, nil }})
	entry := change.ID{7}
	for _, c := range []struct {
		method, path, body string
		code               int
		has                string
	}{
		{"GET", "/control/status", "", 200, `"peer_id":"12D3"`},
		{"GET", "/control/peers", "", 200, `"id":"12D3b"`},
		{"GET", "/control/api", "", 200, `"url":"http://127.0.0.1:1"`},
		{"POST", "/control/sync", `{"wait":true,"timeout_s":1}`, 200, `"passes":[],"error":"the node runs without peers"`},
		{"POST", "/control/sync", `{"wiat":true}`, 400, `"code":"invalid_json"`},
		{"POST", "/control/reload", "", 200, `{"live":["log.level"],"restart":[]}`},
		{"GET", "/control/verify", "", 200, `"ok":true,"deep":false`},
		{"GET", "/control/verify?deep=true", "", 200, `"ok":false,"deep":true`},
		{"POST", "/control/repair", "", 200, `"healed":2,"left":["chg_a"],"left_all":1`},
		{"GET", "/control/export", "", 200, "{}\n"},
		{"POST", "/control/import", "a\nb\n", 200, `"read":2`},
		{"POST", "/control/purge", `{"id":"` + entry.Text(change.PrefixEntry) + `"}`, 200, `"purged":true`},
		{"POST", "/control/purge", `{"id":"nothing"}`, 400, `"code":"invalid_param"`},
		{"GET", "/control/payments", "", 200, `{"payments":[{"id":"pay_1","state":"started"`},
		{"POST", "/control/payment", `{"id":"pay_1","outcome":"settled","transaction":"0xab","reason":"seen"}`, 200, `{"changed":true,"payment":{"id":"pay_1","state":"settled"`},
		{"POST", "/control/payment", `{"id":"pay_2","outcome":"failed","reason":"seen"}`, 404, `"code":"not_found"`},
		{"POST", "/control/payment", `{"id":"pay_1","status":"failed"}`, 400, `"code":"invalid_json"`},
		{"GET", "/control/payment", "", 404, `"code":"not_found"`},
		{"POST", "/control/rename", `{"name":"x"}`, 400, `"code":"invalid_name"`},
		{"GET", "/control/nothing", "", 404, `"code":"not_found"`},
		{"GET", "/metrics", "", 200, ""},
		{"POST", "/control/stop", "", 200, `"stopping":true`},
	} {
		if code, body := ask(c.method, c.path, c.body); code != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%s %s: %d %s, want %d with %s", c.method, c.path, code, body, c.code, c.has)
		}
	}
	if money.actor != f.owner.String() {
		t.Errorf("the payment was ended by %q", money.actor)
	}
	if !stopped || f.purged != entry {
		t.Errorf("stopped %v, purged %v", stopped, f.purged)
	}
}

func TestFacesSeeTheOwner(t *testing.T) {
	t.Parallel()
	ask := serve(t, admin.Config{Node: &fake{owner: change.AgentID{1}}})
	if _, body := ask("GET", "/api/mesh/me", ""); body != "owner "+(change.AgentID{1}).String() {
		t.Errorf("taken for %q", body)
	}
	if _, body := ask("GET", "/api/mesh/me", "", admin.As, "bob"); body != "owner "+(change.AgentID{2}).String() {
		t.Errorf("taken for %q", body)
	}
	for name, want := range map[string]string{"far": "forbidden", "nobody": "agent_not_found"} {
		if code, body := ask("GET", "/api/mesh/me", "", admin.As, name); code < 400 || !strings.Contains(body, want) {
			t.Errorf("as %s: %d %s", name, code, body)
		}
	}
	if code, _ := ask("POST", "/control/stop", ""); code != http.StatusNotFound {
		t.Errorf("stopped nothing with %d", code)
	}
}

// A home that is opened without a gateway has no payments to end.
func TestPaymentsNeedAGateway(t *testing.T) {
	t.Parallel()
	ask := serve(t, admin.Config{Node: &fake{owner: change.AgentID{1}}})
	for method, path := range map[string]string{"GET": "/control/payments", "POST": "/control/payment"} {
		if code, body := ask(method, path, ""); code != http.StatusNotFound || !strings.Contains(body, `"code":"not_found"`) {
			t.Errorf("%s %s: %d %s", method, path, code, body)
		}
	}
}
