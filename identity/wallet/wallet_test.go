package wallet

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func key(t testing.TB, b byte) *Key {
	t.Helper()
	k, err := KeyFromSecret([32]byte(bytes.Repeat([]byte{b}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKeccak256(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":    "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
	} {
		if got := Keccak256([]byte(in)); hex.EncodeToString(got[:]) != want {
			t.Errorf("%q: %x", in, got)
		}
	}
	if Keccak256([]byte("a"), []byte("bc")) != Keccak256([]byte("abc")) {
		t.Error("parts are not joined")
	}
}

// The published vector of the registration interface.
func TestTypedDataVector(t *testing.T) {
	t.Parallel()
	const nonce = "00000000-0000-4000-8000-000000000001"
	k := key(t, 0x11)
	if got := k.Address().String(); got != "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A" {
		t.Fatalf("address %s", got)
	}
	cases := []struct {
		purpose           Purpose
		digest, signature string
	}{
		{
			Registration, "0x75fe24c91f760f4ac668c80832bdd0b5f9209687811c8996f57f21fa8a956938",
			"0x68ef6be59f5274b198eeec17dfa41b279a5edd76aec59818c78eac899d47f7151c3f847156ea95350f7bece876d6bd6713510b5bfeec3f1781e6598af50d0c151c",
		},
		{
			Recovery, "0x1d59eb99933cb7ceab44cd50cb8b44d595e8e9126c83bafd3f4017002db6d6fb",
			"0x2d4d79c1da0c0941c8bf843369fe6c9fde998e0f5ceb271bf9118b318ce77aa773880f01dbc56bba3dff7b76102390553932ba5fa5c787141a1d7b70b8e8d68b1c",
		},
	}
	for _, c := range cases {
		data := NewTypedData(c.purpose, "Mesh", nonce)
		if got := data.Domain.Separator(); !bytes.Equal(got[:], unhex(t, "c1f786cdc2e709056ddf5430654972c175886fec46e983160c3c872713f65177")) {
			t.Errorf("%s: separator %x", c.purpose, got)
		}
		digest := data.Digest()
		if !bytes.Equal(digest[:], unhex(t, c.digest)) {
			t.Errorf("%s: digest %x", c.purpose, digest)
		}
		sig := k.SignDigest(digest)
		if !bytes.Equal(sig[:], unhex(t, c.signature)) {
			t.Errorf("%s: signature %x", c.purpose, sig)
		}
		if a, err := Recover(digest, sig[:]); err != nil || a != k.Address() {
			t.Errorf("%s: recovered %s, %v", c.purpose, a, err)
		}
	}
}

func TestTypedDataJSONIsComplete(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(NewTypedData(Recovery, "Mesh", "n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"}],` +
		`"Recovery":[{"name":"nonce","type":"string"}]},"primaryType":"Recovery",` +
		`"domain":{"name":"Mesh","version":"1"},"message":{"nonce":"n"}}`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// An example published with web3.js for personal messages.
func TestPersonalMessageVector(t *testing.T) {
	t.Parallel()
	k, err := KeyFromSecret([32]byte(unhex(t, "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318")))
	if err != nil {
		t.Fatal(err)
	}
	if k.Address().String() != "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23" {
		t.Errorf("address %s", k.Address())
	}
	if got := PersonalDigest("Some data"); hex.EncodeToString(got[:]) != "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655" {
		t.Errorf("digest %x", got)
	}
	sig := k.SignText("Some data")
	const want = "b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
	if hex.EncodeToString(sig[:]) != want {
		t.Errorf("signature %x", sig)
	}
}

func TestPersonalDigestCountsBytes(t *testing.T) {
	t.Parallel()
	want := Keccak256([]byte("\x19Ethereum Signed Message:\n3€"))
	if PersonalDigest("€") != want {
		t.Error("the length of a euro sign is not 3")
	}
}

// highS makes the other signature of the same nonce: n - s and the other v.
func highS(sig [65]byte) [65]byte {
	order, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	s := new(big.Int).SetBytes(sig[32:64])
	new(big.Int).Sub(order, s).FillBytes(sig[32:64])
	sig[64] = 27 + 28 - sig[64]
	return sig
}

func TestRecoverRefuses(t *testing.T) {
	t.Parallel()
	k := key(t, 0x11)
	digest := Keccak256([]byte("x"))
	good := k.SignDigest(digest)
	with := func(change func(*[65]byte)) []byte {
		s := good
		change(&s)
		return s[:]
	}
	high := highS(good)
	fill := func(s []byte, b byte) {
		for i := range s {
			s[i] = b
		}
	}
	for name, sig := range map[string][]byte{
		"empty":       nil,
		"64 bytes":    good[:64],
		"66 bytes":    append(bytes.Clone(good[:]), 0),
		"v 2":         with(func(s *[65]byte) { s[64] = 2 }),
		"v 26":        with(func(s *[65]byte) { s[64] = 26 }),
		"v 29":        with(func(s *[65]byte) { s[64] = 29 }),
		"v 255":       with(func(s *[65]byte) { s[64] = 255 }),
		"v of EIP155": with(func(s *[65]byte) { s[64] += 10 }),
		"high s":      high[:],
		"r zero":      with(func(s *[65]byte) { fill(s[:32], 0) }),
		"s zero":      with(func(s *[65]byte) { fill(s[32:64], 0) }),
		"r above n":   with(func(s *[65]byte) { fill(s[:32], 0xff) }),
		"s above n":   with(func(s *[65]byte) { fill(s[32:64], 0xff) }),
		"r no point":  with(func(s *[65]byte) { fill(s[:32], 0); s[31] = 5 }),
	} {
		if a, err := Recover(digest, sig); !errors.Is(err, ErrSignature) || a != (did.Address{}) {
			t.Errorf("%s: %s, %v", name, a, err)
		}
	}
	for _, v := range []byte{good[64], good[64] - 27} {
		if a, err := Recover(digest, with(func(s *[65]byte) { s[64] = v })); err != nil || a != k.Address() {
			t.Errorf("v %d: %s, %v", v, a, err)
		}
	}
	if a, err := Recover(digest, with(func(s *[65]byte) { s[64] = 55 - s[64] })); err == nil && a == k.Address() {
		t.Error("the other v recovers the same address")
	}
}

// For a very small r there are points with x = r + n, which v 2 and 3 would name.
func TestRecoverKnowsTwoPointsOnly(t *testing.T) {
	t.Parallel()
	for r := range byte(32) {
		for _, v := range []byte{2, 3, 29, 30} {
			var sig [65]byte
			sig[31], sig[63], sig[64] = r, 1, v
			if a, err := Recover([32]byte{1}, sig[:]); !errors.Is(err, ErrSignature) {
				t.Errorf("r %d, v %d: %s, %v", r, v, a, err)
			}
		}
	}
}

func TestSignRecoverRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
		k, err := KeyFromSecret(secret)
		if err != nil {
			t.Skip("out of range")
		}
		text := rapid.String().Draw(t, "text")
		sig := k.SignText(text)
		if a, err := RecoverText(text, sig[:]); err != nil || a != k.Address() {
			t.Fatalf("recovered %s, %v", a, err)
		}
		if a, err := RecoverText(text+"x", sig[:]); err == nil && a == k.Address() {
			t.Fatal("signs another text too")
		}
		if k.Secret() != secret {
			t.Fatal("secret changed")
		}
	})
}

func TestKeyFromSecretRange(t *testing.T) {
	t.Parallel()
	order := [32]byte(unhex(t, "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"))
	below := order
	below[31]--
	for _, secret := range [][32]byte{{}, order, [32]byte(bytes.Repeat([]byte{0xff}, 32))} {
		if _, err := KeyFromSecret(secret); !errors.Is(err, ErrSecret) {
			t.Errorf("%x: %v", secret, err)
		}
	}
	if _, err := KeyFromSecret(below); err != nil {
		t.Errorf("n-1: %v", err)
	}
	if _, err := Generate(bytes.NewReader(make([]byte, 32))); !errors.Is(err, ErrSecret) {
		t.Errorf("zeros: %v", err)
	}
	if _, err := Generate(bytes.NewReader(nil)); err == nil {
		t.Error("no randomness: a key all the same")
	}
	k, err := Generate(bytes.NewReader(bytes.Repeat([]byte{0x11}, 32)))
	if err != nil || k.Address() != key(t, 0x11).Address() {
		t.Errorf("generated %v, %v", k, err)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	t.Parallel()
	k := key(t, 0xab)
	var out strings.Builder
	slog.New(slog.NewJSONHandler(&out, nil)).Info("keys", "wallet", k, "value", *k)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%X", "%q"} {
		fmt.Fprintf(&out, verb+verb, k, *k)
	}
	for _, secret := range []string{"abababab", "ABABABAB", "171 171", "q6urq6ur", fmt.Sprint(0xabababab)} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is printed", secret)
		}
	}
	if !strings.Contains(out.String(), k.Address().String()) {
		t.Errorf("the address is not printed: %s", out.String())
	}
}

func FuzzRecover(f *testing.F) {
	k, err := KeyFromSecret([32]byte(bytes.Repeat([]byte{0x11}, 32)))
	if err != nil {
		f.Fatal(err)
	}
	sig := k.SignText("x")
	f.Add("x", sig[:])
	f.Add("", make([]byte, 65))
	f.Fuzz(func(t *testing.T, text string, sig []byte) {
		a, err := RecoverText(text, sig)
		if err != nil {
			return
		}
		other := highS([65]byte(sig))
		if sig[64] <= 1 {
			other[64] = 1 - sig[64]
		}
		if b, err := RecoverText(text, other[:]); err == nil {
			t.Fatalf("two signatures of one nonce pass, for %s and %s", a, b)
		}
	})
}

func BenchmarkRecover(b *testing.B) {
	k := key(b, 0x11)
	sig := k.SignText("x")
	for b.Loop() {
		if _, err := RecoverText("x", sig[:]); err != nil {
			b.Fatal(err)
		}
	}
}
