package role_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/identity/jose"
	"github.com/meshd/meshd/identity/role"
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

func verifier(tb testing.TB) *role.Verifier {
	tb.Helper()
	k := issuer()
	keys, err := jose.ParseKeys(keySet(edJWK("ed", k.ed.Public().(ed25519.PublicKey)), ecJWK("ec", &k.ec.PublicKey), rsaJWK("rs", k.rs.N, k.rs.E)))
	if err != nil {
		tb.Fatal(err)
	}
	v, err := role.NewVerifier(role.Settings{Issuer: "https://issuer.test", Audience: "mesh", Keys: keys})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func claims() map[string]any {
	return map[string]any{"iss": "https://issuer.test", "aud": "mesh", "sub": "agt_ada", "role": "member", "team": "t1",
		"exp": moment.Add(time.Hour).Unix()}
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

func TestRoleTokenIsRead(t *testing.T) {
	t.Parallel()
	k, v := issuer(), verifier(t)
	want := role.Claims{Subject: "agt_ada", Role: role.Member, Team: "t1", Expires: moment.Add(time.Hour)}
	for _, c := range []struct {
		method jwt.SigningMethod
		key    any
		kid    string
	}{
		{jwt.SigningMethodEdDSA, k.ed, "ed"}, {jwt.SigningMethodES256, k.ec, "ec"}, {jwt.SigningMethodRS256, k.rs, "rs"},
	} {
		for _, header := range []map[string]any{{"kid": c.kid}, {}} {
			got, err := v.Verify(sign(t, c.method, c.key, header, claims()), moment)
			if err != nil || got != want {
				t.Errorf("%s, %v: %+v, %v", c.kid, header, got, err)
			}
		}
	}
}

func TestRolesOfOlderSystems(t *testing.T) {
	t.Parallel()
	k, v := issuer(), verifier(t)
	for name, want := range map[any]string{
		"owner": role.Owner, "admin": role.Admin, "lead": role.Admin, "member": role.Member, "viewer": role.Viewer, "guest": role.Viewer,
		"root": "", "OWNER": "", "": "", "owner ": "", "owner,admin": "",
	} {
		c := claims()
		c["role"] = name
		got, err := v.Verify(sign(t, jwt.SigningMethodEdDSA, k.ed, nil, c), moment)
		if err != nil || got.Role != want {
			t.Errorf("%q: %q, %v", name, got.Role, err)
		}
	}
	c := claims()
	delete(c, "role")
	delete(c, "team")
	c["platform_admin"] = true
	got, err := v.Verify(sign(t, jwt.SigningMethodEdDSA, k.ed, nil, c), moment)
	if err != nil || got.Role != "" || got.Team != "" || !got.PlatformAdmin {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRoleTokenIsRefused(t *testing.T) {
	t.Parallel()
	k, v := issuer(), verifier(t)
	strange := ed25519.NewKeyFromSeed([]byte(strings.Repeat("s", 32)))
	edPublic := k.ed.Public().(ed25519.PublicKey)
	claim := func(name string, value any) map[string]any {
		c := claims()
		if value == nil {
			delete(c, name)
		} else {
			c[name] = value
		}
		return c
	}
	ed := func(header, claims map[string]any) string {
		return sign(t, jwt.SigningMethodEdDSA, k.ed, header, claims)
	}
	good := ed(nil, claims())
	parts := strings.Split(good, ".")
	handmade := func(header, payload string) string {
		signed := b64([]byte(header)) + "." + b64([]byte(payload))
		return signed + "." + b64(ed25519.Sign(k.ed, []byte(signed)))
	}
	payload, err := json.Marshal(claims())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(handmade(`{"alg":"EdDSA"}`, string(payload)), moment); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name  string
		token string
		want  error
	}{
		{"empty", "", jose.ErrToken},
		{"two parts", parts[0] + "." + parts[1], jose.ErrToken},
		{"four parts", good + ".x", jose.ErrToken},
		{"padding", parts[0] + "=." + parts[1] + "." + parts[2], jose.ErrToken},
		{"line break", parts[0] + "\n." + parts[1] + "." + parts[2], jose.ErrToken},
		{"line break in the signature", good + "\n", jose.ErrToken},
		{"too long", good + strings.Repeat("A", jose.MaxToken), jose.ErrToken},
		{"alg none", sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil, claims()), jose.ErrSignature},
		{"alg none without signature", b64([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".", jose.ErrSignature},
		{"HS256 by the public key", sign(t, jwt.SigningMethodHS256, []byte(edPublic), map[string]any{"kid": "ed"}, claims()), jose.ErrSignature},
		{"RS512", sign(t, jwt.SigningMethodRS512, k.rs, map[string]any{"kid": "rs"}, claims()), jose.ErrSignature},
		{"PS256", sign(t, jwt.SigningMethodPS256, k.rs, map[string]any{"kid": "rs"}, claims()), jose.ErrSignature},
		{"unknown alg", handmade(`{"alg":"XX"}`, string(payload)), jose.ErrSignature},
		{"alg is a number", handmade(`{"alg":1}`, string(payload)), jose.ErrSignature},
		{"another key", sign(t, jwt.SigningMethodEdDSA, strange, nil, claims()), jose.ErrSignature},
		{"another key in its header", sign(t, jwt.SigningMethodEdDSA, strange,
			map[string]any{"jwk": edJWK("ed", strange.Public().(ed25519.PublicKey)), "jku": "https://evil.test", "x5u": "https://evil.test"}, claims()), jose.ErrSignature},
		{"unknown kid", ed(map[string]any{"kid": "other"}, claims()), jose.ErrSignature},
		{"kid of a key of another kind", ed(map[string]any{"kid": "rs"}, claims()), jose.ErrSignature},
		{"kid is a number", ed(map[string]any{"kid": 1}, claims()), jose.ErrToken},
		{"critical extension", ed(map[string]any{"crit": []string{"b64"}, "b64": false}, claims()), jose.ErrToken},
		{"another type", ed(map[string]any{"typ": "ucan"}, claims()), jose.ErrToken},
		{"signature of another", parts[0] + "." + parts[1] + "." + strings.Split(ed(nil, claim("sub", "x")), ".")[2], jose.ErrSignature},
		{"capability", ed(nil, claim("ucv", "0.10.0")), jose.ErrCapability},
		{"capability, another spelling", handmade(`{"alg":"EdDSA"}`, `{"\u0075cv":null,`+string(payload[1:])), jose.ErrCapability},
		{"role twice", handmade(`{"alg":"EdDSA"}`, `{"role":"owner",`+string(payload[1:])), jose.ErrToken},
		{"alg twice", handmade(`{"alg":"EdDSA","alg":"EdDSA"}`, string(payload)), jose.ErrToken},
		{"payload is a list", handmade(`{"alg":"EdDSA"}`, `[]`), jose.ErrToken},
		{"something behind the payload", handmade(`{"alg":"EdDSA"}`, string(payload)+"{}"), jose.ErrToken},
		{"another issuer", ed(nil, claim("iss", "https://evil.test")), jose.ErrIssuer},
		{"no issuer", ed(nil, claim("iss", nil)), nil},
		{"another audience", ed(nil, claim("aud", "other")), jose.ErrAudience},
		{"no audience", ed(nil, claim("aud", nil)), nil},
		{"at its end", ed(nil, claim("exp", moment.Unix())), jose.ErrExpired},
		{"no end", ed(nil, claim("exp", nil)), jose.ErrToken},
		{"end is a text", ed(nil, claim("exp", "9999999999")), jose.ErrToken},
		{"not yet", ed(nil, claim("nbf", moment.Unix()+1)), jose.ErrNotYet},
		{"no subject", ed(nil, claim("sub", nil)), jose.ErrToken},
		{"empty subject", ed(nil, claim("sub", "")), jose.ErrToken},
		{"role is a list", ed(nil, claim("role", []string{"owner"})), jose.ErrToken},
		{"team is a number", ed(nil, claim("team", 1)), jose.ErrToken},
		{"long team", ed(nil, claim("team", strings.Repeat("t", 257))), jose.ErrToken},
		{"platform_admin is a text", ed(nil, claim("platform_admin", "true")), jose.ErrToken},
	}
	for _, c := range cases {
		got, err := v.Verify(c.token, moment)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || got != (role.Claims{}) {
			t.Errorf("%s: %+v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestSettingsHaveNoDefault(t *testing.T) {
	t.Parallel()
	keys, err := jose.ParseKeys(keySet(edJWK("", issuer().ed.Public().(ed25519.PublicKey))))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []role.Settings{
		{}, {Issuer: "i", Audience: "a"}, {Issuer: "i", Keys: keys}, {Audience: "a", Keys: keys}, {Issuer: "i", Audience: "a", Keys: []jose.Key{{}}},
	} {
		if _, err := role.NewVerifier(s); !errors.Is(err, role.ErrJWTSettings) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func FuzzRoleToken(f *testing.F) {
	k := issuer()
	v := verifier(f)
	payload, err := json.Marshal(claims())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"alg":"EdDSA","kid":"ed"}`, string(payload))
	f.Add(`{"alg":"none"}`, `{"ucv":1}`)
	f.Add(`{"alg":"ES256","typ":"JWT","crit":[]}`, `{"exp":1e99,"aud":["mesh",1]}`)
	f.Fuzz(func(t *testing.T, header, payload string) {
		signed := b64([]byte(header)) + "." + b64([]byte(payload))
		got, err := v.Verify(signed+"."+b64(ed25519.Sign(k.ed, []byte(signed))), moment)
		if err != nil {
			if !reflect.DeepEqual(got, role.Claims{}) {
				t.Errorf("%+v beside %v", got, err)
			}
			return
		}
		if got.Subject == "" || !got.Expires.After(moment) || got.Role != "" && !role.Valid(got.Role) {
			t.Errorf("%+v", got)
		}
		if strings.Contains(payload, `"ucv"`) && !strings.Contains(payload, `\`) && json.Valid([]byte(payload)) {
			var o map[string]any
			if json.Unmarshal([]byte(payload), &o) == nil {
				if _, ok := o["ucv"]; ok {
					t.Error("a capability passed as a role")
				}
			}
		}
	})
}
