package agentcard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport/jws"
)

func signer(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

func pointer[T any](v T) *T { return &v }

// sample uses every member.
func sample() Card {
	flow := &AuthorizationCodeFlow{"https://a.example/auth", "https://a.example/token", "https://a.example/refresh", map[string]string{"read": "look"}, true}
	return Card{
		Name: "mesh", Description: "knowledge", Version: "1.0.0",
		Interfaces: []Interface{{"https://a.example/a2a", "JSONRPC", "t", "1.0"}},
		Provider:   &Provider{"https://a.example", "A"},
		Capabilities: Capabilities{
			Streaming: pointer(true), PushNotifications: pointer(false), ExtendedAgentCard: pointer(true),
			Extensions: []Extension{{"urn:x", "an extension", true, json.RawMessage(`{"a":[1,{"b":false}]}`)}, {URI: "urn:y"}},
		},
		InputModes: []string{"text/plain"}, OutputModes: []string{"text/plain; charset=utf-8", "application/json"},
		Skills: []Skill{
			{"q", "query", "", []string{}, []string{"what is known of X?"}, []string{"text/plain"}, []string{"text/plain"}, []Requirement{{map[string]Scopes{"key": {}}}}},
			{ID: "c", Name: "contribute", Tags: []string{"write"}},
		},
		Schemes: map[string]Scheme{
			"key": {APIKey: &APIKeyScheme{"", "header", "X-Key"}}, "http": {HTTP: &HTTPScheme{"", "Bearer", "JWT"}},
			"oauth": {OAuth2: &OAuth2Scheme{Flows: Flows{AuthorizationCode: flow}, MetadataURL: "https://a.example/m"}},
			"cc":    {OAuth2: &OAuth2Scheme{Flows: Flows{ClientCredentials: &ClientCredentialsFlow{"https://a.example/token", "", map[string]string{}}}}},
			"dev":   {OAuth2: &OAuth2Scheme{Flows: Flows{DeviceCode: &DeviceCodeFlow{"https://a.example/d", "https://a.example/token", "", map[string]string{}}}}},
			"oidc":  {OpenID: &OpenIDScheme{"", "https://a.example/.well-known/openid-configuration"}}, "tls": {MTLS: &MTLSScheme{}},
		},
		Requirements:     []Requirement{{map[string]Scopes{"oauth": {[]string{"read"}}, "tls": {}}}},
		DocumentationURL: pointer("https://a.example/docs"), IconURL: pointer("https://a.example/icon.png"),
	}
}

const kid = "did:key:z6Mk#z6Mk"

func signed(t testing.TB, c Card, by ...*keys.Private) Card {
	t.Helper()
	for _, k := range by {
		var err error
		if c, err = c.Sign(kid, k); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestCard(t *testing.T) {
	t.Parallel()
	c := signed(t, sample(), signer(1), signer(2))
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := got.Encode()
	if err != nil || !bytes.Equal(again, text) {
		t.Errorf("read back as %s, %v", again, err)
	}
	for _, k := range []*keys.Private{signer(1), signer(2)} {
		if err := got.SignedBy(kid, k.Key()); err != nil {
			t.Error(err)
		}
	}
	if err := got.SignedBy(kid, signer(3).Key()); !errors.Is(err, ErrUnsigned) {
		t.Errorf("another key: %v", err)
	}
	if err := got.SignedBy("other", signer(1).Key()); !errors.Is(err, ErrUnsigned) {
		t.Errorf("another key id: %v", err)
	}
	if err := sample().SignedBy(kid, signer(1).Key()); !errors.Is(err, ErrUnsigned) {
		t.Errorf("no signature: %v", err)
	}
	if bytes.Contains(text, []byte(`"url":"https://a.example/a2a"},`)) || bytes.HasPrefix(text, []byte(`{"url"`)) {
		t.Error("the card has a url of its own")
	}
}

// The example of the protocol (§8.4.1), with the members it leaves out.
func TestDefaultsAsTheProtocolHasIt(t *testing.T) {
	t.Parallel()
	const more = `"version":"1","defaultInputModes":["a/b"],"defaultOutputModes":["a/b"],"supportedInterfaces":[{"url":"https://x.example","protocolBinding":"GRPC","protocolVersion":"1.0","tenant":""}]`
	c, err := Parse([]byte(`{"name":"Example Agent","description":"","capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]},` +
		`"skills":[],"securitySchemes":{},"securityRequirements":[],"signatures":[],` + more + `}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.payload()
	const want = `{"capabilities":{"pushNotifications":false,"streaming":false},"defaultInputModes":["a/b"],"defaultOutputModes":["a/b"],"description":"",` +
		`"name":"Example Agent","skills":[],"supportedInterfaces":[{"protocolBinding":"GRPC","protocolVersion":"1.0","url":"https://x.example"}],"version":"1"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

// What is said inside of extensions and other structures of strangers is kept to
// the last default.
func TestParametersKeepTheirDefaults(t *testing.T) {
	t.Parallel()
	c := sample()
	c.Capabilities.Extensions = []Extension{{URI: "urn:x", Params: json.RawMessage(`{"a":false,"b":[],"c":"","required":false}`)}}
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil || string(got.Capabilities.Extensions[0].Params) != `{"a":false,"b":[],"c":"","required":false}` {
		t.Errorf("%s, %v", got.Capabilities.Extensions[0].Params, err)
	}
}

func TestChangedCardIsNotSigned(t *testing.T) {
	t.Parallel()
	text, err := signed(t, sample(), signer(1)).Encode()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		changed := bytes.Clone(text)
		changed[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if c, err := Parse(changed); err == nil && c.SignedBy(kid, signer(1).Key()) == nil {
			t.Fatal("a changed card is signed")
		}
	})
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	good := signed(t, sample(), signer(1))
	payload, err := good.payload()
	if err != nil {
		t.Fatal(err)
	}
	with := func(h jws.Header) Card {
		c := sample()
		protected, signature, err := jws.Sign(h, payload, signer(1))
		if err != nil {
			t.Fatal(err)
		}
		c.Signatures = []Signature{{Protected: protected, Signature: signature}}
		return c
	}
	es256 := Signature{Protected: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIn0", Signature: "AAAA"}
	unprotected := good
	unprotected.Signatures = []Signature{good.Signatures[0]}
	unprotected.Signatures[0].Header = json.RawMessage(`{"kid":"other","alg":"none"}`)
	other := good
	other.Signatures = []Signature{es256, good.Signatures[0]}
	for name, c := range map[string]struct {
		card Card
		want error
	}{
		"no type":               {with(jws.Header{Kid: kid}), nil},
		"jku is not followed":   {with(jws.Header{Kid: kid, Jku: "https://evil.example"}), nil},
		"another type":          {with(jws.Header{Kid: kid, Typ: "JWT"}), ErrUnsigned},
		"no key id":             {with(jws.Header{Typ: typ}), ErrUnsigned},
		"beside an ES256":       {other, nil},
		"unprotected header":    {unprotected, nil},
		"bytes of another card": {Card{Name: "x", Signatures: good.Signatures}, ErrUnsigned},
	} {
		if err := c.card.SignedBy(kid, signer(1).Key()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	full := sample()
	for range MaxSignatures {
		full = signed(t, full, signer(1))
	}
	if _, err := full.Sign(kid, signer(1)); !errors.Is(err, ErrCard) {
		t.Errorf("a signature too many: %v", err)
	}
	full.Signatures = append(full.Signatures, full.Signatures[0])
	if err := full.SignedBy(kid, signer(1).Key()); !errors.Is(err, ErrCard) {
		t.Errorf("verified with a signature too many: %v", err)
	}
	if _, err := sample().Sign("", signer(1)); !errors.Is(err, ErrCard) {
		t.Errorf("without key id: %v", err)
	}
	if err := good.SignedBy(kid, did.Key{}); !errors.Is(err, ErrUnsigned) {
		t.Errorf("the zero key: %v", err)
	}
}

func TestSignDoesNotShareSignatures(t *testing.T) {
	t.Parallel()
	one := signed(t, sample(), signer(1))
	a, b := signed(t, one, signer(2)), signed(t, one, signer(3))
	if a.SignedBy(kid, signer(2).Key()) != nil || b.SignedBy(kid, signer(3).Key()) != nil || len(one.Signatures) != 1 {
		t.Error("two cards made of one share their signatures")
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	if err := sample().Validate(); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", MaxText)
	many := make([]string, MaxList+1)
	for i := range many {
		many[i] = fmt.Sprint("a/b", i)
	}
	for name, edit := range map[string]func(*Card){
		"no name":             func(c *Card) { c.Name = "" },
		"long name":           func(c *Card) { c.Name = long + "x" },
		"no version":          func(c *Card) { c.Version = "" },
		"not UTF-8":           func(c *Card) { c.Description = "\xff" },
		"no interface":        func(c *Card) { c.Interfaces = nil },
		"interface without":   func(c *Card) { c.Interfaces[0] = Interface{} },
		"relative URL":        func(c *Card) { c.Interfaces[0].URL = "/a2a" },
		"other scheme":        func(c *Card) { c.Interfaces[0].URL = "file:///etc/passwd" },
		"credentials":         func(c *Card) { c.Interfaces[0].URL = "https://u:p@a.example" },
		"no host":             func(c *Card) { c.Interfaces[0].URL = "https:///x" },
		"no binding":          func(c *Card) { c.Interfaces[0].ProtocolBinding = "" },
		"version of three":    func(c *Card) { c.Interfaces[0].ProtocolVersion = "1.0.0" },
		"version of words":    func(c *Card) { c.Interfaces[0].ProtocolVersion = "one.two" },
		"provider without":    func(c *Card) { c.Provider = &Provider{} },
		"extension without":   func(c *Card) { c.Capabilities.Extensions = []Extension{{}} },
		"params a list":       func(c *Card) { c.Capabilities.Extensions[0].Params = json.RawMessage(`[]`) },
		"params null":         func(c *Card) { c.Capabilities.Extensions[0].Params = json.RawMessage(`null`) },
		"no input":            func(c *Card) { c.InputModes = nil },
		"mode no media type":  func(c *Card) { c.OutputModes = []string{"json"} },
		"too many modes":      func(c *Card) { c.OutputModes = many },
		"skills nil":          func(c *Card) { c.Skills = nil },
		"skill twice":         func(c *Card) { c.Skills[1].ID = "q" },
		"skill without id":    func(c *Card) { c.Skills[1].ID = "" },
		"tags nil":            func(c *Card) { c.Skills[1].Tags = nil },
		"empty tag":           func(c *Card) { c.Skills[1].Tags = []string{""} },
		"unknown scheme":      func(c *Card) { c.Requirements[0].Schemes = map[string]Scopes{"none": {}} },
		"unknown in a skill":  func(c *Card) { c.Skills[0].Requirements[0].Schemes = map[string]Scopes{"none": {}} },
		"empty scope":         func(c *Card) { c.Requirements[0].Schemes = map[string]Scopes{"tls": {[]string{""}}} },
		"scheme of no kind":   func(c *Card) { c.Schemes["tls"] = Scheme{} },
		"scheme of two kinds": func(c *Card) { c.Schemes["tls"] = Scheme{MTLS: &MTLSScheme{}, HTTP: &HTTPScheme{Scheme: "Basic"}} },
		"key in the body":     func(c *Card) { c.Schemes["key"].APIKey.Location = "body" },
		"key without name":    func(c *Card) { c.Schemes["key"].APIKey.Name = "" },
		"http without scheme": func(c *Card) { c.Schemes["http"].HTTP.Scheme = "" },
		"oauth without flow":  func(c *Card) { c.Schemes["oauth"].OAuth2.Flows = Flows{} },
		"oauth with two flows": func(c *Card) {
			c.Schemes["cc"].OAuth2.Flows.AuthorizationCode = c.Schemes["oauth"].OAuth2.Flows.AuthorizationCode
		},
		"flow without scopes": func(c *Card) { c.Schemes["oauth"].OAuth2.Flows.AuthorizationCode.Scopes = nil },
		"flow without token":  func(c *Card) { c.Schemes["dev"].OAuth2.Flows.DeviceCode.TokenURL = "" },
		"flow without device": func(c *Card) { c.Schemes["dev"].OAuth2.Flows.DeviceCode.DeviceURL = "" },
		"metadata no URL":     func(c *Card) { c.Schemes["oauth"].OAuth2.MetadataURL = "x" },
		"oidc without URL":    func(c *Card) { c.Schemes["oidc"].OpenID.URL = "" },
		"icon no URL":         func(c *Card) { c.IconURL = pointer("") },
		"header a text":       func(c *Card) { c.Signatures = []Signature{{Header: json.RawMessage(`"x"`)}} },
	} {
		c := sample()
		edit(&c)
		if err := c.Validate(); !errors.Is(err, ErrCard) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := c.Encode(); !errors.Is(err, ErrCard) {
			t.Errorf("%s, encoded: %v", name, err)
		}
	}
	c := sample()
	c.Name = long
	if err := c.Validate(); err != nil {
		t.Errorf("the longest name: %v", err)
	}
	err := Card{}.Validate()
	if n := strings.Count(err.Error(), "\n") + 1; n != 6 {
		t.Errorf("an empty card has %d faults, want all 6: %v", n, err)
	}
	c = sample()
	c.Skills = nil
	for i := range MaxList {
		c.Skills = append(c.Skills, Skill{ID: fmt.Sprint(i), Name: "n", Description: strings.Repeat("d", 2000), Tags: []string{}})
	}
	if _, err := c.Encode(); !errors.Is(err, ErrCard) {
		t.Errorf("a card too long: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	b, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for name, in := range map[string]string{
		"empty":           "",
		"null":            "null",
		"list":            "[]",
		"no members":      "{}",
		"url at the top":  strings.Replace(text, `{"capabilities"`, `{"url":"https://a.example","capabilities"`, 1),
		"unknown default": strings.Replace(text, `{"capabilities"`, `{"admin":false,"capabilities"`, 1),
		"unknown inside":  strings.Replace(text, `"streaming":true`, `"streaming":true,"stateTransitionHistory":false`, 1),
		"other case":      strings.Replace(text, `"streaming":true`, `"Streaming":true`, 1),
		"twice":           strings.Replace(text, `"streaming":true`, `"streaming":true,"streaming":true`, 1),
		"null member":     strings.Replace(text, `"streaming":true`, `"streaming":null`, 1),
		"null list":       strings.Replace(text, `"tags":[]`, `"tags":null`, 1),
		"wrong type":      strings.Replace(text, `"streaming":true`, `"streaming":"true"`, 1),
		"too long":        text + strings.Repeat(" ", MaxCard),
	} {
		if in == text {
			t.Errorf("%s: the case changes nothing", name)
		}
		if _, err := Parse([]byte(in)); !errors.Is(err, ErrCard) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse([]byte(strings.Repeat(`[`, jcs.MaxDepth+1))); !errors.Is(err, ErrCard) {
		t.Errorf("nested too deep: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	text, err := signed(f, sample(), signer(1)).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := Parse(in)
		if err != nil {
			if !errors.Is(err, ErrCard) {
				t.Fatal(err)
			}
			return
		}
		out, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse(out)
		if err != nil {
			t.Fatalf("does not read itself: %v", err)
		}
		again, err := back.Encode()
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%s became %s, %v", out, again, err)
		}
		if (c.SignedBy(kid, signer(1).Key()) == nil) != (back.SignedBy(kid, signer(1).Key()) == nil) {
			t.Fatal("signed and not signed")
		}
	})
}
