package v1

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	_ "github.com/MetaMask/go-did-it/verifiers/did-key" // go-ucan parses principals by the methods registered
	"github.com/ipld/go-ipld-prime/datamodel"
	"github.com/ucan-wg/go-ucan/token"
	"github.com/ucan-wg/go-ucan/token/delegation"
	"github.com/ucan-wg/go-ucan/token/invocation"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
)

// Delegation is one link of a chain: Issuer lets Audience do Command, and what
// lies below it, to Subject, as far as Policy is satisfied. It is immutable; its
// slices and pointers must not be written to.
type Delegation struct {
	CID       string
	Sealed    []byte
	Issuer    did.Key
	Audience  did.Key
	Subject   did.Key // zero: every subject ("powerline")
	Command   string
	Policy    Policy
	Nonce     []byte
	NotBefore *int64 // seconds; nil: always was good
	Expires   *int64 // seconds; nil: never ends
	Source    string // meta "source": the CID of the token this was made from, or ""
}

// Invocation is an act: Issuer does Command with Args to Subject, which the
// delegations named in Proofs, leaf first, allow. It is immutable; its slices,
// pointers and maps must not be written to.
type Invocation struct {
	CID      string
	Sealed   []byte
	Issuer   did.Key
	Audience did.Key // who is to execute it; the subject when the token names nobody
	Subject  did.Key
	Command  string
	Args     map[string]any // nil, bool, int64, float64, string, []byte, Link, []any, map[string]any
	Proofs   []string
	Nonce    []byte
	Expires  *int64 // seconds; nil: never ends
	Source   string // meta "source", or ""

	args datamodel.Node
}

// ReplayKey names the act for the store of used tokens.
func (i *Invocation) ReplayKey() string {
	return ucan.ReplayKey(i.Issuer.String(), base32Lower(i.Nonce), i.CID)
}

// Link is a CID inside of arguments.
type Link string

// parsed is what a sealed token turned out to be: one of the two.
type parsed struct {
	cid        string
	delegation *Delegation
	invocation *Invocation
}

// The first bytes of every token read here: a list of a 64-byte signature and a
// map, whose first pair is the varsig header for Ed25519 over SHA-512 and
// DAG-CBOR, and whose second has the tag of the type.
var (
	beforeSignature = []byte{0x82, 0x58, keys.SignatureSize}
	beforeTag       = []byte{0xa2, 0x61, 'h', 0x48, 0x34, 0x01, 0xed, 0x01, 0xed, 0x01, 0x13, 0x71, 0x60 | byte(tagSize)}
)

const (
	tagSize   = len(delegation.Tag)    // of both tags
	signedAt  = 3 + keys.SignatureSize // where the signed part begins
	payloadAt = signedAt + 13 + tagSize
)

// read reads one sealed token, checks its form and its signature.
func read(sealed []byte) (t parsed, err error) {
	if len(sealed) > MaxToken {
		return parsed{}, found(IncorrectType, "", "a token has more than %d bytes", MaxToken)
	}
	cid := CIDOf(sealed)
	if err := checkCanonical(sealed); err != nil {
		return parsed{}, found(IncorrectType, cid, "the token %s", err)
	}
	if err := checkEnvelope(sealed); err != nil {
		return parsed{}, err
	}
	sealed = bytes.Clone(sealed)
	defer func() {
		if r := recover(); r != nil { // see the package comment
			t, err = parsed{}, found(IncorrectType, cid, "the token cannot be decoded")
		}
	}()
	tkn, _, err := token.FromSealed(sealed)
	if err != nil {
		return parsed{}, found(IncorrectType, cid, "the token is not well formed: %.200v", err)
	}
	t = parsed{cid: cid}
	switch tkn := tkn.(type) {
	case *delegation.Token:
		t.delegation, err = ofDelegation(cid, sealed, tkn)
	case *invocation.Token:
		t.invocation, err = ofInvocation(cid, sealed, tkn)
	default:
		err = found(IncorrectType, cid, "the token is of an unknown type")
	}
	return t, err
}

// checkEnvelope checks, before anything is decoded, what go-ucan would accept
// more of: the kind of signature, the spelling of the principals. It verifies the
// signature over the bytes that arrived.
func checkEnvelope(sealed []byte) error {
	cid := CIDOf(sealed)
	if len(sealed) <= payloadAt || !bytes.HasPrefix(sealed, beforeSignature) {
		return found(IncorrectType, cid, "the token is not an envelope with an Ed25519 signature")
	}
	signed := sealed[signedAt:]
	if !bytes.HasPrefix(signed, beforeTag) {
		return found(InvalidSignature, cid, "the signature is not Ed25519 over DAG-CBOR")
	}
	fields, err := topFields(sealed[payloadAt:])
	if err != nil {
		return found(IncorrectType, cid, "the payload %s", err)
	}
	for _, name := range []string{"iss", "aud", "sub"} {
		value, ok := fields[name]
		if !ok {
			continue // whether it may be absent is a matter of the type
		}
		if _, err := keyOf(value); err != nil {
			return found(IncorrectType, cid, "%s is not a did:key of an Ed25519 key", name)
		}
	}
	issuer, err := keyOf(fields["iss"])
	if err != nil {
		return found(MissingField, cid, "the token has no issuer")
	}
	signature := sealed[len(beforeSignature):signedAt]
	if !keys.Verify(issuer, signed, signature) {
		return found(InvalidSignature, cid, "the issuer did not sign this")
	}
	return nil
}

func ofDelegation(cid string, sealed []byte, t *delegation.Token) (*Delegation, error) {
	d := &Delegation{CID: cid, Sealed: sealed, Command: t.Command().String(), Nonce: t.Nonce()}
	var err error
	if d.Issuer, err = did.ParseKey(t.Issuer().String()); err != nil {
		return nil, found(IncorrectType, cid, "iss is not a did:key of an Ed25519 key")
	}
	if d.Audience, err = did.ParseKey(t.Audience().String()); err != nil {
		return nil, found(IncorrectType, cid, "aud is not a did:key of an Ed25519 key")
	}
	if !t.IsPowerline() {
		if d.Subject, err = did.ParseKey(t.Subject().String()); err != nil {
			return nil, found(IncorrectType, cid, "sub is not a did:key of an Ed25519 key")
		}
	}
	if err := checkShape(cid, d.Command, d.Nonce); err != nil {
		return nil, err
	}
	node, err := t.Policy().ToIPLD()
	if err != nil {
		return nil, found(IncorrectType, cid, "the policy cannot be read")
	}
	if d.Policy, err = compile(node); err != nil {
		return nil, found(IncorrectType, cid, "the policy %s", err)
	}
	if d.NotBefore, err = seconds(t.NotBefore()); err != nil {
		return nil, found(IncorrectType, cid, "nbf %s", err)
	}
	if d.Expires, err = seconds(t.Expiration()); err != nil {
		return nil, found(IncorrectType, cid, "exp %s", err)
	}
	d.Source, _ = t.Meta().GetString(sourceKey) // another kind of value names no source
	return d, nil
}

func ofInvocation(cid string, sealed []byte, t *invocation.Token) (*Invocation, error) {
	i := &Invocation{CID: cid, Sealed: sealed, Command: t.Command().String(), Nonce: t.Nonce()}
	var err error
	if i.Issuer, err = did.ParseKey(t.Issuer().String()); err != nil {
		return nil, found(IncorrectType, cid, "iss is not a did:key of an Ed25519 key")
	}
	if i.Subject, err = did.ParseKey(t.Subject().String()); err != nil {
		return nil, found(IncorrectType, cid, "sub is not a did:key of an Ed25519 key")
	}
	i.Audience = i.Subject
	if t.Audience() != nil {
		if i.Audience, err = did.ParseKey(t.Audience().String()); err != nil {
			return nil, found(IncorrectType, cid, "aud is not a did:key of an Ed25519 key")
		}
	}
	if err := checkShape(cid, i.Command, i.Nonce); err != nil {
		return nil, err
	}
	if i.args, err = t.Arguments().ToIPLD(); err != nil {
		return nil, found(IncorrectType, cid, "the arguments cannot be read")
	}
	args, err := valueOf(i.args)
	if err != nil {
		return nil, found(IncorrectType, cid, "the arguments %s", err)
	}
	i.Args = args.(map[string]any)
	for _, link := range t.Proof() {
		text := link.String()
		if !isCID(text) {
			return nil, found(IncorrectProofs, cid, "prf holds a link that is not to a UCAN 1.x token")
		}
		i.Proofs = append(i.Proofs, text)
	}
	if i.Expires, err = seconds(t.Expiration()); err != nil {
		return nil, found(IncorrectType, cid, "exp %s", err)
	}
	i.Source, _ = t.Meta().GetString(sourceKey) // another kind of value names no source
	return i, nil
}

// checkShape refuses what go-ucan lets pass in a command and a nonce.
func checkShape(cid, command string, nonce []byte) error {
	if err := checkCommand(command); err != nil {
		return found(IncorrectType, cid, "cmd %s", err)
	}
	if len(nonce) < minNonce {
		return found(IncorrectType, cid, "the nonce is too short")
	}
	return nil
}

// checkCommand accepts "/" and "/a/b": segments that are not empty, lower case.
func checkCommand(c string) error {
	if c == "/" {
		return nil
	}
	if !strings.HasPrefix(c, "/") || c != strings.ToLower(c) {
		return fmt.Errorf("is not a slash and segments in lower case")
	}
	for _, segment := range strings.Split(c[1:], "/") {
		if segment == "" {
			return fmt.Errorf("has an empty segment")
		}
	}
	return nil
}

// covers reports whether command a is b or lies above it.
func covers(a, b string) bool {
	return a == "/" || a == b || strings.HasPrefix(b, a+"/")
}

func seconds(t *time.Time) (*int64, error) {
	if t == nil {
		return nil, nil
	}
	s := t.Unix()
	if s < minTermStart || s > maxTime {
		return nil, fmt.Errorf("is out of range")
	}
	return &s, nil
}

// cidPrefix is CIDv1, DAG-CBOR, SHA2-256 of 32 bytes.
var cidPrefix = []byte{0x01, 0x71, 0x12, 0x20}

// CIDOf is the CID of a sealed token ("bafyrei…").
func CIDOf(sealed []byte) string {
	sum := sha256.Sum256(sealed)
	return "b" + base32Lower(append(bytes.Clone(cidPrefix), sum[:]...))
}

// isCID reports whether s has the form of what CIDOf returns.
func isCID(s string) bool { return linkBytes(s) != nil }

// linkBytes returns the bytes of such a CID, nil of any other text.
func linkBytes(s string) []byte {
	text, ok := strings.CutPrefix(s, "b")
	if !ok {
		return nil
	}
	b, err := cidEncoding.DecodeString(text)
	if err != nil || len(b) != len(cidPrefix)+sha256.Size || !bytes.HasPrefix(b, cidPrefix) || base32Lower(b) != text {
		return nil
	}
	return b
}

var cidEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func base32Lower(b []byte) string { return cidEncoding.EncodeToString(b) }
