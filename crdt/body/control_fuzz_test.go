package body_test

import (
	"bytes"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

// again checks that what a row takes can be written, and that what is written is
// read as the same; a refusal has the one code that bytes alone can earn.
func again[T encoder](t *testing.T, b []byte, parse func([]byte) (T, error)) {
	t.Helper()
	v, err := parse(b)
	if err != nil {
		if code := reason.Of(err); code != reason.BadEncoding {
			t.Fatalf("refused with %s: %v", code, err)
		}
		return
	}
	once, err := v.Encode()
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	w, err := parse(once)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if twice, err := w.Encode(); err != nil || !bytes.Equal(twice, once) {
		t.Fatalf("%x is written as %x, %v", once, twice, err)
	}
}

// FuzzControlRows reads every body of a control kind.
func FuzzControlRows(f *testing.F) {
	one := someKey(1)
	cuts := cbor.Map{one.String(): cbor.Map{"net": filled(32), "commons/go!": filled(32)}}
	by := cbor.Map{"alg": "ed25519", "key": one.String(), "sig": filled(64), "text": "line"}
	for _, m := range []cbor.Map{
		{"old": one[:], "cut": cuts[one.String()], "by": by, "next": filled(32), "ctl": []any{one.String()}, "box": filled(32), "zzz": 1},
		{"token": "e.y.J", "role": "member", "closes": cbor.Map{"grant": filled(32), "cut": cuts}},
		{"grant": filled(32), "cut": cuts, "why": "left"},
		{"as": "readmit", "ids": idList(2)},
		{"name": "Go", "salt": filled(16), "type": "dev", "visibility": "public"},
	} {
		f.Add(encode(f, m), "commons/go!")
	}
	f.Fuzz(func(t *testing.T, b []byte, chain string) {
		again(t, b, body.ParseRotate)
		again(t, b, body.ParseGrant)
		again(t, b, body.ParseRevoke)
		again(t, b, body.ParseEndorse)
		again(t, b, body.ParseGuildOpen)
		if c, err := body.ParseChain(one, chain); err == nil && body.ChainText(c) != chain {
			t.Fatalf("%q is written as %q", chain, body.ChainText(c))
		}
	})
}
