package passport

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/did"
)

func TestReadAnyTakesEveryForm(t *testing.T) {
	t.Parallel()
	p := sample(t)
	p.Issuer = KeySigner(signer(1)).Issuer()
	seen := map[Form]bool{}
	for _, f := range forms {
		text, err := f.write(p, KeySigner(signer(1)))
		if err != nil {
			t.Fatal(err)
		}
		form := FormOf(text)
		seen[form] = true
		if form != FormBinary {
			text = append(append([]byte(" \n"), text...), "\n"...)
		}
		got, err := ReadAny(text, nil)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s as %s: %v", f.name, form, err)
		}
		text[len(text)/2] ^= 1
		if _, err := ReadAny(text, nil); err == nil {
			t.Errorf("%s: a changed byte is not seen", f.name)
		}
	}
	if len(seen) != len(forms) {
		t.Errorf("forms seen: %v", seen)
	}
	for _, bad := range []string{"", " ", "{}", "[]", "{", "a.b.c", magic, `{"proof":{}}`} {
		if _, err := ReadAny([]byte(bad), nil); !errors.Is(err, ErrPassport) && !errors.Is(err, ErrSignature) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

const hostID = "did:web:mesh.example%3A8443:agents"

// hostDoc is a document with one method, listed as assertion says.
func hostDoc(id, method, assertion string) string {
	return fmt.Sprintf(`{"@context":["https://www.w3.org/ns/did/v1"],"id":%q,"service":[],"verificationMethod":[%s],"assertionMethod":[%s]}`, id, method, assertion)
}

func multikey(id, controller string, k did.Key) string {
	return fmt.Sprintf(`{"id":%q,"type":"Multikey","controller":%q,"publicKeyMultibase":%q}`, id, controller, strings.TrimPrefix(k.String(), "did:key:"))
}

func TestHostDocumentAnswersForListedKeys(t *testing.T) {
	t.Parallel()
	p, by := sample(t), web(t)
	text, err := p.Sign(by)
	if err != nil {
		t.Fatal(err)
	}
	k, other := signer(1).Key(), signer(5).Key()
	listed := `"` + by.Method() + `"`
	jwk := fmt.Sprintf(`{"id":"#key-1","type":"JsonWebKey","controller":%q,"publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":%q}}`,
		hostID, base64.RawURLEncoding.EncodeToString(k.Public()))
	for what, c := range map[string]struct {
		doc  string
		want error
	}{
		"a multikey":         {hostDoc(hostID, multikey(by.Method(), hostID, k), listed), nil},
		"relative names":     {hostDoc(hostID, multikey("#key-1", hostID, k), `"#key-1"`), nil},
		"inside the list":    {hostDoc(hostID, "", multikey("#key-1", hostID, k)), nil},
		"a JWK":              {hostDoc(hostID, jwk, `"#key-1"`), nil},
		"not listed":         {hostDoc(hostID, multikey(by.Method(), hostID, k), ""), ErrUnresolved},
		"another name":       {hostDoc(hostID, multikey("#key-2", hostID, k), `"#key-2"`), ErrUnresolved},
		"another key":        {hostDoc(hostID, multikey("#key-1", hostID, other), listed), ErrSignature},
		"a key of X25519":    {hostDoc(hostID, strings.Replace(jwk, "Ed25519", "X25519", 1), listed), ErrUnresolved},
		"a name in capitals": {hostDoc(hostID, strings.Replace(jwk, `"crv"`, `"Crv"`, 1), listed), ErrUnresolved},
	} {
		d, err := ReadHostDocument([]byte(c.doc))
		if err != nil || d.ID() != hostID {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if _, err := Read(text, d.Resolve); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	for what, doc := range map[string]string{
		"nothing":           "",
		"a list":            "[]",
		"no id":             "{}",
		"a did:key":         hostDoc(k.String(), "", ""),
		"one name twice":    hostDoc(hostID, multikey("#key-1", hostID, k)+","+multikey(by.Method(), hostID, other), listed),
		"two keys, listed":  hostDoc(hostID, multikey("#key-1", hostID, k), listed+","+multikey("#key-1", hostID, other)),
		"another's method":  hostDoc(hostID, multikey("#key-1", "did:web:else.example", k), listed),
		"a member twice":    strings.Replace(hostDoc(hostID, "", ""), `{`, `{"id":"did:web:else.example",`, 1),
		"a number in list":  hostDoc(hostID, "", "1"),
		"too many methods":  hostDoc(hostID, "", strings.Repeat(listed+",", maxHostMethods)+listed),
		"a text too long":   hostDoc(hostID, "", "") + strings.Repeat(" ", MaxHostDocument),
		"a list of no text": strings.Replace(hostDoc(hostID, "", ""), `"assertionMethod":[]`, `"assertionMethod":{}`, 1),
	} {
		if _, err := ReadHostDocument([]byte(doc)); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func FuzzReadAny(f *testing.F) {
	for _, form := range forms {
		text, err := form.write(Passport{Subject: signer(2).Key(), State: Snapshot{Head: "h"}}, KeySigner(signer(1)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := ReadAny(in, nil)
		if err != nil {
			if !errors.Is(err, ErrPassport) && !errors.Is(err, ErrSignature) && !errors.Is(err, ErrUnresolved) {
				t.Fatalf("error without its kind: %v", err)
			}
			return
		}
		readers := 0 // no text is a passport in two forms
		for _, form := range forms {
			if q, err := form.read(bytes.TrimSpace(in), nil); err == nil {
				if readers++; !reflect.DeepEqual(p, q) {
					t.Fatalf("%s reads another passport", form.name)
				}
			}
		}
		if readers > 1 {
			t.Fatal("one text, two forms")
		}
	})
}

func FuzzReadHostDocument(f *testing.F) {
	f.Add([]byte(hostDoc(hostID, multikey("#key-1", hostID, signer(1).Key()), `"#key-1"`)))
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := ReadHostDocument(in)
		if err != nil {
			if !errors.Is(err, ErrPassport) {
				t.Fatalf("error without its kind: %v", err)
			}
			return
		}
		if checkWeb(d.ID()) != nil {
			t.Fatalf("of no host: %q", d.ID())
		}
		for method, key := range d.keys {
			if got, err := d.Resolve(method); err != nil || got != key || key.Check() != nil {
				t.Fatalf("%q: %v", method, err)
			}
		}
	})
}
