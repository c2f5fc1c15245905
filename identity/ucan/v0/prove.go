package v0

import "github.com/meshd/meshd/identity/did"

// question asks whether node n has a right, under one caveat.
type question struct {
	n *node // set where answers are kept
	k *capability
	c *caveat
}

// answer says whether there is a right: by the texts of the tokens (yes), and
// still so when revoked tokens are left out (live). It is unknown where a proof
// that was not at hand could have said yes.
type answer struct {
	yes, live, unknown bool
	chain              *link // of the path that made it yes
}

// link is a list of content ids, leaf first.
type link struct {
	cid  string
	next *link
}

// or keeps the better of two answers, a at a tie.
func (a answer) or(b answer) answer {
	if b.live && !a.live || b.yes && !a.yes {
		b.unknown = b.unknown || a.unknown
		return b
	}
	a.unknown = a.unknown || b.unknown
	return a
}

// by is a as a right passed on in n.
func (a answer) by(n *node) answer {
	if a.yes {
		a.chain = &link{n.cid, a.chain}
		a.live = a.live && !n.revoked
	}
	return a
}

// claimed says whether a capability of n's own stands.
func (v *verification) claimed(n *node, q question) answer {
	held := answer{yes: true, live: true}
	if q.k.redelegates() {
		switch q.k.form {
		case provable: // no more than the issuer can prove, whatever that is
			return held.by(n)
		case allProofs:
			for _, absent := range n.absent {
				if absent {
					return answer{unknown: true}
				}
			}
			return held.by(n)
		case oneProof:
			return v.selected(n, q)
		}
	}
	return v.proven(n, q)
}

// selected is claimed for the resource that names a proof.
func (v *verification) selected(n *node, q question) answer {
	for i, p := range n.proofs {
		switch {
		case !n.selects(q.k, i):
		case p == nil:
			return answer{unknown: true}
		default:
			return answer{yes: true, live: p.alive, chain: &link{p.cid, nil}}.by(n)
		}
	}
	return answer{}
}

// selects reports whether k, a reserved resource of n, means its i-th proof.
func (n *node) selects(k *capability, i int) bool {
	return k.form != oneProof || n.prf[i] == k.proof || n.proofs[i] != nil && n.proofs[i].cid == k.proof
}

// proven says whether the issuer of n owns the resource or has a proof for it.
func (v *verification) proven(n *node, q question) answer {
	if v.spent() {
		return answer{}
	}
	if v.owns(n, q.k) {
		return answer{yes: true, live: true}.by(n)
	}
	return v.proofs(n, q, func(int) bool { return true })
}

// proofs says whether one of the chosen proofs of n grants what is asked for.
func (v *verification) proofs(n *node, q question, chosen func(i int) bool) answer {
	var best answer
	actors := v.actors(n, q.c)
	for i, p := range n.proofs {
		if !chosen(i) {
			continue
		}
		if p == nil {
			best.unknown = true
			continue
		}
		a := v.actor(actors, p)
		if a == nil && v.actor(v.actors(n, nil), p) != nil {
			continue // given to somebody who passed it on, but not as far as this
		}
		held := v.covers(p, q)
		if a != nil && held.yes { // when not, it is a finding already
			held.live = held.live && a.live
			for s := a; s.by != nil; s = s.from {
				held.chain = &link{s.by.cid, held.chain}
			}
		}
		if best = best.or(held.by(n)); best.live {
			break
		}
	}
	return best
}

// owns reports whether the issuer of n owns the resource of k.
func (v *verification) owns(n *node, k *capability) bool {
	switch {
	case k.form == ownedBy:
		return n.iss == k.owner
	case v.Owner == nil:
		return len(n.prf) == 0
	case k.form != plain:
		return false
	}
	return !n.issuer.IsZero() && v.Owner(n.issuer, k.with)
}

// covers says whether what n passes on covers q.
func (v *verification) covers(n *node, q question) answer {
	if !n.reserved {
		return v.listed(n, q)
	}
	q.n = n
	a, known := v.answers[q]
	if !known {
		if v.answers == nil {
			v.answers = map[question]answer{}
		}
		a = v.listed(n, q)
		v.answers[q] = a
	}
	return a
}

// listed goes through the capabilities of n.
func (v *verification) listed(n *node, q question) answer {
	var best answer
	for i := range n.caps {
		k := &n.caps[i]
		v.steps++
		byName := k.covers(q.k)
		if !byName && !k.redelegates() {
			continue
		}
		for j := range k.caveats {
			p := &k.caveats[j]
			if v.steps += 1 + p.size + q.c.size; v.spent() {
				return answer{}
			}
			if !q.c.narrows(p) {
				continue
			}
			if byName {
				best = best.or(n.stands[i][j])
			} else {
				best = best.or(v.passed(n, k, n.stands[i][j], q))
			}
			if best.live {
				return best
			}
		}
	}
	return best
}

// passed says whether q is among what k, a reserved resource of n that stands as
// said, passes on.
func (v *verification) passed(n *node, k *capability, stands answer, q question) answer {
	switch {
	case k.form == provable:
		return v.proven(n, q)
	case k.form != ownedBy:
		return v.proofs(n, q, func(i int) bool { return n.selects(k, i) })
	case k.spans(q.k) && v.ownedBy(k.owner, q.k.with):
		return stands
	}
	return answer{}
}

// ownedBy reports whether a DID, which has passed on what it owns, owns a resource.
func (v *verification) ownedBy(owner, resource string) bool {
	if v.Owner == nil {
		return true
	}
	d, err := did.ParseController(owner)
	return err == nil && v.Owner(d, resource)
}

// actor is a DID whose rights a token may use: its issuer's, and those of whom a
// proof with "ucan:*" comes from.
type actor struct {
	did  string
	live bool
	from *actor // whose rights include these, nil for the issuer itself
	by   *node  // the token by which they do
}

// actors lists whose rights n may use under a caveat, nil for whatever caveat.
// Live ones come first, so that a revoked "ucan:*" stands back for another.
func (v *verification) actors(n *node, c *caveat) []*actor {
	out := []*actor{{did: n.iss, live: true}}
	if !n.provable {
		return out
	}
	used := make([]bool, len(n.proofs))
	for _, live := range []bool{true, false} {
		for more := true; more; {
			more = false
			for i, p := range n.proofs {
				if p == nil || used[i] || p.iss == "" || live && p.revoked || !v.passesAll(p, c) {
					continue
				}
				if a := v.actor(out, p); a != nil {
					out = append(out, &actor{did: p.iss, live: a.live && !p.revoked, from: a, by: p})
					used[i], more = true, true
				}
			}
		}
	}
	return out
}

// passesAll reports whether p passes on all that its issuer can prove.
func (v *verification) passesAll(p *node, c *caveat) bool {
	for i := range p.caps {
		v.steps++
		k := &p.caps[i]
		if k.form != provable || !k.redelegates() {
			continue
		}
		for j := range k.caveats {
			if c == nil {
				return true
			}
			if v.steps += 1 + c.size + k.caveats[j].size; c.narrows(&k.caveats[j]) {
				return true
			}
		}
	}
	return false
}

// actor finds the one to whom p was given.
func (v *verification) actor(actors []*actor, p *node) *actor {
	for _, a := range actors {
		v.steps++
		if p.aud == a.did || v.Aligned != nil && v.Aligned(p.aud, a.did) {
			return a
		}
	}
	return nil
}
