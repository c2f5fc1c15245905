package discover

import (
	"os"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// Records that a published vector calls good fit docs/wire.cddl, and every way that
// it gives to depart from it is refused.
func TestRecordsFollowTheCDDL(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := cddl.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	var good cbor.Map
	for _, v := range vectorfile.Read[recordIn, recordOut](t, "peer/records.json") {
		if v.Code != "" || v.In.Payload == nil {
			continue
		}
		m, err := cbor.DecodeMap(v.In.Payload)
		if err == nil {
			err = s.Check("peer-record", m)
		}
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
		if good == nil {
			good = m
		}
	}
	all, err := s.Breaches("peer-record", good)
	if err != nil || len(all) < 150 {
		t.Fatalf("%d breaches, %v", len(all), err)
	}
	for _, b := range all {
		raw, err := cbor.Encode(b.Value)
		if err != nil {
			continue // an integer that no encoder writes
		}
		if new(Record).UnmarshalRecord(raw) == nil {
			t.Errorf("a record is taken although %s", b.What)
		}
	}
}
