package rest_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/keys"
)

// signer is an agent that signs at home and brings what it wrote.
type signer struct {
	w      *teamWorld
	key    *keys.Private
	net    change.NetID
	id     change.AgentID
	record *change.Change
	prev   map[change.Space]*change.Change
}

func (w *teamWorld) signer(name string) *signer {
	w.t.Helper()
	_, net := w.node.Network()
	k := keys.FromSeed(sha256.Sum256([]byte(name)))
	s := &signer{w: w, key: k, net: net, id: change.DeriveAgent(net, k.Key()), prev: map[change.Space]*change.Change{}}
	enc, err := body.Bind{Name: name}.Encode()
	must(w.t, err)
	s.record = change.Seal(change.Draft{Net: net, Space: s.id.Space(), Kind: change.KindBind, Body: enc, HLC: s.now(), Seq: 1}, k)
	return s
}

func (s *signer) now() uint64 { return uint64(s.w.clock.Now().UnixMilli()) << 10 }

// write signs the next change of a chain.
func (s *signer) write(space change.Space, kind string, enc []byte, deps ...change.ID) *change.Change {
	d := change.Draft{Net: s.net, Space: space, Kind: kind, Body: enc, HLC: s.now() + 1, Seq: 1, Proof: []change.ID{s.record.ID}, Deps: deps}
	if p := s.prev[space]; p != nil {
		d.Prev, d.Seq, d.HLC = p.ID, p.Head.Seq+1, max(d.HLC, p.Head.HLC+1)
	}
	c := change.Seal(d, s.key)
	s.prev[space] = c
	return c
}

func (s *signer) entry(n string) *change.Change {
	s.w.t.Helper()
	enc, err := body.Entry{Type: body.Gotcha, Text: contribution(n)["content"].(string), Confidence: body.DefaultConfidence}.Encode()
	must(s.w.t, err)
	return s.write(change.Commons("go"), change.KindEntryPut, enc)
}

// packed are changes as the endpoint takes them.
func packed(cs ...*change.Change) string {
	raw := cbor.AppendArray(nil, len(cs))
	for _, c := range cs {
		raw = cbor.AppendBytes(cbor.AppendArray(raw, 2), c.RawHead)
		if c.Body == nil {
			raw = cbor.AppendNull(raw)
		} else {
			raw = cbor.AppendBytes(raw, c.Body)
		}
	}
	return string(raw)
}

// bring posts changes and returns what became of them: code by id, "" for
// accepted and "known" for duplicates.
func (w *teamWorld) bring(cs ...*change.Change) map[change.ID]string {
	w.t.Helper()
	w.settle()
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/changes", body: packed(cs...), header: map[string]string{"Content-Type": "application/cbor"}}), 200, "")
	out := map[change.ID]string{}
	put := func(text any, code string) {
		id, err := change.ParseID(change.PrefixChange, text.(string))
		must(w.t, err)
		out[id] = code
	}
	for _, id := range r.json["accepted"].([]any) {
		put(id, "")
	}
	for _, id := range r.json["duplicates"].([]any) {
		put(id, "known")
	}
	for _, x := range r.json["refused"].([]any) {
		m := x.(map[string]any)
		if cs[int(m["index"].(float64))].ID.Text(change.PrefixChange) != m["id"] {
			w.t.Errorf("refused %v is not at its index", m)
		}
		put(m["id"], m["code"].(string))
	}
	return out
}

// space reads the changes of a space page by page.
func (w *teamWorld) space(who, space string, limit int) (heads, stubs int) {
	w.t.Helper()
	for since := "0"; ; {
		r := w.want(w.do(apiCall{method: "GET", path: fmt.Sprintf("/api/mesh/changes?space=%s&since=%s&limit=%d", space, since, limit), key: w.keys[who]}), 200, "")
		if r.Header.Get("Content-Type") != "application/cbor" {
			w.t.Fatalf("type %s", r.Header.Get("Content-Type"))
		}
		v, err := cbor.Decode(r.raw)
		must(w.t, err)
		for _, item := range v.([]any) {
			pair := item.([]any)
			raw, _ := pair[1].([]byte)
			c, err := change.Decode(pair[0].([]byte), raw)
			must(w.t, err)
			if string(c.Head.Space) != space {
				w.t.Errorf("a change of %s", c.Head.Space)
			}
			heads++
			if raw == nil {
				stubs++
			}
		}
		next := r.Header.Get("X-Mesh-Next")
		if next == since {
			return heads, stubs
		}
		since = next
	}
}

func TestChangesSignedElsewhereAreTakenIn(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	bo := w.signer("Bo")
	first, second := bo.entry("one"), bo.entry("two")
	// In any order, and the genesis that all of it rests on last.
	got := w.bring(second, first, bo.record)
	if got[first.ID] != "" || got[second.ID] != "" || got[bo.record.ID] != "" || len(got) != 3 {
		t.Fatalf("brought: %v", got)
	}
	w.as("ada", "GET", "/api/mesh/entry/"+first.ID.Text(change.PrefixEntry), nil, 200, "")
	if got := w.bring(first, bo.record); got[first.ID] != "known" || got[bo.record.ID] != "known" {
		t.Errorf("once more: %v", got)
	}
	if a := w.as("", "GET", "/api/mesh/agent/"+bo.id.String(), nil, 200, "")["agent"].(map[string]any); a["name"] != "Bo" {
		t.Errorf("agent %v", a)
	}
	if heads, stubs := w.space("ada", "commons/go", 1); heads != 2 || stubs != 0 {
		t.Errorf("%d changes, %d stubs", heads, stubs)
	}
	if heads, _ := w.space("ada", string(bo.id.Space()), 500); heads != 1 {
		t.Errorf("%d changes of the agent", heads)
	}
}

func TestAPIRefusesChangesThatGossipWouldWithhold(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	bo, cy := w.signer("Bo"), w.signer("Cy")
	if got := w.bring(bo.record); got[bo.record.ID] != "" {
		t.Fatalf("genesis: %v", got)
	}
	entry := func(s *signer, text string) *change.Change {
		enc, err := body.Entry{Type: body.Gotcha, Text: text, Confidence: body.DefaultConfidence}.Encode()
		must(t, err)
		return s.write(change.Commons("go"), change.KindEntryPut, enc)
	}
	alone := func(f func() *change.Change) *change.Change { // without a place in the chain
		before := bo.prev[change.Commons("go")]
		c := f()
		bo.prev[change.Commons("go")] = before
		return c
	}
	good := bo.entry("good")
	if got := w.bring(good); got[good.ID] != "" {
		t.Fatalf("good: %v", got)
	}
	broken := *alone(func() *change.Change { return bo.entry("broken") })
	broken.RawHead = []byte(strings.Replace(string(broken.RawHead), string(broken.Head.Sig[:8]), "\x01\x02\x03\x04\x05\x06\x07\x08", 1))
	far := alone(func() *change.Change {
		w.clock.Add(time.Hour)
		defer w.clock.Add(-time.Hour)
		return bo.entry("from the future")
	})
	for name, c := range map[string]struct {
		c    *change.Change
		code string
	}{
		"secret":    {alone(func() *change.Change { return entry(bo, lesson+" Use "+leaked+" for it.") }), "secret_detected"},
		"same text": {alone(func() *change.Change { return entry(bo, contribution("good")["content"].(string)) }), "duplicate"},
		"stub":      {alone(func() *change.Change { return bo.entry("without a body") }).Stub(), "bad_encoding"},
		"unknown":   {bo.write(change.Commons("x"), "dance", []byte{0xa0}), "unknown_kind"},
		"forged":    {&broken, "bad_change_signature"},
		"future":    {far, "clock_ahead"},
		"no past":   {cy.entry("by a stranger"), "missing_deps"},
		"no team":   {bo.write(change.TeamSpace(change.ID{1}), change.KindMessage, []byte{0xa0}), "unknown_space"},
	} {
		if got := w.bring(c.c); got[c.c.ID] != c.code {
			t.Errorf("%s: %v, want %s", name, got, c.code)
		}
	}
	// Two at one place of a chain.
	bo.prev[change.Commons("go")] = nil
	if fork := bo.entry("another beginning"); w.bring(fork)[fork.ID] != "forked_author" {
		t.Errorf("a fork is taken in")
	}
	// What was deferred is taken in with its past.
	if got := w.bring(cy.record); got[cy.record.ID] != "" {
		t.Fatalf("genesis of Cy: %v", got)
	}
	if got := w.bring(cy.prev[change.Commons("go")]); got[cy.prev[change.Commons("go")].ID] != "known" {
		t.Errorf("what waited for its past: %v", got)
	}
}

func TestChangesWithoutForm(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	post := func(body, media string) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/changes", body: body, header: map[string]string{"Content-Type": media}})
	}
	w.want(post("{}", "application/json"), 415, "unsupported_media_type")
	for _, raw := range []string{"", "\x81", "\x81\x81\x40", "\x80\x80", "\x9f\xff", "\x81\x82\x00\x00"} {
		w.want(post(raw, "application/cbor"), 422, "bad_encoding")
	}
	w.want(post(strings.Repeat("\x00", 1<<20+1), "application/cbor"), 413, "body_too_large")
	w.want(post("\x98\x41"+strings.Repeat("\x82\x40\x40", 65), "application/cbor"), 422, "validation_failed")
	r := w.want(post("\x81\x82\x41\x00\x40", "application/cbor"), 200, "")
	if got := r.json["refused"].([]any)[0].(map[string]any); got["code"] != "bad_encoding" || got["index"] != 0.0 || got["id"] != nil {
		t.Errorf("%s", r.raw)
	}
	w.as("", "GET", "/api/mesh/changes?space=net", nil, 401, "auth_required")
	w.as("ada", "GET", "/api/mesh/changes", nil, 400, "invalid_param")
	w.as("ada", "GET", "/api/mesh/changes?space=attic", nil, 400, "invalid_param")
	w.as("ada", "GET", "/api/mesh/changes?space=net&limit=501", nil, 400, "invalid_param")
}

func TestRawChangesOfTeamsAndOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo"} {
		w.agent(name)
	}
	team := w.found("ada", map[string]any{"name": "Night shift", "visibility": "private"})
	w.as("ada", "POST", team+"/message", map[string]any{"content": "We begin at nine."}, 201, "")
	id, err := change.ParseID(change.PrefixGuild, team[strings.LastIndex(team, "/")+1:])
	must(t, err)
	space := string(change.TeamSpace(id))
	if heads, stubs := w.space("ada", space, 500); heads < 2 || stubs != 0 {
		t.Errorf("%d changes, %d stubs", heads, stubs)
	}
	w.as("bo", "GET", "/api/mesh/changes?space="+space, nil, 403, "not_a_member")
	w.as("bo", "GET", "/api/mesh/changes?space="+string(change.TeamSpace(change.ID{9})), nil, 404, "team_not_found")
	entry := w.as("ada", "POST", "/api/mesh/contribute", contribution("in passing"), 201, "")["id"].(string)
	w.as("ada", "DELETE", "/api/mesh/entry/"+entry, nil, 200, "")
	w.settle()
	if heads, stubs := w.space("bo", "commons/go", 500); heads != 2 || stubs != 1 {
		t.Errorf("%d changes, %d of them without the text that was withdrawn", heads, stubs)
	}
}

func TestChangesCostTheirAuthors(t *testing.T) {
	t.Parallel()
	w := newTeamWorldWith(t, crdtlog.NewMemory(), limit.Config{})
	bo := w.signer("Bo")
	var all []*change.Change
	for i := range 12 {
		all = append(all, bo.entry("number "+strconv.Itoa(i)))
	}
	got := w.bring(append([]*change.Change{bo.record}, all...)...)
	var taken, slowed int
	for _, code := range got {
		switch code {
		case "":
			taken++
		case "admission_rate":
			slowed++
		}
	}
	if taken != 11 || slowed != 2 { // the genesis and ten entries a minute
		t.Errorf("%d taken in, %d slowed down: %v", taken, slowed, got)
	}
	// Each agent that begins costs its caller's address a registration.
	var records []*change.Change
	for i := range 12 {
		records = append(records, w.signer("agent "+strconv.Itoa(i)).record)
	}
	begun := w.bring(records...)
	if n := len(slices.DeleteFunc(slices.Collect(maps.Values(begun)), func(code string) bool { return code != "" })); n != 9 {
		t.Errorf("%d agents begun by one address: %v", n, begun)
	}
	// A forged change costs nobody.
	w.pass(2 * time.Minute)
	victim := w.signer("Bo")
	victim.prev[change.Commons("go")] = all[9]
	for range 12 {
		c := *victim.entry("forged")
		c.RawHead = []byte(strings.Replace(string(c.RawHead), string(c.Head.Sig[:8]), "\x01\x02\x03\x04\x05\x06\x07\x08", 1))
		if code := w.bring(&c)[c.ID]; code != "bad_change_signature" {
			t.Fatalf("forged: %s", code)
		}
		victim.prev[change.Commons("go")] = all[9]
	}
	if code := w.bring(all[10])[all[10].ID]; code != "" {
		t.Errorf("after forgeries: %s", code)
	}
}

// TestSecretsInEditsAreRefused: a page is Automerge, in which no detector
// reads by itself.
func TestSecretsInEditsAreRefused(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	exe, err := os.Executable()
	must(t, err)
	engine, err := automerge.New([]string{exe, "doc-worker"}, automerge.Config{})
	must(t, err)
	t.Cleanup(func() { must(t, engine.Close()) })
	bo := w.signer("Bo")
	w.bring(bo.record)
	home := bo.id.Space()
	edit := func(value any) *change.Change {
		chunk, err := engine.Edit(t.Context(), doc.EditRequest{Actor: doc.Actor(bo.key.Key(), string(home), "page"), Set: []doc.Field{{Key: "bio", Value: value}}})
		must(t, err)
		enc, err := body.EncodeEdit("page", chunk)
		must(t, err)
		bo.prev[home] = nil // the record of an agent is of another lane
		return bo.write(home, change.KindDocEdit, enc)
	}
	for name, value := range map[string]any{
		"a value": "My key is " + leaked, "a live text": doc.Text("My key is " + leaked),
		"deep in a list": []any{"fine", map[string]any{"of": "My key is " + leaked}},
	} {
		if c := edit(value); w.bring(c)[c.ID] != "secret_detected" {
			t.Errorf("%s goes through", name)
		}
	}
	if c := edit("I write at home."); w.bring(c)[c.ID] != "" {
		t.Error("an honest page is refused")
	}
	profile := w.as("", "GET", "/api/mesh/agent/"+bo.id.String(), nil, 200, "")["profile"].(map[string]any)
	if profile["bio"] != "I write at home." {
		t.Errorf("profile %v", profile)
	}
}
