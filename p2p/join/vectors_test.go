package join

import (
	"bytes"
	"testing"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// frameIn is a request to join, or an answer, without the length before it.
type frameIn struct {
	Request vectorfile.Hex `json:"request,omitempty"`
	Answer  vectorfile.Hex `json:"answer,omitempty"`
}

type frameOut struct {
	Good bool `json:"good"`
}

func read(in frameIn) (err error) {
	if in.Request != nil {
		_, err = open(in.Request)
	} else {
		_, err = readReply(in.Answer)
	}
	return err
}

// TestVectors: requests with every field absent, of another type and size, badly
// signed; answers.
func TestVectors(t *testing.T) {
	t.Parallel()
	type vector = vectorfile.Vector[frameIn, frameOut]
	var made []vector
	add := func(name string, in frameIn, good bool) {
		v := vector{Name: name, In: in, Rule: "19.2", Out: &frameOut{true}}
		if !good {
			v.Out, v.Code = nil, reason.BadEncoding
		}
		made = append(made, v)
	}
	who := keys.FromSeed([32]byte(bytes.Repeat([]byte{0x11}, 32)))
	key := who.Key()
	to, err := peer.Decode("12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA")
	if err != nil {
		t.Fatal(err)
	}
	n := func(size int) []byte { return bytes.Repeat([]byte{1}, size) }
	base := cbor.Map{"agent": n(32), "at": int64(1790000000000), "code": "", "guild": n(32), "key": key[:], "net": n(16), "nonce": n(16), "to": []byte(to)}
	sign := func(m cbor.Map) []byte {
		sig := who.Sign(append([]byte("mesh-join-v1\x00"), vectorfile.Raw(nil, m)...))
		return vectorfile.Raw(nil, vectorfile.With(m, "sig", sig[:]))
	}
	for _, c := range vectorfile.Forms(base) {
		add("request, "+c.Name, frameIn{Request: sign(c.Body)}, c.Good)
	}
	for _, c := range []struct {
		key  string
		name string
		v    any
		good bool
	}{
		{"agent", "of 31 bytes", n(31), false}, {"agent", "of 33 bytes", n(33), false}, {"guild", "of 31 bytes", n(31), false}, {"guild", "of 33 bytes", n(33), false},
		{"net", "of 15 bytes", n(15), false}, {"net", "of 17 bytes", n(17), false}, {"nonce", "of 15 bytes", n(15), false}, {"nonce", "of 17 bytes", n(17), false},
		{"key", "of 33 bytes", key[:33], false}, {"key", "of another", func() []byte { k := keys.FromSeed([32]byte{9}).Key(); return k[:] }(), false}, {"key", "of small order", append([]byte{0xed, 1, 1}, make([]byte, 31)...), false},
		{"code", "of 64 characters", string(bytes.Repeat([]byte("é"), 64)), true}, {"code", "of 65 characters", string(bytes.Repeat([]byte("é"), 65)), false},
		{"at", "of 0", 0, true}, {"at", "of -1", -1, false}, {"to", "that is no peer id", n(10), false}, {"to", "empty", []byte{}, false},
	} {
		add("request, "+c.key+" "+c.name, frameIn{Request: sign(vectorfile.With(base, c.key, c.v))}, c.good)
	}
	good := sign(base)
	spoiled := bytes.Clone(good)
	spoiled[len(spoiled)-3] ^= 1
	add("request, with one bit changed", frameIn{Request: spoiled}, false)
	add("request, a byte behind it", frameIn{Request: append(bytes.Clone(good), 0)}, false)
	add("request, unsigned", frameIn{Request: vectorfile.Raw(nil, base)}, false)
	add("request, sig of 63 bytes", frameIn{Request: vectorfile.Raw(nil, vectorfile.With(base, "sig", n(63)))}, false)
	add("request, signed without the preimage", frameIn{Request: func() []byte {
		sig := who.Sign(vectorfile.Raw(nil, base))
		return vectorfile.Raw(nil, vectorfile.With(base, "sig", sig[:]))
	}()}, false)
	answer := func(name string, m cbor.Map, good bool) {
		add("answer, "+name, frameIn{Answer: vectorfile.Raw(nil, m)}, good)
	}
	answer("a grant", cbor.Map{"grant": n(32), "role": "member"}, true)
	answer("a grant of 31 bytes", cbor.Map{"grant": n(31), "role": "member"}, false)
	answer("a grant without a role", cbor.Map{"grant": n(32)}, false)
	answer("a refusal", cbor.Map{"code": "team_not_found", "text": "no such team"}, true)
	answer("a refusal with an empty code", cbor.Map{"code": "", "text": ""}, false)
	answer("a refusal with a text of 300 characters", cbor.Map{"code": "x", "text": string(bytes.Repeat([]byte("é"), 300))}, true)
	answer("a refusal with a text of 301 characters", cbor.Map{"code": "x", "text": string(bytes.Repeat([]byte("é"), 301))}, false)
	answer("a refusal with a code of 65 bytes", cbor.Map{"code": string(bytes.Repeat([]byte("c"), 65)), "text": ""}, false)
	answer("nothing", cbor.Map{}, false)
	for _, v := range vectorfile.Golden(t, "peer/join.json", made) {
		if err := read(v.In); (err == nil) != (v.Code == "") {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}
