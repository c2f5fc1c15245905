package cluster_test

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/cluster"
	"github.com/meshd/meshd/gateway/state/pgtest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/shared"
)

var postgres pgtest.Server

func TestMain(m *testing.M) {
	code := m.Run()
	postgres.Stop()
	os.Exit(code)
}

// open opens one database as two gateways have it.
func open(t *testing.T) (dsn string, a, b *cluster.DB) {
	t.Helper()
	dsn = postgres.Database(t)
	cfg := state.Config{Pepper: bytes.Repeat([]byte{9}, 32), Random: rand.Reader, Home: "a"}
	whole, err := state.OpenPostgres(t.Context(), dsn, cfg)
	must(t, err)
	must(t, whole.Close(t.Context()))
	var out [2]*cluster.DB
	for i, home := range []string{"a", "b"} {
		cfg.Home = home
		out[i], err = cluster.Open(dsn, cfg)
		must(t, err)
		t.Cleanup(func() { must(t, out[i].Close()) })
	}
	return dsn, out[0], out[1]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pen signs one chain.
type pen struct {
	seed   [32]byte
	signer keys.Signer
	prev   change.ID
	seq    uint64
}

func newPen(n byte) *pen {
	p := &pen{seed: [32]byte{n}}
	p.signer = keys.FromSeed(p.seed)
	return p
}

func (p *pen) next(text string) *change.Change {
	d := change.Draft{Space: change.Commons("go"), Kind: change.KindVote, Body: []byte(text), Seq: p.seq + 1, Prev: p.prev, HLC: (p.seq + 1) << 10}
	return change.Seal(d, p.signer)
}

func (p *pen) wrote(c *change.Change) { p.prev, p.seq = c.ID, c.Head.Seq }

// TestOneTurnAtATime: while one gateway has the turn the other waits, then sees what was
// recorded, and what does not go on from there is refused.
func TestOneTurnAtATime(t *testing.T) {
	t.Parallel()
	_, a, b := open(t)
	p := newPen(1)
	must(t, a.AddKey(t.Context(), "acting-1", p.signer.Key(), shared.Secret{Seed: p.seed}, nil))
	var mu sync.Mutex
	inside, most := 0, 0
	var all sync.WaitGroup
	for i := range 40 {
		db := [2]*cluster.DB{a, b}[i%2]
		all.Go(func() {
			err := db.Turn(t.Context(), p.signer.Key(), func(turn shared.Turn) error {
				mu.Lock()
				inside++
				most = max(most, inside)
				c := p.next(fmt.Sprint(i))
				if h := turn.Heads(); len(h) > 0 && (h[0].Seq != p.seq || h[0].ID != p.prev) {
					t.Errorf("heads %v, want place %d", h, p.seq)
				}
				mu.Unlock()
				if _, err := db.After(t.Context(), 0, 1); err != nil { // as long as a turn takes
					return err
				}
				mu.Lock()
				p.wrote(c)
				inside--
				mu.Unlock()
				return turn.Record(t.Context(), []shared.Signed{{Change: c, Mark: fmt.Sprint("m", i)}})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most != 1 || p.seq != 40 {
		t.Errorf("%d at a time, %d changes", most, p.seq)
	}
	recorded, err := b.After(t.Context(), 0, 100)
	must(t, err)
	for i, s := range recorded {
		if s.Place != int64(i+1) || s.Change.Head.Seq != uint64(i+1) {
			t.Errorf("place %d has seq %d", s.Place, s.Change.Head.Seq)
		}
	}
	if id, ok, err := a.Marked(t.Context(), recorded[7].Mark); err != nil || !ok || id != recorded[7].Change.ID {
		t.Errorf("mark: %v %v %v", id, ok, err)
	}
	rest, err := a.Chain(t.Context(), recorded[0].Change.Head.Chain(), 38, 100)
	if err != nil || len(rest) != 2 || rest[0].Head.Seq != 39 {
		t.Errorf("rest of the chain: %v %v", rest, err)
	}
	for name, p := range map[string]*pen{
		"a taken place":  {signer: p.signer, seq: 39, prev: recorded[38].Change.ID},
		"another branch": {signer: p.signer, seq: 40, prev: recorded[3].Change.ID},
		"a gap":          {signer: p.signer, seq: 41, prev: p.prev},
		"another key":    newPen(2),
	} {
		err := b.Turn(t.Context(), keys.FromSeed([32]byte{1}).Key(), func(turn shared.Turn) error {
			return turn.Record(t.Context(), []shared.Signed{{Change: p.next("x")}})
		})
		if err == nil {
			t.Errorf("%s was recorded", name)
		}
	}
	if err := a.Turn(t.Context(), newPen(3).signer.Key(), func(shared.Turn) error { return nil }); reason.Of(err) != reason.Forbidden {
		t.Errorf("a key that is not shared: %v", err)
	}
}

// TestHungGatewayLosesItsTurn: a gateway that does nothing with its turn loses it to the
// other one, and what it signed cannot be recorded any more.
func TestHungGatewayLosesItsTurn(t *testing.T) {
	t.Parallel()
	_, a, b := open(t)
	p := newPen(1)
	k := p.signer.Key()
	must(t, a.AddKey(t.Context(), "acting-1", k, shared.Secret{Seed: p.seed}, nil))
	has, taken := make(chan struct{}), make(chan struct{})
	late := make(chan error)
	go func() {
		late <- a.Turn(t.Context(), k, func(turn shared.Turn) error {
			c := p.next("late")
			close(has)
			<-taken // it hangs, and wakes when the other one has written
			return turn.Record(t.Context(), []shared.Signed{{Change: c}})
		})
	}()
	<-has
	begun := time.Now()
	good := p.next("in time")
	must(t, b.Turn(t.Context(), k, func(turn shared.Turn) error {
		return turn.Record(t.Context(), []shared.Signed{{Change: good}})
	}))
	t.Logf("the turn of a gateway that hangs was taken over after %v", time.Since(begun).Round(time.Millisecond))
	close(taken)
	if err := <-late; err == nil || errors.Is(err, shared.ErrOpen) {
		t.Errorf("the late one: %v, want that it was refused", err)
	}
	all, err := a.After(t.Context(), 0, 10)
	if err != nil || len(all) != 1 || all[0].Change.ID != good.ID {
		t.Errorf("recorded: %v %v", all, err)
	}
}

// TestOneGatewayKeeps: of two one is named, and the other one when that has ended.
func TestOneGatewayKeeps(t *testing.T) {
	t.Parallel()
	dsn, a, b := open(t)
	third, err := cluster.Open(dsn, state.Config{Pepper: bytes.Repeat([]byte{9}, 32), Random: rand.Reader, Home: "c"})
	must(t, err)
	first := third.Keeps(t.Context())
	if !first || a.Keeps(t.Context()) || b.Keeps(t.Context()) || !third.Keeps(t.Context()) {
		t.Error("want the first who asked, and no other")
	}
	must(t, third.Close())
	for !a.Keeps(t.Context()) { // the server ends the session in its own time
		if t.Context().Err() != nil {
			t.Fatal("nobody is named after the end of the first")
		}
	}
	if b.Keeps(t.Context()) {
		t.Error("two are named")
	}
}

// TestKeysAreSealed: a key opens under the secret of the gateways and in its own row.
func TestKeysAreSealed(t *testing.T) {
	t.Parallel()
	dsn, a, b := open(t)
	one, two := newPen(1), newPen(2)
	head := shared.Head{Chain: change.Chain{Author: two.signer.Key(), Space: change.Commons("go")}, Seq: 3, ID: change.ID{7}}
	must(t, a.AddKey(t.Context(), "acting-1", one.signer.Key(), shared.Secret{Seed: one.seed}, nil))
	must(t, a.AddKey(t.Context(), "acting-2", two.signer.Key(), shared.Secret{Seed: two.seed}, []shared.Head{head}))
	must(t, b.AddKey(t.Context(), "acting-2", two.signer.Key(), shared.Secret{Seed: two.seed}, nil)) // stays as it is
	if secret, ok, err := b.Secret(t.Context(), one.signer.Key()); err != nil || !ok || secret != (shared.Secret{Seed: one.seed}) {
		t.Errorf("at the other gateway: %v %v", ok, err)
	}
	three, second := newPen(3), [32]byte{4}
	must(t, a.AddKey(t.Context(), "acting-3", three.signer.Key(), shared.Secret{Seed: three.seed, Second: &second}, nil))
	if secret, ok, err := b.Secret(t.Context(), three.signer.Key()); err != nil || !ok || secret.Seed != three.seed || secret.Second == nil || *secret.Second != second {
		t.Errorf("a key of two halves: %v %v", ok, err)
	}
	must(t, a.DropKey(t.Context(), three.signer.Key()))
	listed, err := b.Keys(t.Context(), 0)
	if err != nil || len(listed) != 2 || listed[1].Name != "acting-2" {
		t.Errorf("keys: %v %v", listed, err)
	}
	must(t, b.Turn(t.Context(), two.signer.Key(), func(turn shared.Turn) error {
		if h := turn.Heads(); len(h) != 1 || h[0] != head {
			t.Errorf("heads: %v", h)
		}
		return nil
	}))
	raw, err := sql.Open("pgx", dsn)
	must(t, err)
	defer raw.Close()
	var dump string
	must(t, raw.QueryRow(`SELECT string_agg(k::text, ' ') FROM shared_keys AS k`).Scan(&dump))
	if strings.Contains(dump, fmt.Sprintf("%x", one.seed)) {
		t.Error("the secret lies open in the database")
	}
	other, err := cluster.Open(dsn, state.Config{Pepper: bytes.Repeat([]byte{8}, 32), Random: rand.Reader})
	must(t, err)
	defer other.Close()
	if _, _, err := other.Secret(t.Context(), one.signer.Key()); err == nil {
		t.Error("another secret opens the key")
	}
	_, err = raw.Exec(`UPDATE shared_keys SET sealed = (SELECT sealed FROM shared_keys WHERE name = 'acting-1') WHERE name = 'acting-2'`)
	must(t, err)
	if _, _, err := a.Secret(t.Context(), two.signer.Key()); err == nil {
		t.Error("a key opens in the row of another")
	}
	for _, p := range []*pen{one, two} {
		must(t, a.DropKey(t.Context(), p.signer.Key()))
	}
	if left, err := a.Keys(t.Context(), 0); err != nil || len(left) != 1 || left[0].Name != "acting-2" {
		t.Errorf("after the drop of a used and an unused key: %v %v", left, err)
	}
}

// TestOneBudgetOfTwoGateways: limiters of two gateways over one database let pass what one
// would, and the database knows no address.
func TestOneBudgetOfTwoGateways(t *testing.T) {
	t.Parallel()
	dsn, a, b := open(t)
	var two [2]*limit.Limiter
	for i, db := range []*cluster.DB{a, b} {
		var err error
		two[i], err = limit.New(limit.Config{Pool: db})
		must(t, err)
	}
	who := limit.Principal{Agent: "agt_very_known"}
	for _, c := range []struct {
		bucket limit.Bucket
		want   int
	}{{limit.Read, 600}, {limit.Report, 5}, {limit.Contribute, 10}} {
		passed, grown := 0, 0
		begun := time.Now()
		for i, refused := 0, 0; refused < 100; i++ {
			if two[i%2].Allow(c.bucket, who, time.Now()).OK {
				passed, refused = passed+1, 0
			} else {
				refused++
			}
		}
		grown = int(time.Since(begun)*time.Duration(c.want)/time.Minute) + 1 // tokens that grew meanwhile
		if passed < c.want || passed > c.want+grown {
			t.Errorf("%s: %d passed at two, want %d and at most %d that grew", c.bucket, passed, c.want, grown)
		}
	}
	raw, err := sql.Open("pgx", dsn)
	must(t, err)
	defer raw.Close()
	var dump string
	must(t, raw.QueryRow(`SELECT string_agg(m::text, ' ') FROM rate_meters AS m`).Scan(&dump))
	if dump == "" || strings.Contains(dump, "very_known") {
		t.Errorf("meters: %s", dump)
	}
}
