package v1

import (
	"fmt"
	"io"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// SourceFact is the fact of a 0.10 token that names the 1.x token it was made
// from; its value is a text.
const SourceFact = "source"

// Bridge turns what one dialect grants into a token of the other. A chain cannot
// mix them, so the new token begins a chain: it is signed by an owner of the
// resource, given to the holder of the old one, ends no later and reaches no
// further, and names the old one. Revoking the old token does not revoke the new
// one: make it for a short time, or revoke both.
type Bridge struct {
	Signer keys.Signer
	// Owner says whether a key owns a resource. The signer must.
	Owner func(owner did.Key, resource string) bool
	// Rand gives the nonces.
	Rand io.Reader
}

// ToV1 verifies a 0.10 token with c and makes one delegation for each of its
// rights. It returns v0.Findings when the token is not valid, Findings with
// NotRootOwner when the signer may not do this, and ErrNoEquivalent.
func (b Bridge) ToV1(raw string, c v0.Check) ([]*Delegation, error) {
	token, findings := v0.Parse(raw)
	if len(findings) != 0 {
		return nil, findings
	}
	result := token.Verify(c)
	if !result.Valid() {
		return nil, result.Findings
	}
	if len(result.Authorities) == 0 {
		return nil, noEquivalent("the token gives no right")
	}
	var out []*Delegation
	for _, a := range result.Authorities {
		d, err := b.delegate(a, token.CID())
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (b Bridge) delegate(a ucan.Authority, source string) (*Delegation, error) {
	audience, err := did.ParseKey(a.Subject)
	if err != nil {
		return nil, noEquivalent("the audience is not a did:key of an Ed25519 key")
	}
	if err := b.owns(a.Resource); err != nil {
		return nil, err
	}
	command, err := Command(a.Ability)
	if err != nil {
		return nil, err
	}
	policy, err := PolicyOf(Right{a.Resource, a.Ability, a.Constraints})
	if err != nil {
		return nil, err
	}
	return Delegate(b.Signer, Grant{
		Audience: audience, Command: command, Policy: policy,
		NotBefore: a.NotBefore, Expires: a.Expires, Source: source,
	}, b.Rand)
}

func (b Bridge) owns(resource string) error {
	if b.Owner == nil || !b.Owner(b.Signer.Key(), resource) {
		return found(NotRootOwner, "", "%s does not own the resource", b.Signer.Key())
	}
	return nil
}

// ToV0 verifies a chain of delegations, leaf first, and makes a 0.10 token for
// the audience of the leaf. now is in seconds; revoked may be nil. At most one
// link may have caveats, since 0.10 cannot say "both of these lists". It returns
// Findings or ErrNoEquivalent.
func (b Bridge) ToV0(chain []*Delegation, now int64, revoked ucan.Revoked) (string, error) {
	v, err := linked(chain, Check{Now: now, Revoked: revoked})
	if err != nil {
		return "", err
	}
	leaf := chain[0]
	right, err := rightOfChain(chain)
	if err != nil {
		return "", err
	}
	root := chain[len(chain)-1].Issuer
	if b.Owner == nil || !b.Owner(root, right.Resource) {
		return "", found(NotRootOwner, chain[len(chain)-1].CID, "%s does not own the resource", root)
	}
	if err := b.owns(right.Resource); err != nil {
		return "", err
	}
	return v0.Build(v0.Draft{
		Audience: leaf.Audience.String(), Expires: v.end, NotBefore: v.start,
		Facts: map[string]any{SourceFact: leaf.CID},
		Caps:  []v0.Cap{{With: right.Resource, Can: right.Ability, Caveats: right.Caveats}},
	}, b.Signer, b.Rand)
}

// linked judges delegations that nobody invokes yet as a chain.
func linked(chain []*Delegation, c Check) (*verification, error) {
	switch n := len(chain); {
	case n == 0:
		return nil, found(MissingField, "", "the chain is empty")
	case n > MaxChain:
		var f Findings
		f.add(InvalidDelegation, WhyDepth, "", "the chain has more than %d links", MaxChain)
		return nil, f
	}
	v := &verification{Check: c, subject: chain[0].Subject}
	holder, command := chain[0].Audience, chain[0].Command
	for i, d := range chain {
		v.link(d, holder, command, i == len(chain)-1)
		holder, command = d.Issuer, d.Command
	}
	if holder != v.subject {
		v.found.add(InvalidDelegation, WhyRoot, chain[0].CID, "the chain does not begin with its subject")
	}
	return v, v.found.err()
}

// rightOfChain is what all links of a chain allow together.
func rightOfChain(chain []*Delegation) (Right, error) {
	ability, err := Ability(chain[0].Command) // the narrowest, since the chain is valid
	if err != nil {
		return Right{}, err
	}
	out := Right{Ability: ability, Caveats: []map[string]any{{}}}
	for _, d := range chain {
		resource, caveats, err := d.Policy.split()
		if err != nil {
			return Right{}, fmt.Errorf("%s: %w", d.CID, err)
		}
		switch {
		case resource == "" || out.Resource != "" && ucan.Contains(resource, out.Resource):
		case out.Resource == "" || ucan.Contains(out.Resource, resource):
			out.Resource = resource
		default:
			return Right{}, noEquivalent("the policies name resources apart from one another")
		}
		if free(caveats) {
			continue
		}
		if !free(out.Caveats) {
			return Right{}, noEquivalent("more than one link of the chain has caveats")
		}
		out.Caveats = caveats
	}
	if out.Resource == "" {
		return Right{}, noEquivalent("the policies name no resource")
	}
	return out, nil
}

func free(caveats []map[string]any) bool { return len(caveats) == 1 && len(caveats[0]) == 0 }
