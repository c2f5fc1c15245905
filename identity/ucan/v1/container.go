package v1

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"

	"github.com/meshd/meshd/identity/did"
)

// The first byte of a container is its encoding. The two raw forms are for
// streams; those in base64 are for headers.
const (
	headRaw        = '@'
	headRawZip     = 'M'
	headBase64     = 'B'
	headBase64Zip  = 'O'
	headBase64URL  = 'C'
	headBase64UZip = 'P'
)

// versionTag is the one key of a container's map.
const versionTag = "ctn-v1"

// Bundle is the content of a container: tokens whose form and signatures are good. A
// delegation in it grants nothing before [Bundle.Verify]. It is immutable.
type Bundle struct {
	invocations []*Invocation
	delegations map[string]*Delegation // by CID
}

// Read reads a container in any encoding: the credential behind "Bearer ", or the
// bytes of a stream. Every token in it must be canonical and well signed, else
// nothing is returned but Findings with IncorrectType or InvalidSignature. memo
// may be nil. Read does not retain data.
func Read(data []byte, memo *Memo) (*Bundle, error) {
	if len(data) > MaxContainer {
		return nil, found(IncorrectType, "", "the container has more than %d bytes", MaxContainer)
	}
	raw, err := unwrap(data)
	if err != nil {
		return nil, found(IncorrectType, "", "the container %s", err)
	}
	sealed, err := tokens(raw)
	if err != nil {
		return nil, found(IncorrectType, "", "the container %s", err)
	}
	b := &Bundle{delegations: make(map[string]*Delegation)}
	seen := make(map[string]bool)
	for _, s := range sealed {
		t, err := memo.read(s)
		if err != nil {
			return nil, err
		}
		if seen[t.cid] {
			return nil, found(IncorrectType, t.cid, "the container holds one token twice")
		}
		seen[t.cid] = true
		if t.invocation != nil {
			b.invocations = append(b.invocations, t.invocation)
		} else {
			b.delegations[t.cid] = t.delegation
		}
	}
	return b, nil
}

// Invocation returns the one invocation of b. MissingField means there is none,
// IncorrectType that there are several.
func (b *Bundle) Invocation() (*Invocation, error) {
	switch len(b.invocations) {
	case 0:
		return nil, found(MissingField, "", "the container holds no invocation")
	case 1:
		return b.invocations[0], nil
	}
	return nil, found(IncorrectType, "", "the container holds more than one invocation")
}

// Delegation returns a delegation by its CID.
func (b *Bundle) Delegation(cid string) (*Delegation, bool) {
	d, ok := b.delegations[cid]
	return d, ok
}

// Acts reports whether b contains an invocation; else it is delegations alone.
func (b *Bundle) Acts() bool { return len(b.invocations) > 0 }

// Chain is the delegations of b, leaf first, when they are one chain and nothing
// else is in b. MissingField means there is none, IncorrectType that they are more
// than one chain, or stand beside an invocation.
func (b *Bundle) Chain() ([]*Delegation, error) {
	if b.Acts() {
		return nil, found(IncorrectType, "", "the container holds an invocation")
	}
	if len(b.delegations) == 0 {
		return nil, found(MissingField, "", "the container holds no delegation")
	}
	byAudience := make(map[did.Key]*Delegation)
	issuers := make(map[did.Key]bool)
	for _, d := range b.delegations {
		byAudience[d.Audience] = d
		issuers[d.Issuer] = true
	}
	var chain []*Delegation
	for _, d := range b.delegations {
		if issuers[d.Audience] {
			continue
		}
		for next, ok := d, true; ok && len(chain) < len(b.delegations); next, ok = byAudience[next.Issuer] {
			chain = append(chain, next)
		}
		break
	}
	if len(chain) != len(b.delegations) || len(byAudience) != len(chain) {
		return nil, found(IncorrectType, "", "the delegations are not one chain")
	}
	return chain, nil
}

// unwrap takes the encoding off a container. What it returns has at most
// MaxContainer bytes.
func unwrap(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errors.New("is empty")
	}
	body, err := data[1:], error(nil)
	switch data[0] {
	case headRaw, headRawZip:
	case headBase64, headBase64Zip:
		body, err = decode(base64.StdEncoding, body)
	case headBase64URL, headBase64UZip:
		body, err = decode(base64.RawURLEncoding, body)
	default:
		return nil, errors.New("has an unknown encoding")
	}
	if err != nil {
		return nil, err
	}
	switch data[0] {
	case headRawZip, headBase64Zip, headBase64UZip:
		return gunzip(body)
	}
	return body, nil
}

func decode(e *base64.Encoding, text []byte) ([]byte, error) {
	if bytes.ContainsAny(text, "\r\n") { // which the standard library skips
		return nil, errors.New("is not base64")
	}
	out := make([]byte, e.DecodedLen(len(text)))
	n, err := e.Strict().Decode(out, text)
	if err != nil {
		return nil, errors.New("is not base64")
	}
	return out[:n], nil
}

func gunzip(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, errors.New("is not gzip")
	}
	out, err := io.ReadAll(io.LimitReader(r, MaxContainer+1))
	if err != nil {
		return nil, errors.New("is not gzip")
	}
	if len(out) > MaxContainer {
		return nil, errors.New("is too large when unpacked")
	}
	return out, nil
}

// tokens returns the sealed tokens of a container's CBOR.
func tokens(raw []byte) ([][]byte, error) {
	if err := checkCanonical(raw); err != nil {
		return nil, err
	}
	fields, err := topFields(raw)
	if err != nil {
		return nil, err
	}
	list, ok := fields[versionTag]
	if !ok || len(fields) != 1 {
		return nil, errors.New("is not of version " + versionTag)
	}
	c := cursor{b: list}
	major, n, err := c.head()
	if err != nil {
		return nil, err
	}
	if major != majorList {
		return nil, errors.New("holds no list of tokens")
	}
	if n > MaxTokens {
		return nil, errors.New("holds too many tokens")
	}
	var out [][]byte
	for ; n > 0; n-- {
		major, size, err := c.head()
		if err != nil {
			return nil, err
		}
		if major != majorBytes {
			return nil, errors.New("holds something that is no token")
		}
		token, err := c.take(size)
		if err != nil {
			return nil, err
		}
		out = append(out, token)
	}
	return out, nil
}

// Pack makes the container of these sealed tokens in its raw form, for streams.
// The same tokens in the same order give the same bytes. It returns an error when
// [Read] would refuse the result for its size.
func Pack(sealed ...[]byte) ([]byte, error) {
	if len(sealed) > MaxTokens {
		return nil, found(IncorrectType, "", "more than %d tokens", MaxTokens)
	}
	b := []byte{headRaw}
	b = appendHead(b, majorMap, 1)
	b = appendHead(b, majorText, uint64(len(versionTag)))
	b = append(b, versionTag...)
	b = appendHead(b, majorList, uint64(len(sealed)))
	for _, s := range sealed {
		b = appendHead(b, majorBytes, uint64(len(s)))
		b = append(b, s...)
	}
	if len(b) > MaxContainer {
		return nil, found(IncorrectType, "", "the container has more than %d bytes", MaxContainer)
	}
	return b, nil
}

// PackBearer is Pack for an Authorization header: base64url, not compressed.
func PackBearer(sealed ...[]byte) (string, error) {
	raw, err := Pack(sealed...)
	if err != nil {
		return "", err
	}
	text := string(rune(headBase64URL)) + base64.RawURLEncoding.EncodeToString(raw[1:])
	if len(text) > MaxContainer {
		return "", found(IncorrectType, "", "the container has more than %d bytes", MaxContainer)
	}
	return text, nil
}

func appendHead(b []byte, major byte, n uint64) []byte {
	switch m := major << 5; {
	case n < 24:
		return append(b, m|byte(n))
	case n < 1<<8:
		return append(b, m|24, byte(n))
	default: // nothing here is as long as 64 KiB
		return append(b, m|25, byte(n>>8), byte(n))
	}
}

// keyOf reads the did:key that is the encoded value of a field.
func keyOf(value []byte) (did.Key, error) {
	c := cursor{b: value}
	text, err := c.text()
	if err != nil {
		return did.Key{}, errors.New("is not a text")
	}
	return did.ParseKey(text)
}
