package v0_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// conformance is a case of the UCAN working group's fixtures, and of ours, which
// have the same form.
type conformance struct {
	Name, Task string
	Inputs     struct {
		Token  string
		Proofs map[string]string
		Hasher ucan.Hasher
		Now    *int64

		Version      string
		Key          []byte `json:"issuer_base64_key"`
		Audience     string
		NotBefore    *int64 `json:"not_before"`
		Expiration   *int64
		Facts        map[string]any
		Capabilities map[string]map[string][]map[string]any
		Nonce        string
		Links        []string
	}
	Assertions struct {
		Header    map[string]any
		Payload   map[string]any
		Signature string
	}
	Outputs struct{ Token, CID string }
	Errors  []v0.Code
}

// TestPublicVectors runs the public sample where it is: a clone without it has
// our own, which cover the same ground.
func TestPublicVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.FromSlash("../../../../shared/vectors/ucan-0.10.0/cases.json"))
	if os.IsNotExist(err) {
		t.Skip("the public conformance sample is not beside this tree; TestOurVectors covers the same tasks")
	}
	if err != nil {
		t.Fatal(err)
	}
	runVectors(t, data)
}

// now is between every past and every future moment of the fixtures.
const now = 1_700_000_000

func runVectors(t *testing.T, data []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var cases []conformance
	if err := d.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			runVector(t, c)
		})
	}
}

func runVector(t *testing.T, c conformance) {
	t.Helper()
	switch c.Task {
	case "verify", "refute":
		check := v0.Check{Now: now, Proofs: v0.Proofs(c.Inputs.Proofs).Find}
		if c.Inputs.Now != nil {
			check.Now = *c.Inputs.Now
		}
		r := v0.Verify(c.Inputs.Token, check)
		if c.Task == "verify" {
			if !r.Valid() {
				t.Fatalf("found %v", r.Findings)
			}
			assertPayload(t, c)
			return
		}
		if r.Valid() || len(r.Authorities) != 0 {
			t.Fatalf("accepted: %+v", r)
		}
		for _, want := range c.Errors {
			if !r.Findings.Has(want) {
				t.Errorf("found %v, want %s among them", r.Findings, want)
			}
		}
	case "build":
		if got := buildVector(t, c); got != c.Outputs.Token {
			t.Errorf("built\n%s, want\n%s", got, c.Outputs.Token)
		}
	case "toCID":
		if got, err := v0.CIDWith(c.Inputs.Hasher, c.Inputs.Token); err != nil || got != c.Outputs.CID {
			t.Errorf("cid %s, %v, want %s", got, err, c.Outputs.CID)
		}
	default:
		t.Fatalf("unknown task %q", c.Task)
	}
}

func assertPayload(t *testing.T, c conformance) {
	t.Helper()
	tok, found := v0.Parse(c.Inputs.Token)
	if len(found) != 0 {
		t.Fatal(found)
	}
	p := c.Assertions.Payload
	if p == nil {
		return
	}
	if p["iss"] != tok.Issuer || p["aud"] != tok.Audience || p["ucv"] != tok.Version {
		t.Errorf("parsed %+v, want %v", tok, p)
	}
	if exp, _ := p["exp"].(json.Number); (tok.Expires == nil) != (p["exp"] == nil) || tok.Expires != nil && exp.String() != jsonText(t, *tok.Expires) {
		t.Errorf("exp %v, want %v", tok.Expires, p["exp"])
	}
	caps := map[string]map[string][]map[string]any{}
	for _, k := range tok.Caps {
		if caps[k.With] == nil {
			caps[k.With] = map[string][]map[string]any{}
		}
		caps[k.With][k.Can] = k.Caveats
	}
	if got, want := jsonText(t, caps), jsonText(t, p["cap"]); got != want {
		t.Errorf("cap %s, want %s", got, want)
	}
	if fct, there := p["fct"]; there && jsonText(t, tok.Facts) != jsonText(t, fct) {
		t.Errorf("fct %v, want %v", tok.Facts, fct)
	}
	if prf, there := p["prf"]; there && jsonText(t, tok.Proofs) != jsonText(t, prf) {
		t.Errorf("prf %v, want %v", tok.Proofs, prf)
	}
}

func jsonText(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func buildVector(t *testing.T, c conformance) string {
	t.Helper()
	in := c.Inputs
	if len(in.Key) != 64 {
		t.Fatalf("key of %d bytes", len(in.Key))
	}
	s := keys.FromSeed([keys.SeedSize]byte(in.Key[:32]))
	if !bytes.Equal(s.Key().Public(), in.Key[32:]) {
		t.Fatal("the halves of the key do not belong together")
	}
	d := v0.Draft{
		Version: in.Version, Audience: in.Audience, Expires: in.Expiration, NotBefore: in.NotBefore, Facts: in.Facts,
		Nonce: in.Nonce, Proofs: slices.Clone(in.Links),
	}
	for with, abilities := range in.Capabilities {
		for can, caveats := range abilities {
			d.Caps = append(d.Caps, v0.Cap{With: with, Can: can, Caveats: caveats})
		}
	}
	raw, err := v0.Build(d, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
