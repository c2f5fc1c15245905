package passport

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Signer is an issuer with its key: an agent or service by its own did:key, or
// a service by the did:web of its host.
type Signer struct {
	issuer string
	method string // the DID URL of the key
	key    keys.Signer
}

// KeySigner issues as the did:key of a key.
func KeySigner(key keys.Signer) Signer {
	issuer := key.Key().String()
	return Signer{issuer, keyMethod(key.Key()), key}
}

// WebSigner issues as a did:web, whose document must have the key under that
// fragment, 1 to 64 letters, digits, - and _. It returns ErrPassport for a text
// that is no did:web.
func WebSigner(issuer, fragment string, key keys.Signer) (Signer, error) {
	if err := checkWeb(issuer); err != nil {
		return Signer{}, err
	}
	if err := checkFragment(fragment); err != nil {
		return Signer{}, err
	}
	return Signer{issuer, issuer + "#" + fragment, key}, nil
}

// Issuer is the DID that the signer issues as, Method that of its key.
func (s Signer) Issuer() string { return s.issuer }

// Method is the DID URL of the signer's key.
func (s Signer) Method() string { return s.method }

// Resolver finds the key of a DID URL in the issuer's DID document, which it
// fetches or keeps as it likes; here only did:web issuers need it. It answers
// with a key that the document lists for assertionMethod, and with an error for
// one that it does not.
type Resolver func(method string) (did.Key, error)

// keyMethod is the DID URL of the one key of a did:key.
func keyMethod(k did.Key) string {
	text := k.String()
	return text + "#" + strings.TrimPrefix(text, "did:key:")
}

// keyOf finds the key that an issuer signs with. The method must be one of the
// issuer's own: else anybody could name an issuer and sign with their key.
func keyOf(issuer, method string, resolve Resolver) (did.Key, error) {
	if strings.HasPrefix(issuer, "did:key:") {
		k, err := did.ParseKey(issuer)
		if err != nil {
			return did.Key{}, fmt.Errorf("%w: issuer: %w", ErrPassport, err)
		}
		if method != keyMethod(k) {
			return did.Key{}, fmt.Errorf("%w: the key is not the issuer's", ErrPassport)
		}
		return k, nil
	}
	if err := checkWeb(issuer); err != nil {
		return did.Key{}, err
	}
	fragment, ok := strings.CutPrefix(method, issuer+"#")
	if !ok {
		return did.Key{}, fmt.Errorf("%w: the key is not the issuer's", ErrPassport)
	}
	if err := checkFragment(fragment); err != nil {
		return did.Key{}, err
	}
	if resolve == nil {
		return did.Key{}, fmt.Errorf("%w: %s", ErrUnresolved, method)
	}
	k, err := resolve(method)
	if err != nil {
		return did.Key{}, fmt.Errorf("%w: %s: %w", ErrUnresolved, method, err)
	}
	return k, nil
}

func checkFragment(s string) error {
	if len(s) == 0 || len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool { return !nameChar(r) }) {
		return fmt.Errorf("%w: key fragment %.70q", ErrPassport, s)
	}
	return nil
}

func nameChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// checkWeb judges the text of a did:web: a lower-case host name, a port as %3A
// and digits, path segments after colons.
func checkWeb(s string) error {
	rest, ok := strings.CutPrefix(s, "did:web:")
	if !ok || len(s) > maxDID {
		return fmt.Errorf("%w: issuer %.80q is no did:key and no did:web", ErrPassport, s)
	}
	segments := strings.Split(rest, ":")
	host, port, hasPort := strings.Cut(segments[0], "%3A")
	if !hostName(host) || hasPort && !portNumber(port) {
		return fmt.Errorf("%w: issuer %.80q has no host", ErrPassport, s)
	}
	for _, segment := range segments[1:] {
		if segment == "" || segment == "." || segment == ".." ||
			strings.ContainsFunc(segment, func(r rune) bool { return !nameChar(r) && r != '.' }) {
			return fmt.Errorf("%w: issuer %.80q has a bad path", ErrPassport, s)
		}
	}
	return nil
}

func hostName(s string) bool {
	if len(s) == 0 || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') {
				return false
			}
		}
	}
	return true
}

func portNumber(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}
