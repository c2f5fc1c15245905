package passport

import (
	"context"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/node/view"
)

// holder is what the log says of the agent of a passport.
type holder struct {
	fold.Agent
	known bool
	chain []fold.Grant // of the delegation chain, from the leaf as far as the log leads
	loose bool         // the next token of it is not what the last of these rests on
}

// CheckPassport asks this node's log about a passport whose signature is good:
// whether its issuer may speak for the agent, whether the agent's key is in force,
// whether the tokens of its delegation chain rest on one another and stand, and
// whether the agent knows here what it says. own is the did:web of this node's
// gateway, "" for none.
//
// What the log does not know is attest.Unknown. A log that lacks something never
// contradicts, so a passport of another network is answered with Unknown.
func (n *Passports) CheckPassport(ctx context.Context, p passport.Passport, own string) ([]view.PassportFinding, error) {
	h := n.holder(p)
	memory, err := n.checkMemory(ctx, p, h)
	if err != nil {
		return nil, err
	}
	return []view.PassportFinding{n.checkIssuer(p, h, own), checkAgent(p, h), checkChain(p, h), n.checkRevoked(p, h), memory}, nil
}

// holder follows the delegation chain from grant to grant, so that a chain of tokens
// nobody has costs one look into the log.
func (n *Passports) holder(p passport.Passport) holder {
	var h holder
	h.Agent, h.known = n.core.Views.AgentByKey(p.Subject)
	for i, cid := range p.Delegation {
		if i == 0 {
			g, ok := n.core.Views.GrantByCID(cid)
			if !ok {
				return h
			}
			h.chain = append(h.chain, g)
			continue
		}
		next, all := fold.Grant{}, true
		for _, id := range h.chain[i-1].Parents {
			g, ok := n.core.Views.Grant(id)
			if ok && g.CID == cid {
				next = g
			}
			all = all && ok
		}
		if next.CID == "" {
			h.loose = all
			return h
		}
		h.chain = append(h.chain, next)
	}
	return h
}

// checkIssuer says whether who signed may speak for the agent: the agent itself, a
// key that it has lent its voice, or a host. A host's word is taken as such where
// the log knows no other home of the agent.
func (n *Passports) checkIssuer(p passport.Passport, h holder, own string) view.PassportFinding {
	answer := func(a attest.Answer, format string, args ...any) view.PassportFinding {
		return view.PassportFinding{Name: "issuer", Answer: a, Detail: fmt.Sprintf(format, args...)}
	}
	key, err := did.ParseKey(p.Issuer)
	switch {
	case err == nil && key == p.Subject:
		return answer(attest.Yes, "the agent itself")
	case err != nil && !h.known:
		return answer(attest.Yes, "a host, for an agent that this node does not know")
	case err != nil && p.Issuer == own && n.core.SpeaksFor(h.Agent):
		return answer(attest.Yes, "this host, at which the agent is at home")
	case err != nil && h.Home == "" && p.Issuer != own:
		return answer(attest.Yes, "a host, for an agent that names no home")
	case err != nil && sameHost(p.Issuer, h.Home):
		return answer(attest.Yes, "the host that the agent calls its home")
	case err != nil:
		return answer(attest.No, "the agent is not at home at this host")
	case len(p.Delegation) == 0:
		return answer(attest.No, "another key than the agent's, and no token by which it speaks for the agent")
	case !h.known || len(h.chain) == 0:
		return answer(attest.Unknown, "another key than the agent's; this log does not show that it speaks for the agent")
	}
	g := h.chain[0]
	if g.Audience != key || g.Agent != h.ID || g.Space != h.ID.Space() || !g.Active || !n.core.InTerm(g) {
		return answer(attest.No, "another key than the agent's, to which the agent does not lend its voice")
	}
	return answer(attest.Yes, "a key to which the agent lends its voice")
}

// sameHost compares a did:web with a home as people write it.
func sameHost(issuer, home string) bool {
	host := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(home), "https://"), "/")
	return issuer == "did:web:"+strings.ReplaceAll(host, ":", "%3A")
}

// checkAgent says whether the agent's key is in force.
func checkAgent(p passport.Passport, h holder) view.PassportFinding {
	f := view.PassportFinding{Name: "agent"}
	switch {
	case !h.known:
		f.Detail = "this node knows no agent of that key"
	case h.Contested:
		f.Answer, f.Detail = attest.No, "the key of the agent is in dispute"
	case h.Key != p.Subject:
		f.Answer, f.Detail = attest.No, "the agent has another key now"
	default:
		f.Answer, f.Detail = attest.Yes, "known here, by the key in force"
	}
	return f
}

// checkChain says whether each token of the chain rests on the next, and whether the
// first was given to the agent or by it, of its voice.
func checkChain(p passport.Passport, h holder) view.PassportFinding {
	f := view.PassportFinding{Name: "delegation"}
	have, all := len(h.chain), len(p.Delegation)
	switch {
	case all == 0:
		f.Answer, f.Detail = attest.Yes, "no token is named"
	case have > 0 && h.known && !h.given(h.chain[0]):
		f.Answer, f.Detail = attest.No, "the first token was not given to the agent"
	case h.loose:
		f.Answer, f.Detail = attest.No, fmt.Sprintf("token %d does not rest on token %d", have, have+1)
	case have < all:
		f.Detail = fmt.Sprintf("token %d of %d is not in this log", have+1, all)
	case len(h.chain[have-1].Parents) > 0 && all < passport.MaxDelegation:
		f.Detail = "the last token rests on another, which the passport does not name"
	default:
		f.Answer, f.Detail = attest.Yes, fmt.Sprintf("%d in this log, from the leaf to the root", all)
	}
	return f
}

// given reports whether a grant was given to the agent, or by it to a key that is no
// other agent's, of its voice.
func (h holder) given(g fold.Grant) bool {
	return g.Holder == h.ID || g.Holder.IsZero() && g.Agent == h.ID && g.Space == h.ID.Space()
}

// checkRevoked says whether the tokens of the chain stand.
func (n *Passports) checkRevoked(p passport.Passport, h holder) view.PassportFinding {
	f := view.PassportFinding{Name: "revocation", Answer: attest.Yes, Detail: "nothing is taken back"}
	if have, all := len(h.chain), len(p.Delegation); have < all {
		f.Answer, f.Detail = attest.Unknown, fmt.Sprintf("of %d tokens this log knows %d", all, have)
	}
	for i, g := range h.chain {
		switch {
		case !g.Active:
			f.Answer, f.Detail = attest.No, fmt.Sprintf("token %d is taken back", i+1)
		case !n.core.InTerm(g):
			f.Answer, f.Detail = attest.No, fmt.Sprintf("token %d is out of its term", i+1)
		}
	}
	return f
}

// checkMemory compares what the passport says that the agent knows with the entries
// that are shown here.
func (n *Passports) checkMemory(ctx context.Context, p passport.Passport, h holder) (view.PassportFinding, error) {
	f := view.PassportFinding{Name: "memory"}
	if !h.known {
		f.Detail = "this node knows no agent of that key"
		return f, nil
	}
	m, sum, _, err := n.memory(ctx, h.ID)
	if err != nil {
		return f, err
	}
	switch {
	case m.Root != p.Memory.Root:
		f.Detail = fmt.Sprintf("it names %d entries, and the agent has others here now: %d", p.Memory.Count(), m.Count())
	case m.Wisdom != p.Memory.Wisdom || m.Pattern != p.Memory.Pattern || m.Gotcha != p.Memory.Gotcha || sum != p.State.SHA256:
		f.Answer, f.Detail = attest.No, "the counts or the snapshot are not those of the entries that it names"
	default:
		f.Answer, f.Detail = attest.Yes, fmt.Sprintf("the agent's %d entries here are those that it names", m.Count())
	}
	return f, nil
}

// PlaceInPassport finds an entry among those that a passport names, which it can
// while the agent has the same ones here. The refusal is entry_not_found.
func (n *Passports) PlaceInPassport(ctx context.Context, p passport.Passport, entry string) (passport.Place, error) {
	h := n.holder(p)
	if h.known {
		m, _, known, err := n.memory(ctx, h.ID)
		if err != nil {
			return passport.Place{}, err
		}
		if at, err := passport.Prove(known, entry); err == nil && m.Root == p.Memory.Root {
			return at, nil
		}
	}
	return passport.Place{}, reason.Refuse(reason.EntryNotFound, "this node cannot find the entry among those of the passport")
}
