package passport

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport/jws"
	"github.com/meshd/meshd/identity/ucan"
)

func signer(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

// knowledge is n entries of the three types, 100 bytes each.
func knowledge(n int) []Known {
	var out []Known
	for i := range n {
		out = append(out, Known{fmt.Sprintf("ent_%03d", i*7%n), []string{"wisdom", "pattern", "gotcha"}[i%3], 100})
	}
	return out
}

func sample(t testing.TB) Passport {
	t.Helper()
	m, err := MemoryOf(knowledge(10))
	if err != nil {
		t.Fatal(err)
	}
	return Passport{
		Subject: signer(2).Key(), PQ: keys.PQPublic([32]byte{1}),
		Wallet:     did.Account{Chain: 8453, Address: did.Address{0x52, 1}},
		Delegation: []string{ucan.CID("leaf"), ucan.CID("root")},
		State:      Snapshot{"chg_abc", sha256.Sum256([]byte("state"))}, Memory: m,
		IssuedAt: 1_790_000_000_123, ExpiresAt: 1_800_000_000_000,
	}
}

func web(t testing.TB) Signer {
	t.Helper()
	s, err := WebSigner("did:web:mesh.example%3A8443:agents", "key-1", signer(1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// resolver knows one key of one method.
func resolver(method string, key did.Key) Resolver {
	return func(m string) (did.Key, error) {
		if m != method {
			return did.Key{}, fmt.Errorf("no method %s", m)
		}
		return key, nil
	}
}

// form is one of the four, as bytes.
type form struct {
	name  string
	write func(Passport, Signer) ([]byte, error)
	read  func([]byte, Resolver) (Passport, error)
}

var forms = []form{
	{"JSON", Passport.Sign, Read},
	{"credential", Passport.Credential, ReadCredential},
	{"token", func(p Passport, s Signer) ([]byte, error) { t, err := p.Token(s); return []byte(t), err },
		func(b []byte, r Resolver) (Passport, error) { return ReadToken(string(b), r) }},
	{"binary", Passport.Binary, ReadBinary},
}

func TestFormsHaveOneContent(t *testing.T) {
	t.Parallel()
	bare := Passport{Subject: signer(2).Key(), State: Snapshot{Head: "none"}, Delegation: []string{}}
	for _, f := range forms {
		for name, p := range map[string]Passport{"full": sample(t), "bare": bare} {
			for _, by := range []Signer{KeySigner(signer(1)), web(t)} {
				text, err := f.write(p, by)
				if err != nil {
					t.Fatalf("%s, %s: %v", f.name, name, err)
				}
				again, err := f.write(p, by)
				if err != nil || !bytes.Equal(text, again) {
					t.Errorf("%s, %s: written twice, differently: %v", f.name, name, err)
				}
				got, err := f.read(text, resolver(web(t).Method(), signer(1).Key()))
				want := p
				want.Issuer = by.Issuer()
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s by %s: %v\n got %+v\nwant %+v", f.name, name, by.Issuer(), err, got, want)
				}
			}
		}
	}
}

func TestFormsAreSigned(t *testing.T) {
	t.Parallel()
	p, by := sample(t), web(t)
	for _, f := range forms {
		text, err := f.write(p, by)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.read(text, nil); !errors.Is(err, ErrUnresolved) {
			t.Errorf("%s without a resolver: %v", f.name, err)
		}
		if _, err := f.read(text, resolver("did:web:other#key-1", signer(1).Key())); !errors.Is(err, ErrUnresolved) {
			t.Errorf("%s, resolver knows nothing: %v", f.name, err)
		}
		if _, err := f.read(text, resolver(by.Method(), signer(3).Key())); !errors.Is(err, ErrSignature) {
			t.Errorf("%s, the document has another key: %v", f.name, err)
		}
		rapid.Check(t, func(t *rapid.T) {
			changed := bytes.Clone(text)
			changed[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			if _, err := f.read(changed, resolver(by.Method(), signer(1).Key())); err == nil {
				t.Fatalf("a changed %s is good", f.name)
			}
		})
	}
}

// A signer cannot speak for another issuer, whatever it writes.
func TestIssuerOwnsItsKey(t *testing.T) {
	t.Parallel()
	mallory := signer(9)
	everything := func(string) (did.Key, error) { return mallory.Key(), nil } // a resolver that trusts any claim
	victim := KeySigner(signer(1))
	for _, by := range []Signer{
		{victim.issuer, keyMethod(mallory.Key()), mallory},
		{victim.issuer, victim.method, mallory},
		{"did:web:mesh.example", keyMethod(mallory.Key()), mallory},
		{"did:web:mesh.example", "did:web:evil.example#key-1", mallory},
		{"did:web:mesh.example", "did:web:mesh.example.evil#key-1", mallory},
		{"did:web:mesh.example", "did:web:mesh.example", mallory},
		{"https://mesh.example", "https://mesh.example#key-1", mallory},
		{"", "", mallory},
	} {
		for _, f := range forms {
			text, err := f.write(sample(t), by)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.read(text, everything); !errors.Is(err, ErrPassport) && !errors.Is(err, ErrSignature) {
				t.Errorf("%s by %q with %q: %v", f.name, by.issuer, by.method, err)
			}
		}
	}
}

// A key has one method: another name for it would be another spelling of the
// same passport.
func TestMethodIsTheKeys(t *testing.T) {
	t.Parallel()
	by := KeySigner(signer(1))
	by.method = by.issuer + "#key-1"
	for _, f := range forms {
		text, err := f.write(sample(t), by)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.read(text, nil); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// A token is a passport of the issuer inside, who must be the one that signed.
func TestTokensOfOthers(t *testing.T) {
	t.Parallel()
	victim, mallory := KeySigner(signer(1)), KeySigner(signer(9))
	stolen, err := sample(t).unsecured(victim)
	if err != nil {
		t.Fatal(err)
	}
	own, err := sample(t).unsecured(mallory)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		header  jws.Header
		payload []byte
		ok      bool
	}{
		"as it is":          {jws.Header{Typ: typToken, Cty: ctyToken, Iss: mallory.issuer, Kid: mallory.method}, own, true},
		"without cty":       {jws.Header{Typ: typToken, Iss: mallory.issuer, Kid: mallory.method}, own, true},
		"another's inside":  {jws.Header{Typ: typToken, Iss: mallory.issuer, Kid: mallory.method}, stolen, false},
		"another's outside": {jws.Header{Typ: typToken, Iss: victim.issuer, Kid: victim.method}, own, false},
		"another's key":     {jws.Header{Typ: typToken, Iss: victim.issuer, Kid: mallory.method}, stolen, false},
		"of another type":   {jws.Header{Typ: "JWT", Iss: mallory.issuer, Kid: mallory.method}, own, false},
		"of no type":        {jws.Header{Iss: mallory.issuer, Kid: mallory.method}, own, false},
		"of other content":  {jws.Header{Typ: typToken, Cty: "vp", Iss: mallory.issuer, Kid: mallory.method}, own, false},
		"of no issuer":      {jws.Header{Typ: typToken, Kid: mallory.method}, own, false},
	} {
		text, err := jws.Compact(c.header, c.payload, mallory.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadToken(text, nil); c.ok != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestContentIsChecked(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		edit func(*Passport)
		ok   bool
	}{
		"as it is":            {func(*Passport) {}, true},
		"no subject":          {func(p *Passport) { p.Subject = did.Key{} }, false},
		"short pq key":        {func(p *Passport) { p.PQ = p.PQ[1:] }, false},
		"empty pq key":        {func(p *Passport) { p.PQ = []byte{} }, false},
		"address, no chain":   {func(p *Passport) { p.Wallet.Chain = 0 }, false},
		"chain too large":     {func(p *Passport) { p.Wallet.Chain = did.MaxChain + 1 }, false},
		"longest delegation":  {func(p *Passport) { p.Delegation = cids(MaxDelegation) }, true},
		"longer delegation":   {func(p *Passport) { p.Delegation = cids(MaxDelegation + 1) }, false},
		"delegation twice":    {func(p *Passport) { p.Delegation[1] = p.Delegation[0] }, false},
		"delegation no CID":   {func(p *Passport) { p.Delegation[1] = "bafy" }, false},
		"longest head":        {func(p *Passport) { p.State.Head = strings.Repeat("h", MaxHead) }, true},
		"longer head":         {func(p *Passport) { p.State.Head = strings.Repeat("h", MaxHead+1) }, false},
		"no head":             {func(p *Passport) { p.State.Head = "" }, false},
		"head of two words":   {func(p *Passport) { p.State.Head = "a b" }, false},
		"head not ASCII":      {func(p *Passport) { p.State.Head = "é" }, false},
		"most knowledge":      {func(p *Passport) { p.Memory.Wisdom, p.Memory.Pattern, p.Memory.Gotcha = maxCount, 0, 0 }, true},
		"too much knowledge":  {func(p *Passport) { p.Memory.Wisdom = maxCount }, false},
		"counts overflow":     {func(p *Passport) { p.Memory.Wisdom = 1 << 63; p.Memory.Gotcha = 1 << 63 }, false},
		"largest ratio":       {func(p *Passport) { p.Memory.Ratio = maxRatio }, true},
		"larger ratio":        {func(p *Passport) { p.Memory.Ratio = maxRatio + 1 }, false},
		"issued before 1970":  {func(p *Passport) { p.IssuedAt = -1 }, false},
		"last moment":         {func(p *Passport) { p.IssuedAt, p.ExpiresAt = maxTime, maxTime }, true},
		"expires later still": {func(p *Passport) { p.ExpiresAt = maxTime + 1 }, false},
		"expires before":      {func(p *Passport) { p.ExpiresAt = p.IssuedAt - 1 }, false},
		"never expires":       {func(p *Passport) { p.ExpiresAt = 0 }, true},
	}
	for name, c := range cases {
		p := sample(t)
		c.edit(&p)
		for _, f := range forms {
			text, err := f.write(p, KeySigner(signer(1)))
			if c.ok != (err == nil) || !c.ok && !errors.Is(err, ErrPassport) {
				t.Errorf("%s as %s: %v", name, f.name, err)
			}
			if c.ok {
				if _, err := f.read(text, nil); err != nil || len(text) > MaxPassport {
					t.Errorf("%s as %s, %d bytes, read: %v", name, f.name, len(text), err)
				}
			}
		}
	}
}

func cids(n int) []string {
	var out []string
	for i := range n {
		out = append(out, ucan.CID(fmt.Sprint(i)))
	}
	return out
}

// What an issuer signs that is not a passport is not read as one.
func TestReadRefusesWhatIsSigned(t *testing.T) {
	t.Parallel()
	by := KeySigner(signer(1))
	resign := func(edit func(map[string]any)) []byte {
		text, err := sample(t).Sign(by)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "signature")
		edit(m)
		body, err := jcs.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		sig := by.key.Sign(message(body))
		m["signature"] = base64.RawURLEncoding.EncodeToString(sig[:])
		if text, err = jcs.Marshal(m); err != nil {
			t.Fatal(err)
		}
		return text
	}
	in := func(m map[string]any, name string) map[string]any { return m[name].(map[string]any) }
	if _, err := Read(resign(func(map[string]any) {}), nil); err != nil {
		t.Fatalf("the base of this table is not read: %v", err)
	}
	for name, edit := range map[string]func(map[string]any){
		"version 2":        func(m map[string]any) { m["version"] = 2 },
		"unknown member":   func(m map[string]any) { m["admin"] = true },
		"no delegation":    func(m map[string]any) { delete(m, "delegation_chain") },
		"delegation null":  func(m map[string]any) { m["delegation_chain"] = nil },
		"another document": func(m map[string]any) { in(m, "did_document")["id"] = by.issuer },
		"a key more":       func(m map[string]any) { in(m, "did_document")["authentication"] = []string{"x"} },
		"three methods": func(m map[string]any) {
			d := in(m, "did_document")
			l := d["verificationMethod"].([]any)
			d["verificationMethod"] = append(l, l[1])
		},
		"pq key of no kind": func(m map[string]any) {
			in(m, "did_document")["verificationMethod"].([]any)[1].(map[string]any)["publicKeyMultibase"] = "z6Mk"
		},
		"upper case hash":     func(m map[string]any) { in(m, "state_snapshot")["sha256"] = strings.Repeat("AB", 32) },
		"short hash":          func(m map[string]any) { in(m, "state_snapshot")["sha256"] = "ab" },
		"three decimals":      func(m map[string]any) { in(m, "memory")["compression_ratio"] = 31.257 },
		"negative ratio":      func(m map[string]any) { in(m, "memory")["compression_ratio"] = -1 },
		"ratio of words":      func(m map[string]any) { in(m, "memory")["compression_ratio"] = "x" },
		"fraction of entries": func(m map[string]any) { in(m, "memory")["wisdom"] = 1.5 },
		"time in seconds":     func(m map[string]any) { m["issued_at"] = "2026-11-21T05:00:00Z" },
		"time elsewhere":      func(m map[string]any) { m["issued_at"] = "2026-11-21T05:00:00.000+01:00" },
		"time no date":        func(m map[string]any) { m["issued_at"] = "2026-02-30T05:00:00.000Z" },
		"time before 1970":    func(m map[string]any) { m["issued_at"] = "1969-12-31T23:59:59.999Z" },
		"expires in 1970":     func(m map[string]any) { m["expires_at"] = "1970-01-01T00:00:00.000Z" },
		"wallet no account":   func(m map[string]any) { m["wallet"] = "0x52" },
		"did of no key":       func(m map[string]any) { m["did"] = "did:web:x" },
	} {
		if _, err := Read(resign(edit), nil); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := resign(func(map[string]any) {})
	for name, bad := range map[string][]byte{
		"empty":            nil,
		"null":             []byte("null"),
		"no signature":     bytes.Replace(text, []byte(`"signature"`), []byte(`"Signature"`), 1),
		"padded signature": bytes.Replace(text, []byte(`","state_snapshot"`), []byte(`==","state_snapshot"`), 1),
		"too long":         append(bytes.Clone(text), bytes.Repeat([]byte(" "), MaxPassport)...),
	} {
		if _, err := Read(bad, nil); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBinaryRefuses(t *testing.T) {
	t.Parallel()
	by := KeySigner(signer(1))
	good, err := sample(t).Binary(by)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(body []byte) []byte {
		sig := by.key.Sign(message(body))
		b := binary.BigEndian.AppendUint32([]byte(magic), uint32(len(body)))
		return append(append(b, body...), sig[:]...)
	}
	body := good[len(magic)+4 : len(good)-64]
	signed, err := sample(t).Sign(by)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBinary(pack(body), nil); err != nil {
		t.Fatalf("the base of this table is not read: %v", err)
	}
	for name, bad := range map[string][]byte{
		"empty":          nil,
		"magic alone":    []byte(magic),
		"other version":  append([]byte("mesh-passport\x02"), good[len(magic):]...),
		"cut":            good[:len(good)-1],
		"longer":         append(bytes.Clone(good), 0),
		"length too big": append(append([]byte(magic), 0xff, 0xff, 0xff, 0xff), good[len(magic)+4:]...),
		"not canonical":  pack(append([]byte(" "), body...)),
		"signed inside":  pack(signed),
		"too long":       pack(append(bytes.Clone(body), bytes.Repeat([]byte(" "), MaxPassport)...)),
	} {
		if _, err := ReadBinary(bad, nil); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidAt(t *testing.T) {
	t.Parallel()
	p := sample(t)
	for at, want := range map[int64]error{
		p.IssuedAt - 1: ErrNotYet, p.IssuedAt: nil, p.ExpiresAt: nil, p.ExpiresAt + 1: ErrExpired,
	} {
		if err := p.ValidAt(at); !errors.Is(err, want) {
			t.Errorf("at %d: %v, want %v", at, err, want)
		}
	}
	p.ExpiresAt = 0
	if err := p.ValidAt(1 << 60); err != nil {
		t.Errorf("one that never expires: %v", err)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	m, err := MemoryOf(knowledge(10))
	if err != nil || m.Wisdom != 4 || m.Pattern != 3 || m.Gotcha != 3 || m.Count() != 10 || m.Ratio != 3125 {
		t.Fatalf("%+v, %v", m, err)
	}
	reversed := knowledge(10)
	for i := range 5 {
		reversed[i], reversed[9-i] = reversed[9-i], reversed[i]
	}
	if other, err := MemoryOf(reversed); err != nil || other != m {
		t.Errorf("order matters: %v", err)
	}
	for _, e := range knowledge(10) {
		at, err := Prove(reversed, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Contains(e.ID, at); err != nil {
			t.Errorf("%s: %v", e.ID, err)
		}
		if m.Contains(e.ID+"x", at) == nil {
			t.Errorf("the place of %s holds for another", e.ID)
		}
	}
	if _, err := Prove(reversed, "ent_none"); !errors.Is(err, ErrPassport) {
		t.Errorf("place of a stranger: %v", err)
	}
	if none, err := MemoryOf(nil); err != nil || none.Root != sha256.Sum256(nil) || none.Contains("x", Place{}) == nil {
		t.Errorf("no knowledge: %+v, %v", none, err)
	}
	for name, bad := range map[string][]Known{
		"no id":       {{"", "wisdom", 1}},
		"twice":       {{"a", "wisdom", 1}, {"a", "gotcha", 1}},
		"other type":  {{"a", "Wisdom", 1}},
		"too large":   {{"a", "wisdom", maxCount + 1}},
		"sum too big": {{"a", "wisdom", maxCount}, {"b", "wisdom", 1}},
	} {
		if _, err := MemoryOf(bad); !errors.Is(err, ErrPassport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRatioText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := Ratio(rapid.Uint64Range(0, maxRatio).Draw(t, "hundredths"))
		text, err := jcs.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Ratio
		if err := jcs.Unmarshal(text, 64, &back); err != nil || back != r {
			t.Fatalf("%d is written %s and read %d, %v", r, text, back, err)
		}
	})
}

func TestWebSigner(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"did:web:example.org", "did:web:localhost%3A8420", "did:web:a-b.example:users:Ada_1.x", "did:web:xn--bcher-kva.example",
	} {
		if _, err := WebSigner(good, "k", signer(1)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "did:web:", "did:web:EXAMPLE.org", "did:web:example.org:", "did:web:example..org", "did:web:-a.org", "did:web:a.org%3A0",
		"did:web:a.org%3A99999", "did:web:a.org%3A080", "did:web:a.org%3a80", "did:web:a.org%2Fx", "did:web:a.org:..", "did:web:a.org/x",
		"did:web:a.org#k", "did:web:a.org?x", "did:key:z6Mk", "did:web:" + strings.Repeat("a.", 127) + "org", "did:web:a.org:" + strings.Repeat("x", maxDID),
		"did:web:user@a.org", "did:web:a.org ", "did:web:é.org",
	} {
		if _, err := WebSigner(bad, "k", signer(1)); !errors.Is(err, ErrPassport) {
			t.Errorf("%.80s: %v", bad, err)
		}
	}
	for _, bad := range []string{"", "a b", "a#b", "é", strings.Repeat("k", 65)} {
		if _, err := WebSigner("did:web:a.org", bad, signer(1)); !errors.Is(err, ErrPassport) {
			t.Errorf("fragment %q: %v", bad, err)
		}
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	text, err := Document(signer(2).Key(), nil)
	id := signer(2).Key().String()
	name := strings.TrimPrefix(id, "did:key:")
	want := `{"@context":["https://www.w3.org/ns/did/v1","https://w3id.org/security/multikey/v1"],"assertionMethod":["` + id + "#" + name +
		`"],"authentication":["` + id + "#" + name + `"],"id":"` + id + `","verificationMethod":[{"controller":"` + id + `","id":"` + id + "#" + name +
		`","publicKeyMultibase":"` + name + `","type":"Multikey"}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
	for _, bad := range []string{"", "z", "z6Mk", "u" + pqMultibase(keys.PQPublic([32]byte{1}))[1:], pqMultibase(make([]byte, 1951)), "z" + strings.Repeat("1", maxPQText)} {
		if _, err := parsePQ(bad); !errors.Is(err, ErrPassport) {
			t.Errorf("post-quantum key %.20q: %v", bad, err)
		}
	}
}

func fuzzForm(f *testing.F, i int) {
	text, err := forms[i].write(Passport{Subject: signer(2).Key(), State: Snapshot{Head: "h"}}, KeySigner(signer(1)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := forms[i].read(in, func(string) (did.Key, error) { return signer(1).Key(), nil })
		if err != nil {
			if !errors.Is(err, ErrPassport) && !errors.Is(err, ErrSignature) && !errors.Is(err, ErrUnresolved) {
				t.Fatalf("error without its kind: %v", err)
			}
			return
		}
		for _, other := range forms {
			text, err := other.write(p, KeySigner(signer(3)))
			if err != nil {
				t.Fatalf("read, but cannot be written as %s: %v", other.name, err)
			}
			back, err := other.read(text, nil)
			p.Issuer = KeySigner(signer(3)).Issuer()
			if err != nil || !reflect.DeepEqual(back, p) {
				t.Fatalf("%s does not read itself: %v", other.name, err)
			}
		}
	})
}

func FuzzRead(f *testing.F)           { fuzzForm(f, 0) }
func FuzzReadCredential(f *testing.F) { fuzzForm(f, 1) }
func FuzzReadToken(f *testing.F)      { fuzzForm(f, 2) }
func FuzzReadBinary(f *testing.F)     { fuzzForm(f, 3) }
