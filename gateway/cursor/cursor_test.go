package cursor

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/reason"
)

var (
	start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	key   = bytes.Repeat([]byte{7}, keySize)
)

func codec(t testing.TB) *Codec {
	t.Helper()
	c, err := New(key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func encode(t testing.TB, c *Codec, f Filter, p Place) string {
	t.Helper()
	text, err := c.Encode(f, p, start)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestPlaceSurvives(t *testing.T) {
	t.Parallel()
	c := codec(t)
	rapid.Check(t, func(rt *rapid.T) {
		p := Place{
			Sort: string(rapid.SliceOfN(rapid.Byte(), 0, maxSort).Draw(rt, "sort")),
			ID:   string(rapid.SliceOfN(rapid.Byte(), 0, maxID).Draw(rt, "id")),
		}
		f := Bind(rapid.String().Draw(rt, "list"), nil)
		text, err := c.Encode(f, p, start)
		if err != nil || len(text) > MaxText {
			rt.Fatalf("%d characters, %v", len(text), err)
		}
		age := rapid.Int64Range(-int64(maxAge), int64(maxAge)).Draw(rt, "age")
		got, err := c.Decode(text, f, start.Add(time.Duration(age)))
		if err != nil || got != p {
			rt.Fatalf("got %+v, %v", got, err)
		}
	})
}

func TestEveryChangedCharacterIsRefused(t *testing.T) {
	t.Parallel()
	c := codec(t)
	text := encode(t, c, Filter{}, Place{Sort: "2026-03-01", ID: "ent_a"})
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_\n="
	for i := range text {
		for _, r := range []byte(alphabet) {
			b := []byte(text)
			if b[i] == r {
				continue
			}
			b[i] = r
			if p, err := c.Decode(string(b), Filter{}, start); reason.Of(err) != reason.InvalidCursor {
				t.Fatalf("character %d as %q gave %+v, %v", i, r, p, err)
			}
		}
	}
}

func TestForeignCursorsAreRefused(t *testing.T) {
	t.Parallel()
	c := codec(t)
	other, err := New(bytes.Repeat([]byte{8}, keySize))
	if err != nil {
		t.Fatal(err)
	}
	f := Bind("feed", url.Values{"domain": {"go"}})
	p := Place{Sort: "a", ID: "b"}
	good := encode(t, c, f, p)
	// A place inside its lengths, so that only the length check can object.
	raw, err := base64.RawURLEncoding.DecodeString(encode(t, c, f, Place{}))
	if err != nil {
		t.Fatal(err)
	}
	raw = raw[:len(raw)-macSize]
	raw[header-1] = 1
	overrun := base64.RawURLEncoding.EncodeToString(append(raw, c.mac(raw)...))
	cases := map[string]struct {
		text string
		f    Filter
		at   time.Duration
	}{
		"empty":         {"", f, 0},
		"other key":     {encode(t, other, f, p), f, 0},
		"other filter":  {good, Bind("feed", url.Values{"domain": {"rust"}}), 0},
		"other list":    {good, Bind("agents", url.Values{"domain": {"go"}}), 0},
		"too old":       {good, f, maxAge + time.Millisecond},
		"cut":           {good[:len(good)-4], f, 0},
		"longer":        {good + "AAAA", f, 0},
		"line break":    {good[:4] + "\n" + good[4:], f, 0},
		"padded":        {good + "=", f, 0},
		"too long":      {strings.Repeat("A", MaxText+1), f, 0},
		"not base64":    {"ä", f, 0},
		"wrong lengths": {overrun, f, 0},
	}
	for name, tc := range cases {
		if _, err := c.Decode(tc.text, tc.f, start.Add(tc.at)); reason.Of(err) != reason.InvalidCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := c.Decode(good, f, start.Add(24*time.Hour)); err != nil || got != p {
		t.Errorf("after a day: %+v, %v", got, err)
	}
}

func TestBindCountsFiltersOnly(t *testing.T) {
	t.Parallel()
	parse := func(q string) Filter {
		v, err := url.ParseQuery(q)
		if err != nil {
			t.Fatal(err)
		}
		return Bind("feed", v)
	}
	same := []string{"a=1&b=2", "b=2&a=1", "a=1&b=2&cursor=x", "limit=5&a=1&b=2"}
	for _, q := range same {
		if parse(q) != parse(same[0]) {
			t.Errorf("%q is another filter than %q", q, same[0])
		}
	}
	for _, q := range []string{"", "a=1", "a=1&b=3", "a=1&b=2&b=2", "a=1&b=2&c=", "a=1b&=2", "a=1&a=2"} {
		if parse(q) == parse(same[0]) {
			t.Errorf("%q is the same filter as %q", q, same[0])
		}
	}
}

func TestLongPlacesAndShortKeysFail(t *testing.T) {
	t.Parallel()
	c := codec(t)
	for _, p := range []Place{{Sort: strings.Repeat("x", maxSort+1)}, {ID: strings.Repeat("x", maxID+1)}} {
		if _, err := c.Encode(Filter{}, p, start); err == nil {
			t.Errorf("place of %d and %d bytes was encoded", len(p.Sort), len(p.ID))
		}
	}
	if _, err := New(key[1:]); err == nil {
		t.Error("a short key was taken")
	}
}

func FuzzDecode(f *testing.F) {
	c := codec(f)
	f.Add(encode(f, c, Filter{}, Place{Sort: "2026-03-01", ID: "ent_a"}))
	f.Add(encode(f, c, Filter{}, Place{}))
	f.Add("")
	f.Add(strings.Repeat("A", 60))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := c.Decode(text, Filter{}, start)
		if err != nil {
			if reason.Of(err) != reason.InvalidCursor {
				t.Fatalf("refusal of %q: %v", text, err)
			}
			return
		}
		// Only what this key made at some time passes, in its one spelling.
		raw, _ := base64.RawURLEncoding.DecodeString(text)
		if again := base64.RawURLEncoding.EncodeToString(raw); again != text || len(p.ID) > maxID+maxSort {
			t.Fatalf("%q was read as %+v", text, p)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	c := codec(b)
	text := encode(b, c, Filter{}, Place{Sort: "2026-03-01T00:00:00.000Z", ID: "ent_" + strings.Repeat("a", 52)})
	for b.Loop() {
		if _, err := c.Decode(text, Filter{}, start); err != nil {
			b.Fatal(err)
		}
	}
}
