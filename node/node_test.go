package node_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// The test binary is its own document worker, as the program is, and the
// process that is killed while it writes.
func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) > 1 && os.Args[1] == "doc-worker":
		err = automerge.ServeWorker(os.Stdin, os.Stdout)
	case len(os.Args) > 2 && os.Args[1] == "writer":
		err = writeUntilKilled(os.Args[2])
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// box is a node in a new home, in a small network without tickets.
type box struct {
	*node.Node
	t    testing.TB
	home *store.Home
}

// start opens a node in a home; set, when not nil, changes what it is opened with.
func start(ctx context.Context, dir string, set func(*core.Options)) (*node.Node, *store.Home, error) {
	home, err := store.Open(dir, store.Options{Command: "test"})
	if err != nil {
		return nil, nil, err
	}
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping = true, false, false
	cfg.P2P.Listen = []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "test", Shards: 1, Start: 1767225600000}}.Encode()
	if err == nil {
		err = os.WriteFile(cfg.Network.File, []byte(text), 0o600)
	}
	exe, err2 := os.Executable()
	if err := errors.Join(err, err2); err != nil {
		return nil, nil, errors.Join(err, home.Close())
	}
	opt := core.Options{Home: home, Config: cfg, Version: "test", Worker: []string{exe, "doc-worker"}}
	if set != nil {
		set(&opt)
	}
	n, err := node.Open(ctx, opt)
	if err != nil {
		return nil, nil, errors.Join(err, home.Close())
	}
	return n, home, nil
}

func open(t testing.TB, dir string, set func(*config.Config)) *box {
	t.Helper()
	return openWith(t, dir, func(o *core.Options) {
		if set != nil {
			set(&o.Config)
		}
	})
}

func openWith(t testing.TB, dir string, set func(*core.Options)) *box {
	t.Helper()
	n, home, err := start(t.Context(), dir, set)
	if err != nil {
		t.Fatal(err)
	}
	return &box{Node: n, t: t, home: home}
}

func (b *box) shut() {
	b.t.Helper()
	if err := errors.Join(b.Close(), b.home.Close()); err != nil {
		b.t.Error(err)
	}
}

// serve connects the box and runs it until the test ends.
func (b *box) serve() {
	b.t.Helper()
	if err := b.Connect(); err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx) }()
	b.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			b.t.Error(err)
		}
		b.shut()
	})
}

func (b *box) agent(name string) view.Agent {
	b.t.Helper()
	key, _, err := b.NewActingKey(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	a, _, err := b.OpenAgent(b.t.Context(), view.Genesis{KeyName: key, Name: name, Custody: "self"})
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// pass is an entry that the gate lets through; any other is a fault of the test.
func pass(domain string, e body.Entry) gate.Passed {
	g, err := gate.New(gate.Config{}) // one of a synctest's own
	d, err2 := gate.DraftOf(e, domain)
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	p, report := g.Pass(d)
	if !report.OK() {
		panic(fmt.Sprint("the gate refuses ", report.Codes()))
	}
	return p
}

func (b *box) contribute(a view.Agent, text string) view.Receipt {
	b.t.Helper()
	r, err := b.Contribute(b.t.Context(), a.ID, pass("go", body.Entry{Type: body.Gotcha, Text: text}), view.Submit{})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

const lesson = "Acknowledge a write only after the log is synced, or a crash takes it back."

// retold is the lesson with words of its own for every number, so that one author
// may write many of them.
func retold(numbers ...int) string {
	text := lesson + " It was seen"
	for i, sum := 0, sha256.Sum256(fmt.Append(nil, numbers)); i+1 < len(sum); i += 2 {
		text += " " + word(int(sum[i])<<8|int(sum[i+1]))
	}
	return text + "."
}

// patience is when a test gives up waiting: far beyond what a busy machine with the
// race detector takes, since it only says that something hangs.
const patience = 2 * time.Minute

// eventually waits for cond.
func (b *box) eventually(what string, cond func() bool) {
	b.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline.C:
			b.t.Fatalf("%s: not within %v; status %+v", what, patience, b.Status())
		}
	}
}

func TestContributionIsReadSearchedAndListed(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	r := b.contribute(ada, lesson)
	e, err := b.Entry(t.Context(), r.ID)
	if err != nil || e.Body.Text != lesson || e.Agent.Name != "Ada" || e.Domain != "go" {
		t.Fatalf("entry = %+v, %v", e, err)
	}
	page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 10})
	if err != nil || len(page.Entries) != 1 || page.Total != 1 {
		t.Fatalf("feed = %+v, %v", page, err)
	}
	b.eventually("search finds it", func() bool {
		p, err := b.Entries(t.Context(), view.EntryQuery{Text: "synced crash", Limit: 10})
		return err == nil && len(p.Entries) == 1
	})
	if c := b.Counts(); c != (view.Counts{Agents: 1, Entries: 1, Domains: 1}) {
		t.Errorf("counts = %+v", c)
	}
}

func TestRestartKeepsEverythingWithAndWithoutCheckpoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	r := b.contribute(ada, lesson)
	want := b.Status().View
	b.shut()
	for _, drop := range []bool{false, true} {
		if drop {
			if err := os.Remove(dir + "/store/checkpoint"); err != nil {
				t.Fatal(err)
			}
		}
		b = open(t, dir, nil)
		if got := b.Status().View; got != want {
			t.Errorf("view after restart = %+v, want %+v", got, want)
		}
		if e, err := b.Entry(t.Context(), r.ID); err != nil || e.Body.Text != lesson {
			t.Errorf("entry after restart: %v", err)
		}
		if _, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: lesson}), view.Submit{}); reason.Of(err) != reason.Duplicate {
			t.Errorf("the same text again: %v", err)
		}
		check, err := b.VerifyDeep(t.Context())
		if err != nil || len(check.Problems) > 0 || !check.ViewsOK {
			t.Errorf("verify = %+v, %v", check, err)
		}
		b.shut()
	}
}

func TestPageIsEditedThroughTheWorker(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	p, err := b.EditPage(t.Context(), ada.ID, []doc.Field{{Key: "bio", Value: "keeps logs"}, {Key: "links", Value: []any{map[string]any{"label": "home", "url": "https://example.org"}}}}, -1)
	if err != nil || p.Version != 1 || p.Fields["bio"] != "keeps logs" {
		t.Fatalf("page = %+v, %v", p, err)
	}
	if _, err := b.EditPage(t.Context(), ada.ID, []doc.Field{{Key: "bio", Value: "x"}}, 7); reason.Of(err) != reason.VersionConflict {
		t.Errorf("edit of another version: %v", err)
	}
	if p, err = b.EditPage(t.Context(), ada.ID, []doc.Field{{Key: "bio", Value: nil}}, 1); err != nil || p.Version != 2 || p.Fields["bio"] != nil {
		t.Errorf("page = %+v, %v", p, err)
	}
}

func TestThreeNodesConverge(t *testing.T) {
	t.Parallel()
	for _, gossip := range []bool{true, false} {
		t.Run(fmt.Sprintf("gossip=%v", gossip), func(t *testing.T) {
			t.Parallel()
			first := open(t, t.TempDir(), func(c *config.Config) { c.P2P.Gossip = gossip })
			first.serve()
			boxes := []*box{first}
			for range 2 {
				b := open(t, t.TempDir(), func(c *config.Config) {
					c.P2P.Gossip = gossip
					c.Network.Bootstrap = first.Addrs()
				})
				b.serve()
				boxes = append(boxes, b)
			}
			for _, b := range boxes[1:] {
				b.eventually("connected", func() bool { return b.Status().Peers > 0 })
			}
			ada := first.agent("Ada")
			r := first.contribute(ada, lesson)
			for _, b := range boxes[1:] {
				b.eventually("the entry arrives", func() bool {
					if !gossip {
						if _, _, err := b.SyncNow(t.Context(), false); err != nil {
							t.Error(err)
						}
					}
					e, err := b.Entry(t.Context(), r.ID)
					return err == nil && strings.HasPrefix(e.Agent.Handle, "Ada#")
				})
				if got, want := b.Status().View, first.Status().View; got != want {
					t.Errorf("view = %+v, want %+v", got, want)
				}
			}
		})
	}
}
