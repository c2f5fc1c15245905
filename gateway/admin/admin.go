// Package admin is what a node's owner can do that no other caller may: look at
// the node from inside, stop it, reload its settings, move its changes in and
// out, purge. Its handlers belong on the control socket alone; the same handlers
// serve a command that opened the home by itself.
//
// New mounts them beside the faces of the gateway, which then take the caller
// for the owner. Refusals have the error object of the API.
package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/peering"
)

// As is the header that names the agent of this node an owner's request acts
// as, when it is not the owner's own.
const As = "X-Mesh-As"

// Payments is what the handlers need of a gateway's market; *market.Service is one.
type Payments interface {
	PaymentsUnderWay(ctx context.Context) (*market.PaymentsReply, error)
	EndPayment(ctx context.Context, actor string, o market.PaymentOrder) (*market.PaymentReply, error)
}

var _ Payments = (*market.Service)(nil)

// Issued is what the handlers need of a gateway's API keys; *capability.Service is one.
type Issued interface {
	EndIssued(ctx context.Context, agent change.AgentID) capability.EndedWith
}

var _ Issued = (*capability.Service)(nil)

// Config are the collaborators of the handlers.
type Config struct {
	Blocks    Blocks    // nil: none are served
	Remedies  Remedies  // nil: none are served
	Manifests Manifests // nil: none are served
	Meetings  Meetings  // nil: none are served
	Node      Node
	State     *state.DB
	// Payments ends those whose outcome is open; nil when there is no gateway.
	Payments Payments
	// Issued ends what API keys of an agent issued; nil when there is no gateway.
	Issued Issued
	// Console makes codes for the owner's console; nil when there is none.
	Console Console
	// Purchases keeps what was bought elsewhere; nil: nothing is.
	Purchases Purchases
	Faces     http.Handler        // REST and MCP, which serve everybody
	Metrics   prometheus.Gatherer // what GET /metrics shows
	// API returns where the HTTP listener can be reached from this machine; nil when
	// there is none.
	API func() string
	// Stop asks the process to end; nil when there is none to stop.
	Stop func()
	// Bootstrap changes the addresses of network.bootstrap, in the file and in force; nil
	// when the settings are fixed. An error of change is returned, and nothing is done then.
	Bootstrap func(change func(now []string) ([]string, error)) error
	// Reload reads the settings again and puts the live ones into force; it
	// returns those changed and those that wait for a restart. Nil: nothing runs.
	Reload func() (live, restart []string, err error)
	Log    *slog.Logger // nil: silence
}

// handlers answers the owner.
type handlers struct{ Config }

// New returns the whole handler of a control socket.
func New(cfg Config) (http.Handler, error) {
	if cfg.Node == nil || cfg.State == nil || cfg.Faces == nil || cfg.Metrics == nil {
		return nil, errors.New("admin needs a node, a state, faces and metrics")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	h := &handlers{cfg}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /control/status", h.status)
	mux.HandleFunc("GET /control/api", h.api)
	mux.HandleFunc("POST /control/console", codes{h}.make)
	mux.HandleFunc("GET /control/peers", h.peers)
	mux.HandleFunc("POST /control/sync", h.sync)
	mux.HandleFunc("POST /control/stop", h.stop)
	mux.HandleFunc("POST /control/reload", h.reload)
	mux.HandleFunc("POST /control/purge", h.purge)
	if cfg.Remedies != nil {
		mux.HandleFunc("POST /control/purge/many", h.purgeMany)
		mux.HandleFunc("GET /control/gave", h.gave)
		mux.HandleFunc("GET /control/cut", h.cut)
	}
	if cfg.Blocks != nil {
		mux.HandleFunc("GET /control/blocks", h.blocks)
		mux.HandleFunc("POST /control/blocks", take(h, maxRequest, h.block))
	}
	if cfg.Manifests != nil {
		mux.HandleFunc("GET /control/manifest", h.manifest)
		mux.HandleFunc("POST /control/manifest", take(h, maxManifest, h.setManifest))
		mux.HandleFunc("POST /control/manifest/draft", take(h, maxManifest, h.draftManifest))
		mux.HandleFunc("POST /control/manifest/sign", take(h, maxManifest, h.signManifest))
		mux.HandleFunc("POST /control/manifest/key", h.ownKey)
	}
	if cfg.Meetings != nil {
		meets{h}.mount(mux)
	}
	mux.HandleFunc("GET /control/payments", h.payments)
	mux.HandleFunc("POST /control/payment", h.payment)
	mux.HandleFunc("POST /control/present", take(h, maxRequest, h.present))
	mux.HandleFunc("POST /control/login", take(h, maxRequest, h.login))
	if cfg.Purchases != nil {
		mux.HandleFunc("POST /control/bought", take(h, maxBought, h.bought))
	}
	mux.HandleFunc("POST /control/rename", take(h, maxRequest, h.rename))
	mux.HandleFunc("GET /control/keys", h.keys)
	mux.HandleFunc("POST /control/keys/export", take(h, maxRequest, h.exportKey))
	mux.HandleFunc("POST /control/keys/import", take(h, maxRequest, h.importKey))
	mux.HandleFunc("POST /control/rotate", take(h, maxRequest, h.rotate))
	mux.HandleFunc("POST /control/attest", h.attest)
	mux.HandleFunc("GET /control/verify", h.verify)
	mux.HandleFunc("POST /control/repair", h.repair)
	mux.HandleFunc("GET /control/export", h.export)
	mux.HandleFunc("GET /control/backup", h.backup)
	mux.HandleFunc("POST /control/import", h.load)
	mux.HandleFunc("/control/", func(w http.ResponseWriter, _ *http.Request) {
		h.fail(w, reason.Refuse(reason.NotFound, "no such path"))
	})
	Monitor(mux, cfg.Metrics)
	mux.Handle("/", h.asOwner(cfg.Faces))
	return mux, nil
}

// Monitor mounts metrics and profiles, which a separate listener may also show.
func Monitor(mux *http.ServeMux, metrics prometheus.Gatherer) {
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
}

// asOwner marks requests as the owner's. With the header As they act as another
// agent whose acting key lies on this node.
func (h *handlers) asOwner(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent, err := h.actor(r)
		if err != nil {
			h.fail(w, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(auth.WithOwner(r.Context(), agent)))
	})
}

func (h *handlers) actor(r *http.Request) (string, error) {
	name := r.Header.Get(As)
	if name == "" {
		id, ok := h.Node.Owner()
		if !ok && h.Node.Unsure() == nil {
			return "", nil
		}
		return id.String(), nil
	}
	a, err := h.Node.FindAgent(r.Context(), name)
	if err != nil || !a.Local {
		if lost := h.Node.LostVoice(name); lost != nil {
			return "", lost
		}
	}
	if err != nil {
		return "", err
	}
	if !a.Local {
		return "", reason.Refuse(reason.Forbidden, "this node has no key of that agent")
	}
	return a.ID.String(), nil
}

func (h *handlers) status(w http.ResponseWriter, _ *http.Request) { h.reply(w, h.Node.Status()) }

// api returns where programs of this machine find REST and MCP.
func (h *handlers) api(w http.ResponseWriter, _ *http.Request) {
	if h.API == nil {
		h.fail(w, reason.Refuse(reason.NotFound, "no node runs here"))
		return
	}
	h.reply(w, map[string]string{"url": h.API()})
}

func (h *handlers) peers(w http.ResponseWriter, _ *http.Request) {
	h.reply(w, map[string]any{"peers": h.Node.Peers()})
}

// SyncReply is the outcome of POST /control/sync.
type SyncReply struct {
	Equal  bool                  `json:"equal"`
	Passes []peering.PassSummary `json:"passes"`
	Error  string                `json:"error,omitempty"`
}

func (h *handlers) sync(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Wait     bool    `json:"wait"`
		TimeoutS float64 `json:"timeout_s"`
	}
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	ctx := r.Context()
	limit := defaultSync
	if in.TimeoutS > 0 {
		limit = min(time.Duration(in.TimeoutS*float64(time.Second)), maxSync)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	passes, equal, err := h.Node.SyncNow(ctx, in.Wait)
	out := SyncReply{Equal: equal, Passes: passes}
	if out.Passes == nil {
		out.Passes = []peering.PassSummary{}
	}
	if err != nil {
		out.Error = err.Error()
	}
	h.reply(w, out)
}

func (h *handlers) stop(w http.ResponseWriter, _ *http.Request) {
	if h.Stop == nil {
		h.fail(w, reason.Refuse(reason.NotFound, "no node runs here"))
		return
	}
	h.reply(w, map[string]bool{"stopping": true})
	h.Stop()
}

// ReloadReply is the outcome of POST /control/reload.
type ReloadReply struct {
	Live    []string `json:"live"`
	Restart []string `json:"restart"`
	Faults  string   `json:"faults,omitempty"` // why nothing was changed
}

func (h *handlers) reload(w http.ResponseWriter, _ *http.Request) {
	if h.Reload == nil {
		h.fail(w, reason.Refuse(reason.NotFound, "no node runs here"))
		return
	}
	live, restart, err := h.Reload()
	out := ReloadReply{Live: append([]string{}, live...), Restart: append([]string{}, restart...)}
	if err != nil {
		out.Faults = err.Error()
	}
	h.reply(w, out)
}

func (h *handlers) purge(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID string `json:"id"`
	}
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	prefix := change.PrefixEntry
	if strings.HasPrefix(in.ID, change.PrefixChange) {
		prefix = change.PrefixChange
	}
	id, err := whole(r.Context(), h.Node, prefix, in.ID)
	if err == nil {
		err = h.Node.Purge(r.Context(), id)
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, map[string]any{"purged": true, "id": id.Text(prefix)})
}

// whole reads an id: whole, or so much of its beginning that no other fits.
func whole(ctx context.Context, n Node, prefix, text string) (change.ID, error) {
	if id, err := change.ParseID(prefix, text); err == nil {
		return id, nil
	}
	beginning, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return change.ID{}, reason.Refuse(reason.InvalidParam, "not the id of an entry")
	}
	id, ok, err := n.Begun(ctx, nil, prefix, beginning)
	if err == nil && !ok {
		err = reason.Refuse(reason.EntryNotFound, "nothing here has this id")
	}
	return id, err
}

// RenameReply is the outcome of POST /control/rename.
type RenameReply struct {
	ID   string `json:"id"`
	DID  string `json:"did"`
	Name string `json:"name"`
}

// renameOrder is the body of POST /control/rename.
type renameOrder struct {
	Name string `json:"name"`
}

// rename gives the owner's agent a name. The place in the register of names
// comes first: a change that peers see cannot be taken back.
func (h *handlers) rename(r *http.Request, in renameOrder) (out RenameReply, err error) {
	if err := call.CheckName(in.Name); err != nil {
		return out, err
	}
	id, ok := h.Node.Owner()
	if !ok {
		return out, reason.Refuse(reason.AgentNotFound, "the owner has no agent yet")
	}
	if err := h.State.RenameAgent(r.Context(), id.String(), in.Name); err != nil {
		return out, err
	}
	a, err := h.Node.Rename(r.Context(), id, in.Name)
	return RenameReply{a.ID.String(), a.DID.String(), a.Name}, err
}

// take makes an endpoint of a function that takes a JSON body of at most most bytes
// and returns what is answered.
func take[In, Out any](h *handlers, most int64, do func(*http.Request, In) (Out, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answerWith(h, w, func() (out Out, err error) {
			var in In
			if err := readUpTo(w, r, most, &in); err != nil {
				return out, err
			}
			return do(r, in)
		})
	}
}

// read decodes a small JSON body; none is the empty object.
func read(w http.ResponseWriter, r *http.Request, into any) error {
	return readUpTo(w, r, maxRequest, into)
}

func readUpTo(w http.ResponseWriter, r *http.Request, most int64, into any) error {
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return reason.Refuse(reason.InvalidJSON, "the body is not what this path takes: %v", err)
	}
	return nil
}

func (h *handlers) reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		h.Log.Debug("reply not written", "err", err)
	}
}

// fail writes the error object. The owner may read what went wrong inside.
func (h *handlers) fail(w http.ResponseWriter, err error) {
	refusal := &reason.Refusal{Code: reason.Internal, Text: err.Error()}
	errors.As(err, &refusal)
	status := refusal.Code.HTTP()
	if status < http.StatusBadRequest {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	body := map[string]any{"success": false, "error": refusal.Text, "code": refusal.Code}
	if refusal.Text == "" {
		body["error"] = fmt.Sprint(refusal.Code)
	}
	if refusal.Hint != "" {
		body["hint"] = refusal.Hint
	}
	if refusal.Details != nil {
		body["details"] = refusal.Details
	}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		h.Log.Debug("refusal not written", "err", err)
	}
}
