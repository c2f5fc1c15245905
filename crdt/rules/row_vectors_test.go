package rules_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
)

// rowIn is a body under the head that decides about it: what a row may look at.
type rowIn struct {
	Kind   string           `json:"kind"`
	Space  string           `json:"space"`
	Seq    uint64           `json:"seq"`
	Author string           `json:"author"`
	Deps   []vectortest.Hex `json:"deps"`
	Body   vectortest.Hex   `json:"body"`
}

type rowOut struct {
	Good bool `json:"good"`
}

type rowVector = vectortest.Vector[rowIn, rowOut]

// rowOf runs the row of a kind as far as the bytes of the body decide it.
func rowOf(in rowIn) error {
	author, err := did.ParseKey(in.Author)
	if err != nil {
		return err
	}
	space, err := change.ParseSpace(in.Space)
	if err != nil {
		return err
	}
	h := &change.Head{Kind: in.Kind, Space: space, Seq: in.Seq, Author: author}
	for _, d := range in.Deps {
		h.Deps = append(h.Deps, change.ID(d))
	}
	switch in.Kind {
	case change.KindManifest:
		_, err = body.ParseManifest(in.Body)
	case change.KindBind:
		_, err = body.ParseBind(in.Body, in.Seq == 1)
	case change.KindRotate:
		_, err = body.ParseRotate(in.Body)
	case change.KindGrant:
		_, err = body.ParseGrant(in.Body)
	case change.KindRevoke:
		_, err = body.ParseRevoke(in.Body)
	case change.KindEndorse:
		_, err = body.ParseEndorse(in.Body)
	case change.KindGuildOpen:
		_, err = body.ParseGuildOpen(in.Body)
	default:
		err = rules.Row(&change.Change{Head: h, Body: in.Body})
	}
	return err
}

// A field is one key of a body: whether it must be there, and its cases.
type field struct {
	key   string
	need  bool
	cases []fieldCase
}

// A kindTable is a kind with its fields. Each case is tried in base, or in the
// base that at names for its key, so that nothing else is wrong with the body.
type kindTable struct {
	rule   string
	kind   string
	space  change.Space
	seq    uint64
	name   string // of this table among those of the kind, or ""
	deps   []change.ID
	base   cbor.Map
	at     map[string]cbor.Map
	fields []field
	more   []bodyCase // whole bodies
}

type bodyCase struct {
	name string
	rule string // behind the table's
	body cbor.Map
	code reason.Code
}

const someTask = "tsk_019ca945-0a00-7006-8c98-b6bad2ed9eee"

func taskForm() []fieldCase {
	return append(otherTypes("text"), fieldCase{"good", someTask, ""}, fieldCase{"empty", "", badForm}, fieldCase{"upper case", strings.ToUpper(someTask), badForm},
		fieldCase{"one digit more", someTask + "0", badForm}, fieldCase{"another prefix", "ent" + someTask[3:], badForm},
		fieldCase{"without hyphens", strings.ReplaceAll(someTask, "-", "0"), badForm}, fieldCase{"not hex", "tsk_g" + someTask[5:], badForm})
}

func cutForm() []fieldCase {
	chains := func(n int) cbor.Map {
		m := cbor.Map{}
		for i := range n {
			m[fmt.Sprintf("commons/d%d", i)] = filled(32)
		}
		return m
	}
	space := string(change.AgentID(filled(32)).Space())
	return append(otherTypes("map"), fieldCase{"empty", cbor.Map{}, ""}, fieldCase{"of both lanes", cbor.Map{space: filled(32), space + "!": filled(32)}, ""},
		fieldCase{"of 400 chains", chains(400), ""}, fieldCase{"of 401 chains", chains(401), badForm},
		fieldCase{"of no space", cbor.Map{"attic": filled(32)}, badForm}, fieldCase{"with two marks", cbor.Map{space + "!!": filled(32)}, badForm},
		fieldCase{"id of 31 bytes", cbor.Map{space: filled(31)}, badForm}, fieldCase{"id is text", cbor.Map{space: "x"}, badForm},
		fieldCase{"id of 32 zero bytes", cbor.Map{space: make([]byte, 32)}, ""})
}

func cutsForm(a, b did.Key) []fieldCase {
	out := otherTypes("map")
	for _, c := range cutForm() {
		if c.name == "empty" {
			c.code = badForm // an author without chains
		}
		if !strings.HasPrefix(c.name, "is map") {
			out = append(out, fieldCase{"a cut " + c.name, cbor.Map{a.String(): c.value}, c.code})
		}
	}
	chains := func(n int) cbor.Map {
		m := cbor.Map{}
		for i := range n {
			m[fmt.Sprintf("commons/e%d", i)] = filled(32)
		}
		return m
	}
	return append(out, fieldCase{"empty", cbor.Map{}, ""}, fieldCase{"of no did", cbor.Map{"ada": chains(1)}, badForm}, fieldCase{"of a wallet", cbor.Map{"did:pkh:eip155:1:0x0": chains(1)}, badForm},
		fieldCase{"of two authors with 400 chains", cbor.Map{a.String(): chains(200), b.String(): chains(200)}, ""},
		fieldCase{"of two authors with 401 chains", cbor.Map{a.String(): chains(200), b.String(): chains(201)}, badForm})
}

// kindTables say section 10 of SPEC once more, as data.
func kindTables() []kindTable {
	ada, bo := key(0x11).Key(), key(0x22).Key()
	agent := change.DeriveAgent(change.NetID{}, ada).Space()
	guild, team := change.GuildSpace(change.ID(filled(32))), change.TeamSpace(change.ID(filled(32)))
	target := change.ID(filled(32))
	about := []change.ID{target}
	targetForm := append(idForm(), fieldCase{"not in deps", append([]byte{2}, filled(31)...), badForm})
	did := func(b byte) string { return key(b).Key().String() }
	account := "did:pkh:eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
	ctl := append(listForm(3, did(0x11), otherTypes("text")...), fieldCase{"a wallet", []any{account}, ""}, fieldCase{"a wallet not in EIP-55", []any{strings.ToLower(account)}, badForm},
		fieldCase{"a wallet of chain 01", []any{strings.Replace(account, ":1:", ":01:", 1)}, badForm}, fieldCase{"a wallet of chain 0", []any{strings.Replace(account, ":1:", ":0:", 1)}, badForm},
		fieldCase{"a wallet of chain 2^53-1", []any{strings.Replace(account, ":1:", ":9007199254740991:", 1)}, ""},
		fieldCase{"a wallet of chain 2^53", []any{strings.Replace(account, ":1:", ":9007199254740992:", 1)}, badForm},
		fieldCase{"a did of another method", []any{"did:web:mesh.example"}, badForm}, fieldCase{"a key with a fragment", []any{did(0x11) + "#x"}, badForm})
	proof := func(keyName string) (cbor.Map, map[string][]fieldCase, []string) {
		good := cbor.Map{"alg": "ed25519", keyName: did(0x11), "sig": filled(64), "text": "x"}
		return good, map[string][]fieldCase{"alg": textForm(1, 16), "sig": bytesForm(0, 128), "text": textForm(1, 4096)}, []string{"alg", "sig", "text"}
	}
	bindGood, bindFields, bindOrder := proof("by")
	bindFields["by"], bindOrder = textForm(1, 128), append(bindOrder, "by")
	bind := mapForm(bindGood, bindFields, bindOrder, "alg", "by", "sig", "text")
	byGood, byFields, byOrder := proof("key")
	byFields["key"] = append(otherTypes("text"), fieldCase{"a wallet", account, ""}, fieldCase{"no did", "ada", badForm}, fieldCase{"empty", "", badForm},
		fieldCase{"of 129 characters", did(0x11) + strings.Repeat("x", 80), badForm})
	by := mapForm(byGood, byFields, append(byOrder, "key"), "alg", "key", "sig", "text")
	sponsor := mapForm(cbor.Map{"by": bo[:], "sig": filled(64)}, map[string][]fieldCase{"by": keyForm(bo[:]), "sig": fixedForm(64, filled(64))}, []string{"by", "sig"}, "by", "sig")
	closes := mapForm(cbor.Map{"cut": cbor.Map{}, "grant": filled(32)}, map[string][]fieldCase{"cut": cutsForm(ada, bo), "grant": idForm()}, []string{"cut", "grant"}, "cut", "grant")
	pq, box := fixedForm(1952, filled(1952)), fixedForm(32, filled(32))
	object := func(n, size int) []byte {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%s%02d":0`, strings.Repeat("é", size-2), i)
		}
		return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}")
	}
	sized := func(n int) []byte { return []byte(`{"a":"` + strings.Repeat("x", n-8) + `"}`) }
	nested := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)) }
	jsonForm := append(otherTypes("bytes"), fieldCase{"good", []byte(`{"a":{"b":[1,2.5]},"z":null}`), ""}, fieldCase{"4 KiB", sized(4 << 10), ""}, fieldCase{"4 KiB and 1", sized(4<<10 + 1), badForm},
		fieldCase{"no bytes", []byte{}, badForm}, fieldCase{"a list", []byte(`[]`), badForm}, fieldCase{"with a space", []byte(`{"a": 1}`), badForm},
		fieldCase{"keys out of order", []byte(`{"b":1,"a":1}`), badForm}, fieldCase{"a key twice", []byte(`{"a":1,"a":1}`), badForm}, fieldCase{"1.0 for 1", []byte(`{"a":1.0}`), badForm},
		fieldCase{"32 levels", nested(32), ""}, fieldCase{"33 levels", nested(33), badForm})
	receiptSHA := sha256.Sum256([]byte(`{"a":1}`))
	text := "Acknowledge a write only after the log is synced."
	entry := cbor.Map{"type": "gotcha", "text": text}
	sealedEntry := cbor.Map{"type": "gotcha", "hash": filled(32)}
	chunk := func(author byte, name string) []byte {
		return worldtest.Chunk(docActor(key(author).Key(), agent, name), 1, 1, nil, "bio", "x")
	}
	edit := cbor.Map{"doc": "page", "chunk": chunk(0x11, "page")}
	openBounty := cbor.Map{"title": "Mend", "amount": 1, "cur": "credits", "home": bo[:]}
	act := func(m cbor.Map) cbor.Map { return put(m, "bounty", target[:]) }
	claim, submit, split, propose := act(cbor.Map{"act": "claim"}), act(cbor.Map{"act": "submit", "text": "done"}), act(cbor.Map{"act": "split", "pct": 50}), act(cbor.Map{"act": "propose", "pct": 50, "title": "Pay"})
	var acts []bodyCase
	for _, a := range body.BountyActs() {
		good := act(cbor.Map{"act": a})
		switch a {
		case body.BountySubmit:
			good = submit
		case body.BountySplit:
			good = split
		case body.BountyPropose:
			good = propose
		case body.BountyApprove, body.BountyReject:
			good = put(good, "ref", filled(32))
		}
		acts = append(acts, bodyCase{a, " act", good, ""})
		for key, value := range map[string]any{"ref": filled(32), "pct": 50, "proof": filled(1), "ids": []any{}} {
			code := badForm
			switch {
			case key == "ref" && strings.Contains(" accept payout approve reject ", " "+a+" "), key == "pct" && (a == body.BountySplit || a == body.BountyPropose),
				(key == "proof" || key == "ids") && a == body.BountySubmit:
				code = ""
			}
			acts = append(acts, bodyCase{a + " with " + key, " " + key, put(good, key, value), code})
		}
	}
	acts = append(acts, bodyCase{"claim with pct 0", " pct", put(claim, "pct", 0), badForm}, bodyCase{"submit without a text", " text", drop(submit, "text"), badForm},
		bodyCase{"submit with an empty text", " text", put(submit, "text", ""), badForm}, bodyCase{"split without pct", " pct", drop(split, "pct"), badForm},
		bodyCase{"split of 0", " pct", put(split, "pct", 0), badForm}, bodyCase{"split of 1", " pct", put(split, "pct", 1), ""}, bodyCase{"split of 99", " pct", put(split, "pct", 99), ""}, bodyCase{"split of 100", " pct", put(split, "pct", 100), badForm},
		bodyCase{"propose of 49", " pct", put(propose, "pct", 49), badForm}, bodyCase{"propose of 100", " pct", put(propose, "pct", 100), ""}, bodyCase{"propose of 101", " pct", put(propose, "pct", 101), badForm},
		bodyCase{"propose without pct", " pct", drop(propose, "pct"), badForm}, bodyCase{"propose without a title", " title", drop(propose, "title"), badForm}, bodyCase{"propose with an empty title", " title", put(propose, "title", ""), badForm},
		bodyCase{"approve without ref", " ref", act(cbor.Map{"act": "approve"}), badForm}, bodyCase{"reject without ref", " ref", act(cbor.Map{"act": "reject"}), badForm})
	comment := cbor.Map{"target": target[:], "text": "Seen here too."}
	commentFields := func(most int) []field {
		return []field{
			{"target", true, targetForm}, {"text", true, textForm(1, most)}, {"parent", false, idForm()}, {"mood", false, textForm(0, 32)}, {"guest", false, textForm(1, 40)},
		}
	}
	delegate := cbor.Map{"task": someTask, "act": "delegate", "to": filled(32)}
	letter := cbor.Map{"type": "text", "sealed": filled(40), "to": filled(32)}
	bindTable := func(name string, seq uint64, base cbor.Map) kindTable {
		return kindTable{rule: "10.5", kind: change.KindBind, space: agent, seq: seq, name: name, base: base, fields: []field{
			{"name", seq == 1, textForm(2, 64)}, {"home", false, textForm(0, 253)}, {"ctl", false, ctl}, {"next", false, fixedForm(32, filled(32))}, {"pq", false, pq}, {"box", false, box},
			{"bind", false, bind}, {"sponsor", false, sponsor}, {"pow", false, intForm(0, cbor.MaxInt)},
		}}
	}
	return []kindTable{
		{rule: "10.4", kind: change.KindManifest, space: change.SpaceNet, base: cbor.Map{"bootstrap": []any{}, "gateways": []any{}, "labelers": []any{}}, fields: []field{
			{"bootstrap", true, textsForm(64, 256)}, {"labelers", true, listForm(64, ada[:], keyForm(ada[:])...)},
			{"gateways", true, listForm(128, cbor.Map{"host": "a", "key": ada[:]}, mapForm(cbor.Map{"host": "a", "key": ada[:]},
				map[string][]fieldCase{"host": textForm(1, 253), "key": keyForm(ada[:])}, []string{"host", "key"}, "host", "key")...)},
		}},
		bindTable("seq 1", 1, cbor.Map{"name": "Ada"}), bindTable("seq 2", 2, cbor.Map{}),
		{rule: "10.7", kind: change.KindRotate, space: agent, base: cbor.Map{"old": ada[:], "cut": cbor.Map{}, "by": byGood}, fields: []field{
			{"old", true, keyForm(ada[:])}, {"cut", true, cutForm()}, {"by", true, by}, {"ctl", false, ctl}, {"next", false, fixedForm(32, filled(32))}, {"pq", false, pq}, {"box", false, box},
		}},
		{rule: "10.8", kind: change.KindGrant, space: guild, base: cbor.Map{"token": "a.b.c"}, fields: []field{
			{"token", true, append(otherTypes("text"), fieldCase{"8192 bytes", strings.Repeat("x", 8192), ""}, fieldCase{"8193 bytes", strings.Repeat("x", 8193), badForm}, fieldCase{"4097 characters of 2 bytes", wide(4097), badForm}, fieldCase{"empty", "", badForm})},
			{"role", false, wordForm("owner", "admin", "member", "viewer")}, {"closes", false, closes},
		}},
		{rule: "10.9", kind: change.KindRevoke, space: guild, base: cbor.Map{"grant": filled(32), "cut": cbor.Map{}}, fields: []field{
			{"grant", true, idForm()}, {"cut", true, cutsForm(ada, bo)}, {"why", false, textForm(0, 300)},
		}},
		{rule: "10.10", kind: change.KindEndorse, space: guild, base: cbor.Map{"as": "readmit", "ids": []any{}}, fields: []field{
			{"as", true, wordForm("readmit", "confirm", "approve")}, {"ids", true, idsForm(200)},
		}},
		{rule: "10.11", kind: change.KindGuildOpen, space: guild, base: cbor.Map{"name": "Night", "salt": filled(16), "type": "dev", "visibility": "public"}, fields: []field{
			{"name", true, textForm(2, 64)}, {"salt", true, fixedForm(16, filled(16))}, {"type", true, wordForm("bounty", "dev", "research", "social")}, {"visibility", true, wordForm("public", "internal", "private")},
		}},
		{rule: "10.14", kind: change.KindEntryPut, space: change.Commons("go"), base: entry,
			at: map[string]cbor.Map{"domain": entry, "hash": sealedEntry},
			fields: []field{
				{"type", true, append(otherTypes("text"), fieldCase{"wisdom", "wisdom", ""}, fieldCase{"pattern", "pattern", ""}, fieldCase{"gotcha", "gotcha", ""}, fieldCase{"another", "Wisdom", reason.InvalidType}, fieldCase{"empty", "", reason.InvalidType})},
				{"text", true, append(otherTypes("text"), fieldCase{"4000 characters", wide(4000), ""}, fieldCase{"4001 characters", wide(4001), reason.TooLong}, fieldCase{"40 characters", wide(40), ""}, fieldCase{"39 characters", wide(39), reason.TooShort},
					fieldCase{"empty", "", reason.TooShort}, fieldCase{"4000 in white space", " \t" + wide(4000) + "\u3000\n", ""}, fieldCase{"40 with inner runs", wide(20) + " \u00a0\n " + wide(19), ""}, fieldCase{"39 with inner runs", wide(20) + " \u00a0\n " + wide(18), reason.TooShort})},
				{"hash", true, idForm()}, {"domain", false, append(otherTypes(), fieldCase{"in the commons", "go", badForm})},
				{"title", false, textForm(0, 160)}, {"tags", false, textsForm(12, 48)}, {"conf", false, intForm(0, 1000)}, {"price", false, intForm(0, cbor.MaxInt)}, {"evidence", false, textsForm(8, 1000)},
				{"rsha", false, append(fixedForm(32, filled(32)), fieldCase{"32 zero bytes", make([]byte, 32), ""})}, {"receipt", false, jsonForm}, {"source", false, textForm(0, 500)}, {"reuses", false, idsForm(10)}, {"supersedes", false, idForm()},
				{"meta", false, append(jsonForm, fieldCase{"20 keys of 64 characters", object(20, 64), ""}, fieldCase{"21 keys", object(21, 3), badForm}, fieldCase{"a key of 65 characters", object(1, 65), badForm})},
			}, more: []bodyCase{
				{"text and hash", " text", put(entry, "hash", filled(32)), badForm}, {"receipt with its hash", " receipt", put(put(entry, "receipt", []byte(`{"a":1}`)), "rsha", receiptSHA[:]), ""},
				{"receipt with another hash", " receipt", put(put(entry, "receipt", []byte(`{"a":1}`)), "rsha", filled(32)), reason.ReceiptMismatch},
				{"a wrong form before a wrong type", "", put(put(entry, "type", "x"), "title", 1), badForm}, {"a wrong type before a wrong length", "", put(put(entry, "type", "x"), "text", "short"), reason.InvalidType},
				{"a wrong length before a wrong receipt", "", put(put(put(entry, "text", "short"), "receipt", []byte(`{"a":1}`)), "rsha", filled(32)), reason.TooShort},
			}},
		{rule: "10.14", kind: change.KindEntryPut, space: team, name: "team", base: entry, fields: []field{
			{"domain", false, append(otherTypes("text"), fieldCase{"64 characters", strings.Repeat("a", 64), ""}, fieldCase{"65 characters", strings.Repeat("a", 65), badForm}, fieldCase{"all that may stand", "az09:_-", ""}, fieldCase{"empty", "", badForm},
				fieldCase{"upper case", "Go", badForm}, fieldCase{"a dot", "go.mod", badForm}, fieldCase{"a slash", "go/mod", badForm}, fieldCase{"a backtick", "`", badForm}, fieldCase{"a brace", "{", badForm}, fieldCase{"a semicolon", ";", badForm})},
		}},
		{rule: "10.16", kind: change.KindEntryRetract, space: change.Commons("go"), deps: about, base: cbor.Map{"target": target[:]}, fields: []field{
			{"target", true, targetForm}, {"why", false, textForm(0, 300)},
		}},
		{rule: "10.17", kind: change.KindDocEdit, space: agent, base: edit, fields: []field{
			{"doc", true, append(otherTypes("text"), fieldCase{"another document than the chunk's", "room", badForm}, fieldCase{"unknown", "diary", badForm}, fieldCase{"129 characters", "project/" + strings.Repeat("a", 121), badForm})},
			{"chunk", true, append(otherTypes("bytes"), fieldCase{"another's", chunk(0x22, "page"), badForm}, fieldCase{"spoiled", chunk(0x11, "page")[:20], badForm}, fieldCase{"48 KiB and 1", make([]byte, 48<<10+1), badForm})},
		}, more: docNames(agent)},
		{rule: "10.19", kind: change.KindVote, space: change.Commons("go"), deps: about, base: cbor.Map{"target": target[:], "value": 1}, fields: []field{
			{"target", true, targetForm}, {"value", true, append(otherTypes("int"), fieldCase{"-1", -1, ""}, fieldCase{"0", 0, ""}, fieldCase{"1", 1, ""}, fieldCase{"-2", -2, badForm}, fieldCase{"2", 2, badForm})},
		}},
		{rule: "10.20", kind: change.KindComment, space: change.Commons("go"), name: "thread", deps: about, base: comment, fields: commentFields(2000)},
		{rule: "10.20", kind: change.KindComment, space: agent, name: "guestbook", deps: about, base: comment, fields: commentFields(500)},
		{rule: "10.21", kind: change.KindLabel, space: change.Commons("go"), deps: about, base: cbor.Map{"target": target[:], "value": "spam"}, fields: []field{
			{"target", true, targetForm}, {"value", true, wordForm(body.Labels()...)}, {"why", false, textForm(0, 500)},
		}},
		{rule: "10.22", kind: change.KindBountyOpen, space: guild, base: openBounty, fields: []field{
			{"title", true, textForm(1, 200)}, {"text", false, textForm(0, 4000)}, {"amount", true, intForm(1, 10_000_000_000)}, {"home", true, keyForm(bo[:])},
			{"cur", true, append(otherTypes("text"), fieldCase{"credits", "credits", ""}, fieldCase{"USDC", "USDC", ""}, fieldCase{"usdc", "usdc", badForm}, fieldCase{"empty", "", badForm})},
			{"deadline", false, intForm(1, 1<<43-1)}, {"task", false, taskForm()},
		}},
		{rule: "10.23", kind: change.KindBountyAct, space: guild, deps: about, base: claim, at: map[string]cbor.Map{"proof": submit, "ids": submit, "text": submit, "pct": split, "ref": act(cbor.Map{"act": "approve", "ref": filled(32)})}, fields: []field{
			{"bounty", true, targetForm}, {"act", true, append(otherTypes("text"), fieldCase{"another", "steal", badForm}, fieldCase{"empty", "", badForm})}, {"ref", true, idForm()},
			{"text", true, textForm(1, 8000)}, {"proof", false, bytesForm(0, 4<<10)}, {"ids", false, idsForm(10)}, {"pct", true, intForm(1, 99)},
		}, more: acts},
		{rule: "10.23", kind: change.KindBountyAct, space: guild, name: "claim", deps: about, base: claim, fields: []field{
			{"title", false, textForm(0, 200)}, {"text", false, textForm(0, 8000)},
		}},
		{rule: "10.23", kind: change.KindBountyAct, space: guild, name: "accept", deps: about, base: act(cbor.Map{"act": "accept", "ref": filled(32)}), fields: []field{{"ref", false, idForm()}}},
		{rule: "10.23", kind: change.KindBountyAct, space: guild, name: "propose", deps: about, base: propose, fields: []field{
			{"title", true, textForm(1, 200)}, {"pct", true, intForm(50, 100)},
		}},
		{rule: "10.24", kind: change.KindTaskAct, space: team, base: cbor.Map{"task": someTask, "act": "claim"}, at: map[string]cbor.Map{"to": delegate}, fields: []field{
			{"task", true, taskForm()}, {"act", true, wordForm("claim", "release", "done", "block", "reopen")}, {"to", true, idForm()}, {"text", false, textForm(0, 2000)},
		}, more: []bodyCase{{"delegate", " act", delegate, ""}, {"claim with to", " to", put(delegate, "act", "claim"), badForm}, {"claim with to of zeros", " to", put(put(delegate, "act", "claim"), "to", make([]byte, 32)), badForm}}},
		{rule: "10.25", kind: change.KindMessage, space: team, base: cbor.Map{"type": "text", "text": "hello"}, at: map[string]cbor.Map{"sealed": letter}, fields: []field{
			{"type", true, wordForm("text", "status", "request", "handoff", "alert")}, {"text", true, textForm(1, 4000)}, {"sealed", true, bytesForm(1, 24<<10)}, {"to", false, idForm()},
			{"subject", false, textForm(0, 200)}, {"task", false, taskForm()}, {"reply", false, idForm()},
		}, more: []bodyCase{{"text and sealed", " sealed", put(letter, "text", "hello"), badForm}, {"text and no sealed bytes", " sealed", put(put(letter, "text", "hello"), "sealed", []byte{}), badForm}, {"sealed for nobody", " to", drop(letter, "to"), badForm}}},
		{rule: "10.26", kind: change.KindServed, space: agent, base: cbor.Map{"day": 1, "rows": []any{}}, fields: []field{
			{"day", true, intForm(0, 3_652_425)}, {"rows", true, listForm(1000, []any{filled(32), 1}, append(otherTypes(),
				fieldCase{"of one part", []any{filled(32)}, badForm}, fieldCase{"of three parts", []any{filled(32), 1, 1}, badForm}, fieldCase{"with an id of 31 bytes", []any{filled(31), 1}, badForm}, fieldCase{"with an id of text", []any{"x", 1}, badForm},
				fieldCase{"of count 0", []any{filled(32), 0}, badForm}, fieldCase{"of count -1", []any{filled(32), -1}, badForm}, fieldCase{"of count text", []any{filled(32), "1"}, badForm}, fieldCase{"of count 2^53-1", []any{filled(32), int64(cbor.MaxInt)}, ""})...)},
		}},
	}
}

func docNames(space change.Space) (out []bodyCase) {
	for name, code := range map[string]reason.Code{
		"page~2": "", "page~999999999": "", "room": "", "board": "", "project/a": "", "project/" + strings.Repeat("a", 80): "", "project/az09./_-": "",
		"page~1": badForm, "page~0": badForm, "page~02": badForm, "page~": badForm, "page~1000000000": badForm, "page~x": badForm, "project/": badForm, "project/" + strings.Repeat("a", 81): badForm, "project/A": badForm, "project": badForm, "": badForm,
	} {
		out = append(out, bodyCase{"of " + name, " doc", cbor.Map{"doc": name, "chunk": worldtest.Chunk(docActor(key(0x11).Key(), space, name), 1, 1, nil, "bio", "x")}, code})
	}
	return out
}

// rowVectors are the cases of all tables.
func rowVectors(t testing.TB) map[string][]rowVector {
	t.Helper()
	out := map[string][]rowVector{}
	for _, k := range kindTables() {
		k := k
		if k.seq == 0 {
			k.seq = 1
		}
		file := "rows/" + k.kind + ".json"
		if k.name != "" {
			file = "rows/" + k.kind + "-" + strings.ReplaceAll(k.name, " ", "-") + ".json"
		}
		add := func(name, rule string, m cbor.Map, code reason.Code) {
			b := rawBody(nil, m)
			if canonical, err := cbor.Encode(m); err == nil && !bytes.Equal(b, canonical) || err != nil && code == "" {
				t.Fatalf("%s %s: %v", k.kind, name, err)
			}
			v := rowVector{Name: k.kind + ", " + name, Rule: k.rule + rule, Code: code, In: rowIn{
				Kind: k.kind, Space: string(k.space), Seq: k.seq, Author: key(0x11).Key().String(), Deps: []vectortest.Hex{}, Body: b,
			}}
			if code == "" {
				v.Out = &rowOut{true}
			}
			for _, d := range k.deps {
				v.In.Deps = append(v.In.Deps, d[:])
			}
			out[file] = append(out[file], v)
		}
		add("as it should be", "", k.base, "")
		add("with a key of a later release", "", put(k.base, "zzz", -1), "")
		for _, f := range k.fields {
			base := k.at[f.key]
			if base == nil {
				base = k.base
			}
			if _, there := base[f.key]; f.need && there {
				add("no "+f.key, " "+f.key, drop(base, f.key), badForm)
			} else if there {
				add("no "+f.key, " "+f.key, drop(base, f.key), "")
			}
			for _, c := range f.cases {
				add(f.key+" "+c.name, " "+f.key, put(base, f.key, c.value), c.code)
			}
		}
		for _, c := range k.more {
			add(c.name, c.rule, c.body, c.code)
		}
		for name, raw := range map[string]string{"no map": "\x80", "empty": "", "not canonical": "\xbf\xff", "bytes behind the map": "\xa0\x00", "a key twice": "\xa2\x61a\x01\x61a\x01", "keys out of order": "\xa2\x61b\x01\x61a\x01"} {
			out[file] = append(out[file], rowVector{Name: k.kind + ", " + name, Rule: "2.1", Code: badForm, In: rowIn{
				Kind: k.kind, Space: string(k.space), Seq: k.seq, Author: key(0x11).Key().String(), Deps: []vectortest.Hex{}, Body: []byte(raw),
			}})
		}
	}
	return out
}

// rawBody encodes as cbor.Encode does, but writes what that refuses, too.
func rawBody(b []byte, v any) []byte {
	switch x := v.(type) {
	case cbor.Map:
		b = cbor.AppendMap(b, len(x))
		for _, k := range slices.SortedFunc(maps.Keys(x), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) {
			b = rawBody(cbor.AppendText(b, k), x[k])
		}
		return b
	case []any:
		b = cbor.AppendArray(b, len(x))
		for _, item := range x {
			b = rawBody(b, item)
		}
		return b
	case string:
		return cbor.AppendText(b, x)
	}
	one, err := cbor.Encode(v)
	if err != nil {
		panic(err)
	}
	return append(b, one...)
}

func byName(a, b rowVector) int { return strings.Compare(a.Name, b.Name) }

func TestRowVectors(t *testing.T) {
	t.Parallel()
	for file, made := range rowVectors(t) {
		for _, v := range vectortest.Golden(t, file, slices.SortedFunc(slices.Values(made), byName)) {
			if err := rowOf(v.In); reason.Of(err) != v.Code {
				t.Errorf("%s: %v, want %q", v.Name, err, v.Code)
			}
		}
	}
}
