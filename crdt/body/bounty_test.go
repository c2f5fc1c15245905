package body_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

func offer() cbor.Map {
	k := someKey(1)
	return cbor.Map{"title": "Mend the fence", "text": "All of it", "amount": 100_000, "cur": "credits", "deadline": 1_800_000_000_000, "home": k[:]}
}

func TestBountyOpenRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key   string
		value any
		ok    bool
	}{
		"good":            {"x", 1, true},
		"largest":         {"amount", body.MaxReward, true},
		"nothing":         {"amount", 0, false},
		"too much":        {"amount", body.MaxReward + 1, false},
		"negative":        {"amount", -1, false},
		"currency":        {"cur", "EUR", false},
		"stable coin":     {"cur", "USDC", true},
		"no title":        {"title", "", false},
		"long title":      {"title", strings.Repeat("é", body.MaxBountyTitle), true},
		"too long title":  {"title", strings.Repeat("é", body.MaxBountyTitle+1), false},
		"long text":       {"text", strings.Repeat("é", body.MaxBountyText), true},
		"too long text":   {"text", strings.Repeat("é", body.MaxBountyText+1), false},
		"no home":         {"home", nil, false},
		"home is no key":  {"home", filled(33), false},
		"task":            {"task", "tsk_01890a5d-ac96-774b-bcce-b302099a8057", true},
		"no task":         {"task", "tsk_1", false},
		"far deadline":    {"deadline", int64(cbor.MaxInt)>>10 + 1, false},
		"negative ending": {"deadline", -1, false},
	} {
		m := offer()
		if m[c.key] = c.value; c.value == nil {
			delete(m, c.key)
		}
		v, err := body.ParseBountyOpen(encode(t, m))
		if (err == nil) != c.ok || err != nil && reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		again, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if w, err := body.ParseBountyOpen(again); err != nil || w != v {
			t.Errorf("%s: %+v read again as %+v, %v", name, v, w, err)
		}
	}
}

func TestBountyActRow(t *testing.T) {
	t.Parallel()
	bounty := change.ID(filled(32))
	for name, c := range map[string]struct {
		m  cbor.Map
		ok bool
	}{
		"claim":                      {cbor.Map{"act": "claim"}, true},
		"unknown act":                {cbor.Map{"act": "steal"}, false},
		"submit":                     {cbor.Map{"act": "submit", "text": "done", "proof": filled(body.MaxBountyProof), "ids": idList(body.MaxReuses)}, true},
		"submit nothing":             {cbor.Map{"act": "submit"}, false},
		"long solution":              {cbor.Map{"act": "submit", "text": strings.Repeat("é", body.MaxSolution)}, true},
		"too long solution":          {cbor.Map{"act": "submit", "text": strings.Repeat("é", body.MaxSolution+1)}, false},
		"too much proof":             {cbor.Map{"act": "submit", "text": "x", "proof": filled(body.MaxBountyProof + 1)}, false},
		"too many entries":           {cbor.Map{"act": "submit", "text": "x", "ids": idList(body.MaxReuses + 1)}, false},
		"proof of a claim":           {cbor.Map{"act": "claim", "proof": filled(1)}, false},
		"entries of a claim":         {cbor.Map{"act": "claim", "ids": idList(1)}, false},
		"accept the latest":          {cbor.Map{"act": "accept"}, true},
		"accept one":                 {cbor.Map{"act": "accept", "ref": filled(32)}, true},
		"claim of something":         {cbor.Map{"act": "claim", "ref": filled(32)}, false},
		"vote":                       {cbor.Map{"act": "approve", "ref": filled(32)}, true},
		"vote about nothing":         {cbor.Map{"act": "reject"}, false},
		"split":                      {cbor.Map{"act": "split", "pct": 99}, true},
		"split all":                  {cbor.Map{"act": "split", "pct": 100}, false},
		"split nothing":              {cbor.Map{"act": "split"}, false},
		"percent of a claim":         {cbor.Map{"act": "claim", "pct": 50}, false},
		"proposal":                   {cbor.Map{"act": "propose", "title": "Pay", "pct": 50}, true},
		"proposal without title":     {cbor.Map{"act": "propose", "pct": 50}, false},
		"proposal for a minority":    {cbor.Map{"act": "propose", "title": "Pay", "pct": 49}, false},
		"proposal for more than all": {cbor.Map{"act": "propose", "title": "Pay", "pct": 101}, false},
	} {
		c.m["bounty"] = bounty[:]
		b := encode(t, c.m)
		v, err := body.ParseBountyAct(b, []change.ID{bounty})
		if (err == nil) != c.ok || err != nil && reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if _, err := body.ParseBountyAct(b, nil); reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: passes although deps do not hold the bounty", name)
		}
		again, err := v.Encode()
		if err != nil || string(again) != string(b) {
			t.Errorf("%s: written again as %x, %v", name, again, err)
		}
	}
}
