package change_test

import (
	"encoding/base64"
	"os"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
)

// Heads that decode fit docs/wire.cddl, and every way that it gives to depart from
// it is refused, in a genesis of a network as well.
func TestHeadsFollowTheCDDL(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := cddl.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectortest.Read[bytesIn, headOut](t, "change/heads.json") {
		if v.Code != "" {
			continue
		}
		m, err := cbor.DecodeMap(*v.In.Change[0])
		if err == nil {
			err = s.Check("head", m)
		}
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	good, err := cbor.DecodeMap(encode(t, sound()))
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Breaches("head", good)
	if err != nil || len(all) < 200 {
		t.Fatalf("%d breaches, %v", len(all), err)
	}
	for _, b := range all {
		raw, err := cbor.Encode(b.Value)
		if err != nil {
			continue // an integer that no encoder writes
		}
		if _, err := change.DecodeHead(raw); err == nil {
			t.Errorf("a head is taken although %s", b.What)
		}
	}
	raw, err := change.Builtin().Encode()
	if err != nil {
		t.Fatal(err)
	}
	genesis, err := cbor.DecodeMap(raw)
	if err != nil {
		t.Fatal(err)
	}
	if all, err = s.Breaches("genesis", genesis); err != nil || len(all) < 80 {
		t.Fatalf("%d breaches, %v", len(all), err)
	}
	for _, b := range all {
		raw, err := cbor.Encode(cbor.Map{"bootstrap": []any{}, "genesis": b.Value})
		if err != nil {
			continue
		}
		if _, err := change.ParseNetworkFile("mesh-net:" + base64.RawURLEncoding.EncodeToString(raw)); err == nil {
			t.Errorf("a genesis is taken although %s", b.What)
		}
	}
}
