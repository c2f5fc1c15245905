package invite

import (
	"os"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// What is sent fits docs/wire.cddl, and every way that it gives to depart from it is
// refused.
func TestLinesAndFramesFollowTheCDDL(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := cddl.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	_, id := newKey(t)
	v := sample(id)
	v.Guild, v.Ticket, v.Device = change.ID{7}, "code", true
	body, err := v.encode()
	if err != nil {
		t.Fatal(err)
	}
	request, err := Request{Label: "laptop", Device: keys.FromSeed([32]byte{3}).Key()}.encode()
	if err != nil {
		t.Fatal(err)
	}
	reply, err := encodeReply(Reply{Name: "Ada"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		good  []byte
		taken func([]byte) bool
	}{
		"invitation":   {body, func(b []byte) bool { _, ok := decode(b); return ok }},
		"meet-request": {request, func(b []byte) bool { _, err := readRequest(b); return err == nil }},
		"meet-reply":   {reply, func(b []byte) bool { _, err := readReply(b); return err == nil }},
	} {
		m, err := cbor.DecodeMap(c.good)
		if err == nil {
			err = s.Check(name, m)
		}
		if err != nil || !c.taken(c.good) {
			t.Fatalf("%s: %v", name, err)
		}
		all, err := s.Breaches(name, m)
		if err != nil || len(all) < 10 {
			t.Fatalf("%s: %d breaches, %v", name, len(all), err)
		}
		for _, b := range all {
			if raw, err := cbor.Encode(b.Value); err == nil && c.taken(raw) {
				t.Errorf("%s is taken although %s", name, b.What)
			}
		}
	}
}
