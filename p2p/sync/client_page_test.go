package sync

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

const clientPage = "../../docs/client.md"

// transcript notes the frames of a session, as they travel.
type transcript struct {
	t   testing.TB
	out strings.Builder
	c   *codec
}

var fieldNotes = map[string]string{
	"now": "milliseconds since 1970", "fp": "fingerprint, 18.2", "net": "7.4: the built-in network", "hlc": "milliseconds × 1024, 6.1", "bh": "H(body)", "sig": "over \"mesh-change-v1\\0\" ‖ id",
	"prev": "the first of its chain", "after": "from the start", "pow": "the ticket, 9.17", "author": "the key that signs", "proof": "the identity of the author, 11.1", "n": "symbols asked for", "syms": "18.22",
}

// note writes a frame down. What a changes frame packs stands unpacked, since
// compressors differ.
func (r *transcript) note(from string, k kind, payload []byte) {
	r.t.Helper()
	if k == kindChanges {
		raw, err := r.c.unpack(payload, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		fmt.Fprintf(&r.out, "%s: length, %02x, and a zstd frame of\n%s\n", from, byte(k), annotate(raw, fieldNotes))
		return
	}
	length := binary.AppendUvarint(nil, uint64(len(payload)+1))
	fmt.Fprintf(&r.out, "%s: %x length, %02x %s\n%s\n", from, length, byte(k), k, annotate(payload, fieldNotes))
}

// publishedPair is the profile.bind and the entry that SPEC.md prints.
func publishedPair(t testing.TB) (bind, entry *change.Change) {
	t.Helper()
	type in struct {
		Change [2]vectorfile.Hex `json:"change"`
	}
	vs := vectorfile.Read[in, struct{}](t, "change/valid.json")
	var out [2]*change.Change
	for i := range out {
		c, err := change.Decode(vs[i].In.Change[0], vs[i].In.Change[1])
		if err != nil {
			t.Fatal(err)
		}
		out[i] = c
	}
	return out[0], out[1]
}

func pageEndpoint(t testing.TB, f *fake, agent string) endpoint {
	t.Helper()
	e := endpointOf(t, f)
	e.cfg.Agent = agent
	net, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	e.cfg.Net = net
	return e
}

// played is a whole session from one node to another.
func played(t testing.TB, a, b *fake) string {
	t.Helper()
	r := &transcript{t: t, c: endpointOf(t, a).codec}
	watch := func(from string) func(kind, []byte) (kind, []byte) {
		return func(k kind, payload []byte) (kind, []byte) { r.note(from, k, payload); return k, payload }
	}
	ours, theirs := tapBoth(t, watch("responder"), watch("initiator"))
	if rep, _ := over(t, pageEndpoint(t, a, "second/1"), pageEndpoint(t, b, "meshd/1.0.0"), ours, theirs); rep.Err != nil || !rep.Equal() {
		t.Fatalf("report: %+v", rep)
	}
	return r.out.String()
}

// asked is a session in which requests are written by hand, each answered by so many
// frames.
func asked(t testing.TB, b *fake, asks []ask) string {
	t.Helper()
	r := &transcript{t: t, c: endpointOf(t, b).codec}
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = pageEndpoint(t, b, "meshd/1.0.0").answerer(t.Context(), theirs, "a", anyTime).run()
		theirs.Close()
	}()
	w := newWire(t.Context(), ours, time.Hour)
	for _, a := range asks {
		r.note("initiator", a.k, a.payload)
		if err := w.write(a.k, a.payload); err != nil {
			t.Fatal(err)
		}
		for range a.answers {
			k, payload, err := w.read()
			if err != nil {
				t.Fatal(err)
			}
			r.note("responder", k, payload)
		}
	}
	w.stop()
	ours.Close()
	<-done
	return r.out.String()
}

type ask struct {
	k       kind
	payload []byte
	answers int
}

// TestClientPage writes docs/client.md anew and compares it with the file, so that
// every byte of the page is what this program sends and takes.
func TestClientPage(t *testing.T) {
	t.Parallel()
	bind, entry := publishedPair(t)
	netID, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	said, err := body.Entry{Type: body.Gotcha, Text: "A deferred Close in a loop runs when the function returns.", Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	second := change.Seal(change.Draft{
		Net: netID, Space: entry.Head.Space, Kind: entry.Head.Kind, Body: said, HLC: entry.Head.HLC + 1, Seq: 2, Prev: entry.ID, Proof: []change.ID{bind.ID},
	}, keys.FromSeed([32]byte(bytes.Repeat([]byte{0x11}, 32))))
	full := func() *fake { return newFake("auth", open0).put("auth", bind).put(open0, entry) }
	empty := newFake("auth", open0)
	hi := hello{net: netID, now: uint64(fixedNow().UnixMilli()), sets: []setState{stateOf("auth", empty.Set("auth")), stateOf(open0, empty.Set(open0))}, agent: "second/1"}.encode()
	packed := endpointOf(t, nil).codec.pack(encodeChanges([]*change.Change{entry}, false))
	nobody := bytes.Repeat([]byte{0xee}, 32)
	block := func(s string) string { return "```\n" + strings.TrimSpace(s) + "\n```\n" }
	page := fmt.Sprintf(clientText,
		hex.EncodeToString(bind.Body), block(annotate(bind.RawHead, fieldNotes)), bind.ID, block(annotate(entry.RawHead, fieldNotes)), block(annotate(entry.Body, nil)), entry.ID,
		block(played(t, newFake("auth", open0), full())),
		block(played(t, full().put(open0, second), full())),
		block(asked(t, full(), []ask{{kindHello, hi, 1}, {kindWant, want{open0, [][]byte{entry.ID[:], nobody}}.encode(), 2}})),
		block(asked(t, full(), []ask{{kindHello, hi, 1}, {kindChanges, packed, 1}})),
	)
	if *vectorfile.Update {
		if err := os.WriteFile(clientPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(clientPage)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != page {
		t.Errorf("docs/client.md is not what this program says (%v): go test ./p2p/sync -run ClientPage -update", err)
	}
}

const clientText = `# A client in a day

What a program needs that wants to live among meshd nodes, in the order in which it is best written, with four sessions in hex. The rules are those of
[SPEC.md](../SPEC.md), whose numbers stand here in brackets; the maps are in [wire.cddl](wire.cddl). Each step has vectors in
[crdt/testdata/vectors](../crdt/testdata/vectors): when they pass, go on. The bytes on this page are made by a test
(` + "`go test ./p2p/sync -run ClientPage`" + `) and so are those of the program that you will meet.

You need, besides a language: SHA-256, Ed25519 by ZIP-215 [3.1], zstd, a libp2p host with TLS or Noise and yamux, and GossipSub for the afternoon. Leave for another day,
without being wrong: hybrid signatures, wallets, documents, teams, ranges. A node without them has fewer sets or shows less, and nothing that is false.

## First hour: encode

CBOR in one form [2.1]. Write the encoder, decode, encode again and compare: that is the whole check. ` + "`rows`, `change/heads`" + ` and ` + "`change/refused-bytes`" + ` show whether it is strict.

## Second hour: sign

An agent is a key and its first change [9.1]. With the Ed25519 seed of 32 bytes ` + "`11`" + ` in the built-in network, whose body is ` + "`%s`" + `, the head is

%s
The id is SHA-256 of the head without ` + "`sig`" + ` [4.4]: %s. Its first entry:

%s
with the body

%s
and the id %s. Both are members: judge them by the order of section 12 (` + "`change/valid`, `change/refused`, `change/kinds`" + `).

## Third hour: join

A stream of protocol ` + "`/mesh/recon/1`" + ` [18.1]. Who opens it speaks first and alone asks [18.6]. An empty node pulls a set that it has less than a quarter of [18.17]:

%s
What came is judged one by one, and the fingerprint afterwards says that nothing is missing (` + "`set/fp`" + `). An entry is shown when its identity has effect [13.16].

## Fourth hour: publish

The same, the other way: a sketch gives the difference, and what only this side has is pushed [18.7, 18.22]. What is left of the responder's symbols when one's own are taken away is the one
item that it lacks, counted −1. Here the counts differ by one and this side asks for 32 symbols:

%s
Without a host there is [24]: the same pairs go to a gateway with ` + "`POST /api/mesh/changes`" + `.

## Afternoon: gossip

Subscribe to the topics of the sets [17.1]; a message is the pair ` + "`[head, body]`" + ` and nothing else. A body that did not fit is asked for by ` + "`want`" + `, as is past that is missing. What is not there is named in ` + "`gone`" + `:

%s
## Evening: be refused

Whatever breaks a form ends the session with an ` + "`error`" + ` [18.5]. Here a push comes before anything was compared, so no set is current [18.7]:

%s
Then run ` + "`session/frames`, `session/streams`, `machines` and `fold`" + `; when the view hash [13.28] of your node is that of its neighbour, the day is done.
`
