package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node"
)

// Remedies is what the handlers need to undo what came from outside; node.Remedies
// is one.
type Remedies interface {
	Count(ctx context.Context, s node.Selection) (node.Selected, error)
	Purge(ctx context.Context, s node.Selection, progress func(done, of int)) (node.Selected, error)
	Gave(ctx context.Context, peer string) (node.Gifts, error)
	CutBefore(ctx context.Context, key did.Key, at time.Time) (body.Cut, int, error)
}

var _ Remedies = node.Remedies{}

// PurgeOrder is the body of POST /control/purge/many. An agent is an id or a DID; a
// peer is an id, "file" for imports or "door" for changes signed elsewhere.
type PurgeOrder struct {
	Author string    `json:"author,omitempty"`
	Tree   string    `json:"tree,omitempty"`
	From   string    `json:"from,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	Yes    bool      `json:"yes,omitempty"` // else it only counts
}

// PurgeLine is one line of the answer: progress, then the result or a fault.
type PurgeLine struct {
	Done   int            `json:"done,omitempty"`
	Of     int            `json:"of,omitempty"`
	Result *node.Selected `json:"result,omitempty"`
	Code   reason.Code    `json:"code,omitempty"`
	Error  string         `json:"error,omitempty"`
}

// purgeMany counts or removes what an order selects, and reports its progress.
func (h *handlers) purgeMany(w http.ResponseWriter, r *http.Request) {
	var in PurgeOrder
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	sel, err := h.selection(r.Context(), in)
	if err != nil {
		h.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	report := func(line PurgeLine) {
		if err := errors.Join(out.Encode(line), flush.Flush()); err != nil {
			h.Log.Debug("progress not written", "err", err)
		}
	}
	var got node.Selected
	if in.Yes {
		got, err = h.Remedies.Purge(r.Context(), sel, func(done, of int) { report(PurgeLine{Done: done, Of: of}) })
	} else {
		got, err = h.Remedies.Count(r.Context(), sel)
	}
	line := PurgeLine{Result: &got}
	if err != nil {
		line.Code, line.Error = reason.Of(err), err.Error()
	}
	report(line)
}

func (h *handlers) selection(ctx context.Context, in PurgeOrder) (sel node.Selection, err error) {
	for _, one := range []struct {
		name string
		to   *change.AgentID
	}{{in.Author, &sel.Author}, {in.Tree, &sel.Tree}} {
		if one.name == "" {
			continue
		}
		a, err := h.Node.FindAgent(ctx, one.name)
		if err != nil {
			return sel, err
		}
		*one.to = a.ID
	}
	sel.From, sel.Since = strings.TrimSpace(in.From), in.Since
	if sel.Empty() {
		return sel, reason.Refuse(reason.MissingField, "say whose changes are purged: author, tree, from or since")
	}
	return sel, nil
}

// gave says what a peer brought first.
func (h *handlers) gave(w http.ResponseWriter, r *http.Request) {
	peer := r.URL.Query().Get("peer")
	if peer == "" {
		h.fail(w, reason.Refuse(reason.MissingField, "peer: which one"))
		return
	}
	out, err := h.Remedies.Gave(r.Context(), peer)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, out)
}

// CutReply is the answer of GET /control/cut: for each chain of a key the change up to
// which it is kept, and how many changes are left out.
type CutReply struct {
	Cut  map[string]string `json:"cut"`
	Left int               `json:"left"`
}

// cut says what a cut of a key keeps that lies before a time.
func (h *handlers) cut(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	key, err := did.ParseKey(q.Get("key"))
	if err != nil {
		h.fail(w, reason.Refuse(reason.InvalidParam, "key: a did:key"))
		return
	}
	at, err := time.Parse(time.RFC3339, q.Get("before"))
	if err != nil {
		h.fail(w, reason.Refuse(reason.InvalidParam, "before: a time, as 2026-11-23T10:00:00Z"))
		return
	}
	cut, left, err := h.Remedies.CutBefore(r.Context(), key, at)
	if err != nil {
		h.fail(w, err)
		return
	}
	out := CutReply{Cut: map[string]string{}, Left: left}
	for chain, id := range cut {
		out.Cut[chain] = id.Text(change.PrefixChange)
	}
	h.reply(w, out)
}
