package v1_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	mmdid "github.com/MetaMask/go-did-it"
	mmed "github.com/MetaMask/go-did-it/crypto/ed25519"
	"github.com/ipld/go-ipld-prime"
	"github.com/ipld/go-ipld-prime/codec/dagcbor"
	"github.com/ipld/go-ipld-prime/codec/dagjson"
	"github.com/ipld/go-ipld-prime/datamodel"
	"github.com/ipld/go-ipld-prime/fluent/qp"
	"github.com/ipld/go-ipld-prime/node/basicnode"
	"github.com/ucan-wg/go-ucan/pkg/args"
	"github.com/ucan-wg/go-ucan/pkg/command"
	"github.com/ucan-wg/go-ucan/pkg/container"
	"github.com/ucan-wg/go-ucan/pkg/policy"
	"github.com/ucan-wg/go-ucan/pkg/policy/literal"
	"github.com/ucan-wg/go-ucan/token/delegation"
	"github.com/ucan-wg/go-ucan/token/invocation"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// secret is a key of ours in go-ucan's type.
func secret(tb testing.TB, k *keys.Private) mmed.PrivateKey {
	tb.Helper()
	seed := k.Seed()
	return must[mmed.PrivateKey](tb)(mmed.PrivateKeyFromSeed(seed[:]))
}

func principal(tb testing.TB, k did.Key) mmdid.DID {
	tb.Helper()
	return must[mmdid.DID](tb)(mmdid.Parse(k.String()))
}

// TestBytesAreThoseOfGoUCAN compares what is made here with go-ucan's own
// constructors, with the same nonce.
func TestBytesAreThoseOfGoUCAN(t *testing.T) {
	t.Parallel()
	nonce := bytes.Repeat([]byte{0}, 16)
	later := time.Now().Add(time.Hour).Truncate(time.Second) // go-ucan refuses an end that is past
	end := at(later.Unix())

	ours := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry/put", Expires: end,
		Policy: []any{[]any{"<=", ".size", 4000}}, Source: "bafy"}, &counter{}))
	theirs := must[*delegation.Token](t)(delegation.Root(principal(t, ada.Key()), principal(t, bob.Key()), command.New("entry", "put"),
		policy.MustConstruct(policy.LessThanOrEqual(".size", literal.Int(4000))),
		delegation.WithExpiration(later), delegation.WithNonce(nonce), delegation.WithMeta("source", "bafy")))
	sealed, cid, err := theirs.ToSealed(secret(t, ada))
	if err != nil || !bytes.Equal(sealed, ours.Sealed) || cid.String() != ours.CID {
		t.Errorf("delegation: %v, %s and %s", err, cid, ours.CID)
	}
	if ours.Source != "bafy" {
		t.Errorf("source %q", ours.Source)
	}

	act := must[*v1.Invocation](t)(v1.Invoke(bob, v1.Act{Audience: gateway.Key(), Subject: ada.Key(), Command: "/entry/put", Expires: end,
		IssuedAt: at(now), Args: map[string]any{"size": 7, "tags": []string{"a"}}, Proofs: []string{ours.CID}}, &counter{}))
	a := args.New()
	if err := a.Add("size", 7); err != nil {
		t.Fatal(err)
	}
	if err := a.Add("tags", []string{"a"}); err != nil {
		t.Fatal(err)
	}
	inv := must[*invocation.Token](t)(invocation.New(principal(t, bob.Key()), command.New("entry", "put"), principal(t, ada.Key()), nil,
		invocation.WithAudience(principal(t, gateway.Key())), invocation.WithArguments(a), invocation.WithNonce(nonce),
		invocation.WithExpiration(later), invocation.WithIssuedAt(time.Unix(now, 0))))
	*inv = *must[*invocation.Token](t)(invocation.New(inv.Issuer(), inv.Command(), inv.Subject(), append(inv.Proof(), cid),
		invocation.WithAudience(inv.Audience()), invocation.WithArguments(a), invocation.WithNonce(nonce),
		invocation.WithExpiration(later), invocation.WithIssuedAt(time.Unix(now, 0))))
	sealedAct, cidAct, err := inv.ToSealed(secret(t, bob))
	if err != nil || !bytes.Equal(sealedAct, act.Sealed) || cidAct.String() != act.CID {
		t.Errorf("invocation: %v, %s and %s", err, cidAct, act.CID)
	}

	w := container.NewWriter()
	w.AddSealed(sealed)
	w.AddSealed(sealedAct)
	for name, text := range map[string]func() (string, error){
		"base64": w.ToBase64StdPadding, "base64 gzip": w.ToBase64StdPaddingGzipped, "url": w.ToBase64URL, "url gzip": w.ToBase64URLGzipped,
		"raw":      func() (string, error) { b, err := w.ToBytes(); return string(b), err },
		"raw gzip": func() (string, error) { b, err := w.ToBytesGzipped(); return string(b), err },
	} {
		b, err := v1.Read([]byte(must[string](t)(text())), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := b.Verify(v1.Check{Now: now, Audience: gateway.Key()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// And the other way: what is packed here, go-ucan reads.
	text := must[string](t)(v1.PackBearer(act.Sealed, ours.Sealed))
	r, err := container.FromString(text)
	if err != nil || len(r) != 2 {
		t.Errorf("go-ucan reads %d tokens: %v", len(r), err)
	}
}

// respell decodes a token and encodes it again with one detail changed.
func respell(tb testing.TB, sealed []byte, edit func(payload map[string]datamodel.Node), signer *keys.Private, header []byte) []byte {
	tb.Helper()
	n := must[datamodel.Node](tb)(ipld.Decode(sealed, dagcbor.Decode))
	signed := must[datamodel.Node](tb)(n.LookupByIndex(1))
	payload := must[datamodel.Node](tb)(signed.LookupByString(delegation.Tag))
	fields := map[string]datamodel.Node{}
	for it := payload.MapIterator(); !it.Done(); {
		k, v, err := it.Next()
		if err != nil {
			tb.Fatal(err)
		}
		fields[must[string](tb)(k.AsString())] = v
	}
	edit(fields)
	if header == nil {
		h := must[datamodel.Node](tb)(signed.LookupByString("h"))
		header = must[[]byte](tb)(h.AsBytes())
	}
	body := must[datamodel.Node](tb)(qp.BuildMap(basicnode.Prototype.Any, 2, func(ma datamodel.MapAssembler) {
		qp.MapEntry(ma, "h", qp.Bytes(header))
		qp.MapEntry(ma, delegation.Tag, qp.Map(int64(len(fields)), func(ma datamodel.MapAssembler) {
			for k, v := range fields {
				qp.MapEntry(ma, k, qp.Node(v))
			}
		}))
	}))
	raw := must[[]byte](tb)(ipld.Encode(body, dagcbor.Encode))
	sig := signer.Sign(raw)
	out := append([]byte{0x82, 0x58, 0x40}, sig[:]...)
	return append(out, raw...)
}

func TestTokenIsReadStrictly(t *testing.T) {
	t.Parallel()
	good := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry", Expires: at(now)}, &counter{})).Sealed
	set := func(k string, v datamodel.Node) func(map[string]datamodel.Node) {
		return func(m map[string]datamodel.Node) { m[k] = v }
	}
	drop := func(k string) func(map[string]datamodel.Node) {
		return func(m map[string]datamodel.Node) { delete(m, k) }
	}
	text := basicnode.NewString
	json := func(s string) datamodel.Node { return must[datamodel.Node](t)(ipld.Decode([]byte(s), dagjson.Decode)) }
	cases := []struct {
		name   string
		edit   func(map[string]datamodel.Node)
		signer *keys.Private
		header []byte
		code   v1.Code
	}{
		{"nothing changed", func(map[string]datamodel.Node) {}, ada, nil, ""},
		{"powerline", drop("sub"), ada, nil, ""},
		{"signed by another", func(map[string]datamodel.Node) {}, bob, nil, v1.InvalidSignature},
		{"header of Ed448", func(map[string]datamodel.Node) {}, ada, []byte{0x34, 1, 0xed, 1, 0x83, 0x24, 0x13, 0x71}, v1.InvalidSignature},
		{"payload in JSON", func(map[string]datamodel.Node) {}, ada, []byte{0x34, 1, 0xed, 1, 0xed, 1, 0x13, 0xa9, 2}, v1.InvalidSignature},
		{"no issuer", drop("iss"), ada, nil, v1.MissingField},
		{"no audience", drop("aud"), ada, nil, v1.IncorrectType},
		{"no command", drop("cmd"), ada, nil, v1.IncorrectType},
		{"no policy", drop("pol"), ada, nil, v1.IncorrectType},
		{"no nonce", drop("nonce"), ada, nil, v1.IncorrectType},
		{"no end", drop("exp"), ada, nil, v1.IncorrectType},
		{"unknown field", set("x", datamodel.Null), ada, nil, v1.IncorrectType},
		{"short nonce", set("nonce", basicnode.NewBytes([]byte("12345678901"))), ada, nil, v1.IncorrectType},
		{"issuer is secp256k1", set("iss", text("did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme")), ada, nil, v1.IncorrectType},
		{"audience of another method", set("aud", text("did:web:example.com")), ada, nil, v1.IncorrectType},
		{"audience with a fragment", set("aud", text(bob.Key().String()+"#x")), ada, nil, v1.IncorrectType},
		{"subject is a number", set("sub", basicnode.NewInt(1)), ada, nil, v1.IncorrectType},
		{"subject is null", set("sub", datamodel.Null), ada, nil, v1.IncorrectType},
		{"command without slash", set("cmd", text("entry")), ada, nil, v1.IncorrectType},
		{"command in upper case", set("cmd", text("/Entry")), ada, nil, v1.IncorrectType},
		{"command with an empty segment", set("cmd", text("/a//b")), ada, nil, v1.IncorrectType},
		{"command that ends in a slash", set("cmd", text("/a/")), ada, nil, v1.IncorrectType},
		{"end is a text", set("exp", text("1")), ada, nil, v1.IncorrectType},
		{"end is a fraction", set("exp", basicnode.NewFloat(1.5)), ada, nil, v1.IncorrectType},
		{"end before 1970", set("exp", basicnode.NewInt(-1)), ada, nil, v1.IncorrectType},
		{"end out of range", set("exp", basicnode.NewInt(1<<53)), ada, nil, v1.IncorrectType},
		{"policy is a text", set("pol", text("x")), ada, nil, v1.IncorrectType},
		{"policy of an unknown operator", set("pol", json(`[["xor",".a",1]]`)), ada, nil, v1.IncorrectType},
		{"policy nested too deeply", set("pol", json("["+strings.Repeat(`["not",`, 40)+`["==",".a",1]`+strings.Repeat("]", 41))), ada, nil, v1.IncorrectType},
		{"meta nested too deeply", set("meta", json(`{"x":`+strings.Repeat("[", 40)+strings.Repeat("]", 40)+"}")), ada, nil, v1.IncorrectType},
		{"pattern too long", set("pol", json(`[["like",".a","`+strings.Repeat("a", v1.MaxPattern+1)+`"]]`)), ada, nil, v1.IncorrectType},
		{"too large", set("meta", json(`{"x":"`+strings.Repeat("a", v1.MaxToken)+`"}`)), ada, nil, v1.IncorrectType},
	}
	for _, c := range cases {
		err := read(pack(t, respell(t, good, c.edit, c.signer, c.header)))
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if err == nil || findings(t, err).Code() != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
	}
}

// TestOneTokenHasOneSpelling: go-ucan verifies the signature over its own
// encoding, so another spelling of the same payload would carry a good signature
// and another CID, and escape a revocation.
func TestOneTokenHasOneSpelling(t *testing.T) {
	t.Parallel()
	good := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry", Expires: at(now)}, &counter{})).Sealed
	replace := func(old, with string) []byte {
		if bytes.Count(good, []byte(old)) != 1 {
			t.Fatalf("%q stands %d times", old, bytes.Count(good, []byte(old)))
		}
		return bytes.Replace(bytes.Clone(good), []byte(old), []byte(with), 1)
	}
	spellings := map[string][]byte{
		"longer length of a text":  replace("\x63cmd", "\x78\x03cmd"),
		"longer length of bytes":   replace("\x58\x40", "\x59\x00\x40"),
		"indefinite list":          replace("\x63pol\x80", "\x63pol\x9f\xff"),
		"longer integer":           replace("\x63exp\x1a", "\x63exp\x1b\x00\x00\x00\x00"),
		"trailing byte":            append(bytes.Clone(good), 0),
		"keys in another order":    swapFirstPairs(t, good),
		"text split into two":      replace("\x63cmd\x66/entry", "\x63cmd\x7f\x63/en\x63try\xff"),
		"list with a longer count": append([]byte{0x98, 2}, good[1:]...),
	}
	for name, other := range spellings {
		if bytes.Equal(other, good) {
			t.Fatalf("%s: nothing changed", name)
		}
		if err := read(pack(t, other)); err == nil || findings(t, err).Code() != v1.IncorrectType {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// swapFirstPairs exchanges "aud" and "cmd", the first two fields of the payload
// that begin with a key of three letters.
func swapFirstPairs(t *testing.T, sealed []byte) []byte {
	t.Helper()
	a := bytes.Index(sealed, []byte("\x63aud"))
	b := bytes.Index(sealed, []byte("\x63cmd"))
	end := b + len("\x63cmd\x66/entry")
	if a < 0 || b < a {
		t.Fatal("the fields are in another order")
	}
	return slices.Concat(sealed[:a], sealed[b:end], sealed[a:b], sealed[end:])
}

func TestNoByteMayChange(t *testing.T) {
	t.Parallel()
	s := newStory()
	container, _ := s.build(t)
	for i := range container {
		for _, bit := range []byte{1, 0x80} {
			changed := bytes.Clone(container)
			changed[i] ^= bit
			b, err := v1.Read(changed, nil)
			if err == nil {
				_, err = b.Verify(s.check)
			}
			if err == nil {
				t.Fatalf("byte %d, bit %#x: passed", i, bit)
			}
		}
	}
}

func TestContainerIsReadStrictly(t *testing.T) {
	t.Parallel()
	sealed := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry"}, &counter{})).Sealed
	raw := pack(t, sealed)
	std, url := base64.StdEncoding.EncodeToString(raw[1:]), base64.RawURLEncoding.EncodeToString(raw[1:])
	zip := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		if _, err := z.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	cbor := func(s string) string { return "@" + s }
	cases := map[string]struct {
		in string
		ok bool
	}{
		"raw":                      {string(raw), true},
		"base64":                   {"B" + std, true},
		"base64url":                {"C" + url, true},
		"raw, zipped":              {"M" + string(zip(raw[1:])), true},
		"base64, zipped":           {"O" + base64.StdEncoding.EncodeToString(zip(raw[1:])), true},
		"base64url, zipped":        {"P" + base64.RawURLEncoding.EncodeToString(zip(raw[1:])), true},
		"no tokens":                {cbor("\xa1\x66ctn-v1\x80"), true},
		"empty":                    {"", false},
		"only a head":              {"@", false},
		"unknown head":             {"A" + std, false},
		"line break in base64":     {"B" + std[:8] + "\n" + std[8:], false},
		"space at the end":         {"B" + std + " ", false},
		"padding for the url form": {"C" + url + "=", false},
		"not gzip":                 {"M" + string(raw[1:]), false},
		"gzip cut off":             {"M" + string(zip(raw[1:])[:40]), false},
		"bomb":                     {"M" + string(zip(make([]byte, 8<<20))), false},
		"another version":          {cbor("\xa1\x66ctn-v2\x80"), false},
		"two versions":             {cbor("\xa2\x66ctn-v1\x80\x66ctn-v2\x80"), false},
		"a list":                   {cbor("\x80"), false},
		"map of a map":             {cbor("\xa1\x66ctn-v1\xa0"), false},
		"list of texts":            {cbor("\xa1\x66ctn-v1\x81\x61x"), false},
		"a count without end":      {cbor("\xa1\x66ctn-v1\x9b\xff\xff\xff\xff\xff\xff\xff\xff"), false},
		"a length without end":     {cbor("\xa1\x66ctn-v1\x81\x5b\xff\xff\xff\xff\xff\xff\xff\xff"), false},
		"trailing byte":            {string(raw) + "\x00", false},
		"too large":                {"@" + strings.Repeat("x", v1.MaxContainer), false},
		"nested without end":       {cbor(strings.Repeat("\x81", 60<<10)), false},
		"empty token":              {cbor("\xa1\x66ctn-v1\x81\x40"), false},
	}
	for name, c := range cases {
		err := read([]byte(c.in))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		} else if !c.ok && findings(t, err).Code() != v1.IncorrectType {
			t.Errorf("%s: %v", name, err)
		} else if name == "bomb" && !strings.Contains(err.Error(), "too large when unpacked") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokensAreCounted(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	var sealed [][]byte
	for range v1.MaxTokens + 1 {
		sealed = append(sealed, must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry"}, rand)).Sealed)
	}
	if err := read(pack(t, sealed[:v1.MaxTokens]...)); err != nil {
		t.Error(err)
	}
	if _, err := v1.Pack(sealed...); err == nil {
		t.Error("too many tokens were packed")
	}
	raw := pack(t, sealed[:v1.MaxTokens]...)
	i := bytes.IndexByte(raw, 0x80|v1.MaxTokens)
	if i != 1+8 {
		t.Fatalf("the count stands at %d", i)
	}
	more := append(bytes.Clone(raw), raw[i+1:i+4+len(sealed[0])]...)
	more[i]++
	if err := read(more); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("one more: %v", err)
	}
}

func TestMemoChangesNothingAndIsBounded(t *testing.T) {
	t.Parallel()
	memo := &v1.Memo{}
	rand := &counter{}
	for i := range 1100 {
		g := v1.Grant{Audience: bob.Key(), Command: "/entry", Expires: at(int64(i))}
		sealed := must[*v1.Delegation](t)(v1.Delegate(ada, g, rand)).Sealed
		for range 2 {
			b := must[*v1.Bundle](t)(v1.Read(pack(t, sealed), memo))
			d, ok := b.Delegation(v1.CIDOf(sealed))
			if !ok || *d.Expires != int64(i) || !bytes.Equal(d.Sealed, sealed) {
				t.Fatalf("delegation %d: %+v", i, d)
			}
		}
	}
	if memo.Len() != 1024 {
		t.Errorf("%d tokens kept", memo.Len())
	}
	bad := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry"}, rand)).Sealed
	bad = bytes.Clone(bad)
	bad[10] ^= 1
	for range 2 {
		if _, err := v1.Read(pack(t, bad), memo); err == nil || findings(t, err).Code() != v1.InvalidSignature {
			t.Errorf("broken: %v", err)
		}
	}
}
