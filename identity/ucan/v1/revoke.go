package v1

import (
	"io"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// RevokeCommand is the command of an invocation that takes a delegation back.
const RevokeCommand = "/ucan/revoke"

const revokedArg = "ucan" // the link to what is revoked

// Revocation is a verified invocation of RevokeCommand. It writes the same row as
// a revocation of 0.10 does.
type Revocation struct {
	Issuer did.Key     // who revoked
	Token  *Delegation // the delegation that ends, and all below it
	Act    *Invocation // by which it was revoked
}

// Revoke makes the container that takes d back, in the form for an Authorization
// header: the signer's invocation and d itself, so that a reader can see that the
// signer may. Another signer than the issuer or the subject is refused with
// NotRootOwner.
func Revoke(s keys.Signer, d *Delegation, rand io.Reader) (string, error) {
	if !d.endsBy(s.Key()) {
		return "", found(NotRootOwner, d.CID, "only its issuer or its subject may revoke a delegation here")
	}
	inv, err := Invoke(s, Act{Command: RevokeCommand, Args: map[string]any{revokedArg: Link(d.CID)}}, rand)
	if err != nil {
		return "", err
	}
	return PackBearer(inv.Sealed, d.Sealed)
}

// endsBy reports whether a key may revoke d: it issued it, or is its subject, with
// whom every chain begins in which d can stand.
func (d *Delegation) endsBy(k did.Key) bool { return k == d.Issuer || k == d.Subject }

// Revocation reads b as a revocation: its one invocation is of RevokeCommand,
// about its own issuer or by delegation from it, and the delegation it names is
// in b and was issued by the subject, or is about it. now is in seconds. The issuers
// between the two cannot be seen from a delegation, which names no proofs; they
// revoke what they issued themselves, and all below it ends with it.
func (b *Bundle) Revocation(now int64) (Revocation, error) {
	inv, err := b.Invocation()
	if err != nil {
		return Revocation{}, err
	}
	if _, err := b.Verify(Check{Now: now, Audience: inv.Audience, Command: RevokeCommand}); err != nil {
		return Revocation{}, err
	}
	link, ok := inv.Args[revokedArg].(Link)
	if !ok || !isCID(string(link)) {
		return Revocation{}, found(MissingField, inv.CID, "the revocation names no token")
	}
	d, ok := b.Delegation(string(link))
	if !ok {
		return Revocation{}, found(UnavailableProof, string(link), "the revoked token is not in the container")
	}
	if !d.endsBy(inv.Subject) {
		return Revocation{}, found(NotRootOwner, string(link), "the revoked token was issued by somebody else, about somebody else")
	}
	return Revocation{Issuer: inv.Subject, Token: d, Act: inv}, nil
}
