package binding

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// builtIn is the network every node joins without configuration.
var builtIn = [16]byte(mustHex("c42617aef2f96d8df3c932896279f57b"))

func mustHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func signer(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

func walletKey(t testing.TB, b byte) *wallet.Key {
	t.Helper()
	k, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{b}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func account(k *wallet.Key, chain uint64) did.DID {
	return did.OfAccount(did.Account{Chain: chain, Address: k.Address()})
}

// challenge is a registration of subject for the acting key of seed 11×32.
func challenge(subject did.DID) Challenge {
	issued := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return Challenge{
		Purpose: wallet.Registration,
		Network: builtIn,
		Subject: subject,
		Nonce:   "00000000-0000-4000-8000-000000000001",
		Key:     signer(0x11).Key(),
		Issued:  issued,
		Expires: issued.Add(5 * time.Minute),
	}
}

func text(t testing.TB, c Challenge) string {
	t.Helper()
	s, err := c.Text()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func siweText(t testing.TB, m siwe.Message) string {
	t.Helper()
	s, err := m.Text()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func signIn(t testing.TB, c Challenge) siwe.Message {
	t.Helper()
	m, err := c.SIWE("mesh.example", "https://mesh.example/register")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// byKey, byWallet and bySIWE sign a text as the three algorithms do.
func byKey(k *keys.Private, s string) Proof {
	sig := k.Sign([]byte(s))
	return Proof{AlgEd25519, k.Key().String(), sig[:], s}
}

func byWallet(k *wallet.Key, s string) Proof {
	sig := k.SignText(s)
	return Proof{AlgEIP191, account(k, 8453).String(), sig[:], s}
}

func bySIWE(k *wallet.Key, s string) Proof {
	p := byWallet(k, s)
	p.Alg = AlgSIWE
	return p
}

func TestChallengeTextIsTheSpecified(t *testing.T) {
	t.Parallel()
	c := challenge(did.OfKey(signer(0x22).Key()))
	want := strings.Join([]string{
		"Mesh registration",
		"network: c42617aef2f96d8df3c932896279f57b",
		"subject: " + signer(0x22).Key().String(),
		"nonce: 00000000-0000-4000-8000-000000000001",
		"key: did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S",
		"issued: 2026-01-02T03:04:05Z",
		"expires: 2026-01-02T03:09:05Z",
	}, "\n")
	if got := text(t, c); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	back, err := ParseChallenge(want)
	if err != nil || back != c {
		t.Errorf("read back as %+v, %v", back, err)
	}
	c.Purpose = wallet.Recovery
	if got := text(t, c); got != strings.Replace(want, "registration", "recovery", 1) {
		t.Errorf("recovery is %q", got)
	}
}

func TestParseChallengeRefuses(t *testing.T) {
	t.Parallel()
	good := text(t, challenge(did.OfKey(signer(0x22).Key())))
	for name, c := range map[string][2]string{
		"other first line":   {"Mesh registration", "Mesh Registration"},
		"space before":       {"Mesh registration", " Mesh registration"},
		"no first line":      {"Mesh registration\n", ""},
		"empty first line":   {"Mesh registration", ""},
		"CRLF":               {"\n", "\r\n"},
		"final LF":           {"09:05Z", "09:05Z\n"},
		"an eighth line":     {"09:05Z", "09:05Z\nmore: x"},
		"upper case network": {"c42617ae", "C42617AE"},
		"short network":      {"f57b\n", "f5\n"},
		"network of letters": {"c42617ae", "z42617ae"},
		"subject did:web":    {signer(0x22).Key().String(), "did:web:example.org"},
		"no subject":         {signer(0x22).Key().String(), ""},
		"key is a wallet":    {signer(0x11).Key().String(), "did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"},
		"short nonce":        {"00000000-0000-4000-8000-000000000001", "0000000"},
		"long nonce":         {"00000000-0000-4000-8000-000000000001", strings.Repeat("0", maxNonce+1)},
		"nonce with space":   {"00000000-0000", "00000000 0000"},
		"swapped lines":      {"nonce: 00000000-0000-4000-8000-000000000001\nkey", "key"},
		"label":              {"issued:", "Issued:"},
		"two spaces":         {"issued: ", "issued:  "},
		"no time":            {"2026-01-02T03:04:05Z", "yesterday"},
		"offset":             {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"},
		"fraction":           {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"},
		"no such day":        {"2026-01-02T03:09:05Z", "2026-02-30T03:09:05Z"},
		"huge":               {"nonce: ", "nonce: " + strings.Repeat("0", maxText)},
	} {
		bad := strings.ReplaceAll(good, c[0], c[1])
		if bad == good {
			t.Errorf("%s: nothing replaced", name)
		}
		if got, err := ParseChallenge(bad); !errors.Is(err, ErrMalformed) || got != (Challenge{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestTextRefusesWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	good := challenge(did.OfKey(signer(0x22).Key()))
	for name, change := range map[string]func(*Challenge){
		"no purpose":    func(c *Challenge) { c.Purpose = "" },
		"nonce with LF": func(c *Challenge) { c.Nonce = "00000000\nkey: x" },
		"no subject":    func(c *Challenge) { c.Subject = did.DID{} },
		"no key":        func(c *Challenge) { c.Key = did.Key{} },
		"year 10000":    func(c *Challenge) { c.Expires = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
	} {
		c := good
		change(&c)
		if s, err := c.Text(); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %q, %v", name, s, err)
		}
	}
}

func TestChallengeRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := func(label string) time.Time {
			return time.Unix(rapid.Int64Range(0, 1<<36).Draw(t, label), 0).UTC()
		}
		c := Challenge{
			Purpose: rapid.SampledFrom([]wallet.Purpose{wallet.Registration, wallet.Recovery}).Draw(t, "purpose"),
			Network: [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "network")),
			Subject: did.OfKey(signer(rapid.Byte().Draw(t, "subject")).Key()),
			Nonce:   rapid.StringMatching(`[0-9A-Za-z-]{8,64}`).Draw(t, "nonce"),
			Key:     signer(rapid.Byte().Draw(t, "key")).Key(),
			Issued:  at("issued"),
			Expires: at("expires"),
		}
		s, err := c.Text()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseChallenge(s); err != nil || back != c {
			t.Fatalf("%q read back as %+v, %v", s, back, err)
		}
	})
}

func TestProofVerifies(t *testing.T) {
	t.Parallel()
	subject, w := signer(0x22), walletKey(t, 0x11)
	c := challenge(account(w, 8453))
	withMore := signIn(t, c)
	withMore.Resources = append(withMore.Resources, "https://mesh.example/terms")
	noTimes := signIn(t, c)
	noTimes.ExpirationTime = ""
	old := c
	old.Issued, old.Expires = time.Unix(0, 0), time.Unix(0, 0)
	for name, p := range map[string]Proof{
		"ed25519":              byKey(subject, text(t, challenge(did.OfKey(subject.Key())))),
		"eip191":               byWallet(w, text(t, c)),
		"siwe":                 bySIWE(w, siweText(t, signIn(t, c))),
		"siwe, more resources": bySIWE(w, siweText(t, withMore)),
		"siwe, no end":         bySIWE(w, siweText(t, noTimes)),
		"long over":            byWallet(w, text(t, old)),
	} {
		if err := p.Verify(builtIn, signer(0x11).Key(), []string{"did:web:other.example", p.By}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProofRefuses(t *testing.T) {
	t.Parallel()
	author := signer(0x11).Key()
	subject, w, otherWallet := signer(0x22), walletKey(t, 0x11), walletKey(t, 0x22)
	ed := challenge(did.OfKey(subject.Key()))
	eth := challenge(account(w, 8453))
	change := func(c Challenge, f func(*Challenge)) Challenge { f(&c); return c }
	reword := func(f func(*siwe.Message)) string {
		m := signIn(t, eth)
		f(&m)
		return siweText(t, m)
	}
	otherNet := builtIn
	otherNet[0]++
	edProof, ethProof, siweProof := byKey(subject, text(t, ed)), byWallet(w, text(t, eth)), bySIWE(w, siweText(t, signIn(t, eth)))
	spoil := func(p Proof) Proof {
		p.Sig = bytes.Clone(p.Sig)
		p.Sig[3] ^= 1
		return p
	}
	as := func(p Proof, alg string) Proof { p.Alg = alg; return p }
	by := func(p Proof, d did.DID) Proof { p.By = d.String(); return p }

	cases := map[string]struct {
		proof Proof
		want  error
	}{
		"ed25519, another network":   {byKey(subject, text(t, change(ed, func(c *Challenge) { c.Network = otherNet }))), ErrMismatch},
		"ed25519, another subject":   {byKey(subject, text(t, change(ed, func(c *Challenge) { c.Subject = did.OfKey(author) }))), ErrMismatch},
		"ed25519, another key":       {byKey(subject, text(t, change(ed, func(c *Challenge) { c.Key = subject.Key() }))), ErrMismatch},
		"ed25519, a recovery":        {byKey(subject, text(t, change(ed, func(c *Challenge) { c.Purpose = wallet.Recovery }))), ErrMismatch},
		"ed25519, signed by another": {by(byKey(signer(0x33), text(t, ed)), did.OfKey(subject.Key())), ErrSignature},
		"ed25519, spoiled":           {spoil(edProof), ErrSignature},
		"ed25519, no signature":      {Proof{AlgEd25519, edProof.By, nil, edProof.Text}, ErrSignature},
		"ed25519, empty":             {byKey(subject, ""), ErrMalformed},
		"ed25519, a line more":       {byKey(subject, text(t, ed)+"\n"), ErrMalformed},
		"ed25519 by a wallet":        {as(ethProof, AlgEd25519), ErrMalformed},
		"eip191, another network":    {byWallet(w, text(t, change(eth, func(c *Challenge) { c.Network = otherNet }))), ErrMismatch},
		"eip191, another key":        {byWallet(w, text(t, change(eth, func(c *Challenge) { c.Key = subject.Key() }))), ErrMismatch},
		"eip191, another chain":      {byWallet(w, text(t, change(eth, func(c *Challenge) { c.Subject = account(w, 1) }))), ErrMismatch},
		"eip191, another wallet":     {by(byWallet(otherWallet, text(t, eth)), eth.Subject), ErrSignature},
		"eip191, spoiled":            {spoil(ethProof), ErrSignature},
		"eip191, short":              {Proof{AlgEIP191, ethProof.By, ethProof.Sig[:64], ethProof.Text}, ErrSignature},
		"eip191 by a key":            {as(edProof, AlgEIP191), ErrMalformed},
		"eip191 over a sign-in":      {as(siweProof, AlgEIP191), ErrMalformed},
		"siwe over a challenge":      {as(ethProof, AlgSIWE), ErrMalformed},
		"siwe by a key":              {as(edProof, AlgSIWE), ErrMalformed},
		"siwe, spoiled":              {spoil(siweProof), ErrSignature},
		"siwe, another wallet signs": {by(bySIWE(otherWallet, siweProof.Text), eth.Subject), ErrSignature},
		"siwe, another address":      {bySIWE(w, reword(func(m *siwe.Message) { m.Address = otherWallet.Address() })), ErrMismatch},
		"siwe, another chain":        {bySIWE(w, reword(func(m *siwe.Message) { m.Chain = 1 })), ErrMismatch},
		"siwe, a recovery":           {bySIWE(w, reword(func(m *siwe.Message) { m.Statement = "Mesh recovery" })), ErrMismatch},
		"siwe, no statement":         {bySIWE(w, reword(func(m *siwe.Message) { m.Statement = "" })), ErrMismatch},
		"siwe, no resources":         {bySIWE(w, reword(func(m *siwe.Message) { m.Resources = nil })), ErrMismatch},
		"siwe, no key":               {bySIWE(w, reword(func(m *siwe.Message) { m.Resources = m.Resources[1:] })), ErrMismatch},
		"siwe, no network":           {bySIWE(w, reword(func(m *siwe.Message) { m.Resources = m.Resources[:1] })), ErrMismatch},
		"siwe, two keys": {bySIWE(w, reword(func(m *siwe.Message) {
			m.Resources = append(m.Resources, subject.Key().String())
		})), ErrMismatch},
		"siwe, the key twice": {bySIWE(w, reword(func(m *siwe.Message) {
			m.Resources = append(m.Resources, m.Resources[0])
		})), ErrMismatch},
		"siwe, two networks": {bySIWE(w, reword(func(m *siwe.Message) {
			m.Resources = append(m.Resources, networkResource(otherNet))
		})), ErrMismatch},
		"siwe, another key": {bySIWE(w, reword(func(m *siwe.Message) { m.Resources[0] = subject.Key().String() })), ErrMismatch},
		"no algorithm":      {as(edProof, ""), ErrMalformed},
		"unknown algorithm": {as(ethProof, "eip712"), ErrMalformed},
		"by is no DID":      {Proof{AlgEd25519, "me", edProof.Sig, edProof.Text}, ErrMalformed},
		"zero":              {Proof{}, ErrMalformed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := c.proof.Verify(builtIn, author, []string{c.proof.By}); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	for _, controllers := range [][]string{nil, {ethProof.By}, {edProof.By + " "}} {
		if err := edProof.Verify(builtIn, author, controllers); !errors.Is(err, ErrMismatch) {
			t.Errorf("controllers %q: %v", controllers, err)
		}
	}
}

func TestSIWENeedsAWallet(t *testing.T) {
	t.Parallel()
	if _, err := challenge(did.OfKey(signer(1).Key())).SIWE("a", "a:b"); !errors.Is(err, ErrMalformed) {
		t.Errorf("got %v", err)
	}
}

func TestRotationLineIsTheSpecified(t *testing.T) {
	t.Parallel()
	agent := [32]byte(bytes.Repeat([]byte{7}, 32))
	old, next := signer(1).Key(), signer(2).Key()
	body := sha256.Sum256([]byte("body"))
	sum := sha256.Sum256([]byte("mesh-rotate-v1\x00" + string(builtIn[:]) + string(agent[:]) + string(old[:]) + string(next[:]) + string(body[:])))
	want := "mesh:rotate:" + hex.EncodeToString(sum[:])
	if got := RotationLine(builtIn, agent, old, next, []byte("body")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestConsent(t *testing.T) {
	t.Parallel()
	k, w := signer(0x22), walletKey(t, 0x11)
	agent := [32]byte{1}
	line := RotationLine(builtIn, agent, signer(1).Key(), signer(2).Key(), nil)
	other := RotationLine(builtIn, agent, signer(1).Key(), signer(3).Key(), nil)
	signIn := func(resources ...string) string {
		m := signIn(t, challenge(account(w, 8453)))
		m.Resources = resources
		return siweText(t, m)
	}
	consent := func(p Proof) Consent { return Consent{p.Alg, p.By, p.Sig, p.Text} }
	spoiled := byKey(k, line)
	spoiled.Sig[0] ^= 1

	for name, c := range map[string]struct {
		consent Consent
		by      did.DID
		want    error
	}{
		"key":                 {consent(byKey(k, line)), did.OfKey(k.Key()), nil},
		"wallet":              {consent(byWallet(w, line)), account(w, 8453), nil},
		"sign-in":             {consent(bySIWE(w, signIn("a:b", line))), account(w, 8453), nil},
		"key, another line":   {consent(byKey(k, other)), did.DID{}, ErrMismatch},
		"wallet, another":     {consent(byWallet(w, other)), did.DID{}, ErrMismatch},
		"sign-in, another":    {consent(bySIWE(w, signIn(other))), did.DID{}, ErrMismatch},
		"sign-in, both":       {consent(bySIWE(w, signIn(line, other))), did.DID{}, ErrMismatch},
		"sign-in, none":       {consent(bySIWE(w, signIn())), did.DID{}, ErrMismatch},
		"sign-in, plain line": {consent(bySIWE(w, line)), did.DID{}, ErrMalformed},
		"spoiled":             {consent(spoiled), did.DID{}, ErrSignature},
		"no DID":              {Consent{AlgEd25519, "x", nil, line}, did.DID{}, ErrMalformed},
		"no algorithm":        {Consent{"", k.Key().String(), nil, line}, did.DID{}, ErrMalformed},
	} {
		by, err := c.consent.Verify(line)
		if by != c.by || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, by, err, c.want)
		}
	}
}

func TestPublishedTicket(t *testing.T) {
	t.Parallel()
	author := signer(0x11).Key()
	if got := TicketBits(builtIn, author, 91912); got != 20 {
		t.Errorf("ticket 91912 has %d bits, want 20", got)
	}
	pow, err := Grind(t.Context(), builtIn, author, 18)
	if err != nil || pow != 91912 {
		t.Errorf("ground %d, %v", pow, err)
	}
}

func TestGrindFindsTheSmallest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		author := signer(rapid.Byte().Draw(t, "author")).Key()
		network := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "network"))
		want := rapid.IntRange(0, 8).Draw(t, "bits")
		pow, err := Grind(context.Background(), network, author, want)
		if err != nil {
			t.Fatal(err)
		}
		for p := range pow {
			if TicketBits(network, author, p) >= want {
				t.Fatalf("%d would do, found %d", p, pow)
			}
		}
		if got := TicketBits(network, author, pow); got < want {
			t.Fatalf("%d has %d bits, want %d", pow, got, want)
		}
	})
}

// lateContext ends at the third look.
type lateContext struct {
	context.Context
	looks int
}

func (c *lateContext) Err() error {
	if c.looks++; c.looks < 3 {
		return nil
	}
	return context.Canceled
}

func TestGrindEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx := &lateContext{Context: t.Context()}
	if _, err := Grind(ctx, builtIn, signer(1).Key(), 20); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLeadingZeros(t *testing.T) {
	t.Parallel()
	for bit := range 256 {
		var sum [32]byte
		sum[bit/8] = 0x80 >> (bit % 8)
		if got := leadingZeros(sum); got != bit {
			t.Errorf("%d zeros counted as %d", bit, got)
		}
	}
	if got := leadingZeros([32]byte{}); got != 256 {
		t.Errorf("all zero: %d", got)
	}
}

func TestSponsorMessageIsTheSpecified(t *testing.T) {
	t.Parallel()
	author := signer(1).Key()
	if got, want := string(SponsorMessage(builtIn, author)), "mesh-sponsor-v1\x00"+string(builtIn[:])+string(author[:]); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzParseChallenge(f *testing.F) {
	c := challenge(did.OfKey(signer(0x22).Key()))
	s, err := c.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s)
	f.Add(strings.Replace(s, "registration", "recovery", 1))
	f.Add("Mesh registration\n\n\n\n\n\n")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseChallenge(s)
		if err != nil {
			return
		}
		if again, err := c.Text(); err != nil || again != s {
			t.Fatalf("%q became %q, %v", s, again, err)
		}
	})
}

func FuzzProofVerify(f *testing.F) {
	k := signer(0x22)
	c, err := challenge(did.OfKey(k.Key())).Text()
	if err != nil {
		f.Fatal(err)
	}
	p := byKey(k, c)
	f.Add(p.Alg, p.By, p.Sig, p.Text)
	f.Add(AlgSIWE, "did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", make([]byte, 65), "a wants")
	f.Fuzz(func(t *testing.T, alg, by string, sig []byte, text string) {
		p := Proof{alg, by, sig, text}
		err := p.Verify(builtIn, signer(0x11).Key(), []string{by})
		if err == nil && p.Verify(builtIn, signer(0x12).Key(), []string{by}) == nil {
			t.Fatalf("%+v authorises two keys", p)
		}
	})
}

func BenchmarkGrind18(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		var network [16]byte
		copy(network[:], fmt.Sprint(i))
		if _, err := Grind(context.Background(), network, signer(1).Key(), 18); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTicketBits(b *testing.B) {
	author := signer(1).Key()
	for b.Loop() {
		TicketBits(builtIn, author, 91912)
	}
}
