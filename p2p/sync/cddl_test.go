package sync

import (
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// Every payload that a published vector calls good fits docs/wire.cddl, and every
// way that it gives to depart from it is refused.
func TestFramesFollowTheCDDL(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := cddl.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	breaches := 0
	for _, v := range vectorfile.Read[frameIn, frameOut](t, "session/frames.json") {
		if v.Code != "" || v.In.Packed {
			continue
		}
		rule := kind(v.In.Type).String()
		switch {
		case v.In.Answer:
			rule = "sketch-answer"
		case rule == "sketch":
			rule = "sketch-ask"
		}
		m, err := cbor.DecodeMap(v.In.Payload)
		if err == nil {
			err = s.Check(rule, m)
		}
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		if !strings.HasSuffix(v.Name, "as it should be") {
			continue
		}
		all, err := s.Breaches(rule, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			in := v.In
			if in.Payload, err = cbor.Encode(b.Value); err != nil {
				continue // an integer that no encoder writes
			}
			if decodeFrame(in) == nil {
				t.Errorf("%s: taken although %s", v.Name, b.What)
			}
			breaches++
		}
	}
	if breaches < 700 {
		t.Errorf("%d breaches", breaches)
	}
}
