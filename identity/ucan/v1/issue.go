package v1

import (
	"fmt"
	"io"
	"strconv"

	"github.com/ucan-wg/go-ucan/token/delegation"
	"github.com/ucan-wg/go-ucan/token/invocation"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// sourceKey is the member of meta that names the token of the other dialect that
// a token was made from.
const sourceKey = "source"

// Grant is a delegation to be made.
type Grant struct {
	Audience  did.Key
	Subject   did.Key // zero: the signer, as in a root; a powerline cannot be made here
	Command   string  // "/entry/put"; "/" is every command
	Policy    []any   // statements such as []any{"==", ".domain", "go"}
	NotBefore *int64  // seconds
	Expires   *int64  // seconds; nil never ends
	Source    string  // a CID for meta, or ""
}

// Delegate signs a delegation. The nonce is 16 bytes of rand. What it returns has
// passed [Read]; an error is Findings for a grant that cannot be a token, or a
// failure of rand.
func Delegate(s keys.Signer, g Grant, rand io.Reader) (*Delegation, error) {
	subject := g.Subject
	if subject.IsZero() {
		subject = s.Key()
	}
	policy := g.Policy
	if policy == nil {
		policy = []any{}
	}
	payload := map[string]any{
		"iss": s.Key().String(), "aud": g.Audience.String(), "sub": subject.String(),
		"cmd": g.Command, "pol": policy, "exp": optional(g.Expires),
	}
	if g.NotBefore != nil {
		payload["nbf"] = *g.NotBefore
	}
	t, err := seal(s, delegation.Tag, payload, g.Source, rand)
	return t.delegation, err
}

// Act is an invocation to be made.
type Act struct {
	Audience did.Key // who executes; zero: the subject
	Subject  did.Key // zero: the signer
	Command  string
	Args     map[string]any
	Proofs   []string // CIDs of delegations, leaf first
	IssuedAt *int64   // seconds; nil leaves it out
	Expires  *int64   // seconds; nil never ends
	Source   string   // a CID for meta, or ""
}

// Invoke signs an invocation, with the promises of [Delegate].
func Invoke(s keys.Signer, a Act, rand io.Reader) (*Invocation, error) {
	subject := a.Subject
	if subject.IsZero() {
		subject = s.Key()
	}
	proofs := make([]any, len(a.Proofs))
	for i, p := range a.Proofs {
		if !isCID(p) {
			return nil, found(IncorrectProofs, "", "a proof is not the CID of a UCAN 1.x token")
		}
		proofs[i] = Link(p)
	}
	args := a.Args
	if args == nil {
		args = map[string]any{}
	}
	payload := map[string]any{
		"iss": s.Key().String(), "sub": subject.String(), "cmd": a.Command, "args": args,
		"prf": proofs, "exp": optional(a.Expires),
	}
	if !a.Audience.IsZero() && a.Audience != subject {
		payload["aud"] = a.Audience.String()
	}
	if a.IssuedAt != nil {
		payload["iat"] = *a.IssuedAt
	}
	t, err := seal(s, invocation.Tag, payload, a.Source, rand)
	return t.invocation, err
}

func optional(seconds *int64) any {
	if seconds == nil {
		return nil
	}
	return *seconds
}

// seal makes the envelope around a payload. go-ucan's own constructors refuse
// terms by the clock of the machine and want the secret key; the bytes are the
// same.
func seal(s keys.Signer, tag string, payload map[string]any, source string, rand io.Reader) (parsed, error) {
	nonce := make([]byte, nonceSize)
	if _, err := io.ReadFull(rand, nonce); err != nil {
		return parsed{}, fmt.Errorf("make a nonce: %w", err)
	}
	payload["nonce"] = nonce
	if source != "" {
		payload["meta"] = map[string]any{sourceKey: source}
	}
	body, err := encode(payload)
	if err != nil {
		return parsed{}, found(IncorrectType, "", "the token would %s", err)
	}
	signed := append([]byte{}, beforeTag...)
	signed = append(append(signed, tag...), body...)
	signature := s.Sign(signed)
	sealed := append([]byte{}, beforeSignature...)
	sealed = append(append(sealed, signature[:]...), signed...)
	return read(sealed)
}

// String is for people: who may do what.
func (d *Delegation) String() string {
	subject := "every subject"
	if !d.Subject.IsZero() {
		subject = d.Subject.String()
	}
	return strconv.Quote(d.Command) + " on " + subject + " by " + d.Audience.String()
}
