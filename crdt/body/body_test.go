package body_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

var commons = change.Commons("go")

func guild() change.Space { return change.Space("guild/" + change.Base32(make([]byte, 32))) }

func someKey(b byte) did.Key { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))).Key() }

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := cbor.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func filled(n int) []byte { return bytes.Repeat([]byte{1}, n) }

// texts are n texts of length characters each, of two bytes a character.
func texts(n, length int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = strings.Repeat("é", length)
	}
	return out
}

func idList(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = filled(32)
	}
	return out
}

// object is a canonical JSON object of n keys, each size characters long.
func object(n, size int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%s%02d":0`, strings.Repeat("é", size-2), i)
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}")
}

// padded is a canonical JSON object of exactly size bytes.
func padded(size int) []byte { return []byte(`{"a":"` + strings.Repeat("x", size-8) + `"}`) }

const fit = "Acknowledge a write only after the log is synced."

// A limitCase sets some keys of a body that is right without them.
type limitCase struct {
	name string
	set  cbor.Map
	code reason.Code // "" when the row is valid
}

func runRows(t *testing.T, base cbor.Map, cases []limitCase, parse func(b []byte) error) {
	t.Helper()
	for _, c := range cases {
		m := maps.Clone(base)
		maps.Copy(m, c.set)
		maps.DeleteFunc(m, func(_ string, v any) bool { return v == absent })
		if err := parse(encode(t, m)); reason.Of(err) != c.code {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
	}
}

// absent drops a key of the base.
const absent = "\x01absent"

const bad = reason.BadEncoding

func TestEntryRow(t *testing.T) {
	t.Parallel()
	sha := func(b []byte) []byte { s := sha256.Sum256(b); return s[:] }
	base := cbor.Map{"type": "wisdom", "text": fit}
	cases := []limitCase{
		{"base", nil, ""},
		{"pattern", cbor.Map{"type": "pattern"}, ""}, {"gotcha", cbor.Map{"type": "gotcha"}, ""},
		{"another type", cbor.Map{"type": "Wisdom"}, reason.InvalidType}, {"empty type", cbor.Map{"type": ""}, reason.InvalidType},
		{"no type", cbor.Map{"type": absent}, bad}, {"type is a number", cbor.Map{"type": 1}, bad},
		{"no text", cbor.Map{"text": absent}, bad}, {"text is bytes", cbor.Map{"text": []byte(fit)}, bad}, {"empty text", cbor.Map{"text": ""}, reason.TooShort},
		{"hash instead of text", cbor.Map{"text": absent, "hash": filled(32)}, ""}, {"text and hash", cbor.Map{"hash": filled(32)}, bad},
		{"hash of 31", cbor.Map{"text": absent, "hash": filled(31)}, bad}, {"hash of 33", cbor.Map{"text": absent, "hash": filled(33)}, bad},
		{"title 160", cbor.Map{"title": strings.Repeat("é", 160)}, ""}, {"title 161", cbor.Map{"title": strings.Repeat("é", 161)}, bad},
		{"12 tags of 48", cbor.Map{"tags": texts(12, 48)}, ""}, {"13 tags", cbor.Map{"tags": texts(13, 1)}, bad}, {"tag of 49", cbor.Map{"tags": texts(1, 49)}, bad},
		{"tag is a number", cbor.Map{"tags": []any{1}}, bad}, {"tags is text", cbor.Map{"tags": "go"}, bad},
		{"conf 0", cbor.Map{"conf": 0}, ""}, {"conf 1000", cbor.Map{"conf": 1000}, ""}, {"conf 1001", cbor.Map{"conf": 1001}, bad}, {"conf -1", cbor.Map{"conf": -1}, bad},
		{"price 0", cbor.Map{"price": 0}, ""}, {"price 2^53-1", cbor.Map{"price": uint64(cbor.MaxInt)}, ""}, {"price -1", cbor.Map{"price": -1}, bad},
		{"8 evidence of 1000", cbor.Map{"evidence": texts(8, 1000)}, ""}, {"9 evidence", cbor.Map{"evidence": texts(9, 1)}, bad}, {"evidence of 1001", cbor.Map{"evidence": texts(1, 1001)}, bad},
		{"source 500", cbor.Map{"source": strings.Repeat("é", 500)}, ""}, {"source 501", cbor.Map{"source": strings.Repeat("é", 501)}, bad},
		{"10 reuses", cbor.Map{"reuses": idList(10)}, ""}, {"11 reuses", cbor.Map{"reuses": idList(11)}, bad}, {"reuse of 31", cbor.Map{"reuses": []any{filled(31)}}, bad},
		{"supersedes", cbor.Map{"supersedes": filled(32)}, ""}, {"supersedes of 31", cbor.Map{"supersedes": filled(31)}, bad},
		{"meta of 20 keys of 64", cbor.Map{"meta": object(20, 64)}, ""}, {"meta of 21 keys", cbor.Map{"meta": object(21, 3)}, bad}, {"meta key of 65", cbor.Map{"meta": object(1, 65)}, bad},
		{"meta 4 KiB", cbor.Map{"meta": padded(4 << 10)}, ""}, {"meta over 4 KiB", cbor.Map{"meta": padded(4<<10 + 1)}, bad},
		{"meta not canonical", cbor.Map{"meta": []byte(`{"a": 1}`)}, bad}, {"meta list", cbor.Map{"meta": []byte(`[]`)}, bad}, {"meta empty", cbor.Map{"meta": []byte{}}, bad},
		{"meta not JSON", cbor.Map{"meta": []byte(`{`)}, bad}, {"meta key twice", cbor.Map{"meta": []byte(`{"a":1,"a":1}`)}, bad}, {"meta empty object", cbor.Map{"meta": []byte(`{}`)}, ""},
		{"receipt 4 KiB", cbor.Map{"receipt": padded(4 << 10), "rsha": sha(padded(4 << 10))}, ""}, {"receipt over 4 KiB", cbor.Map{"receipt": padded(4<<10 + 1)}, bad},
		{"receipt of 21 long keys", cbor.Map{"receipt": object(21, 66)}, ""}, {"receipt not canonical", cbor.Map{"receipt": []byte(`{"b":1,"a":1}`)}, bad},
		{"receipt of another hash", cbor.Map{"receipt": []byte(`{}`), "rsha": filled(32)}, reason.ReceiptMismatch},
		{"receipt of a zero hash", cbor.Map{"receipt": []byte(`{}`), "rsha": make([]byte, 32)}, reason.ReceiptMismatch},
		{"rsha alone", cbor.Map{"rsha": filled(32)}, ""}, {"rsha of 31", cbor.Map{"rsha": filled(31)}, bad},
		{"domain in the commons", cbor.Map{"domain": "go"}, bad},
		{"unknown keys", cbor.Map{"zzz": cbor.Map{"a": []any{nil, true}}, "mood": 7}, ""},
	}
	runRows(t, base, cases, func(b []byte) error { _, err := body.ParseEntry(b, commons); return err })

	runRows(t, base, []limitCase{
		{"no domain", nil, ""}, {"domain", cbor.Map{"domain": "go"}, ""}, {"domain of 64", cbor.Map{"domain": strings.Repeat("a", 64)}, ""},
		{"domain of 65", cbor.Map{"domain": strings.Repeat("a", 65)}, bad}, {"empty domain", cbor.Map{"domain": ""}, bad}, {"domain in upper case", cbor.Map{"domain": "Go"}, bad},
	}, func(b []byte) error { _, err := body.ParseEntry(b, guild()); return err })
}

func TestEntryLength(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]reason.Code{39: reason.TooShort, 40: "", 4000: "", 4001: reason.TooLong} {
		for _, char := range []string{"a", "字", "🚀", "é"} {
			_, err := body.ParseEntry(encode(t, cbor.Map{"type": "wisdom", "text": strings.Repeat(char, n)}), commons)
			if got := reason.Of(err); got != want {
				t.Errorf("%d of %s: %v", n, char, err)
			}
		}
	}
	_, err := body.ParseEntry(encode(t, cbor.Map{"type": "wisdom", "text": "too short"}), commons)
	r, ok := err.(*reason.Refusal)
	if !ok || r.Details["length"] != 9 || r.Details["min"] != 40 || r.Details["max"] != 4000 {
		t.Errorf("details of %v", err)
	}
}

func TestLengthVectors(t *testing.T) {
	t.Parallel()
	type out struct{ Short, Long int }
	for _, v := range vectortest.Read[vectortest.Hex, out](t, "length/length.json") {
		text := string(norm.NFC.Bytes(v.In))
		least, most := body.Length(text)
		if v.Out != nil && (least != v.Out.Short || most != v.Out.Long) {
			t.Errorf("%s: %d and %d, want %+v", v.Name, least, most, *v.Out)
		}
		_, err := body.ParseEntry(encode(t, cbor.Map{"type": "wisdom", "text": text}), commons)
		if reason.Of(err) != v.Code {
			t.Errorf("%s: %v, want %q", v.Name, err, v.Code)
		}
	}
}

func TestBindRow(t *testing.T) {
	t.Parallel()
	k := someKey(1)
	ctl := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = someKey(byte(i + 1)).String()
		}
		return out
	}
	bind := func(set cbor.Map) cbor.Map {
		m := cbor.Map{"alg": "ed25519", "by": k.String(), "sig": filled(64), "text": "x"}
		maps.Copy(m, set)
		maps.DeleteFunc(m, func(_ string, v any) bool { return v == absent })
		return cbor.Map{"bind": m}
	}
	sponsor := func(by, sig any) cbor.Map { return cbor.Map{"sponsor": cbor.Map{"by": by, "sig": sig}} }
	cases := []limitCase{
		{"base", nil, ""},
		{"name 2", cbor.Map{"name": "éé"}, ""}, {"name 1", cbor.Map{"name": "é"}, bad}, {"name 64", cbor.Map{"name": strings.Repeat("é", 64)}, ""}, {"name 65", cbor.Map{"name": strings.Repeat("é", 65)}, bad},
		{"name is bytes", cbor.Map{"name": []byte("Ada")}, bad},
		{"home 253", cbor.Map{"home": strings.Repeat("a", 253)}, ""}, {"home 254", cbor.Map{"home": strings.Repeat("a", 254)}, bad},
		{"3 controllers", cbor.Map{"ctl": ctl(3)}, ""}, {"4 controllers", cbor.Map{"ctl": ctl(4)}, bad}, {"no DID", cbor.Map{"ctl": []any{"ada"}}, bad}, {"controller is a number", cbor.Map{"ctl": []any{1}}, bad},
		{"wallet", cbor.Map{"ctl": []any{"did:pkh:eip155:1:0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"}}, ""},
		{"wallet in lower case", cbor.Map{"ctl": []any{"did:pkh:eip155:1:0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"}}, bad},
		{"next 32", cbor.Map{"next": filled(32)}, ""}, {"next 31", cbor.Map{"next": filled(31)}, bad},
		{"pq", cbor.Map{"pq": filled(1952)}, ""}, {"pq short", cbor.Map{"pq": filled(1951)}, bad},
		{"box 32", cbor.Map{"box": filled(32)}, ""}, {"box 33", cbor.Map{"box": filled(33)}, bad},
		{"bind", bind(nil), ""}, {"bind without alg", bind(cbor.Map{"alg": absent}), bad}, {"bind without sig", bind(cbor.Map{"sig": absent}), bad}, {"bind is text", cbor.Map{"bind": "x"}, bad},
		{"bind text 4096", bind(cbor.Map{"text": strings.Repeat("a", 4096)}), ""}, {"bind text 4097", bind(cbor.Map{"text": strings.Repeat("a", 4097)}), bad},
		{"bind sig 128", bind(cbor.Map{"sig": filled(128)}), ""}, {"bind sig 129", bind(cbor.Map{"sig": filled(129)}), bad},
		{"sponsor", sponsor(k[:], filled(64)), ""}, {"sponsor sig 63", sponsor(k[:], filled(63)), bad}, {"sponsor of a weak key", sponsor(append([]byte{0xed, 1}, make([]byte, 32)...), filled(64)), bad},
		{"pow 2^53-1", cbor.Map{"pow": uint64(cbor.MaxInt)}, ""}, {"pow -1", cbor.Map{"pow": -1}, bad},
		{"unknown key", cbor.Map{"mood": 1}, ""},
	}
	for _, genesis := range []bool{true, false} {
		runRows(t, cbor.Map{"name": "Ada"}, cases, func(b []byte) error { _, err := body.ParseBind(b, genesis); return err })
	}
	runRows(t, cbor.Map{}, []limitCase{{"no name", nil, bad}}, func(b []byte) error { _, err := body.ParseBind(b, true); return err })
	runRows(t, cbor.Map{}, []limitCase{{"no name later", nil, ""}}, func(b []byte) error { _, err := body.ParseBind(b, false); return err })
}

func TestManifestRow(t *testing.T) {
	t.Parallel()
	keyList := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			k := someKey(byte(i))
			out[i] = k[:]
		}
		return out
	}
	k := someKey(1)
	gateways := func(n int, host string) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = cbor.Map{"host": host, "key": k[:]}
		}
		return out
	}
	base := cbor.Map{"bootstrap": []any{}, "gateways": []any{}, "labelers": []any{}}
	runRows(t, base, []limitCase{
		{"base", nil, ""}, {"no bootstrap", cbor.Map{"bootstrap": absent}, bad}, {"no gateways", cbor.Map{"gateways": absent}, bad}, {"no labelers", cbor.Map{"labelers": absent}, bad},
		{"64 addresses of 256", cbor.Map{"bootstrap": texts(64, 256)}, ""}, {"65 addresses", cbor.Map{"bootstrap": texts(65, 1)}, bad}, {"address of 257", cbor.Map{"bootstrap": texts(1, 257)}, bad},
		{"128 gateways", cbor.Map{"gateways": gateways(128, "a")}, ""}, {"129 gateways", cbor.Map{"gateways": gateways(129, "a")}, bad},
		{"host 253", cbor.Map{"gateways": gateways(1, strings.Repeat("a", 253))}, ""}, {"host 254", cbor.Map{"gateways": gateways(1, strings.Repeat("a", 254))}, bad},
		{"empty host", cbor.Map{"gateways": gateways(1, "")}, bad}, {"gateway is text", cbor.Map{"gateways": []any{"a"}}, bad},
		{"gateway of a weak key", cbor.Map{"gateways": []any{cbor.Map{"host": "a", "key": append([]byte{0xed, 1}, make([]byte, 32)...)}}}, bad},
		{"64 labelers", cbor.Map{"labelers": keyList(64)}, ""}, {"65 labelers", cbor.Map{"labelers": keyList(65)}, bad}, {"labeler is text", cbor.Map{"labelers": []any{"a"}}, bad},
	}, func(b []byte) error { _, err := body.ParseManifest(b); return err })
}

func TestRetractRow(t *testing.T) {
	t.Parallel()
	target := change.ID(filled(32))
	parse := func(b []byte) error { _, err := body.ParseRetract(b, []change.ID{{9}, target}); return err }
	runRows(t, cbor.Map{"target": target[:]}, []limitCase{
		{"base", nil, ""}, {"why 300", cbor.Map{"why": strings.Repeat("é", 300)}, ""}, {"why 301", cbor.Map{"why": strings.Repeat("é", 301)}, bad},
		{"no target", cbor.Map{"target": absent}, bad}, {"target of 31", cbor.Map{"target": filled(31)}, bad}, {"no parent", cbor.Map{"target": make([]byte, 32)}, bad},
	}, parse)
}

func TestEditRow(t *testing.T) {
	t.Parallel()
	actor := [16]byte{1, 2, 3}
	chunk := worldtest.Chunk(actor, 1, 1, nil, "bio", "x")
	foreign := worldtest.Chunk([16]byte{9}, 1, 1, nil, "bio", "x")
	var asked []string
	runRows(t, cbor.Map{"doc": "page", "chunk": chunk}, []limitCase{
		{"base", nil, ""}, {"generation", cbor.Map{"doc": "page~2"}, ""}, {"no doc", cbor.Map{"doc": absent}, bad}, {"unknown doc", cbor.Map{"doc": "diary"}, bad},
		{"no chunk", cbor.Map{"chunk": absent}, bad}, {"another's actor", cbor.Map{"chunk": foreign}, bad}, {"spoiled", cbor.Map{"chunk": chunk[:len(chunk)-1]}, bad},
		{"over 48 KiB", cbor.Map{"chunk": make([]byte, 48<<10+1)}, bad},
	}, func(b []byte) error {
		_, err := body.ParseEdit(b, func(name string) [16]byte { asked = append(asked, name); return actor })
		return err
	})
	if len(asked) != 3 || asked[1] != "page~2" {
		t.Errorf("the actor was asked for %q", asked)
	}
	b, err := body.EncodeEdit("page", chunk)
	if err != nil {
		t.Fatal(err)
	}
	e, err := body.ParseEdit(b, func(string) [16]byte { return actor })
	if err != nil || e.Doc != "page" || !bytes.Equal(e.Raw, chunk) || e.Chunk.Actor != actor {
		t.Errorf("%+v, %v", e, err)
	}
}

// What Encode writes, Parse reads as the same.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	text := func(least, most int) *rapid.Generator[string] {
		return rapid.Map(rapid.StringN(least, most, -1), func(s string) string {
			s = norm.NFC.String(strings.ReplaceAll(s, "\x00", "-"))
			return strings.ToValidUTF8(s, "-")
		})
	}
	gen := rapid.Custom(func(t *rapid.T) body.Entry {
		v := body.Entry{
			Type: rapid.SampledFrom([]string{body.Wisdom, body.Pattern, body.Gotcha}).Draw(t, "type"), Text: fit + text(0, 50).Draw(t, "text"),
			Title: text(0, 40).Draw(t, "title"), Confidence: rapid.IntRange(0, 1000).Draw(t, "conf"), Price: rapid.Int64Range(0, cbor.MaxInt).Draw(t, "price"),
			Source: text(0, 40).Draw(t, "source"),
		}
		v.Text = norm.NFC.String(v.Text)
		for range rapid.IntRange(0, 3).Draw(t, "tags") {
			v.Tags = append(v.Tags, text(0, 12).Draw(t, "tag"))
			v.Reuses = append(v.Reuses, change.ID{byte(len(v.Tags))})
		}
		if rapid.Bool().Draw(t, "receipt") {
			v.Receipt, v.Meta, v.Evidence = []byte(`{"a":1}`), []byte(`{"b":"c"}`), []string{"seen"}
			v.ReceiptSHA, v.Supersedes = sha256.Sum256(v.Receipt), change.ID{3}
		}
		return v
	})
	rapid.Check(t, func(t *rapid.T) {
		v := gen.Draw(t, "entry")
		b, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := body.ParseEntry(b, commons)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, v) {
			t.Fatalf("read %+v\nwrote %+v", got, v)
		}
	})
	k := someKey(1)
	b := body.Bind{
		Name: "Ada", Home: "mesh.example", Controllers: []string{k.String()}, Next: filled(32), PQ: filled(1952), Box: filled(32),
		Sponsor: &body.Sponsor{By: k, Sig: filled(64)}, Pow: 7,
	}
	raw, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := body.ParseBind(raw, true); err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("%+v, %v", got, err)
	}
	m := body.Manifest{Bootstrap: []string{"/ip4/192.0.2.1"}, Gateways: []body.Gateway{{Host: "a", Key: k}}, Labelers: []did.Key{k}}
	if raw, err = m.Encode(); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte("pq")) {
		t.Error("a manifest without a second key names one")
	}
	if got, err := body.ParseManifest(raw); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v", got, err)
	}
	m.PQ = filled(1952)
	if raw, err = m.Encode(); err != nil {
		t.Fatal(err)
	}
	if got, err := body.ParseManifest(raw); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v", got, err)
	}
	r := body.Retract{Target: change.ID{5}, Why: "wrong"}
	if raw, err = r.Encode(); err != nil {
		t.Fatal(err)
	}
	if got, err := body.ParseRetract(raw, []change.ID{{5}}); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEncodeRefusesWhatNoWireHolds(t *testing.T) {
	t.Parallel()
	if b, err := (body.Entry{Type: "wisdom", Text: "e\u0301"}).Encode(); err == nil {
		t.Errorf("text that is not NFC is written as %x", b)
	}
	if b, err := (body.Entry{Type: "wisdom", Price: 1 << 60}).Encode(); err == nil {
		t.Errorf("a price beyond 2^53 is written as %x", b)
	}
}

// The published tickets and proofs, from the body that carries them.
func TestCheckGenesis(t *testing.T) {
	t.Parallel()
	net := [16]byte{1}
	author := someKey(1)
	if err := (body.Bind{}).CheckGenesis(net, author, 0); err != nil {
		t.Errorf("no bits asked: %v", err)
	}
	if err := (body.Bind{}).CheckGenesis(net, author, 60); reason.Of(err) != reason.BindingInvalid {
		t.Errorf("60 bits asked: %v", err)
	}
	sponsored := body.Bind{Sponsor: &body.Sponsor{By: someKey(2), Sig: filled(64)}}
	if err := sponsored.CheckGenesis(net, author, 0); reason.Of(err) != reason.BindingInvalid {
		t.Errorf("bad sponsor: %v", err)
	}
}
