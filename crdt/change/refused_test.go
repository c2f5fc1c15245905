package change_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
)

// sound are the fields of a head that decodes. Signatures are not judged here.
func sound() cbor.Map {
	key := ada().Key()
	body := sha256.Sum256([]byte{0xa0})
	return cbor.Map{
		"v": 1, "bh": body[:], "hlc": uint64(1767225600000) << 10, "net": make([]byte, 16), "seq": 2, "sig": make([]byte, 64),
		"deps": []any{}, "kind": "vote", "prev": filled(9, 32), "size": 1, "proof": []any{filled(1, 32)},
		"space": "commons/go", "author": key[:],
	}
}

func filled(b byte, n int) []byte { return bytes.Repeat([]byte{b}, n) }

func ids(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = filled(byte(i+1), 32)
	}
	return out
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := cbor.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// altered is the sound head with some fields replaced; a nil value drops one.
func altered(t testing.TB, fields cbor.Map) []byte {
	t.Helper()
	m := sound()
	maps.Copy(m, fields)
	maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
	return encode(t, m)
}

// replaced swaps the one place of old in the sound head for what no encoder writes.
func replaced(t testing.TB, old, by []byte) []byte {
	t.Helper()
	b := encode(t, sound())
	if bytes.Count(b, old) != 1 {
		t.Fatalf("%x stands %d times in the head", old, bytes.Count(b, old))
	}
	return bytes.Replace(b, old, by, 1)
}

type bytesIn struct {
	Change vectortest.Change `json:"change"`
}

type bytesVector = vectortest.Vector[bytesIn, struct{}]

func refusedBytes(t testing.TB) []bytesVector {
	t.Helper()
	var out []bytesVector
	add := func(name string, code reason.Code, head, body []byte) {
		h, b := vectortest.Hex(head), vectortest.Hex(body)
		v := bytesVector{Name: name, Code: code}
		if v.In.Change = (vectortest.Change{&h, &b}); body == nil {
			v.In.Change[1] = nil
		}
		out = append(out, v)
	}
	bad := func(name string, head []byte) { add(name, reason.BadEncoding, head, nil) }
	head := func(fields cbor.Map) []byte { return altered(t, fields) }
	key := func(k string) []byte { return cbor.AppendText(nil, k) }
	whole := encode(t, sound())

	// The form (wire §2).
	bad("empty", []byte{})
	bad("trailing byte", append(slices.Clone(whole), 0))
	bad("cut short", whole[:len(whole)-1])
	bad("not a map", encode(t, []any{}))
	bad("indefinite map", append(append([]byte{0xbf}, whole[1:]...), 0xff))
	bad("map length not shortest", append([]byte{0xb8, 13}, whole[1:]...))
	bad("integer not shortest", replaced(t, append(key("v"), 1), append(key("v"), 0x18, 1)))
	bad("text length not shortest", replaced(t, append(key("kind"), key("vote")...), append(key("kind"), 0x78, 4, 'v', 'o', 't', 'e')))
	bad("byte length not shortest", replaced(t, append(key("prev"), 0x58, 32), append(key("prev"), 0x59, 0, 32)))
	bad("float", replaced(t, append(key("v"), 1), append(key("v"), 0xf9, 0x3c, 0)))
	bad("tag", replaced(t, append(key("v"), 1), append(key("v"), 0xc1, 1)))
	bad("undefined", replaced(t, append(key("v"), 1), append(key("v"), 0xf7)))
	bad("indefinite text", replaced(t, append(key("kind"), key("vote")...), append(key("kind"), 0x7f, 0x64, 'v', 'o', 't', 'e', 0xff)))
	bad("key twice", replaced(t, append(key("v"), 1), append(append(key("v"), 1), append(key("v"), 1)...)))
	bad("keys out of order", replaced(t, key("bh"), key("zz")))
	bad("keys by bytes and not by length", func() []byte {
		m := sound()
		b := cbor.AppendMap(nil, len(m))
		for _, k := range slices.Sorted(maps.Keys(m)) {
			b = append(cbor.AppendText(b, k), encode(t, m[k])...)
		}
		return b
	}())
	bad("key that is no text", replaced(t, append(key("v"), 1), append([]byte{0x41, 'v'}, 1)))
	bad("text that is not UTF-8", replaced(t, key("commons/go"), []byte("\x6acommons/g\xff")))

	// The table (wire §3).
	for _, k := range slices.Sorted(maps.Keys(sound())) {
		bad("without "+k, head(cbor.Map{k: nil}))
	}
	bad("unknown key", head(cbor.Map{"extra": 1}))
	bad("version 0", head(cbor.Map{"v": 0}))
	bad("version 2", head(cbor.Map{"v": 2}))
	bad("bh of 31 bytes", head(cbor.Map{"bh": filled(1, 31)}))
	bad("hlc beyond 2^53-1", replaced(t, append(key("hlc"), 0x1b, 0, 0x06), append(key("hlc"), 0x1b, 0, 0x20)))
	bad("negative hlc", head(cbor.Map{"hlc": -1}))
	bad("net of 15 bytes", head(cbor.Map{"net": filled(0, 15)}))
	bad("seq 0", head(cbor.Map{"seq": 0, "prev": []byte{}}))
	bad("seq 1 with prev", head(cbor.Map{"seq": 1}))
	bad("seq 2 without prev", head(cbor.Map{"prev": []byte{}}))
	bad("prev of 31 bytes", head(cbor.Map{"prev": filled(9, 31)}))
	bad("prev of zeros", head(cbor.Map{"prev": filled(0, 32)}))
	bad("sig of 63 bytes", head(cbor.Map{"sig": filled(0, 63)}))
	bad("sig2 of another length", head(cbor.Map{"sig2": filled(0, 3308), "kind": "grant"}))
	bad("sig2 on content", head(cbor.Map{"sig2": filled(0, change.Sig2Size)}))
	bad("sig2 on an unknown kind", head(cbor.Map{"sig2": filled(0, change.Sig2Size), "kind": "zeta"}))
	bad("nine deps", head(cbor.Map{"deps": ids(9)}))
	bad("deps out of order", head(cbor.Map{"deps": []any{filled(2, 32), filled(1, 32)}}))
	bad("a dep twice", head(cbor.Map{"deps": []any{filled(1, 32), filled(1, 32)}}))
	bad("prev among deps", head(cbor.Map{"deps": []any{filled(9, 32)}}))
	bad("dep of 31 bytes", head(cbor.Map{"deps": []any{filled(1, 31)}}))
	bad("five proofs", head(cbor.Map{"proof": ids(5)}))
	bad("size that is text", head(cbor.Map{"size": "1"}))
	for name, kind := range map[string]string{
		"of 25 letters": strings.Repeat("a", 25), "empty": "", "with an upper case letter": "Vote", "with two dots": "a.b.c",
		"with a dot at the end": "a.", "with a dot at the start": ".a", "with a digit": "vote2",
	} {
		bad("kind "+name, head(cbor.Map{"kind": kind}))
	}
	agent := change.DeriveAgent(change.NetID{}, ada().Key()).Space()
	for name, space := range map[string]string{
		"unknown":                           "world",
		"commons without a domain":          "commons/",
		"commons with a domain of 65":       "commons/" + strings.Repeat("a", 65),
		"commons with an upper case letter": "commons/Go",
		"of 81 bytes":                       "commons/" + strings.Repeat("a", 73),
		"agent in upper case":               strings.ToUpper(string(agent)),
		"agent cut short":                   string(agent[:len(agent)-1]),
		"agent with stray bits":             string(agent[:len(agent)-1]) + "b",
		"agent with a prefix":               "agent/agt_" + string(agent[6:]),
		"net with a path":                   "net/x",
	} {
		bad("space "+name, head(cbor.Map{"space": space}))
	}
	bad("author of another codec", head(cbor.Map{"author": append([]byte{0xe7, 0x01}, filled(1, 32)...)}))
	bad("author of 32 bytes", head(cbor.Map{"author": filled(1, 32)}))

	// Sizes and bodies.
	large := reason.ChangeTooLarge
	add("head over 5 KiB", large, append(slices.Clone(whole), make([]byte, change.MaxHead+1-len(whole))...), nil)
	add("size over 64 KiB", large, head(cbor.Map{"size": change.MaxBody + 1}), nil)
	add("size of 2^53-1", large, head(cbor.Map{"size": uint64(cbor.MaxInt)}), nil)
	add("body over 64 KiB", large, whole, make([]byte, change.MaxBody+1))
	add("body of another hash", reason.BlobMismatch, whole, []byte{0xa1})
	add("body of another length", reason.BlobMismatch, head(cbor.Map{"size": 2}), []byte{0xa0})
	add("empty body", reason.BlobMismatch, whole, []byte{})
	slices.SortStableFunc(out, func(a, b bytesVector) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func TestRefusedBytes(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Golden(t, "change/refused-bytes.json", refusedBytes(t)) {
		c, err := v.In.Change.Decode()
		if got := reason.Of(err); got != v.Code {
			t.Errorf("%s: %v, want %s", v.Name, err, v.Code)
		}
		if stub := v.Code == reason.BlobMismatch; (c != nil) != stub {
			t.Errorf("%s: change %v beside the refusal", v.Name, c)
		}
	}
}

// Each limit of the head bites on one side only.
func TestHeadLimits(t *testing.T) {
	t.Parallel()
	for name, fields := range map[string]cbor.Map{
		"sound":         {},
		"eight deps":    {"deps": ids(8)},
		"four proofs":   {"proof": ids(4)},
		"no proof":      {"proof": []any{}},
		"kind of 24":    {"kind": strings.Repeat("a", 24)},
		"kind with dot": {"kind": "a." + strings.Repeat("b", 22)},
		"domain of 64":  {"space": "commons/" + strings.Repeat("a", 64)},
		"all of it":     {"space": "commons/az09:_-"},
		"first":         {"seq": 1, "prev": []byte{}},
		"last seq":      {"seq": uint64(cbor.MaxInt)},
		"last hlc":      {"hlc": uint64(cbor.MaxInt)},
		"size 64 KiB":   {"size": change.MaxBody},
		"size 0":        {"size": 0},
		"hybrid":        {"sig2": filled(3, change.Sig2Size), "kind": "grant"},
	} {
		raw := altered(t, fields)
		c, err := change.Decode(raw, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(c.Head.Encode(), raw) {
			t.Errorf("%s: decode then encode gives other bytes", name)
		}
	}
}

func TestLargestHeadFits(t *testing.T) {
	t.Parallel()
	raw := altered(t, cbor.Map{
		"hlc": uint64(cbor.MaxInt), "seq": uint64(cbor.MaxInt), "size": change.MaxBody, "deps": ids(8), "proof": ids(4), "kind": "profile.bind",
		"sig2": filled(3, change.Sig2Size), "space": "commons/" + strings.Repeat("a", 64),
	})
	if _, err := change.DecodeHead(raw); err != nil {
		t.Errorf("head of %d bytes: %v", len(raw), err)
	}
}

func TestLargestBodyFits(t *testing.T) {
	t.Parallel()
	body := make([]byte, change.MaxBody)
	sum := sha256.Sum256(body)
	c, err := change.Decode(altered(t, cbor.Map{"size": len(body), "bh": sum[:]}), body)
	if err != nil || c.IsStub() {
		t.Errorf("%v, %v", c, err)
	}
}

func TestDecodeKeepsTheStubOfAWrongBody(t *testing.T) {
	t.Parallel()
	c, err := change.Decode(altered(t, nil), []byte("x"))
	if reason.Of(err) != reason.BlobMismatch || c == nil || !c.IsStub() {
		t.Fatalf("%v, %v", c, err)
	}
	if err := c.CheckBody([]byte{0xa0}); err != nil {
		t.Errorf("the right body: %v", err)
	}
}

func TestSignaturesAreNoPartOfTheID(t *testing.T) {
	t.Parallel()
	id := func(fields cbor.Map) change.ID {
		c, err := change.Decode(altered(t, fields), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	plain := id(cbor.Map{"kind": "grant"})
	if plain != id(cbor.Map{"kind": "grant", "sig": filled(5, 64)}) || plain != id(cbor.Map{"kind": "grant", "sig2": filled(5, change.Sig2Size)}) {
		t.Error("another signature makes another change")
	}
	if plain == id(cbor.Map{"kind": "revoke"}) {
		t.Error("another kind makes the same change")
	}
}

// Whatever decodes is exactly what its fields encode to, and its order is valid.
func TestSealedChangesDecode(t *testing.T) {
	t.Parallel()
	genID := rapid.Custom(func(t *rapid.T) change.ID { return sha256.Sum256(rapid.SliceOfN(rapid.Byte(), 1, 4).Draw(t, "id")) })
	rapid.Check(t, func(t *rapid.T) {
		d := change.Draft{
			Space: change.Commons(rapid.StringMatching(`[a-z0-9:_-]{1,64}`).Draw(t, "domain")),
			Kind:  rapid.StringMatching(`[a-z]{1,11}(\.[a-z]{1,12})?`).Draw(t, "kind"),
			Body:  rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "body"), HLC: rapid.Uint64Range(0, cbor.MaxInt).Draw(t, "hlc"), Seq: 1,
			Proof: rapid.SliceOfN(genID, 0, change.MaxProof).Draw(t, "proof"),
		}
		d.Deps = rapid.SliceOfN(genID, 0, change.MaxDeps).Draw(t, "deps")
		c := change.Seal(d, ada())
		got, err := change.Decode(c.RawHead, c.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != c.ID || got.Compare(c) != 0 || fmt.Sprint(got.Head) != fmt.Sprint(c.Head) {
			t.Fatalf("decoded %+v\nsealed %+v", got.Head, c.Head)
		}
	})
}

func TestRefusalNamesTheKey(t *testing.T) {
	t.Parallel()
	_, err := change.DecodeHead(altered(t, cbor.Map{"kind": "Vote"}))
	var r *reason.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Text, `"kind"`) {
		t.Errorf("%v", err)
	}
}
