package v0

import (
	"slices"

	"github.com/meshd/meshd/identity/ucan"
)

// authorities lists what the outermost token gives.
func (v *verification) authorities(n *node) []ucan.Authority {
	l := listing{v: v, top: n, at: map[[2]string]int{}, seen: map[*node]bool{}}
	l.caps(n, nil)
	l.selections(n, nil)
	return l.out
}

// listing collects the authorities of a token.
type listing struct {
	v    *verification
	top  *node
	out  []ucan.Authority
	at   map[[2]string]int // by resource and ability
	seen map[*node]bool
}

// caps lists what of n's own capabilities stands; above are the tokens that pass
// it on.
func (l *listing) caps(n *node, above []string) {
	for i := range n.caps {
		k := &n.caps[i]
		for j := range k.caveats {
			if n.stands[i][j].live {
				l.add(k, &k.caveats[j], above, n.stands[i][j].chain)
			}
		}
	}
}

func (l *listing) add(k *capability, c *caveat, above []string, chain *link) {
	key := [2]string{k.with, k.can}
	i, there := l.at[key]
	if !there {
		if len(l.out) == maxAuthorities {
			return
		}
		i = len(l.out)
		l.at[key] = i
		l.out = append(l.out, ucan.Authority{
			Subject: l.top.aud, Issuer: l.top.iss, Resource: k.with, Ability: k.can,
			NotBefore: l.top.nbf, Expires: l.top.exp,
		})
	}
	a := &l.out[i]
	a.Constraints = append(a.Constraints, c.members)
	for _, cid := range above {
		a.Chain = appendNew(a.Chain, cid)
	}
	for ; chain != nil; chain = chain.next {
		a.Chain = appendNew(a.Chain, chain.cid)
	}
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// selections lists what the reserved resources of n select, each token once. A
// restricted one is left out: what it selects is narrower than what is written
// in any token, and whoever uses it spells that out in a token of their own.
func (l *listing) selections(n *node, above []string) {
	if !n.reserved {
		return
	}
	above = append(slices.Clip(above), n.cid)
	actors := l.v.actors(n, &caveat{})
	for i := range n.caps {
		k := &n.caps[i]
		if !k.redelegates() || k.form == ownedBy || !k.standsFree(n.stands[i]) {
			continue
		}
		for m, p := range n.proofs {
			if p == nil || l.seen[p] || !n.selects(k, m) {
				continue
			}
			if a := l.v.actor(actors, p); a == nil || !a.live {
				continue
			}
			l.seen[p] = true
			l.caps(p, above)
			l.selections(p, above)
		}
	}
}

// standsFree reports whether k stands without a restriction.
func (k *capability) standsFree(stands []answer) bool {
	for j := range k.caveats {
		if k.caveats[j].free() && stands[j].live {
			return true
		}
	}
	return false
}
