package did

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"testing"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"
	"pgregory.net/rapid"
)

// The key of seed 11×32 and its texts, as published with the wire vectors.
const (
	knownHex  = "ed01d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737"
	knownText = "did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestKeyOfPublishedSeed(t *testing.T) {
	t.Parallel()
	pub := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{0x11}, 32)).Public().(ed25519.PublicKey)
	k, err := KeyFromPublic(pub)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(k[:]); got != knownHex {
		t.Errorf("bytes %s, want %s", got, knownHex)
	}
	if k.String() != knownText {
		t.Errorf("text %s, want %s", k, knownText)
	}
	if !bytes.Equal(k.Public(), pub) {
		t.Errorf("public key changed")
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	if _, err := ParseKey(knownText); err != nil {
		t.Fatalf("the base of this table does not parse: %v", err)
	}
	cases := map[string]struct {
		text string
		want error
	}{
		"empty":             {"", ErrSyntax},
		"prefix only":       {"did:key:z", ErrSyntax},
		"no multibase":      {"did:key:" + knownText[9:], ErrSyntax},
		"fragment":          {knownText + "#" + knownText[8:], ErrSyntax},
		"leading one":       {"did:key:z1" + knownText[9:], ErrMethod},
		"bad digit":         {knownText[:len(knownText)-1] + "0", ErrSyntax},
		"trailing space":    {knownText + " ", ErrSyntax},
		"upper case method": {"did:KEY:" + knownText[8:], ErrSyntax},
		"a digit too few":   {knownText[:len(knownText)-1], ErrMethod},
		"very long":         {knownText + string(bytes.Repeat([]byte{'z'}, 1<<16)), ErrSyntax},
		"secp256k1":         {"did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme", ErrMethod},
		"small order":       {Key{codec0, codec1, 1}.String(), ErrWeakKey},
		"33 bytes":          {keyPrefix + base58.Encode(unhex(t, knownHex)[:33]), ErrSyntax},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := ParseKey(c.text); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestKeyFromBytesRefusesOtherCodecs(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"e701", "ec01", "ed00", "0000", "ed02"} {
		b := unhex(t, prefix+knownHex[4:])
		if _, err := KeyFromBytes(b); !errors.Is(err, ErrMethod) {
			t.Errorf("codec %s: %v, want %v", prefix, err, ErrMethod)
		}
	}
	if _, err := KeyFromBytes(unhex(t, knownHex+"00")); !errors.Is(err, ErrSyntax) {
		t.Errorf("35 bytes: %v", err)
	}
	if _, err := KeyFromPublic(nil); !errors.Is(err, ErrSyntax) {
		t.Errorf("no bytes: %v", err)
	}
}

// slowCheck is the definition that Check computes by tables: decode, encode
// again, multiply by the cofactor.
func slowCheck(pub []byte) bool {
	p, err := new(edwards25519.Point).SetBytes(pub)
	if err != nil || !bytes.Equal(p.Bytes(), pub) {
		return false
	}
	return new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 0
}

func agree(t interface{ Errorf(string, ...any) }, pub []byte) {
	var k Key
	k[0], k[1] = codec0, codec1
	copy(k[2:], pub)
	if fast, slow := k.Check() == nil, slowCheck(pub); fast != slow {
		t.Errorf("%x: Check says %v, its definition %v", pub, fast, slow)
	}
}

func TestCheckEqualsItsDefinitionAtTheEdges(t *testing.T) {
	t.Parallel()
	refused := 0
	for _, sign := range []byte{0, 0x80} {
		for low := range 256 {
			for _, fill := range []byte{0x00, 0xff} { // around 0 and around 2^255-19
				pub := bytes.Repeat([]byte{fill}, 32)
				pub[0] = byte(low)
				pub[31] = fill&0x7f | sign
				agree(t, pub)
				if !slowCheck(pub) {
					refused++
				}
			}
		}
		for y := range smallOrder {
			pub := bytes.Clone(y[:])
			pub[31] |= sign
			agree(t, pub)
			if slowCheck(pub) {
				t.Errorf("%x is in the table of small order but is not", pub)
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d of the edge keys are bad; the test tests nothing", refused)
	}
}

func TestSmallOrderTableIsComplete(t *testing.T) {
	t.Parallel()
	// All eight points: the multiples of one of order eight.
	y8 := unhex(t, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
	step, err := new(edwards25519.Point).SetBytes(y8)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[32]byte]bool{}
	p := edwards25519.NewIdentityPoint()
	for range 8 {
		enc := [32]byte(p.Bytes())
		seen[enc] = true
		enc[31] &= 0x7f
		if !smallOrder[enc] {
			t.Errorf("%x is missing", enc)
		}
		p.Add(p, step)
	}
	if len(seen) != 8 {
		t.Errorf("%d points, want 8", len(seen))
	}
}

func TestCheckEqualsItsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		agree(t, rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "pub"))
	})
}

func TestKeyTextRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")
		k, err := KeyFromPublic(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseKey(k.String())
		if err != nil || back != k {
			t.Fatalf("%s read back as %s, %v", k, back, err)
		}
		other := OfKey(k)
		if d, err := ParseController(k.String()); err != nil || d != other {
			t.Fatalf("controller %s, %v", d, err)
		}
	})
}

func FuzzParseController(f *testing.F) {
	for _, s := range []string{
		knownText,
		"did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"did:pkh:eip155:01:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"did:key:z", "did:pkh:", "did:web:example.org", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseController(s)
		if (err != nil) != d.IsZero() {
			t.Fatalf("%q: %v with the error %v", s, d, err)
		}
		if err == nil && d.String() != s {
			t.Fatalf("%q is printed as %q", s, d)
		}
		_, isKey := d.Key()
		_, isAccount := d.Account()
		if isKey && isAccount {
			t.Fatalf("%q is two things", s)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	k, err := ParseKey(knownText)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if k.Check() != nil {
			b.Fatal("refused")
		}
	}
}
