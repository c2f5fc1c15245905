package passport

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// passportTerm is how long a passport is good. Its snapshot ages, so it is short.
const passportTerm = 7 * 24 * time.Hour

// Passport issues the passport of an agent that this node speaks for, good for
// passportTerm from now. Its issuer is the host that is asked for, when the key of
// the owner's agent that the host's document lists is here, and else the key this
// node writes with for the agent: the acting key, or a device key, which the
// delegation chain then leads back to the agent.
//
// The snapshot's head is the fingerprint of this node's views, rows and hash as
// they stand in its status; its sha256 is over the ids of the agent's shown public
// entries, sorted by their bytes and each ended by a line feed. The memory is made
// of the same entries, introductions left out of both.
//
// Everybody may see that. The whole one has in addition what is the owner's to show: the wallet, and
// when the agent speaks for itself the chain of the newest right it was given.
//
// Refusals: agent_not_found; forbidden when this node has no key of the agent,
// since passports are issued at home, and when its key is in dispute.
func (n *Passports) Passport(ctx context.Context, agent change.AgentID, o view.PassportOrder) ([]byte, error) {
	sp, err := n.stater(agent)
	if err != nil {
		return nil, err
	}
	rec, _ := n.core.Views.Agent(agent)
	now := n.core.Opt.Now().UnixMilli()
	rows, fp := n.core.Views.Hash()
	p := passport.Passport{
		Subject: rec.Key, PQ: rec.PQ, IssuedAt: now, ExpiresAt: now + passportTerm.Milliseconds(),
		State: passport.Snapshot{Head: fmt.Sprintf("%d-%x", rows, fp)},
	}
	if p.Memory, p.State.SHA256, _, err = n.memory(ctx, agent); err != nil {
		return nil, err
	}
	leaf := sp.Device
	if o.Whole {
		p.Wallet = walletOf(rec)
		if leaf == nil {
			leaf = n.newestRight(agent)
		}
	}
	p.Delegation = n.delegation(leaf)
	by, err := n.issuer(o, sp)
	if err != nil {
		return nil, err
	}
	var out []byte
	switch o.Form {
	case passport.FormCredential:
		out, err = p.Credential(by)
	case passport.FormToken:
		var token string
		token, err = p.Token(by)
		out = []byte(token)
	case passport.FormBinary:
		out, err = p.Binary(by)
	default:
		out, err = p.Sign(by)
	}
	if err != nil {
		return nil, fmt.Errorf("issue passport: %w", err)
	}
	return out, nil
}

// issuer is who signs a passport of an agent that the node writes for as sp.
func (n *Passports) issuer(o view.PassportOrder, sp core.Author) (passport.Signer, error) {
	if owner, ok := n.core.Owner(); ok && o.Host != "" {
		if own, err := n.stater(owner); err == nil && own.Device == nil {
			by, err := passport.WebSigner(o.Host, o.Key, own.Signer)
			if err != nil {
				return passport.Signer{}, fmt.Errorf("issue passport: %w", err)
			}
			return by, nil
		}
	}
	return passport.KeySigner(sp.Signer), nil
}

// stater is author for statements outside of the log: while two keys claim the
// agent, none of them may make one.
func (n *Passports) stater(agent change.AgentID) (core.Author, error) {
	sp, err := n.core.Author(agent)
	if err != nil {
		return core.Author{}, err
	}
	if rec, ok := n.core.Views.Agent(agent); !ok || rec.Contested {
		return core.Author{}, reason.Refuse(reason.Forbidden, "the agent's key is in dispute")
	}
	return sp, nil
}

// memory compresses the shown public entries of an agent, and hashes their ids.
func (n *Passports) memory(ctx context.Context, agent change.AgentID) (m passport.Memory, state [sha256.Size]byte, known []passport.Known, err error) {
	var ids []change.ID
	n.core.Views.Newest(fold.Filter{Agent: agent, Until: n.core.VisibleUntil()}, 0, change.ID{}, func(e fold.Entry) bool {
		if n.core.Admits.Waits(e.ID) {
			return true
		}
		known = append(known, passport.Known{ID: e.ID.Text(change.PrefixEntry), Type: e.Type})
		ids = append(ids, e.ID)
		return true
	})
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return m, state, nil, err
		}
		c, err := n.core.Log.Member(id)
		if err != nil {
			return m, state, nil, fmt.Errorf("read entry: %w", err)
		}
		if c != nil {
			known[i].Size = uint64(c.Head.Size)
		}
	}
	m, err = passport.MemoryOf(known)
	if err != nil {
		return m, state, nil, fmt.Errorf("compress memory: %w", err)
	}
	slices.SortFunc(known, func(a, b passport.Known) int { return strings.Compare(a.ID, b.ID) })
	h := sha256.New()
	for _, k := range known {
		h.Write([]byte(k.ID + "\n"))
	}
	return m, [sha256.Size]byte(h.Sum(nil)), known, nil
}

// walletOf is the first wallet that has proved to control an agent, or none.
func walletOf(rec fold.Agent) did.Account {
	for _, text := range rec.Proven {
		if d, err := did.ParseController(text); err == nil {
			if a, ok := d.Account(); ok {
				return a
			}
		}
	}
	return did.Account{}
}

// newestRight is the newest grant of somebody else that an agent has now, the
// message rights of viewers left out: the role beside them says more.
func (n *Passports) newestRight(agent change.AgentID) *fold.Grant {
	var best *fold.Grant
	for _, g := range n.core.Views.GrantsOf(agent) {
		if g.Holder == agent && g.Agent != agent && g.Active && n.core.InTerm(g) && !n.core.IsMessageRight(g) {
			best = &g // the oldest come first
		}
	}
	return best
}

// delegation are the tokens from a grant up to its root; of several a token rests
// on it follows the first.
func (n *Passports) delegation(leaf *fold.Grant) []string {
	var out []string
	for g := leaf; g != nil && len(out) < passport.MaxDelegation; {
		if slices.Contains(out, g.CID) {
			break
		}
		out = append(out, g.CID)
		if len(g.Parents) == 0 {
			break
		}
		parent, ok := n.core.Views.Grant(g.Parents[0])
		if !ok {
			break
		}
		g = &parent
	}
	return out
}

// SignCard signs an A2A card for an agent that this node speaks for, under the
// DID URL of the key it speaks with. The refusals are those of Passport.
func (n *Passports) SignCard(_ context.Context, agent change.AgentID, card agentcard.Card) (agentcard.Card, error) {
	sp, err := n.stater(agent)
	if err != nil {
		return agentcard.Card{}, err
	}
	signed, err := card.Sign(passport.KeySigner(sp.Signer).Method(), sp.Signer)
	if err != nil {
		return agentcard.Card{}, fmt.Errorf("sign card: %w", err)
	}
	return signed, nil
}
