package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// use is a change as it is judged: its place and the rights it cites.
type use struct {
	id     change.ID
	chain  *Chain
	seq    uint64
	agent  *Agent  // for whom it was written, nil when it names no identity
	record *node   // what makes its author speak for that agent
	rights []*node // the grants and openings it cites beside that
}

// node is a control change.
type node struct {
	use
	hlc    uint64
	kind   kind
	proof  []change.ID
	birth  *Birth      // of a genesis, nil when nothing outranks its key
	rotate *rotation   // of a rotate
	grant  *grant      // of a grant
	ends   *ending     // of a revoke, and of a grant that closes another
	ids    []change.ID // of an endorse: what it readmits
	open   *Open       // of a guild.open
}

type kind uint8

const (
	isBind kind = iota
	isRotate
	isGrant
	isRevoke
	isEndorse
	isOpen
)

var kinds = [...]string{change.KindBind, change.KindRotate, change.KindGrant, change.KindRevoke, change.KindEndorse, change.KindGuildOpen}

// rotation is a rotate of an agent's key to that of its author.
type rotation struct {
	Rotate
	from *node // the record of the old key
	cut  limits
}

// ending is a revocation of a grant, by a revoke or by closing it.
type ending struct {
	End
	by     *node
	target *node
	cut    limits
}

// Apply takes in what a control change says. The change must have been placed,
// and what it refers to applied. Applying it twice changes nothing.
func (s *State) Apply(r Record) Touched {
	var t Touched
	k := slices.Index(kinds[:], r.Kind)
	ch := s.chains[r.Chain]
	if k < 0 || ch == nil || s.nodes[r.ID] != nil {
		return t
	}
	n := &node{kind: kind(k), hlc: r.HLC, proof: r.Proof, ids: r.Readmits, open: r.Open, birth: r.Birth}
	n.id, n.chain, n.seq = r.ID, ch, r.Seq
	if !s.identify(n) {
		return t
	}
	s.nodes[n.id] = n
	if n.kind != isBind || n.seq > 1 {
		ch.nodes = append(ch.nodes, n)
	}
	switch n.kind {
	case isBind:
		s.applyBind(n, &t)
	case isRotate:
		s.applyRotate(n, r.Rotate, &t)
	case isGrant:
		s.applyGrant(n, r.Grant, &t)
	case isEndorse:
		s.applyEndorse(n, &t)
	case isOpen:
		s.applyOpen(n, &t)
	}
	if r.End != nil {
		s.applyEnd(n, r.End, &t)
	}
	return t
}

// identify finds for whom a control change was written, and refuses one that
// refers to what is not here or is no identity: no member does.
func (s *State) identify(n *node) bool {
	switch n.kind {
	case isBind:
		id, ok := n.chain.Key.Space.Agent()
		if !ok {
			return false
		}
		if n.seq == 1 {
			n.agent, n.record = s.agent(id), n
			return true
		}
	case isRotate:
		if len(n.proof) == 0 {
			return false
		}
		from := s.nodes[n.proof[0]]
		if from == nil || from.record == nil || from.record.kind == isGrant {
			return false
		}
		n.agent, n.record = from.agent, n
		return true
	}
	return s.cite(&n.use, n.proof)
}

// cite resolves a proof: proof[0] the identity, the others grants and openings.
func (s *State) cite(u *use, proof []change.ID) bool {
	if len(proof) == 0 {
		return false
	}
	p := s.nodes[proof[0]]
	if p == nil {
		return false
	}
	switch p.kind {
	case isBind, isRotate:
		u.record = p.record
	case isGrant:
		u.record = p
	default:
		return false
	}
	u.agent = p.agent
	for _, id := range proof[1:] {
		// Whatever else a proof may name gives no right and takes none.
		if r := s.nodes[id]; r != nil && (r.kind == isGrant || r.kind == isOpen) {
			u.rights = append(u.rights, r)
		}
	}
	return true
}

func (s *State) limits(author did.Key, cut body.Cut) limits {
	l := make(limits, len(cut))
	for text, id := range cut {
		key, err := body.ParseChain(author, text)
		if err != nil {
			continue // no body says so
		}
		l[key] = s.mark(id, key)
	}
	return l
}

// before orders nodes by (hlc, id).
func before(a, b *node) bool {
	if a.hlc != b.hlc {
		return a.hlc < b.hlc
	}
	return a.id.Compare(b.id) < 0
}
