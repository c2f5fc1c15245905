package siwe

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
)

const fullText = `service.org wants you to sign in with your Ethereum account:
0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946

I accept the ServiceOrg Terms of Service: https://service.org/tos

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 12341234
Issued At: 2022-03-17T12:45:13.610Z
Expiration Time: 2023-03-17T12:45:13.610Z
Not Before: 2022-03-17T12:45:13.610Z
Request ID: some_id
Resources:
- https://service.org/login
- did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S`

const shortText = `localhost:4361 wants you to sign in with your Ethereum account:
0x6Da01670d8fc844e736095918bbE11fE8D564163


URI: https://localhost:4361/
Version: 1
Chain ID: 8453
Nonce: kEWepMt9knR6lWJ6A
Issued At: 2021-12-07T18:28:18Z`

func TestParseSIWE(t *testing.T) {
	t.Parallel()
	full, err := Parse(fullText)
	if err != nil {
		t.Fatal(err)
	}
	if full.Domain != "service.org" || full.Statement == "" || full.Chain != 1 || full.Nonce != "12341234" ||
		full.URI != "https://service.org/login" || full.RequestID != "some_id" || len(full.Resources) != 2 ||
		full.NotBefore != "2022-03-17T12:45:13.610Z" || full.ExpirationTime != "2023-03-17T12:45:13.610Z" {
		t.Errorf("read as %+v", full)
	}
	short, err := Parse(shortText)
	if err != nil {
		t.Fatal(err)
	}
	if short.Statement != "" || short.Resources != nil || short.Domain != "localhost:4361" || short.Chain != 8453 {
		t.Errorf("read as %+v", short)
	}
	for i, m := range []Message{full, short} {
		if got, err := m.Text(); err != nil || got != []string{fullText, shortText}[i] {
			t.Errorf("written as %q, %v", got, err)
		}
	}
}

func TestParseSIWERefuses(t *testing.T) {
	t.Parallel()
	cases := map[string][2]string{ // what to replace in fullText, by what
		"scheme":                {"service.org wants", "https://service.org wants"},
		"user info":             {"service.org wants", "bank.example@service.org wants"},
		"no domain":             {"service.org wants", " wants"},
		"space in domain":       {"service.org wants", "service org wants"},
		"other opening":         {"Ethereum account:", "Ethereum account"},
		"lower case address":    {"0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946", "0xe5a12547fe4e872d192e3ececb76f2ce1aea4946"},
		"short address":         {"A4946\n", "A494\n"},
		"no empty line":         {"4946\n\n", "4946\n"},
		"one more empty line":   {"4946\n\n", "4946\n\n\n"},
		"no line after":         {"tos\n\n", "tos\n"},
		"two line statement":    {"I accept ", "I accept\n"},
		"statement with umlaut": {"I accept", "I äccept"},
		"statement with quote":  {"I accept", `I "accept"`},
		"tab":                   {"I accept", "I\taccept"},
		"CRLF":                  {"\n", "\r\n"},
		"final LF":              {"B22S", "B22S\n"},
		"relative URI":          {"URI: https://service.org", "URI: //service.org"},
		"space in URI":          {"URI: https://service.org/login", "URI: https://service.org/log in"},
		"bad escape":            {"URI: https://service.org/login", "URI: https://service.org/%4"},
		"version 2":             {"Version: 1", "Version: 2"},
		"version 01":            {"Version: 1", "Version: 01"},
		"chain 0":               {"Chain ID: 1", "Chain ID: 0"},
		"chain 01":              {"Chain ID: 1", "Chain ID: 01"},
		"chain of letters":      {"Chain ID: 1", "Chain ID: one"},
		"chain 2^53":            {"Chain ID: 1", "Chain ID: 9007199254740992"},
		"nonce of 7":            {"12341234", "1234123"},
		"nonce with hyphen":     {"12341234", "1234-1234"},
		"no nonce":              {"Nonce: 12341234\n", ""},
		"order":                 {"Version: 1\nChain ID: 1", "Chain ID: 1\nVersion: 1"},
		"label":                 {"Issued At", "Issued at"},
		"two spaces":            {"Issued At: ", "Issued At:  "},
		"issued as number":      {"Issued At: 2022-03-17T12:45:13.610Z", "Issued At: 1647521113"},
		"issued without zone":   {"Issued At: 2022-03-17T12:45:13.610Z", "Issued At: 2022-03-17T12:45:13.610"},
		"empty expiration":      {"Expiration Time: 2023-03-17T12:45:13.610Z", "Expiration Time: "},
		"empty request id":      {"some_id", ""},
		"request id with #":     {"some_id", "some#id"},
		"resource without URI":  {"- https://service.org/login", "- login"},
		"resource not listed":   {"- did", "* did"},
		"empty resource":        {"- did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S", "- "},
		"no resources":          {"Resources:\n- https://service.org/login\n- did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S", "Resources:"},
		"unknown line":          {"Resources:", "Colour: red\nResources:"},
	}
	for name, c := range cases {
		text := strings.ReplaceAll(fullText, c[0], c[1])
		if text == fullText {
			t.Errorf("%s: nothing replaced", name)
		}
		if m, err := Parse(text); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	swapped := strings.Replace(fullText, "Expiration Time: 2023-03-17T12:45:13.610Z\nNot Before: 2022-03-17T12:45:13.610Z",
		"Not Before: 2022-03-17T12:45:13.610Z\nExpiration Time: 2023-03-17T12:45:13.610Z", 1)
	many := shortText + "\nResources:" + strings.Repeat("\n- a:b", maxResources+1)
	huge := fullText + strings.Repeat("x", maxText)
	for _, text := range []string{"", "\n", swapped, many, huge, shortText + "\n", fullText[:len(fullText)/2]} {
		if _, err := Parse(text); !errors.Is(err, ErrMalformed) {
			t.Errorf("%.40q…: %v", text, err)
		}
	}
	if _, err := Parse(strings.TrimSuffix(many, "\n- a:b")); err != nil {
		t.Errorf("%d resources: %v", maxResources, err)
	}
}

func TestSIWETextRefusesWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	good, err := Parse(fullText)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Message){
		"statement with LF":  func(m *Message) { m.Statement = "a\nURI: b" },
		"domain with LF":     func(m *Message) { m.Domain = "a\nb" },
		"request id with LF": func(m *Message) { m.RequestID = "a\nResources:" },
		"resource with LF":   func(m *Message) { m.Resources = []string{"a:b\n- c:d"} },
		"empty resource":     func(m *Message) { m.Resources = []string{""} },
		"chain 0":            func(m *Message) { m.Chain = 0 },
		"zero":               func(m *Message) { *m = Message{} },
	} {
		m := good
		change(&m)
		if text, err := m.Text(); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for s, good := range map[string]bool{
		"2022-03-17T12:45:13Z":            true,
		"2022-03-17T12:45:13.6Z":          true,
		"2022-03-17T12:45:13.123456789Z":  true,
		"2022-03-17T12:45:13+01:00":       true,
		"2024-02-29T00:00:00Z":            true,
		"2023-02-29T00:00:00Z":            false,
		"2022-03-17T12:45:60Z":            false,
		"2022-03-17T24:00:00Z":            false,
		"2022-03-17T12:45:13.1234567890Z": false,
		"2022-03-17T12:45:13.Z":           false,
		"2022-03-17T12:45:13,6Z":          false,
		"2022-03-17T2:45:13Z":             false,
		"2022-03-17t12:45:13z":            false,
		"2022-03-17 12:45:13Z":            false,
		"2022-03-17T12:45:13":             false,
		"2022-03-17T12:45:13+0100":        false,
		"2022-03-17T12:45:13+25:00":       false,
		"22-03-17T12:45:13Z":              false,
		"12022-03-17T12:45:13Z":           false,
		"":                                false,
	} {
		if _, err := ParseTime(s); (err == nil) != good {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestSIWERoundTrip(t *testing.T) {
	t.Parallel()
	times := rapid.SampledFrom([]string{"2022-03-17T12:45:13Z", "2022-03-17T12:45:13.610Z", "2022-03-17T12:45:13-08:00"})
	maybe := func(g *rapid.Generator[string]) *rapid.Generator[string] { return rapid.OneOf(rapid.Just(""), g) }
	rapid.Check(t, func(t *rapid.T) {
		m := Message{
			Domain:         rapid.StringMatching(`[a-z0-9.-]{1,20}(:[0-9]{1,5})?`).Draw(t, "domain"),
			Address:        did.Address(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address")),
			Statement:      rapid.StringMatching(`[A-Za-z0-9 .,:/?#@!$&'()*+;=_~-]{0,40}`).Draw(t, "statement"),
			URI:            rapid.StringMatching(`[a-z][a-z0-9+.-]{0,5}:[a-z0-9/%2e]{0,3}[a-z0-9/?#]{1,20}`).Draw(t, "uri"),
			Chain:          rapid.Uint64Range(1, did.MaxChain).Draw(t, "chain"),
			Nonce:          rapid.StringMatching(`[A-Za-z0-9]{8,40}`).Draw(t, "nonce"),
			IssuedAt:       times.Draw(t, "issued"),
			ExpirationTime: maybe(times).Draw(t, "expires"),
			NotBefore:      maybe(times).Draw(t, "notBefore"),
			RequestID:      maybe(rapid.StringMatching(`[a-z0-9_.-]{1,20}`)).Draw(t, "request"),
			Resources:      rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,5}:[a-zA-Z0-9:/]{1,20}`), 0, 4).Draw(t, "resources"),
		}
		text, err := m.Text()
		if err != nil {
			return // a lone per cent sign
		}
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%q is not read back: %v", text, err)
		}
		again, err := back.Text()
		if err != nil || again != text {
			t.Fatalf("%q became %q, %v", text, again, err)
		}
	})
}

func FuzzParseSIWE(f *testing.F) {
	f.Add(fullText)
	f.Add(shortText)
	f.Add(strings.Replace(shortText, "\n\n\n", "\n\nx\n\n", 1) + "\nResources:\n- a:b")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := m.Text(); err != nil || again != text {
			t.Fatalf("%q became %q, %v", text, again, err)
		}
	})
}

func BenchmarkParseSIWE(b *testing.B) {
	for b.Loop() {
		if _, err := Parse(fullText); err != nil {
			b.Fatal(err)
		}
	}
}
