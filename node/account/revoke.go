package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// Revoke ends a grant for good, for an agent that this node speaks for. What was
// written with it at or below the cut stays; nil for upTo accepts all that this
// node has seen by now. An agent that may not end it gets capability_missing.
func (n *Accounts) Revoke(ctx context.Context, agent change.AgentID, grant change.ID, upTo body.Cuts, why string) (view.Revocation, error) {
	n.core.Speech.Lock()
	defer n.core.Speech.Unlock()
	g, ok := n.core.Views.Grant(grant)
	if !ok {
		return view.Revocation{}, reason.Refuse(reason.NotFound, "no such capability")
	}
	if !n.MayEnd(agent, g) {
		return view.Revocation{}, reason.Refuse(reason.CapabilityMissing, "the capability was given by others, and you do not stand above its holder")
	}
	sp, err := n.core.Author(agent)
	if err != nil {
		return view.Revocation{}, err
	}
	w := ingest.Write{Space: g.Space, Kind: change.KindRevoke, Deps: []change.ID{g.ID}, Proof: []change.ID{sp.Record}}
	if _, inGuild := g.Space.Guild(); inGuild {
		if r, err := n.core.RightIn(agent, g.Space); err == nil {
			w.Proof = append(w.Proof, r.ID)
		} else if g.Holder == agent {
			w.Proof = append(w.Proof, g.ID) // the last thing that is left of a place in the guild
		}
	}
	if upTo == nil {
		if upTo, err = n.cutOf(ctx, g); err != nil {
			return view.Revocation{}, err
		}
	}
	beyond, err := n.beyond(ctx, g, upTo)
	if err != nil {
		return view.Revocation{}, err
	}
	if w.Body, err = (body.Revoke{Grant: g.ID, Cut: upTo, Why: why}).Encode(); err != nil {
		return view.Revocation{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.writing.Sign(ctx, sp, w)
	if err != nil {
		return view.Revocation{}, err
	}
	return view.Revocation{ID: rec.Change.ID, Grant: g.ID, CID: g.CID, Cut: upTo, Excluded: beyond}, nil
}

// MayEnd reports whether an agent may revoke a grant (wire §10): it gave it or
// something it rests on, is its holder, or has a strictly higher role in its guild.
func (n *Accounts) MayEnd(agent change.AgentID, g fold.Grant) bool {
	if g.Agent == agent || g.Holder == agent {
		return true
	}
	for _, id := range g.Parents {
		if p, ok := n.core.Views.Grant(id); ok && n.gave(agent, p) {
			return true
		}
	}
	if own, ok := g.Space.Agent(); ok {
		return own == agent
	}
	r, err := n.core.RightIn(agent, g.Space)
	if err != nil {
		return false
	}
	rank := role.Rank(g.Role)
	if n.core.IsMessageRight(g) {
		rank = role.Rank(role.Viewer) // one viewer does not stand above another
	}
	return r.Grant == nil || role.Rank(r.Role) > rank
}

func (n *Accounts) gave(agent change.AgentID, g fold.Grant) bool {
	if g.Agent == agent {
		return true
	}
	for _, id := range g.Parents {
		if p, ok := n.core.Views.Grant(id); ok && n.gave(agent, p) {
			return true
		}
	}
	return false
}

// cutOf accepts everything that this node has seen by the keys that could use a
// grant, held changes excluded.
func (n *Accounts) cutOf(ctx context.Context, g fold.Grant) (body.Cuts, error) {
	return n.cutKeys(ctx, n.users(g))
}

// users are the keys that may have written with a grant or with what was granted
// under it.
func (n *Accounts) users(g fold.Grant) []did.Key {
	var out []did.Key
	add := func(k did.Key) {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	seen := map[change.ID]bool{}
	for queue := []fold.Grant{g}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		if seen[u.ID] {
			continue
		}
		seen[u.ID] = true
		add(u.Audience)
		if _, inGuild := u.Space.Guild(); inGuild && !u.Holder.IsZero() {
			for _, k := range n.core.Views.KeysOf(u.Holder) {
				add(k)
			}
		}
		queue = append(queue, n.core.Views.GrantsUnder(u.ID)...)
	}
	return out
}

func (n *Accounts) cutKeys(ctx context.Context, users []did.Key) (body.Cuts, error) {
	type end struct {
		key   did.Key
		chain string
		id    change.ID
		hlc   uint64
	}
	var ends []end
	for _, k := range users {
		for _, ch := range n.core.Views.Chains(k) {
			c, err := n.lastAccepted(ctx, ch)
			if err != nil {
				return nil, err
			}
			if c != nil {
				ends = append(ends, end{k, body.ChainText(ch), c.ID, c.Head.HLC})
			}
		}
	}
	// A cut has room for so many chains; those that were quiet for the longest
	// time are left out.
	slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(b.hlc, a.hlc) })
	cut := body.Cuts{}
	for _, e := range ends[:min(len(ends), body.MaxCut)] {
		if cut[e.key] == nil {
			cut[e.key] = body.Cut{}
		}
		cut[e.key][e.chain] = e.id
	}
	return cut, nil
}

// lastAccepted is the newest change of a chain whose time has come, nil when
// there is none.
func (n *Accounts) lastAccepted(ctx context.Context, ch change.Chain) (*change.Change, error) {
	id, seq, _, _, err := n.core.Log.Tip(ctx, ch)
	if err != nil {
		return nil, fmt.Errorf("find the end of a chain: %w", err)
	}
	for ; seq > 0; seq-- {
		c, err := n.core.Log.Member(id)
		if err != nil || c == nil {
			return nil, err
		}
		if c.Head.HLC < n.core.VisibleUntil() {
			return c, nil
		}
		id = c.Head.Prev
	}
	return nil, nil
}

// beyond counts the changes of the users of a grant that a cut leaves out.
func (n *Accounts) beyond(ctx context.Context, g fold.Grant, cut body.Cuts) (count int, err error) {
	for _, k := range n.users(g) {
		for _, ch := range n.core.Views.Chains(k) {
			_, tip, _, _, err := n.core.Log.Tip(ctx, ch)
			if err != nil {
				return 0, fmt.Errorf("find the end of a chain: %w", err)
			}
			kept := uint64(0)
			if id, named := cut[k][body.ChainText(ch)]; named {
				if c, err := n.core.Log.Member(id); err != nil {
					return 0, err
				} else if c != nil && c.Head.Chain() == ch {
					kept = c.Head.Seq
				}
			}
			count += int(tip - min(kept, tip))
		}
	}
	return count, nil
}

// Endorse takes changes back in that lie outside of a cut, for an agent that may
// revoke there. They must all lie in one space.
func (n *Accounts) Endorse(ctx context.Context, agent change.AgentID, ids []change.ID) (view.Receipt, error) {
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	return n.endorse(ctx, agent, ids)
}

// endorse is Endorse for whoever holds a lock of Speech.
func (n *Accounts) endorse(ctx context.Context, agent change.AgentID, ids []change.ID) (view.Receipt, error) {
	if len(ids) == 0 || len(ids) > body.MaxEndorsed {
		return view.Receipt{}, reason.Refuse(reason.InvalidParam, "name 1 to %d changes", body.MaxEndorsed)
	}
	sp, err := n.core.Author(agent)
	if err != nil {
		return view.Receipt{}, err
	}
	var space change.Space
	var opening change.ID // of the guild that they lie in, when it is one of them
	for i, id := range ids {
		c, err := n.core.Log.Member(id)
		if err != nil {
			return view.Receipt{}, err
		}
		if c == nil {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "a change is not known here").With(map[string]any{"id": id.Text(change.PrefixChange)})
		}
		if i > 0 && c.Head.Space != space {
			return view.Receipt{}, reason.Refuse(reason.InvalidParam, "the changes lie in several spaces")
		}
		space = c.Head.Space
		if c.Head.Kind == change.KindGuildOpen {
			opening = id
		}
	}
	w := ingest.Write{Space: space, Kind: change.KindEndorse, Proof: []change.ID{sp.Record}}
	if _, inGuild := space.Guild(); inGuild {
		r, err := n.core.RightIn(agent, space)
		switch {
		case err == nil:
			w.Proof = append(w.Proof, r.ID)
		case !opening.IsZero(): // a guild of which nothing stands yet, but for its founder
			w.Proof = append(w.Proof, opening)
		default:
			return view.Receipt{}, err
		}
	}
	if w.Body, err = (body.Endorse{As: body.Readmit, IDs: ids}).Encode(); err != nil {
		return view.Receipt{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.writing.Sign(ctx, sp, w)
	return n.writing.Receipt(rec, agent), err
}
