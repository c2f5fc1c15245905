package jws_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport/jws"
)

func signer(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

// RFC 8037 appendix A.4.
func TestRFC8037(t *testing.T) {
	t.Parallel()
	seed, err := hex.DecodeString("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
	if err != nil {
		t.Fatal(err)
	}
	got, err := jws.Compact(jws.Header{}, []byte("Example of Ed25519 signing"), keys.FromSeed([32]byte(seed)))
	const want = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCj" +
		"P0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
	if err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	text, err := jws.Compact(jws.Header{Kid: "k", Typ: "vc+jwt"}, []byte(`{"a":1}`), signer(1))
	if err != nil {
		t.Fatal(err)
	}
	token, err := jws.Parse(text, len(text))
	if err != nil || token.Header != (jws.Header{Alg: "EdDSA", Kid: "k", Typ: "vc+jwt"}) || string(token.Payload) != `{"a":1}` {
		t.Fatalf("%+v, %v", token, err)
	}
	if err := token.Verify(signer(1).Key()); err != nil {
		t.Error(err)
	}
	for _, key := range []did.Key{signer(2).Key(), {}} {
		if err := token.Verify(key); !errors.Is(err, jws.ErrSignature) {
			t.Errorf("another key: %v", err)
		}
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if token, err := jws.Parse(string(b), 1<<10); err == nil && token.Verify(signer(1).Key()) == nil {
			t.Errorf("a token with byte %d changed holds", i)
		}
	}
	if _, err := jws.Parse(text, len(text)-1); !errors.Is(err, jws.ErrSyntax) {
		t.Errorf("over the limit: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	b64 := base64.RawURLEncoding.EncodeToString
	head := func(h string) string { return b64([]byte(h)) + ".e30." + b64(make([]byte, 64)) }
	if _, err := jws.Parse(head(`{"alg":"EdDSA","jku":"https://x.example/keys"}`), 1<<10); err != nil {
		t.Errorf("the base of this table does not parse: %v", err)
	}
	for name, in := range map[string]string{
		"empty":          "",
		"two parts":      "e30.e30",
		"four parts":     head(`{"alg":"EdDSA"}`) + ".e30",
		"none":           head(`{"alg":"none"}`),
		"HS256":          head(`{"alg":"HS256"}`),
		"case":           head(`{"alg":"eddsa"}`),
		"no algorithm":   head(`{"kid":"x"}`),
		"two algorithms": head(`{"alg":"EdDSA","alg":"none"}`),
		"crit":           head(`{"alg":"EdDSA","crit":["x"]}`),
		"unencoded":      head(`{"alg":"EdDSA","b64":false}`),
		"own key":        head(`{"alg":"EdDSA","jwk":{}}`),
		"padded":         b64([]byte(`{"alg":"EdDSA" }`)) + "=.e30.",
		"payload of +/":  b64([]byte(`{"alg":"EdDSA"}`)) + ".+/8.",
		"line end":       b64([]byte(`{"alg":"EdDSA"}`)) + ".e3\n0.",
		"long header":    head(`{"alg":"EdDSA","kid":"` + strings.Repeat("x", 4<<10) + `"}`),
	} {
		if _, err := jws.Parse(in, 1<<14); !errors.Is(err, jws.ErrSyntax) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	text, err := jws.Compact(jws.Header{Kid: "k", Typ: "vc+jwt"}, []byte(`{}`), signer(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, in string) {
		token, err := jws.Parse(in, 1<<16)
		if err != nil {
			if !errors.Is(err, jws.ErrSyntax) {
				t.Fatal(err)
			}
			return
		}
		if err := token.Verify(signer(1).Key()); err == nil && in != text {
			t.Fatal("a second token holds")
		}
	})
}
