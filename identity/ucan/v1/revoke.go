package v1

import (
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"

	"io"
)

// RevokeCommand is the command of an invocation that takes a delegation back.
const RevokeCommand = "/ucan/revoke"

const revokedArg = "ucan" // the link to what is revoked

// Revocation is a verified invocation of RevokeCommand. It writes the same row as
// a revocation of 0.10 does.
type Revocation struct {
	Issuer did.Key // who revoked
	Token  string  // the CID of the delegation that ends, and all below it
}

// Revoke makes the container that takes d back: the signer's invocation and d
// itself, so that a reader can see that the signer issued it. Another signer than
// the issuer is refused with NotRootOwner.
func Revoke(s keys.Signer, d *Delegation, rand io.Reader) ([]byte, error) {
	if d.Issuer != s.Key() {
		return nil, found(NotRootOwner, d.CID, "only its issuer may revoke a delegation here")
	}
	inv, err := Invoke(s, Act{Command: RevokeCommand, Args: map[string]any{revokedArg: Link(d.CID)}}, rand)
	if err != nil {
		return nil, err
	}
	return Pack(inv.Sealed, d.Sealed)
}

// Revocation reads b as a revocation: its one invocation is of RevokeCommand,
// about its own issuer or by delegation from it, and the delegation it names is
// in b and was issued by the subject. now is in seconds. The issuers above that
// one in a chain cannot be seen from a delegation, which names no proofs; they
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
	if d.Issuer != inv.Subject {
		return Revocation{}, found(NotRootOwner, string(link), "the revoked token was issued by somebody else")
	}
	return Revocation{Issuer: inv.Subject, Token: string(link)}, nil
}
