package knowledge_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// node has a real gate, and keeps what passes it.
type node struct {
	gate    *gate.Gate
	now     func() time.Time
	entries []view.Entry
	team    []view.Entry
	days    map[int64][]view.ServedRow
	serves  bool
	next    *view.EntryPlace // after every page
}

var _ knowledge.Node = (*node)(nil)

func (n *node) Check(_ context.Context, d gate.Draft, _ change.AgentID) gate.Report {
	return n.gate.Check(d)
}
func (n *node) Pass(d gate.Draft) (gate.Passed, gate.Report) { return n.gate.Pass(d) }

func (n *node) keep(to *[]view.Entry, agent change.AgentID, p gate.Passed) view.Receipt {
	id := change.ID{byte(len(*to) + 1)}
	*to = append(*to, view.Entry{ID: id, Domain: p.Domain(), Agent: view.AgentRef{ID: agent, Name: "ada", Handle: "ada"}, CreatedAt: n.now(), Body: p.Entry()})
	return view.Receipt{ID: id, Seq: uint64(len(*to)), CreatedAt: n.now(), Agent: agent}
}

func (n *node) Contribute(_ context.Context, agent change.AgentID, p gate.Passed, _ view.Submit) (view.Receipt, error) {
	return n.keep(&n.entries, agent, p), nil
}

func (n *node) ContributeToTeam(_ context.Context, agent change.AgentID, _ change.ID, p gate.Passed, _ view.Submit) (view.Receipt, error) {
	return n.keep(&n.team, agent, p), nil
}

func (n *node) Retract(_ context.Context, _ change.AgentID, target change.ID, _ string) (view.Receipt, error) {
	n.entries = slices.DeleteFunc(n.entries, func(e view.Entry) bool { return e.ID == target })
	return view.Receipt{ID: target}, nil
}

func (n *node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	if i := slices.IndexFunc(n.entries, func(e view.Entry) bool { return e.ID == id }); i >= 0 {
		return n.entries[i], nil
	}
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
}

func (n *node) Entries(context.Context, view.EntryQuery) (view.EntryPage, error) {
	return view.EntryPage{Entries: slices.Clone(n.entries), Next: n.next}, nil
}

func (n *node) TeamEntry(_ context.Context, _, id change.ID) (view.Entry, error) {
	return n.team[id[0]-1], nil
}

func (n *node) TeamEntries(context.Context, change.ID, view.EntryQuery) (view.EntryPage, error) {
	return view.EntryPage{Entries: slices.Clone(n.team)}, nil
}

func (*node) Domains(context.Context) []view.Domain { return nil }

func (*node) Related(a, b change.AgentID) bool { return a == b }
func (n *node) Serves(change.AgentID) bool     { return n.serves }

func (*node) ServiceAgent(context.Context) (change.AgentID, error) { return change.AgentID{0xee}, nil }

func (n *node) WriteServed(_ context.Context, _ change.AgentID, day int64, rows []view.ServedRow) error {
	n.days[day] = rows
	return nil
}

// silence is a room comment in which nobody said anything.
type silence struct{ comment.Node }

func (silence) Comments(context.Context, change.ID) ([]view.Comment, error) { return nil, nil }

type bench struct {
	*accesstest.Bench
	*knowledge.Service
	node    *node
	ada, bo call.Caller
	agents  []*view.Agent
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	g, err := gate.New(gate.Config{})
	accesstest.Must(t, err)
	b.node = &node{gate: g, now: b.Clock, days: map[int64][]view.ServedRow{}, serves: true}
	b.Service = knowledge.New(b.node, b.Access, comment.New(silence{}, b.Access, b.Pages), b.State, b.Pages, accesstest.BaseURL)
	b.agents = []*view.Agent{b.AddAgent("ada"), b.AddAgent("bo")}
	b.ada, b.bo = accesstest.As(b.agents[0].ID), accesstest.As(b.agents[1].ID)
	return b
}

const lesson = "A deferred Close in a loop runs only when the function returns, so a long loop runs out of files."

func (b *bench) write(t *testing.T, who call.Caller, more string) (*knowledge.ContributeReply, error) {
	t.Helper()
	return b.Contribute(t.Context(), who, accesstest.Request(t, knowledge.ContributeForm, `{"type": "gotcha", "domain": "go", "title": "Hidden title", "content": "`+lesson+`"`+more+`}`), view.Submit{})
}

// bytesOf is an entry as its reader gets it.
func (b *bench) bytesOf(t *testing.T, who call.Caller, id string) string {
	t.Helper()
	got, err := b.Entry(t.Context(), who, id)
	accesstest.Must(t, err)
	raw, err := json.Marshal(got)
	accesstest.Must(t, err)
	return string(raw)
}

// Who has no key gets no byte of what is hidden; who pays for nothing gets no byte of
// what is sold.
func TestMask(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	free, err := b.write(t, b.ada, `, "evidence": ["Hidden proof"], "source": "Hidden source"`)
	accesstest.Must(t, err)
	b.node.gate, err = gate.New(gate.Config{})
	accesstest.Must(t, err)
	sold, err := b.write(t, b.ada, `, "price": 0.5, "evidence": ["Hidden proof"]`)
	accesstest.Must(t, err)
	payer := accesstest.As(b.agents[1].ID, state.ScopePay)
	for _, c := range []struct {
		what, id   string
		who        call.Caller
		shown, not string // words, separated by bars
	}{
		{"nobody", free.ID, call.Caller{}, "full content needs an API key", "deferred|Hidden title|Hidden proof|Hidden source|ada"},
		{"a key that only pays", free.ID, payer, "full content needs an API key", "deferred|Hidden title|Hidden proof"},
		{"a key", free.ID, b.bo, "deferred|Hidden title|Hidden proof|Hidden source|ada", "needs an API key"},
		{"nobody, what is sold", sold.ID, call.Caller{}, "premium entry, 0.5 USD", "deferred|Hidden title|Hidden proof"},
		{"a key, what is sold", sold.ID, b.bo, "premium entry, 0.5 USD|Hidden title", "deferred|Hidden proof"},
		{"its author", sold.ID, b.ada, "deferred|Hidden proof", "premium entry, 0.5"},
	} {
		raw := b.bytesOf(t, c.who, c.id)
		for _, word := range strings.Split(c.shown, "|") {
			if !strings.Contains(raw, word) {
				t.Errorf("%s does not see %q in %s", c.what, word, raw)
			}
		}
		for _, word := range strings.Split(c.not, "|") {
			if strings.Contains(strings.ReplaceAll(raw, "readable", ""), word) {
				t.Errorf("%s sees %q in %s", c.what, word, raw)
			}
		}
	}
	if e := b.node.entries[1].Body; e.Text != "" || e.Hash.IsZero() || len(e.Evidence) != 0 {
		t.Errorf("the log has what is sold: %+v", e)
	}
}

// A refusal has the gate's verdict with it, and a check writes nothing.
func TestGateRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other, err := b.write(t, b.bo, "")
	accesstest.Must(t, err)
	for more, want := range map[string]reason.Code{
		`, "content": "Too short."`:                                  reason.TooShort,
		`, "content": "` + strings.Repeat("Long words. ", 400) + `"`: reason.TooLong,
		`, "type": "poem"`:                                           reason.InvalidType,
		`, "price": 0.0000001`:                                       reason.ValidationFailed,
		`, "receipt_sha256": "` + strings.Repeat("x", 64) + `"`:      reason.ValidationFailed,
		`, "reuses": ["ent_none"]`:                                   reason.UnknownReference,
		`, "supersedes": "` + other.ID + `"`:                         reason.NotOwner,
		`, "price": 1, "team_id": "gld_x"`:                           reason.ValidationFailed,
	} {
		fields := map[string]any{"type": "gotcha", "content": lesson}
		accesstest.Must(t, json.Unmarshal([]byte(`{`+strings.TrimPrefix(more, ", ")+`}`), &fields))
		raw, err := json.Marshal(fields)
		accesstest.Must(t, err)
		_, err = b.Contribute(t.Context(), b.ada, accesstest.Request(t, knowledge.ContributeForm, string(raw)), view.Submit{})
		accesstest.Refused(t, more[:min(40, len(more))], err, want)
		var r *knowledge.Refused
		if errors.As(err, &r) && (r.Quality.OK || !slices.Contains(r.Quality.Reasons, string(want))) {
			t.Errorf("%s: the verdict is %+v", more, r.Quality)
		}
	}
	for code, who := range map[reason.Code]call.Caller{reason.AuthRequired: {}, reason.ScopeMissing: accesstest.As(b.agents[0].ID, state.ScopeRead)} {
		_, err := b.write(t, who, "")
		accesstest.Refused(t, "who may not", err, code)
	}
	got, err := b.Check(t.Context(), b.ada, accesstest.Request(t, knowledge.ContributeForm, `{"type": "gotcha", "content": "Too short."}`))
	if err != nil || got.Quality.OK || len(b.node.entries) != 1 {
		t.Errorf("%+v, %v; %d entries", got, err, len(b.node.entries))
	}
	_, err = b.Retract(t.Context(), b.ada, other.ID)
	accesstest.Refused(t, "to retract another's", err, reason.NotOwner)
	if _, err := b.Retract(t.Context(), b.bo, other.ID); err != nil || len(b.node.entries) != 0 {
		t.Errorf("to retract one's own: %v", err)
	}
}

// An edit writes the entry anew: what is not given stays, null gives a default, and the
// hash of a receipt goes when the receipt does.
func TestEditKeepsWhatIsNotGiven(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	old, err := b.write(t, b.ada, `, "confidence": 0.5, "tags": ["loops"], "evidence": ["A test."], "source": "go vet", "metadata": {"kind": "x"}, "receipt": {"a": 1}`)
	accesstest.Must(t, err)
	got, err := b.EditEntry(t.Context(), b.ada, old.ID, accesstest.Request(t, knowledge.EditEntryForm, `{"title": "Another", "confidence": null, "receipt": null, "odd": 1}`), "")
	accesstest.Must(t, err)
	before, after := b.node.entries[0], b.node.entries[1]
	want := before.Body
	want.Title, want.Confidence, want.Receipt, want.Supersedes = "Another", 800, nil, before.ID
	if !reflect.DeepEqual(after.Body, want) || after.Domain != "go" || got.Supersedes != old.ID || !slices.Equal(got.Warnings, []string{"unknown_field:odd"}) {
		t.Errorf("%+v,\nwant %+v; %+v", after.Body, want, got)
	}
	_, err = b.EditEntry(t.Context(), b.ada, old.ID, accesstest.Request(t, knowledge.EditEntryForm, `{}`), "")
	accesstest.Refused(t, "nothing", err, reason.NoFields)
	_, err = b.EditEntry(t.Context(), b.bo, old.ID, accesstest.Request(t, knowledge.EditEntryForm, `{"title": "x"}`), "")
	accesstest.Refused(t, "another's", err, reason.NotOwner)
}

// A cursor of what one agent wrote goes with no other list, whether the caller names
// the agent or the program does.
func TestCursorIsOfAnAuthor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.node.next = &view.EntryPlace{ID: change.ID{1}}
	page := func(author, cursor string) (*knowledge.FeedReply, error) {
		r := accesstest.Request(t, knowledge.FeedForm, `{}`)
		r.Author, r.Cursor = author, cursor
		return b.Feed(t.Context(), b.ada, r)
	}
	first, err := page("ada", "")
	accesstest.Must(t, err)
	_, err = page("ada", *first.NextCursor)
	accesstest.Must(t, err)
	for _, other := range []string{"bo", ""} {
		_, err := page(other, *first.NextCursor)
		accesstest.Refused(t, "entries of "+other, err, reason.InvalidCursor)
	}
	got, err := b.Feed(t.Context(), b.ada, accesstest.Request(t, knowledge.FeedForm, `{"author": "ada"}`))
	accesstest.Must(t, err)
	_, err = b.Feed(t.Context(), b.ada, accesstest.Request(t, knowledge.FeedForm, `{"author": "bo", "cursor": "`+*got.NextCursor+`"}`))
	accesstest.Refused(t, "another author", err, reason.InvalidCursor)
}

// A read counts once for a reader, entry and day, and never for the author or nobody.
func TestReadsCountOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	e, err := b.write(t, b.ada, "")
	accesstest.Must(t, err)
	cy := accesstest.As(b.AddAgent("cy").ID)
	for _, who := range []call.Caller{{}, b.ada, b.bo, b.bo, cy} {
		b.bytesOf(t, who, e.ID)
	}
	if raw := b.bytesOf(t, b.ada, e.ID); !strings.Contains(raw, `"queryCount":2`) {
		t.Errorf("before they are settled: %s", raw)
	}
	accesstest.Must(t, b.SettleServed(t.Context()))
	if len(b.node.days) != 0 {
		t.Errorf("a day that is not over was written: %v", b.node.days)
	}
	b.Now = b.Now.Add(24 * time.Hour)
	accesstest.Must(t, b.SettleServed(t.Context()))
	for _, rows := range b.node.days {
		if len(rows) != 1 || rows[0].Count != 2 {
			t.Errorf("served %+v, want 2 reads", rows)
		}
	}
	if len(b.node.days) != 1 || !strings.Contains(b.bytesOf(t, b.bo, e.ID), `"queryCount":2`) {
		t.Errorf("%d days were written; %s", len(b.node.days), b.bytesOf(t, b.bo, e.ID))
	}
}

// What is kept privately is its agent's alone until it is promoted, through the gate.
func TestPrivateEntries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	keep := func(who call.Caller, raw string) (*knowledge.KeptReply, error) {
		return b.KeepPrivate(t.Context(), who, accesstest.Request(t, knowledge.PrivateForm, `{"entries": [`+raw+`]}`))
	}
	kept, err := keep(b.ada, `{"type": "gotcha", "content": "`+lesson+`"}, {"type": "wisdom", "content": "My own password at the office is swordfish, and nobody may read it."}`)
	if err != nil || kept.Kept != 2 {
		t.Fatalf("%+v, %v", kept, err)
	}
	for raw, want := range map[string]reason.Code{``: reason.MissingField, `{"type": "poem", "content": "` + lesson + `"}`: reason.InvalidType, `{"type": "gotcha", "content": "Short."}`: reason.TooShort} {
		_, err := keep(b.ada, raw)
		accesstest.Refused(t, raw, err, want)
	}
	for who, want := range map[*call.Caller]int{&b.ada: 2, &b.bo: 0} {
		if got, err := b.Privates(t.Context(), *who, accesstest.Request(t, knowledge.PrivateListForm, `{}`)); err != nil || got.Total != want || len(got.Entries) != want {
			t.Errorf("%+v, %v, want %d", got, err, want)
		}
	}
	ids := `{"ids": ["` + kept.Entries[0].ID + `", "prv_none"]}`
	if got, err := b.PromotePrivate(t.Context(), b.bo, accesstest.Request(t, knowledge.PromoteForm, ids)); err != nil || len(got.Promoted) != 0 || len(got.Rejected) != 2 {
		t.Errorf("another promotes %+v, %v", got, err)
	}
	if got, err := b.PromotePrivate(t.Context(), b.ada, accesstest.Request(t, knowledge.PromoteForm, ids)); err != nil || len(got.Promoted) != 1 || len(got.Rejected) != 1 || len(b.node.entries) != 1 {
		t.Errorf("its agent promotes %+v, %v", got, err)
	}
	if got, err := b.DropPrivate(t.Context(), b.bo, accesstest.Request(t, knowledge.DropPrivateForm, ids)); err != nil || got.Dropped != 0 {
		t.Errorf("another drops %+v, %v", got, err)
	}
}

func TestKnowledgeOfATeam(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := change.ID{4}
	b.AddTeam(id, view.TeamPage{}, view.Member{AgentRef: b.agents[0].AgentRef, Role: role.Member}, view.Member{AgentRef: b.agents[1].AgentRef, Role: role.Viewer})
	team := id.Text(change.PrefixGuild)
	more := `, "team_id": "` + team + `"`
	if _, err := b.write(t, b.ada, more); err != nil || len(b.node.team) != 1 || len(b.node.entries) != 0 {
		t.Fatalf("%v; the team has %d, the commons %d", err, len(b.node.team), len(b.node.entries))
	}
	_, err := b.write(t, b.bo, more)
	accesstest.Refused(t, "a viewer", err, reason.Forbidden)
	_, err = b.write(t, accesstest.As(b.AddAgent("cy").ID), more)
	accesstest.Refused(t, "a stranger", err, reason.NotAMember)
}

// An error that is no refusal is reported without its text.
func TestErrorBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code reason.Code
		text string
	}{
		{reason.Refuse(reason.NotOwner, "it is another's").With(map[string]any{"retry_after": 3}), reason.NotOwner, "it is another's"},
		{errors.New("disk /secret/path broke"), reason.Internal, ""},
		{errors.Join(errors.New("while writing"), state.ErrFull), reason.ReadOnly, ""},
		{context.DeadlineExceeded, reason.Timeout, ""},
	} {
		b := knowledge.NewErrorBody(c.err, "req_1")
		if b.Code != string(c.code) || strings.Contains(b.Error, "secret") || c.text != "" && (b.Error != c.text || b.RetryAfter != 3) || b.RequestID != "req_1" || b.Error == "" {
			t.Errorf("%v: %+v", c.err, b)
		}
	}
	if knowledge.USD(knowledge.PriceIn(0.29)) != 0.29 || !knowledge.IsPremium(body.Entry{Text: "x", Price: 1}) || knowledge.IsPremium(body.Entry{Text: "x"}) {
		t.Error("a price is read as another")
	}
}
