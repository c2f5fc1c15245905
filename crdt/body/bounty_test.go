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

// A key that a row does not want is refused with whatever value, and what stands
// for nothing is written by leaving the key out: a program that asks whether a key
// is there and one that asks for its value give one verdict.
func TestEmptyValuesAreNotAbsentOnes(t *testing.T) {
	t.Parallel()
	bounty := change.ID(filled(32))
	zero := make([]byte, 32)
	act := func(m cbor.Map) func() error {
		return func() error {
			m["bounty"] = bounty[:]
			_, err := body.ParseBountyAct(encode(t, m), []change.ID{bounty})
			return err
		}
	}
	open := func(key string, value any) func() error {
		return func() error {
			m := offer()
			m[key] = value
			_, err := body.ParseBountyOpen(encode(t, m))
			return err
		}
	}
	task := func(m cbor.Map) func() error {
		return func() error { m["task"] = someTask; _, err := body.ParseTaskAct(encode(t, m)); return err }
	}
	message := func(m cbor.Map) func() error {
		return func() error { m["type"] = "text"; _, err := body.ParseMessage(encode(t, m)); return err }
	}
	for name, c := range map[string]struct {
		row func() error
		ok  bool
	}{
		"pct 0 of a claim":             {act(cbor.Map{"act": "claim", "pct": 0}), false},
		"no proof of a claim":          {act(cbor.Map{"act": "claim", "proof": []byte{}}), false},
		"no ids of a claim":            {act(cbor.Map{"act": "claim", "ids": []any{}}), false},
		"ref of zeros, of an accept":   {act(cbor.Map{"act": "accept", "ref": zero}), false},
		"ref of zeros, of a claim":     {act(cbor.Map{"act": "claim", "ref": zero}), false},
		"empty text of a claim":        {act(cbor.Map{"act": "claim", "text": ""}), true},
		"empty title of a claim":       {act(cbor.Map{"act": "claim", "title": ""}), true},
		"empty text of a submit":       {act(cbor.Map{"act": "submit", "text": ""}), false},
		"empty title of a proposal":    {act(cbor.Map{"act": "propose", "title": "", "pct": 50}), false},
		"no proof and ids of a submit": {act(cbor.Map{"act": "submit", "text": "x", "proof": []byte{}, "ids": []any{}}), true},
		"deadline 0":                   {open("deadline", 0), false},
		"deadline 1":                   {open("deadline", 1), true},
		"last deadline":                {open("deadline", body.MaxDeadline), true},
		"empty task of a bounty":       {open("task", ""), false},
		"claim for zeros":              {task(cbor.Map{"act": "claim", "to": zero}), false},
		"text and no sealed bytes":     {message(cbor.Map{"text": "x", "sealed": []byte{}}), false},
		"no sealed bytes for somebody": {message(cbor.Map{"sealed": []byte{}, "to": filled(32)}), false},
		"text to zeros":                {message(cbor.Map{"text": "x", "to": zero}), false},
		"text about an empty task":     {message(cbor.Map{"text": "x", "task": ""}), false},
		"text that answers zeros":      {message(cbor.Map{"text": "x", "reply": zero}), false},
		"text with an empty subject":   {message(cbor.Map{"text": "x", "subject": ""}), true},
	} {
		if err := c.row(); (err == nil) != c.ok || err != nil && reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: %v", name, err)
		}
	}
}
