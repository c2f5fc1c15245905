package v0

import (
	"slices"
	"strconv"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
)

// Check is what a verification may know beside the token. The zero Check is
// usable: the clock stands at 1970, no proof is at hand, whoever signs a token
// without proofs owns what it names, and nothing is revoked.
type Check struct {
	// Now is the moment of use in Unix seconds: the clock of a gateway, or the
	// logical time of a change. No drift is allowed for.
	Now int64

	// Proofs finds the text of a proof by the content id that stands in prf. What
	// it returns is hashed, so it need not be trusted. It is asked at most once
	// for each entry of each token.
	Proofs func(cid string) (raw string, ok bool)

	// Owner reports whether an issuer owns a resource. It is not asked about
	// reserved ones ("ucan:…"). When nil, the issuer of a token without proofs
	// owns every resource and any other issuer none: a check of the chain alone.
	Owner func(issuer did.DID, resource string) bool

	// Aligned reports whether issuer may use what was given to audience, both
	// without fragment. When nil they must be equal; the log passes one in which
	// a key stands in for the key it replaced.
	Aligned func(audience, issuer string) bool

	// Revoked reports whether the token of a canonical content id is revoked.
	Revoked ucan.Revoked

	// MaxDepth is how many links a chain may have, 0 for MaxDepth.
	MaxDepth int

	// Memo keeps what does not depend on the other fields. May be nil.
	Memo *Memo
}

// Result is the outcome of a verification.
type Result struct {
	// Token is the outermost token, nil when it is not well formed.
	Token *Token

	// Authorities are what the token gives its audience, in the order of its
	// capabilities, followed by what its reserved resources select; one for each
	// resource and ability. It is empty unless there are no findings, with one
	// exception: a revoked proof takes with it only what rests on it, so when
	// every finding is Revoked, here is what is proved by another path.
	Authorities []ucan.Authority

	Findings Findings

	// Issuers are the DIDs of all who signed a token of the chain, sorted: those
	// who may revoke this one.
	Issuers []string

	// Missing are the content ids of the proofs of UnavailableProof, sorted.
	Missing []string
}

// Valid reports whether nothing was found.
func (r Result) Valid() bool { return len(r.Findings) == 0 }

// Verify is (*Token).Verify for a text, with the findings of form among the
// others: what is readable is checked as far as it goes.
func Verify(raw string, c Check) Result {
	t := c.Memo.load(raw)
	r := verify(t, c)
	if len(t.syntax) == 0 {
		r.Token = t.meaning()
	}
	return r
}

// Verify runs every check of UCAN 0.10 §5 on t and on all proofs at hand, needed
// or not, and returns all that it finds. A proof that is not at hand is missed
// only when a capability needs it. Work and depth are bounded whatever the
// tokens. It is safe for concurrent use as far as the functions of c are.
func (t *Token) Verify(c Check) Result {
	r := verify(c.Memo.signed(t.read), c)
	r.Token = t
	return r
}

func verify(top *signedToken, c Check) Result {
	r, _ := run(top, c)
	return r
}

// run is verify that also says what it took.
func run(top *signedToken, c Check) (Result, *verification) {
	v := &verification{Check: c, nodes: map[string]*node{}, named: map[string]*node{}}
	n := v.collect(top)
	for _, n := range v.order {
		v.judge(n)
	}
	limit := c.MaxDepth
	if limit == 0 {
		limit = MaxDepth
	}
	v.reportMissing()
	if n.height > limit {
		v.found.add(Finding{Code: InvalidDelegation, Why: WhyDepth, In: n.cid})
	}
	if v.full || v.spent() {
		v.found.add(Finding{Code: InvalidDelegation, Why: WhySize, In: n.cid})
	}
	r := Result{Issuers: v.issuers(), Missing: slices.Compact(slices.Sorted(slices.Values(v.missing)))}
	sound := len(v.found) == 0
	v.reportRevoked(n)
	r.Findings = v.found.sorted()
	if sound {
		r.Authorities = v.authorities(n)
	}
	return r, v
}

// verification is one run over the tokens that can be reached from the outermost.
type verification struct {
	Check
	nodes map[string]*node // by canonical content id
	named map[string]*node // by the content ids that stand in prf
	order []*node          // proofs before what cites them
	full  bool             // there were more than MaxTokens
	steps int              // comparisons so far
	loads int              // proofs read, hashed and their signatures looked at

	answers map[question]answer
	found   Findings
	needy   []*node // those that may need a proof that is not at hand
	missing []string
}

// spent reports whether the work that one verification may take is done.
func (v *verification) spent() bool { return v.steps > maxSteps }

// node is one token of the run.
type node struct {
	*signedToken
	proofs   []*node // as prf; nil for one that is not at hand, or is another
	absent   []bool  // as prf: not at hand
	height   int     // links to the farthest proof
	revoked  bool
	alive    bool       // not revoked, and something of it stands
	provable bool       // some proof passes on all that its issuer can prove
	stands   [][]answer // as caps and their caveats
}

// collect makes the node of a token after those of its proofs. Tokens name one
// another by hash, so there is no cycle to guard against; MaxTokens bounds the
// recursion.
func (v *verification) collect(t *signedToken) *node {
	if n := v.nodes[t.cid]; n != nil {
		return n
	}
	n := &node{signedToken: t, revoked: v.Revoked != nil && v.Revoked(t.cid)}
	v.nodes[t.cid] = n
	n.proofs, n.absent = make([]*node, len(t.prf)), make([]bool, len(t.prf))
	for i, cid := range t.prf {
		p := v.proof(n, i, cid)
		if p == nil {
			continue
		}
		n.proofs[i] = p
		n.height = max(n.height, p.height+1)
		n.provable = n.provable || slices.ContainsFunc(p.caps, func(k capability) bool {
			return k.form == provable && k.redelegates()
		})
	}
	v.order = append(v.order, n)
	return n
}

// proof finds and collects the i-th proof of n, nil when it is not to be had.
func (v *verification) proof(n *node, i int, cid string) *node {
	raw, ok := "", false
	if v.Proofs != nil {
		raw, ok = v.Proofs(cid)
	}
	if !ok {
		n.absent[i] = true
		return nil
	}
	if p := v.named[cid]; p != nil && p.raw == raw {
		return p
	}
	if v.full {
		return nil
	}
	v.loads++
	p, ok := v.Memo.named(cid, raw)
	if !ok {
		v.found.add(Finding{Code: IncorrectProofs, At: pointer("payload", "prf", strconv.Itoa(i)), In: n.cid})
		return nil
	}
	if v.nodes[p.cid] == nil && len(v.nodes) >= MaxTokens {
		v.full = true
		return nil
	}
	known := v.collect(p)
	v.named[cid] = known
	return known
}

// judge runs the checks of one token against its proofs, which have been judged.
func (v *verification) judge(n *node) {
	v.found = append(v.found, n.syntax...)
	if n.exp != nil && v.Now > *n.exp {
		v.at(n, Expired, "", "payload", "exp")
	}
	if n.nbf != nil && v.Now < *n.nbf {
		v.at(n, NotReady, "", "payload", "nbf")
	}
	if n.sig != nil && n.iss != "" && !n.verified {
		v.at(n, InvalidSignature, "", "signature")
	}
	actors := v.actors(n, nil)
	for i, p := range n.proofs {
		if p == nil {
			continue
		}
		at := []string{"payload", "prf", strconv.Itoa(i)}
		if n.outlives(p.token) {
			v.at(n, TimeBoundsViolation, "", at...)
		}
		if n.iss != "" && p.aud != "" && v.actor(actors, p) == nil {
			v.at(n, InvalidDelegation, WhyAlignment, at...)
		}
		if n.olderThan(p.token) {
			v.at(n, InvalidDelegation, WhyVersion, at...)
		}
	}
	v.judgeCaps(n)
}

func (v *verification) at(n *node, c Code, w Why, at ...string) {
	v.found.add(Finding{Code: c, Why: w, At: pointer(at...), In: n.cid})
}

// judgeCaps decides for each caveat of each capability whether it stands.
func (v *verification) judgeCaps(n *node) {
	n.stands = make([][]answer, len(n.caps))
	for i := range n.caps {
		k := &n.caps[i]
		n.stands[i] = make([]answer, len(k.caveats))
		if v.spent() { // which is a finding of its own; these would be noise
			continue
		}
		worst := answer{yes: true}
		for j := range k.caveats {
			a := v.claimed(n, question{k: k, c: &k.caveats[j]})
			if !a.yes {
				if worst.yes || worst.unknown {
					worst = a
				}
				// Found below, once: what rests on it is as right as it claims to
				// be, and nothing is granted any more.
				a = answer{yes: true, live: true}.by(n)
			}
			n.stands[i][j] = a
			n.alive = n.alive || a.live
		}
		switch at := []string{"payload", "cap", k.with, k.can}; {
		case worst.yes:
		case worst.unknown:
			v.needy = append(v.needy, n)
		case len(n.prf) == 0:
			v.at(n, NotRootOwner, "", at...)
		default:
			v.at(n, InvalidDelegation, WhyCoverage, at...)
		}
	}
	if len(n.caps) == 0 { // it only passes on who it is for
		n.alive = !n.revoked && (len(n.prf) == 0 || slices.ContainsFunc(n.proofs, func(p *node) bool { return p == nil || p.alive }))
	}
}

// reportMissing finds the proofs that are not at hand below the tokens that may
// need them.
func (v *verification) reportMissing() {
	seen := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for i, p := range n.proofs {
			if n.absent[i] {
				v.at(n, UnavailableProof, "", "payload", "prf", strconv.Itoa(i))
				v.missing = append(v.missing, n.prf[i])
			}
			visit(p)
		}
	}
	for _, n := range v.needy {
		visit(n)
	}
}

// reportRevoked finds what of the outermost token fell with a revocation.
func (v *verification) reportRevoked(n *node) {
	if n.revoked || len(n.caps) == 0 && !n.alive {
		v.at(n, Revoked, "")
		return
	}
	for i, k := range n.caps {
		if slices.ContainsFunc(n.stands[i], func(a answer) bool { return a.yes && !a.live }) {
			v.at(n, Revoked, "", "payload", "cap", k.with, k.can)
		}
	}
}

func (v *verification) issuers() []string {
	out := make([]string, 0, len(v.order))
	for _, n := range v.order {
		if n.iss != "" {
			out = append(out, n.iss)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
