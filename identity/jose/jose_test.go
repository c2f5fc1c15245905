package jose_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/identity/jose"
)

var moment = time.Unix(1_750_000_000, 0).UTC()

// issuer has one key of each kind; making an RSA key takes a moment.
var issuer = sync.OnceValue(func() (k struct {
	ed ed25519.PrivateKey
	ec *ecdsa.PrivateKey
	rs *rsa.PrivateKey
}) {
	k.ed = ed25519.NewKeyFromSeed([]byte(strings.Repeat("i", 32)))
	var err error
	if k.ec, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		panic(err)
	}
	if k.rs, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		panic(err)
	}
	return k
})

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func edJWK(kid string, pub ed25519.PublicKey) map[string]any {
	return map[string]any{"kty": "OKP", "crv": "Ed25519", "x": b64(pub), "kid": kid, "use": "sig", "alg": "EdDSA"}
}

func ecJWK(kid string, pub *ecdsa.PublicKey) map[string]any {
	p, err := pub.Bytes()
	if err != nil {
		panic(err)
	}
	return map[string]any{"kty": "EC", "crv": "P-256", "x": b64(p[1:33]), "y": b64(p[33:]), "kid": kid}
}

func rsaJWK(kid string, n *big.Int, e int) map[string]any {
	return map[string]any{"kty": "RSA", "n": b64(n.Bytes()), "e": b64(big.NewInt(int64(e)).Bytes()), "kid": kid, "alg": "RS256"}
}

func keySet(keys ...map[string]any) []byte {
	b, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		panic(err)
	}
	return b
}

// sign makes a token by any method, with a header of one's own.
func sign(tb testing.TB, method jwt.SigningMethod, key any, header, claims map[string]any) string {
	tb.Helper()
	t := &jwt.Token{Header: map[string]any{"alg": method.Alg(), "typ": "JWT"}, Claims: jwt.MapClaims(claims), Method: method}
	for k, v := range header {
		t.Header[k] = v
	}
	s, err := t.SignedString(key)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestKeySetIsReadStrictly(t *testing.T) {
	t.Parallel()
	k := issuer()
	pub := k.ed.Public().(ed25519.PublicKey)
	with := func(m map[string]any, name string, value any) map[string]any {
		m[name] = value
		return m
	}
	many := make([]map[string]any, jose.MaxKeys+1)
	for i := range many {
		many[i] = edJWK(fmt.Sprint(i), pub)
	}
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		short = &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).SetBit(big.NewInt(1), 1023, 1), E: 65537}} // toolchains that make no short keys
	}
	if keys, err := jose.ParseKeys(keySet(many[:jose.MaxKeys]...)); err != nil || len(keys) != jose.MaxKeys || keys[0].Algorithm() != "EdDSA" || keys[1].ID() != "1" {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	for name, set := range map[string][]byte{
		"empty":                  nil,
		"no keys":                []byte(`{}`),
		"none":                   keySet(),
		"too many":               keySet(many...),
		"a text":                 []byte(`{"keys":["x"]}`),
		"keys twice":             []byte(`{"keys":[],"keys":[]}`),
		"too long":               []byte(`{"keys":[` + strings.Repeat(" ", jose.MaxKeySet) + `]}`),
		"secret":                 keySet(map[string]any{"kty": "oct", "k": b64([]byte(strings.Repeat("s", 32)))}),
		"private":                keySet(with(edJWK("", pub), "d", b64(k.ed.Seed()))),
		"for encryption":         keySet(with(edJWK("", pub), "use", "enc")),
		"for another algorithm":  keySet(with(edJWK("", pub), "alg", "HS256")),
		"X25519":                 keySet(with(edJWK("", pub), "crv", "X25519")),
		"key of 31 bytes":        keySet(edJWK("", pub[:31])),
		"small order":            keySet(edJWK("", make([]byte, 32))),
		"same kid":               keySet(edJWK("a", pub), ecJWK("a", &k.ec.PublicKey)),
		"P-384":                  keySet(with(ecJWK("", &k.ec.PublicKey), "crv", "P-384")),
		"not on the curve":       keySet(with(ecJWK("", &k.ec.PublicKey), "x", b64(make([]byte, 32)))),
		"RSA of 1024 bits":       keySet(rsaJWK("", short.N, short.E)),
		"RSA of too many bits":   keySet(rsaJWK("", new(big.Int).SetBit(big.NewInt(1), 8200, 1), 65537)),
		"RSA with even exponent": keySet(rsaJWK("", k.rs.N, 65536)),
		"RSA with exponent one":  keySet(rsaJWK("", k.rs.N, 1)),
		"RSA without exponent":   keySet(with(rsaJWK("", k.rs.N, 3), "e", 3)),
	} {
		if keys, err := jose.ParseKeys(set); !errors.Is(err, jose.ErrKeySet) {
			t.Errorf("%s: %v, %v", name, keys, err)
		}
	}
}

// TestPublishedSetIsReadForWhatIsInIt: keys that are there for others are left out,
// a secret is never taken, and a set without a key for us is refused.
func TestPublishedSetIsReadForWhatIsInIt(t *testing.T) {
	t.Parallel()
	k := issuer()
	pub := k.ed.Public().(ed25519.PublicKey)
	enc := rsaJWK("enc", k.rs.N, k.rs.E)
	enc["use"] = "enc"
	p384 := ecJWK("p384", &k.ec.PublicKey)
	p384["crv"] = "P-384"
	keys, err := jose.ParsePublished(keySet(enc, edJWK("ed", pub), p384, rsaJWK("rs", k.rs.N, k.rs.E)))
	if err != nil || len(keys) != 2 || keys[0].ID() != "ed" || keys[1].ID() != "rs" {
		t.Errorf("%v, %v", keys, err)
	}
	private := edJWK("", pub)
	private["d"] = b64(k.ed.Seed())
	for name, set := range map[string][]byte{"none for us": keySet(enc, p384), "a secret beside": keySet(edJWK("ed", pub), private), "no set": []byte("<html>")} {
		if keys, err := jose.ParsePublished(set); !errors.Is(err, jose.ErrKeySet) {
			t.Errorf("%s: %v, %v", name, keys, err)
		}
	}
}

// TestExpectations: the type, the times and the names of a token are judged as the
// caller says, and a key that is not in the set has another error than a bad signature.
func TestExpectations(t *testing.T) {
	t.Parallel()
	k := issuer()
	keys, err := jose.ParseKeys(keySet(edJWK("ed", k.ed.Public().(ed25519.PublicKey)), rsaJWK("rs", k.rs.N, k.rs.E)))
	if err != nil {
		t.Fatal(err)
	}
	e := jose.Expect{Issuer: "https://issuer.test", Audience: "https://mesh.test/mcp", Keys: keys, Types: []string{"at+jwt"}, Leeway: 30 * time.Second}
	token := func(header, more map[string]any) string {
		c := map[string]any{"iss": e.Issuer, "aud": []string{"other", e.Audience}, "sub": "ada", "exp": moment.Add(time.Minute).Unix()}
		for name, v := range more {
			c[name] = v
		}
		h := map[string]any{"typ": "at+jwt", "kid": "ed"}
		for name, v := range header {
			h[name] = v
			if v == nil {
				delete(h, name)
			}
		}
		return sign(t, jwt.SigningMethodEdDSA, k.ed, h, c)
	}
	for name, c := range map[string]struct {
		header, claims map[string]any
		want           error
	}{
		"good":                             {},
		"its type in full":                 {header: map[string]any{"typ": "application/AT+JWT"}},
		"another type":                     {header: map[string]any{"typ": "JWT"}, want: jose.ErrToken},
		"the kid of a key of another kind": {header: map[string]any{"kid": "rs"}, want: jose.ErrNoKey},
		"an unknown kid":                   {header: map[string]any{"kid": "new"}, want: jose.ErrNoKey},
		"ended within the leeway":          {claims: map[string]any{"exp": moment.Unix() - 29}},
		"ended before the leeway":          {claims: map[string]any{"exp": moment.Unix() - 30}, want: jose.ErrExpired},
		"begins within the leeway":         {claims: map[string]any{"nbf": moment.Unix() + 30}},
		"begins after the leeway":          {claims: map[string]any{"nbf": moment.Unix() + 31}, want: jose.ErrNotYet},
		"for others":                       {claims: map[string]any{"aud": []string{"other"}}, want: jose.ErrAudience},
		"of another issuer":                {claims: map[string]any{"iss": "https://issuer.test/"}, want: jose.ErrIssuer},
		"a capability in its clothes":      {claims: map[string]any{"ucv": "0.10.0"}, want: jose.ErrCapability},
	} {
		text := token(c.header, c.claims)
		claims, err := e.Verify(text, moment)
		if !errors.Is(err, c.want) || (err == nil) != (claims != nil) {
			t.Errorf("%s: %v, %v", name, claims, err)
		}
		if c.claims["iss"] == nil && jose.Issuer(text) != e.Issuer {
			t.Errorf("%s: issuer %q", name, jose.Issuer(text))
		}
	}
	if _, err := e.Verify(token(map[string]any{"typ": nil, "kid": nil}, nil), moment); err == nil {
		// The test signer sets typ JWT by itself, which is not among the types.
		t.Error("a token without the type passed")
	}
	stranger := ed25519.NewKeyFromSeed([]byte(strings.Repeat("s", 32)))
	forged := sign(t, jwt.SigningMethodEdDSA, stranger, map[string]any{"typ": "at+jwt", "kid": "ed"}, map[string]any{"iss": e.Issuer, "aud": e.Audience, "exp": moment.Unix() + 60})
	if _, err := e.Verify(forged, moment); !errors.Is(err, jose.ErrSignature) || errors.Is(err, jose.ErrNoKey) {
		t.Errorf("forged: %v", err)
	}
	if got := jose.Issuer("mesh_sk_x"); got != "" {
		t.Errorf("issuer %q of no token", got)
	}
}

func FuzzKeySet(f *testing.F) {
	k := issuer()
	f.Add(keySet(edJWK("a", k.ed.Public().(ed25519.PublicKey)), ecJWK("b", &k.ec.PublicKey), rsaJWK("c", k.rs.N, k.rs.E)))
	f.Add([]byte(`{"keys":[{"kty":"RSA","n":"AQ","e":"AQAB"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":""}]}`))
	f.Fuzz(func(t *testing.T, set []byte) {
		keys, err := jose.ParseKeys(set)
		if (err == nil) != (len(keys) > 0) {
			t.Errorf("%d keys, %v", len(keys), err)
		}
	})
}
