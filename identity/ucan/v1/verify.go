package v1

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ipld/go-ipld-prime/datamodel"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
)

// ResourceArg is the argument of an invocation that names the resource it acts
// on, a text. A policy restricts resources by it: ["==", ".resource", "…"].
const ResourceArg = "resource"

// Check is what an invocation is checked against.
type Check struct {
	Now      int64   // seconds; both ends of a term are inside
	Audience did.Key // who is asked to execute: this gateway, this node

	// What the act has to be. A zero value accepts what the invocation says.
	Subject did.Key
	Command string         // "/entry/put"
	Args    map[string]any // each must equal the argument of that name

	// Owner says whether the subject owns the resource named by ResourceArg. nil
	// asks for no resource: the right concerns the subject itself.
	Owner func(subject did.Key, resource string) bool
	// Revoked says whether a token is revoked; nil means none is.
	Revoked ucan.Revoked
	// Powerline accepts delegations without a subject below the first one. A
	// guild's policy may; nothing else does.
	Powerline bool
	// MaxDepth is the greatest number of delegations; 0 means MaxChain.
	MaxDepth int
}

// Verified is an invocation that passed.
type Verified struct {
	Invocation *Invocation
	// Authority is what the chain gives to this act: its subject is the
	// invocation's issuer, its ability the command without the first slash, its
	// one constraint the arguments other than the resource.
	Authority ucan.Authority
}

// Verify judges the one invocation of b against its chain: times, audience,
// revocation; from leaf to root that each proof is here, is about the same
// subject, was given to the issuer of what it proves, has a command above that
// one, and a policy that the arguments satisfy; that the root is the subject's
// own; and that the subject owns the resource. All checks run; the error is
// Findings.
func (b *Bundle) Verify(c Check) (Verified, error) {
	inv, err := b.Invocation()
	if err != nil {
		return Verified{}, err
	}
	v := verification{Check: c, inv: inv, subject: inv.Subject, args: inv.args, end: inv.Expires}
	v.invocation()
	v.chain(b, inv.Proofs)
	if err := v.found.err(); err != nil {
		return Verified{}, err
	}
	return Verified{Invocation: inv, Authority: v.authority()}, nil
}

// VerifyChain judges delegations, leaf first, that nobody invokes yet, as the act that
// c names would be judged if the leaf's audience did it: Command on the resource in
// Args. Without a Command it asks for terms, revocations, and that the chain is
// unbroken. The error is Findings. Check.Audience and Check.Subject are not asked.
func VerifyChain(chain []*Delegation, c Check) (ucan.Authority, error) {
	v, err := linked(chain, c)
	if err != nil {
		return ucan.Authority{}, err
	}
	leaf := chain[0]
	a := ucan.Authority{Subject: leaf.Audience.String(), Issuer: leaf.Issuer.String(), Ability: abilityOf(leaf.Command), Constraints: []map[string]any{{}}}
	if r, err := rightOfChain(chain); err == nil {
		a.Resource, a.Ability, a.Constraints = r.Resource, r.Ability, r.Caveats
	}
	for _, d := range chain {
		a.Chain = append(a.Chain, d.CID)
	}
	if c.Command != "" {
		if v.args, err = nodeOf(c.Args); err != nil {
			return ucan.Authority{}, found(IncorrectType, "", "the arguments %s", err)
		}
		if !covers(leaf.Command, c.Command) {
			v.found.add(InvalidDelegation, WhyCommand, leaf.CID, "the delegation does not cover the command")
		}
		for _, d := range chain {
			if !d.Policy.satisfied(v.args) {
				v.found.add(InvalidDelegation, WhyPolicy, d.CID, "the arguments do not satisfy the policy")
			}
		}
		if v.resource, _ = c.Args[ResourceArg].(string); v.resource != "" {
			a.Resource = v.resource
		}
		a.Ability = abilityOf(c.Command)
	}
	if c.Owner != nil && (a.Resource == "" || !oneReading(a.Resource) || !c.Owner(v.subject, a.Resource)) {
		v.found.add(NotRootOwner, "", leaf.CID, "%s does not own the resource", v.subject)
	}
	a.NotBefore, a.Expires = v.start, v.end
	return a, v.found.err()
}

// Authority judges what is in b for whom it is made: the invocation by Verify, whoever is
// asked to execute it, or the chain of delegations by VerifyChain.
func (b *Bundle) Authority(c Check) (ucan.Authority, error) {
	if !b.Acts() {
		chain, err := b.Chain()
		if err != nil {
			return ucan.Authority{}, err
		}
		return VerifyChain(chain, c)
	}
	inv, err := b.Invocation()
	if err != nil {
		return ucan.Authority{}, err
	}
	c.Audience = inv.Audience
	verified, err := b.Verify(c)
	return verified.Authority, err
}

type verification struct {
	Check
	inv        *Invocation
	subject    did.Key
	args       datamodel.Node // nil: nobody acts yet, policies are not asked
	found      Findings
	start, end *int64
	resource   string
	links      []*Delegation
}

// invocation checks what needs no proof.
func (v *verification) invocation() {
	inv := v.inv
	v.life(inv.CID, nil, inv.Expires)
	if inv.Audience != v.Audience {
		v.found.add(WrongAudience, "", inv.CID, "the invocation is for %s", inv.Audience)
	}
	if !v.Subject.IsZero() && inv.Subject != v.Subject {
		v.found.add(InvalidDelegation, WhySubject, inv.CID, "the invocation is about %s", inv.Subject)
	}
	if v.Command != "" && inv.Command != v.Command {
		v.found.add(InvalidDelegation, WhyArgs, inv.CID, "the invocation is of another command")
	}
	for name, want := range v.Args {
		got, ok := inv.Args[name]
		if !ok || !sameValue(got, want) {
			v.found.add(InvalidDelegation, WhyArgs, inv.CID, "the invocation names another %.64q", name)
		}
	}
	if v.Owner == nil {
		return
	}
	resource, ok := inv.Args[ResourceArg].(string)
	switch {
	case !ok || resource == "":
		v.found.add(MissingField, "", inv.CID, "the arguments name no resource")
	case !oneReading(resource):
		v.found.add(IncorrectType, "", inv.CID, "the resource has more than one reading")
	case !v.Owner(inv.Subject, resource):
		v.found.add(NotRootOwner, "", inv.CID, "%s does not own the resource", inv.Subject)
	}
	v.resource = resource
}

// life checks the term of one token and whether it is revoked.
func (v *verification) life(cid string, start, end *int64) {
	if end != nil && v.Now > *end {
		v.found.add(Expired, "", cid, "the term ended")
	}
	if start != nil && v.Now < *start {
		v.found.add(NotReady, "", cid, "the term has not begun")
	}
	if v.Revoked != nil && v.Revoked(cid) {
		v.found.add(Revoked, "", cid, "the token was revoked")
	}
}

// chain follows the proofs of the invocation from leaf to root.
func (v *verification) chain(b *Bundle, proofs []string) {
	inv := v.inv
	depth := v.MaxDepth
	if depth <= 0 {
		depth = MaxChain
	}
	if len(proofs) > depth {
		v.found.add(InvalidDelegation, WhyDepth, inv.CID, "the chain has more than %d links", depth)
		return
	}
	// holder is the key that must have been given the next right, zero when a
	// link in between is missing.
	holder, command := inv.Issuer, inv.Command
	for i, cid := range proofs {
		if slices.Contains(proofs[:i], cid) {
			v.found.add(InvalidDelegation, WhyCycle, cid, "the chain holds one token twice")
			return
		}
		d, ok := b.Delegation(cid)
		if !ok {
			v.found.add(UnavailableProof, "", cid, "the proof is not in the container")
			holder, command = did.Key{}, ""
			continue
		}
		v.link(d, holder, command, i == len(proofs)-1)
		holder, command = d.Issuer, d.Command
	}
	if !holder.IsZero() && holder != inv.Subject {
		v.found.add(InvalidDelegation, WhyRoot, inv.CID, "the chain does not begin with its subject %s", inv.Subject)
	}
}

// link checks one delegation that has to prove command for holder.
func (v *verification) link(d *Delegation, holder did.Key, command string, root bool) {
	v.links = append(v.links, d)
	v.life(d.CID, d.NotBefore, d.Expires)
	v.narrow(d.NotBefore, d.Expires)
	switch {
	case d.Subject.IsZero():
		if root || !v.Powerline {
			v.found.add(InvalidDelegation, WhyPowerline, d.CID, "a delegation about every subject is not accepted here")
		}
	case d.Subject != v.subject:
		v.found.add(InvalidDelegation, WhySubject, d.CID, "the delegation is about %s", d.Subject)
	}
	if !holder.IsZero() && d.Audience != holder {
		v.found.add(InvalidDelegation, WhyAlignment, d.CID, "the delegation was not given to %s", holder)
	}
	if command != "" && !covers(d.Command, command) {
		v.found.add(InvalidDelegation, WhyCommand, d.CID, "the delegation does not cover the command")
	}
	if v.args != nil && !d.Policy.satisfied(v.args) {
		v.found.add(InvalidDelegation, WhyPolicy, d.CID, "the arguments do not satisfy the policy")
	}
}

// narrow intersects the term of the chain with that of one link.
func (v *verification) narrow(start, end *int64) {
	if start != nil && (v.start == nil || *start > *v.start) {
		v.start = start
	}
	if end != nil && (v.end == nil || *end < *v.end) {
		v.end = end
	}
}

func (v *verification) authority() ucan.Authority {
	caveat := make(map[string]any, len(v.inv.Args))
	for name, value := range v.inv.Args {
		if name != ResourceArg {
			caveat[name] = value
		}
	}
	a := ucan.Authority{
		Subject: v.inv.Issuer.String(), Issuer: v.inv.Issuer.String(),
		Resource: v.resource, Ability: abilityOf(v.inv.Command),
		Constraints: []map[string]any{caveat}, NotBefore: v.start, Expires: v.end,
		Chain: []string{v.inv.CID},
	}
	for _, d := range v.links {
		a.Chain = append(a.Chain, d.CID)
	}
	return a
}

// abilityOf is the ability that an act by this command needs. Commands are
// exact; the broad ones stand for the patterns of 0.10.
func abilityOf(command string) string {
	if command == "/" {
		return ucan.All
	}
	return strings.TrimPrefix(command, "/")
}

// oneReading reports whether a resource is a URI without anything in its path that
// somebody could resolve to another place.
func oneReading(resource string) bool {
	_, path, ok := strings.Cut(resource, "://")
	return ok && path != "*" && ucan.Contains(ucan.Everywhere, "mesh://"+path)
}

// sameValue compares arguments in the form that valueOf gives.
func sameValue(got, want any) bool {
	n, err := nodeOf(want)
	if err != nil {
		return false
	}
	normal, err := valueOf(n)
	return err == nil && reflect.DeepEqual(got, normal)
}
