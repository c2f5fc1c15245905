package passport

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// The published example of the suite: W3C Data Integrity EdDSA Cryptosuites 1.0,
// appendix B.2 (representation: eddsa-jcs-2022).
const (
	w3cPublic   = "z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"
	w3cSecret   = "z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq"
	w3cMethod   = "did:key:" + w3cPublic + "#" + w3cPublic
	w3cHashes   = "66ab154f5c2890a140cb8388a22a160454f80575f6eae09e5a097cabe539a1db59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19"
	w3cProof    = "z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX"
	w3cDocument = `{
		"@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
		"id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
		"type": ["VerifiableCredential", "AlumniCredential"],
		"name": "Alumni Credential",
		"description": "A minimum viable example of an Alumni Credential.",
		"issuer": "https://vc.example/issuers/5678",
		"validFrom": "2023-01-01T00:00:00Z",
		"credentialSubject": {"id": "did:example:abcdefgh", "alumniOf": "The School of Examples"}}`
)

func w3cKey(t testing.TB) *keys.Private {
	t.Helper()
	b, err := base58.Decode(w3cSecret[1:])
	if err != nil || len(b) != 34 || b[0] != 0x80 || b[1] != 0x26 { // multicodec ed25519-priv
		t.Fatalf("secret %x, %v", b, err)
	}
	return keys.FromSeed([32]byte(b[2:]))
}

func w3cResolve(method string) (did.Key, error) {
	if method != w3cMethod {
		return did.Key{}, errors.New("another method")
	}
	return did.ParseKey("did:key:" + w3cPublic)
}

func TestPublishedExample(t *testing.T) {
	t.Parallel()
	key := w3cKey(t)
	if got := key.Key().String(); got != "did:key:"+w3cPublic {
		t.Fatalf("key %s", got)
	}
	secured, err := Secure([]byte(w3cDocument), Proof{"2023-02-24T23:36:38Z", w3cMethod, "assertionMethod"}, key)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(secured, []byte(w3cProof)) {
		t.Errorf("another proof than published: %s", secured)
	}
	document, proof, err := Open(secured, "assertionMethod", w3cResolve)
	if err != nil || proof != (Proof{"2023-02-24T23:36:38Z", w3cMethod, "assertionMethod"}) {
		t.Fatalf("%+v, %v", proof, err)
	}
	want, err := jcs.Canonical([]byte(w3cDocument))
	if err != nil || !bytes.Equal(document, want) {
		t.Errorf("another document: %s, %v", document, err)
	}
	doc, err := object([]byte(w3cDocument))
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := hashData(doc, map[string]any{
		"type": proofType, "cryptosuite": Cryptosuite, "created": "2023-02-24T23:36:38Z",
		"verificationMethod": w3cMethod, "proofPurpose": "assertionMethod", "@context": doc["@context"],
	})
	if err != nil || hex.EncodeToString(hashes) != w3cHashes {
		t.Errorf("hashes %x, %v", hashes, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	b, err := Secure([]byte(w3cDocument), Proof{"2023-02-24T23:36:38Z", w3cMethod, "assertionMethod"}, w3cKey(t))
	if err != nil {
		t.Fatal(err)
	}
	secured := string(b)
	change := func(old, new string) string {
		if strings.Count(secured, old) == 0 {
			t.Fatalf("no %s to change", old)
		}
		return strings.Replace(secured, old, new, 1)
	}
	noProof, err := jcs.Canonical([]byte(w3cDocument))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"no proof":           string(noProof),
		"a list of proofs":   change(`"proof":{`, `"proof":[{`) + "]}",
		"proof is a list":    strings.Replace(strings.Replace(secured, `"proof":{`, `"proof":[{`, 1), `"},"type":["V`, `"}],"type":["V`, 1),
		"document changed":   change("The School", "the School"),
		"created changed":    change("23:36:38", "23:36:39"),
		"created left out":   change(`"created":"2023-02-24T23:36:38Z",`, ""),
		"created no text":    change(`"created":"2023-02-24T23:36:38Z"`, `"created":1`),
		"other suite":        change("eddsa-jcs-2022", "eddsa-rdfc-2022"),
		"other type":         change("DataIntegrityProof", "Ed25519Signature2020"),
		"other purpose":      change(`"proofPurpose":"assertionMethod"`, `"proofPurpose":"authentication"`),
		"other method":       change("#z6Mkr", "#z6Mks"),
		"member unknown":     change(`"cryptosuite"`, `"expires":"2024-01-01T00:00:00Z","cryptosuite"`),
		"member twice":       change(`"cryptosuite"`, `"type":"DataIntegrityProof","cryptosuite"`),
		"no value":           change(`"proofValue":"`+w3cProof+`",`, ""),
		"other base":         change(`"proofValue":"z`, `"proofValue":"u`),
		"base58 with zero":   change(`"proofValue":"z2`, `"proofValue":"z0`),
		"leading one":        change(`"proofValue":"z2`, `"proofValue":"z12`),
		"very long value":    change(`"proofValue":"z2`, `"proofValue":"z`+strings.Repeat("2", 1<<12)),
		"context changed":    change(`"https://www.w3.org/ns/credentials/v2"`, `"https://evil.example"`),
		"context left out":   change(`{"@context":["https://www.w3.org/ns/credentials/v2","https://www.w3.org/ns/credentials/examples/v2"],"credentialSubject"`, `{"credentialSubject"`),
		"context of another": change(`"https://www.w3.org/ns/credentials/examples/v2"],"credentialSubject"`, `"https://evil.example"],"credentialSubject"`),
		"no object":          "[]",
		"empty":              "",
		"too long":           secured + strings.Repeat(" ", MaxPassport),
	}
	for name, in := range cases {
		if _, _, err := Open([]byte(in), "assertionMethod", w3cResolve); !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Open(b, "authentication", w3cResolve); !errors.Is(err, ErrProof) {
		t.Errorf("for another purpose: %v", err)
	}
	if _, err := Secure(b, Proof{}, w3cKey(t)); !errors.Is(err, ErrProof) {
		t.Errorf("a second proof: %v", err)
	}
	if _, err := Secure([]byte("[]"), Proof{}, w3cKey(t)); !errors.Is(err, ErrProof) {
		t.Errorf("a list: %v", err)
	}
}

// A document that gained contexts behind those of the proof is judged, and
// returned, with those of the proof alone (§3.3.2).
func TestContextsBehindTheProof(t *testing.T) {
	t.Parallel()
	b, err := Secure([]byte(w3cDocument), Proof{"", w3cMethod, "assertionMethod"}, w3cKey(t))
	if err != nil {
		t.Fatal(err)
	}
	longer := strings.Replace(string(b), `examples/v2"],"credentialSubject"`, `examples/v2","https://more.example"],"credentialSubject"`, 1)
	got, _, err := Open([]byte(longer), "assertionMethod", w3cResolve)
	if err != nil || longer == string(b) || strings.Contains(string(got), "more.example") {
		t.Errorf("%s, %v", got, err)
	}
	plain, err := Secure([]byte(`{"a":1.50,"b":[null,true]}`), Proof{"", w3cMethod, "x"}, w3cKey(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := Open(plain, "x", w3cResolve); err != nil || string(got) != `{"a":1.5,"b":[null,true]}` {
		t.Errorf("without contexts: %s, %v", got, err)
	}
}

func FuzzOpen(f *testing.F) {
	b, err := Secure([]byte(w3cDocument), Proof{"2023-02-24T23:36:38Z", w3cMethod, "assertionMethod"}, w3cKey(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, in []byte) {
		got, _, err := Open(in, "assertionMethod", w3cResolve)
		if err != nil {
			if !errors.Is(err, ErrProof) {
				t.Fatal(err)
			}
			return
		}
		if want, err := jcs.Canonical([]byte(w3cDocument)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("a document that nobody signed: %s", got)
		}
	})
}
