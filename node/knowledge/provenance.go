package knowledge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/view"
)

// maxHistory is how many changes one look at a history reads; what is cited beyond
// them stays open.
const maxHistory = 2000

// Provenance recomputes the history of a public entry from the log alone: hashes,
// signature, rights at its place, cited entries and their times. It also answers
// for entries that were withdrawn or lost their right, whose history is still
// here. Refusals: entry_not_found and purged.
func (n *Library) Provenance(ctx context.Context, id change.ID) (view.Provenance, error) {
	if _, err := n.Entry(ctx, id); err != nil {
		f, known := n.core.Views.Entry(id)
		gone := known && f.Space.Area() != change.AreaTeam && f.State != fold.Live
		if code := reason.Of(err); !gone || code != reason.Retracted && code != reason.Revoked {
			return view.Provenance{}, err
		}
	}
	h := &history{ctx: ctx, node: n}
	e, ok := h.read(id)
	if h.err == nil {
		h.err = ctx.Err()
	}
	if h.err != nil {
		return view.Provenance{}, h.err
	}
	if !ok {
		return view.Provenance{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	var out view.Provenance
	out.Verdict, out.Findings = attest.Judge(e, h)
	if h.err == nil {
		h.err = ctx.Err()
	}
	return out, h.err
}

// history answers the questions of attest.Judge about one entry. A fault of the
// log is kept in err, and answered as not knowing.
type history struct {
	ctx   context.Context
	node  *Library
	reads int
	err   error

	effect rights.Verdict // of the entry that is judged
}

// read makes the claims of an entry of its change. What is signed is the id of the
// change, the hash of its head; the head in turn contains the hash of the body. So the
// content is the head when the body is the one it names, and else that body, whose
// digest then contradicts.
func (h *history) read(id change.ID) (attest.Entry, bool) {
	rec, c, ok := h.member(id)
	if !ok {
		return attest.Entry{}, false
	}
	h.effect = h.node.core.Views.Effect(c)
	e := claimsOf(c)
	if e.Content != nil {
		e.Content, e.Digest = c.Head.Unsigned(), c.ID
		if sum := sha256.Sum256(c.Body); sum != c.Head.BodyHash {
			e.Content, e.Digest = c.Body, c.Head.BodyHash
		}
	}
	e.Key, e.Signed = c.Head.Author, c.ID.Preimage()
	// A signature is no part of the id: anybody on the way can break the one of a
	// copy. Such a member is vouched for by what its author wrote after it, and the
	// broken copy proves nothing against anybody.
	if rec.Own {
		e.Signature = c.Head.Sig[:]
	}
	return e, true
}

// claimsOf are the claims of a change that citations need; Content is the body, nil
// when it is not here.
func claimsOf(c *change.Change) attest.Entry {
	e := attest.Entry{ID: c.ID.Text(change.PrefixEntry), At: c.Head.Millis(), Content: c.Body}
	if c.Body == nil {
		return e
	}
	b, err := body.ParseEntry(c.Body, c.Head.Space)
	if err != nil {
		return e
	}
	for _, id := range b.Reuses {
		e.Cites = append(e.Cites, id.Text(change.PrefixEntry))
	}
	if !b.Supersedes.IsZero() {
		e.Cites = append(e.Cites, b.Supersedes.Text(change.PrefixEntry))
	}
	// A receipt whose hash the author did not state claims nothing more than the
	// body does that it stands in.
	if !b.ReceiptSHA.IsZero() {
		e.Receipt, e.ReceiptHash = b.Receipt, b.ReceiptSHA
	}
	return e
}

// member reads an entry's change, maxHistory of them at most.
func (h *history) member(id change.ID) (crdtlog.Record, *change.Change, bool) {
	if h.reads++; h.err != nil || h.ctx.Err() != nil || h.reads > maxHistory {
		return crdtlog.Record{}, nil, false
	}
	rec, err := h.node.core.Log.Get(h.ctx, id)
	if errors.Is(err, crdtlog.ErrNotFound) {
		return crdtlog.Record{}, nil, false
	}
	if err != nil {
		h.err = fmt.Errorf("read entry: %w", err)
		return crdtlog.Record{}, nil, false
	}
	return rec, rec.Change, rec.Change.Head.Kind == change.KindEntryPut
}

// Entry returns what is cited.
func (h *history) Entry(text string) (attest.Entry, bool) {
	id, err := change.ParseID(change.PrefixEntry, text)
	if err != nil {
		return attest.Entry{}, false
	}
	_, c, ok := h.member(id)
	if !ok {
		return attest.Entry{}, false
	}
	return claimsOf(c), true
}

// KeyValid answers from the effect of the change: whether a rotation left its key
// behind at that place.
func (h *history) KeyValid(string, did.Key, int64) attest.Answer {
	switch h.effect.Why {
	case rights.Rotated, rights.Replaced:
		return attest.No
	case rights.Contested, rights.Forked:
		return attest.Unknown
	}
	return attest.Yes
}

// Authorised answers whether the right it was written with counts at that place.
func (h *history) Authorised(attest.Entry) attest.Answer {
	switch h.effect.Why {
	case rights.Revoked, rights.NoRight:
		return attest.No
	case rights.None:
		return attest.Yes
	}
	return attest.Unknown
}

// RootKnown is never asked: entries claim no inclusion.
func (h *history) RootKnown(merkle.Hash, int64) attest.Answer { return attest.Unknown }
