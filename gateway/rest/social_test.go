package rest_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/store"
)

// secret is a text that no endpoint takes.
const secret = "Use AKIAIOSFODNN7EXAMPLX for it."

// town is a whole node behind its HTTP face, with agents that have keys.
type town struct {
	*world
	node *node.Node
	keys map[string]string
	ids  map[string]string
}

// newTown opens a node; set, when not nil, changes its configuration.
func newTown(t *testing.T, set func(*config.Config), names ...string) *town {
	t.Helper()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	must(t, err)
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Listen = true, false, false, []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "test", Shards: 1, Start: 1767225600000}}.Encode()
	must(t, err)
	must(t, os.WriteFile(cfg.Network.File, []byte(text), 0o600))
	if set != nil {
		set(&cfg)
	}
	exe, err := os.Executable()
	must(t, err)
	n, err := node.Open(t.Context(), core.Options{Home: home, Config: cfg, Version: "1.2.3", Engine: crdtlog.NewMemory(), Worker: []string{exe, "doc-worker"}})
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(n.Close(), home.Close())) })
	w := &town{world: overNode(t, n, base), node: n, keys: map[string]string{}, ids: map[string]string{}}
	for i, name := range names {
		w.ids[name], w.keys[name] = w.register(name, byte(i+1))
	}
	return w
}

func (w *town) as(name, method, path string, body any) reply {
	w.t.Helper()
	c := apiCall{method: method, path: path, key: w.keys[name]}
	if body != nil {
		c.body = encode(w.t, body)
	}
	if name == "owner" {
		c.owner = "owner"
	}
	return w.do(c)
}

// wrote contributes an entry and returns its path.
func (w *town) wrote(name, n string) string {
	w.t.Helper()
	r := w.want(w.as(name, "POST", "/api/mesh/contribute", contribution(n)), 201, "")
	return "/api/mesh/entry/" + r.json["id"].(string)
}

func (w *town) entry(path, as string) map[string]any {
	w.t.Helper()
	return w.want(w.as(as, "GET", path, nil), 200, "").json["entry"].(map[string]any)
}

type object = map[string]any

func TestVotes(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy")
	e := w.wrote("ada", "today")
	vote := func(as string, value any, count, mine float64) {
		t.Helper()
		r := w.want(w.as(as, "POST", e+"/vote", object{"value": value}), 200, "")
		if r.json["voteCount"] != count || r.json["my_vote"] != mine {
			t.Errorf("%s votes %v: %s", as, value, r.raw)
		}
	}
	vote("bo", 1, 1, 1)
	vote("bo", 1, 1, 1) // twice is once
	vote("cy", -1, 0, -1)
	vote("cy", 1, 2, 1)
	vote("cy", 0, 1, 0)
	if got := w.entry(e, ""); got["voteCount"] != 1.0 || got["score"] != 1.0 {
		t.Errorf("entry %v", got)
	}
	w.want(w.as("ada", "POST", e+"/vote", object{}), 403, "self_vote")
	w.want(w.as("", "POST", e+"/vote", object{}), 401, "auth_required")
	w.want(w.as("bo", "POST", e+"/vote", object{"value": 2}), 422, "validation_failed")
	w.want(w.as("bo", "POST", "/api/mesh/entry/ent_none/vote", object{}), 404, "entry_not_found")
	w.want(w.as("ada", "DELETE", e, nil), 200, "")
	w.want(w.as("bo", "POST", e+"/vote", object{}), 410, "retracted")
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "Too late."}), 410, "retracted")
}

func TestComments(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy")
	e := w.wrote("ada", "today")
	say := func(as, text, parent string) string {
		t.Helper()
		body := object{"content": text}
		if parent != "" {
			body["parent_id"] = parent
		}
		r := w.want(w.as(as, "POST", e+"/comment", body), 201, "")
		return r.json["comment"].(object)["id"].(string)
	}
	first := say("bo", "Seen here too.", "")
	last := first
	for i := range 3 {
		last = say("cy", fmt.Sprint("Answer ", i), last)
	}
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "Deeper.", "parent_id": last}), 422, "too_deep")
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "To nobody.", "parent_id": "cmt_x"}), 422, "unknown_reference")
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "  "}), 422, "validation_failed")
	w.want(w.as("bo", "POST", e+"/comment", object{"content": strings.Repeat("é", 2001)}), 422, "validation_failed")
	if r := w.want(w.as("bo", "POST", e+"/comment", object{"content": secret}), 422, "secret_detected"); strings.Contains(string(r.raw), "AKIA") {
		t.Errorf("the secret is repeated: %s", r.raw)
	}
	w.want(w.as("", "POST", e+"/comment", object{"content": "Me too."}), 401, "auth_required")

	list := w.want(w.as("bo", "GET", e+"/comments?limit=2", nil), 200, "")
	page := list.json["comments"].([]any)
	if len(page) != 2 || page[0].(object)["id"] != last || list.json["total"] != 4.0 || list.json["has_more"] != true {
		t.Errorf("first page %s", list.raw)
	}
	rest := w.want(w.as("bo", "GET", e+"/comments?limit=2&cursor="+list.json["next_cursor"].(string), nil), 200, "")
	if page := rest.json["comments"].([]any); len(page) != 2 || page[1].(object)["id"] != first || page[1].(object)["content"] != "Seen here too." || page[1].(object)["authorName"] != "bo" {
		t.Errorf("second page %s", rest.raw)
	}
	for _, path := range []string{e, e + "/comments"} { // nobody without a key reads the words
		if r := w.want(w.get(path), 200, ""); strings.Contains(string(r.raw), "Seen here") || strings.Contains(string(r.raw), w.ids["bo"]) ||
			!strings.Contains(string(r.raw), "[comment: full text needs an API key]") {
			t.Errorf("%s shows %s", path, r.raw)
		}
	}
	w.want(w.as("cy", "POST", "/api/mesh/comment/"+first+"/vote", object{}), 200, "")
	w.want(w.as("bo", "POST", "/api/mesh/comment/"+first+"/vote", object{}), 403, "self_vote")
	w.want(w.as("bo", "POST", "/api/mesh/comment/cmt_x/vote", object{}), 404, "not_found")
	top := w.want(w.as("bo", "GET", e+"/comments?sort=top", nil), 200, "").json["comments"].([]any)
	if top[0].(object)["id"] != first || top[0].(object)["voteCount"] != 1.0 {
		t.Errorf("by votes %v", top)
	}
	w.want(w.as("cy", "DELETE", "/api/mesh/comment/"+first, nil), 403, "not_owner")
	w.want(w.as("bo", "DELETE", "/api/mesh/comment/"+first, nil), 200, "")
	w.want(w.as("bo", "DELETE", "/api/mesh/comment/"+first, nil), 410, "retracted")
	w.want(w.as("ada", "DELETE", "/api/mesh/comment/"+last, nil), 200, "") // whose entry it is may hide it
	after := w.want(w.as("bo", "GET", e+"/comments", nil), 200, "")
	if all := after.json["comments"].([]any); len(all) != 3 || all[2].(object)["deleted"] != true || all[2].(object)["content"] != "" || strings.Contains(string(after.raw), "Seen here") {
		t.Errorf("after two went %s", after.raw)
	}
	if got := w.entry(e, "bo"); got["commentCount"] != 2.0 {
		t.Errorf("%v comments", got["commentCount"])
	}
}

func TestEditKeepsWhatWasSaid(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	e := w.wrote("ada", "today")
	w.want(w.as("bo", "POST", e+"/vote", object{}), 200, "")
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "Seen here too."}), 201, "")
	w.want(w.as("bo", "PATCH", e, object{"title": "Mine now"}), 403, "not_owner")
	w.want(w.as("ada", "PATCH", e, object{}), 400, "no_fields")
	w.want(w.as("ada", "PATCH", e, object{"content": "short"}), 422, "too_short")
	w.want(w.as("ada", "PATCH", e, object{"source": secret}), 422, "secret_detected")
	r := w.want(w.as("ada", "PATCH", e, object{"title": "Bodies leak", "domain": "http"}), 200, "")
	if r.json["supersedes"] != strings.TrimPrefix(e, "/api/mesh/entry/") {
		t.Errorf("%s", r.raw)
	}
	now := "/api/mesh/entry/" + r.json["id"].(string)
	got := w.entry(now, "bo")
	if got["title"] != "Bodies leak" || got["domain"] != "http" || got["voteCount"] != 1.0 || got["commentCount"] != 1.0 || !strings.Contains(got["content"].(string), "was seen today") ||
		encode(t, got["evidence"]) != `["go test"]` || encode(t, got["tags"]) != `["http"]` {
		t.Errorf("the edited entry %v", got)
	}
	w.want(w.as("bo", "GET", e, nil), 410, "retracted")
	said := w.want(w.as("bo", "GET", now+"/comments", nil), 200, "").json["comments"].([]any)
	answer := w.want(w.as("ada", "POST", now+"/comment", object{"content": "Where?", "parent_id": said[0].(object)["id"]}), 201, "")
	if len(said) != 1 || answer.json["comment"].(object)["parentId"] != said[0].(object)["id"] {
		t.Errorf("comments of the edited entry %v, answer %s", said, answer.raw)
	}
}

func TestRankings(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy")
	loved, quiet, talked := w.wrote("ada", "one"), w.wrote("ada", "two"), w.wrote("bo", "three")
	for _, who := range []string{"bo", "cy"} {
		w.want(w.as(who, "POST", loved+"/vote", object{}), 200, "")
	}
	w.want(w.as("cy", "POST", quiet+"/vote", object{"value": -1}), 200, "")
	for i := range 3 {
		w.want(w.as("cy", "POST", talked+"/comment", object{"content": fmt.Sprint("Word ", i)}), 201, "")
	}
	order := func(sort string) (out []string) {
		for _, e := range w.want(w.get("/api/mesh/feed?sort="+sort), 200, "").json["entries"].([]any) {
			out = append(out, "/api/mesh/entry/"+e.(object)["id"].(string))
		}
		return out
	}
	if got := order("top"); fmt.Sprint(got) != fmt.Sprint([]string{loved, talked, quiet}) {
		t.Errorf("top %v, want %v", got, []string{loved, talked, quiet})
	}
	if got := order("discussed"); fmt.Sprint(got) != fmt.Sprint([]string{talked, quiet, loved}) {
		t.Errorf("discussed %v, want %v", got, []string{talked, quiet, loved})
	}
	first := w.want(w.get("/api/mesh/feed?sort=discussed&limit=1"), 200, "")
	second := w.want(w.get("/api/mesh/feed?sort=discussed&limit=1&cursor="+first.json["next_cursor"].(string)), 200, "")
	if got := second.json["entries"].([]any); len(got) != 1 || "/api/mesh/entry/"+got[0].(object)["id"].(string) != quiet {
		t.Errorf("second page %s", second.raw)
	}
	board := w.want(w.get("/api/mesh/leaderboard?metric=contributions&window=7d"), 200, "")
	leaders := board.json["top_contributors"].([]any)
	if len(leaders) != 2 || leaders[0].(object)["name"] != "ada" || leaders[0].(object)["contributions"] != 2.0 || leaders[0].(object)["rank"] != 1.0 ||
		len(board.json["active_domains"].([]any)) != 1 || len(board.json["most_engaged_entries"].([]any)) != 3 {
		t.Errorf("leaderboard %s", board.raw)
	}
	if strings.Contains(string(board.raw), lesson) {
		t.Errorf("the leaderboard shows texts to anybody: %s", board.raw)
	}
	w.want(w.get("/api/mesh/leaderboard?metric=beauty"), 400, "invalid_param")
}

func TestReputation(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	for i := range 17 {
		w.wrote("bo", fmt.Sprintf("in case number %d of many", i))
	}
	e := w.wrote("ada", "today")
	w.want(w.as("bo", "POST", e+"/vote", object{"value": -1}), 200, "")
	r := w.want(w.get("/api/mesh/agent/ada/reputation"), 200, "")
	b := r.json["breakdown"].(object)
	if r.json["score"] != 0.2 || r.json["tier"] != "newcomer" || b["contributions"] != 1.0 || b["direct"] != 0.3 || b["votes"] != -0.1 || b["down"] != 1.0 ||
		encode(t, r.json["next_tier"]) != `{"missing":4.8,"tier":"contributor"}` {
		t.Errorf("ada %s", r.raw)
	}
	own := w.want(w.as("bo", "GET", "/api/mesh/me/reputation", nil), 200, "")
	if own.json["score"] != 5.1 || own.json["tier"] != "contributor" || own.json["agent_id"] != w.ids["bo"] {
		t.Errorf("bo %s", own.raw)
	}
	w.want(w.get("/api/mesh/me/reputation"), 401, "auth_required")
	w.want(w.get("/api/mesh/agent/nobody/reputation"), 404, "agent_not_found")
	first := w.want(w.get("/api/mesh/directory"), 200, "").json["agents"].([]any)[0].(object)
	if first["name"] != "bo" || first["reputation"] != 5.1 {
		t.Errorf("the directory begins with %v", first)
	}
	dash := w.want(w.as("bo", "GET", "/api/mesh/dashboard", nil), 200, "")
	if dash.json["contributions"] != 17.0 || dash.json["tier"] != "contributor" || dash.json["next_tier"] == nil {
		t.Errorf("dashboard %s", dash.raw)
	}
}

func TestServedIsCountedOncePerReaderAndDay(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy")
	e := w.wrote("ada", "today")
	for _, who := range []string{"", "ada", "bo", "bo", "cy"} { // one's own reads and those without a key are none
		w.entry(e, who)
	}
	if got := w.entry(e, ""); got["queryCount"] != 2.0 {
		t.Errorf("%v reads, want 2", got["queryCount"])
	}
	must(t, w.service.Knowledge.SettleServed(t.Context()))
	if got := w.entry(e, ""); got["queryCount"] != 2.0 {
		t.Errorf("%v reads after settling, want 2", got["queryCount"])
	}
}

// guestNotes: what guests write waits in the gateway for the owner, and is no change of
// the network before she approves it. It leaves one such note of Eve behind.
func (w *town) guestNotes(book string) (guest object) {
	w.t.Helper()
	write := func(message, name string) reply {
		return w.as("", "POST", book, object{"message": message, "author_name": name})
	}
	_, err := w.service.Knowledge.ServiceAgent(w.t.Context()) // its birth is a change
	must(w.t, err)
	before := w.node.Seq()
	waits := w.want(write("Hello from afar.", "Eve"), 202, "").json["entry"].(object)
	if waits["authorName"] != "guest: Eve" || waits["authorId"] != nil || waits["verified"] != false || waits["status"] != "pending" {
		w.t.Errorf("guest %v", waits)
	}
	w.want(write("Hello from afar.", "Eve"), 409, "duplicate")
	refused := w.want(write("Buy it now.", "Mallory"), 202, "").json["entry"].(object)
	if w.node.Seq() != before {
		w.t.Error("a note that waits is a change")
	}
	list := func(as string) (names []string) {
		for _, e := range w.want(w.as(as, "GET", book, nil), 200, "").json["entries"].([]any) {
			names = append(names, e.(object)["authorName"].(string)+" "+e.(object)["status"].(string))
		}
		return names
	}
	if got := strings.Join(list("bo"), ","); got != "bo approved" {
		w.t.Errorf("others see %q", got)
	}
	if got := strings.Join(list("ada"), ","); !strings.Contains(got, "guest: Eve pending") || !strings.Contains(got, "guest: Mallory pending") {
		w.t.Errorf("the owner sees %q", got)
	}
	id := func(n object) string { return n["id"].(string) }
	w.want(w.as("bo", "DELETE", book+"/"+id(refused), nil), 404, "not_found")
	w.want(w.as("ada", "DELETE", book+"/"+id(refused), nil), 204, "")
	w.want(w.as("ada", "POST", book+"/"+id(refused)+"/approve", nil), 404, "not_found")
	w.want(w.as("bo", "POST", book+"/"+id(waits)+"/approve", nil), 403, "not_owner")
	guest = w.want(w.as("ada", "POST", book+"/"+id(waits)[:12]+"/approve", nil), 200, "").json["entry"].(object)
	if guest["authorName"] != "guest: Eve" || guest["status"] != "approved" || id(guest) == id(waits) || w.node.Seq() == before {
		w.t.Errorf("approved %v", guest)
	}
	if got := strings.Join(list(""), ","); got != "guest: Eve approved,bo approved" {
		w.t.Errorf("all see %q", got)
	}
	return guest
}

func TestGuestbook(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	book := "/api/mesh/agent/ada/guestbook"
	note := w.want(w.as("bo", "POST", book, object{"message": "Hello.", "mood": "glad"}), 201, "")
	n := note.json["entry"].(object)
	if n["authorName"] != "bo" || n["verified"] != true || n["status"] != "approved" || note.json["total"] != 1.0 {
		t.Errorf("note %s", note.raw)
	}
	w.want(w.as("bo", "POST", book, object{"message": "Hello."}), 409, "duplicate")
	guest := w.guestNotes(book)
	w.want(w.as("", "POST", book, object{"message": "x", "author_name": "ada\u202e"}), 422, "validation_failed")
	w.want(w.as("", "POST", book, object{"message": secret}), 422, "secret_detected")
	w.want(w.as("bo", "POST", book, object{"message": strings.Repeat("é", 501)}), 422, "validation_failed")
	w.want(w.as("bo", "POST", "/api/mesh/agent/nobody/guestbook", object{"message": "x"}), 404, "agent_not_found")

	// A signature is optional, and wrong ones are refused.
	payload, err := jcs.Canonical([]byte(encode(t, object{"agent_id": w.ids["ada"], "message": "Signed."})))
	must(t, err)
	sign := func(seed byte) string {
		return base64.RawURLEncoding.EncodeToString(ed25519.Sign(servicetest.Key(seed), payload))
	}
	w.want(w.as("bo", "POST", book, object{"message": "Signed.", "signature": sign(9)}), 401, "signature_invalid")
	w.want(w.as("bo", "POST", book, object{"message": "Signed.", "signature": sign(2)}), 201, "")

	w.want(w.as("bo", "PATCH", book, object{"write_access": "closed"}), 403, "not_owner")
	w.want(w.as("ada", "PATCH", book, object{}), 400, "no_fields")
	w.want(w.as("ada", "PATCH", book, object{"max_entries": 9}), 422, "validation_failed")
	policy := w.want(w.as("ada", "PATCH", book, object{"write_access": "members", "moderation": "manual", "max_entries": 10}), 200, "").json["policy"].(object)
	if encode(t, policy) != `{"max_entries":10,"moderation":"manual","require_signature":false,"write_access":"members"}` {
		t.Errorf("policy %v", policy)
	}
	w.want(w.as("", "POST", book, object{"message": "Hello again."}), 401, "auth_required")
	waits := w.want(w.as("bo", "POST", book, object{"message": "Let me in."}), 202, "").json["entry"].(object)
	if waits["status"] != "pending" {
		t.Errorf("note %v", waits)
	}
	count := func(as string) float64 { return w.want(w.as(as, "GET", book, nil), 200, "").json["total"].(float64) }
	if count("bo") != 1 || count("ada") != 4 { // under this policy all wait, but what was approved
		t.Errorf("%v shown, %v to the owner", count("bo"), count("ada"))
	}
	id := waits["id"].(string)
	w.want(w.as("bo", "POST", book+"/"+id+"/approve", nil), 403, "not_owner")
	w.want(w.as("ada", "POST", book+"/gst_x/approve", nil), 404, "not_found")
	if got := w.want(w.as("ada", "POST", book+"/"+id+"/approve", nil), 200, "").json["entry"].(object); got["status"] != "approved" || count("") != 2 {
		t.Errorf("approved %v, %v shown", got, count(""))
	}
	w.want(w.as("ada", "DELETE", book+"/"+guest["id"].(string), nil), 204, "")
	w.want(w.as("bo", "DELETE", book+"/"+id, nil), 204, "") // who wrote it
	w.want(w.as("bo", "DELETE", book+"/"+id, nil), 410, "retracted")
	if count("") != 0 || count("ada") != 2 {
		t.Errorf("%v shown, %v to the owner, after two went", count(""), count("ada"))
	}
	w.want(w.as("ada", "PATCH", book, object{"write_access": "closed"}), 200, "")
	w.want(w.as("bo", "POST", book, object{"message": "Anybody?"}), 403, "guestbook_closed")
	w.want(w.as("ada", "PATCH", book, object{"write_access": "anyone", "require_signature": true}), 200, "")
	w.want(w.as("bo", "POST", book, object{"message": "No pen."}), 422, "validation_failed")
}

func TestFollowAndNotices(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy")
	sub := w.node.Events().Subscribe(events.Notified, 64)
	defer sub.Close()
	ended := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	attending := w.service.Notices.Attending()
	go func() { defer close(ended); attending(ctx, slog.New(slog.DiscardHandler)) }()
	defer func() { stop(); <-ended }()
	arrives := func() {
		t.Helper()
		select {
		case <-sub.C():
		case <-time.After(2 * time.Minute):
			t.Fatal("no notice")
		}
	}
	w.want(w.as("bo", "POST", "/api/mesh/agent/ada/follow", nil), 200, "")
	if r := w.want(w.as("bo", "POST", "/api/mesh/agent/ada/follow", nil), 200, ""); r.json["followers"] != 1.0 {
		t.Errorf("follow %s", r.raw)
	}
	w.want(w.as("ada", "POST", "/api/mesh/agent/ada/follow", nil), 422, "validation_failed")
	e := w.wrote("ada", "today")
	arrives() // bo: a new entry
	w.want(w.as("bo", "POST", e+"/vote", object{}), 200, "")
	arrives() // ada: the first vote
	w.want(w.as("bo", "POST", e+"/comment", object{"content": "Ask @cy about it."}), 201, "")
	arrives() // ada: a comment
	arrives() // cy: mentioned
	w.want(w.as("cy", "POST", "/api/mesh/agent/ada/guestbook", object{"message": "Hello."}), 201, "")
	arrives() // ada: a note
	kinds := func(as string) (out string) {
		for _, n := range w.want(w.as(as, "GET", "/api/mesh/notifications", nil), 200, "").json["notifications"].([]any) {
			out += n.(object)["kind"].(string) + " "
		}
		return out
	}
	if kinds("ada") != "guestbook comment votes " || kinds("bo") != "entry " || kinds("cy") != "mention " {
		t.Errorf("ada %q, bo %q, cy %q", kinds("ada"), kinds("bo"), kinds("cy"))
	}
	if me := w.want(w.as("ada", "GET", "/api/mesh/me", nil), 200, ""); me.json["unread"].(object)["notifications"] != 3.0 {
		t.Errorf("me %s", me.raw)
	}
	page := w.want(w.as("ada", "GET", "/api/mesh/notifications?limit=2", nil), 200, "")
	if next := w.want(w.as("ada", "GET", "/api/mesh/notifications?limit=2&cursor="+page.json["next_cursor"].(string), nil), 200, ""); next.json["count"] != 1.0 {
		t.Errorf("second page %s", next.raw)
	}
	w.want(w.as("bo", "GET", "/api/mesh/notifications?limit=2&cursor="+page.json["next_cursor"].(string), nil), 400, "invalid_cursor")
	id := page.json["notifications"].([]any)[0].(object)["id"]
	if r := w.want(w.as("bo", "POST", "/api/mesh/notifications/read", object{"ids": []any{id}}), 200, ""); r.json["read"] != 0.0 {
		t.Errorf("bo reads ada's: %s", r.raw)
	}
	if r := w.want(w.as("ada", "POST", "/api/mesh/notifications/read", object{"ids": []any{id}}), 200, ""); r.json["read"] != 1.0 || r.json["unread"] != 2.0 {
		t.Errorf("read one: %s", r.raw)
	}
	if r := w.want(w.as("ada", "POST", "/api/mesh/notifications/read", object{"all": true}), 200, ""); r.json["unread"] != 0.0 {
		t.Errorf("read all: %s", r.raw)
	}
	w.want(w.as("ada", "POST", "/api/mesh/notifications/read", object{}), 400, "no_fields")
	w.want(w.get("/api/mesh/notifications"), 401, "auth_required")
	if r := w.want(w.as("bo", "DELETE", "/api/mesh/agent/ada/follow", nil), 200, ""); r.json["following"] != false || r.json["followers"] != 0.0 {
		t.Errorf("unfollow %s", r.raw)
	}
}
