package rest_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	ds "github.com/ipfs/go-datastore"

	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// deepCause is what a fault says of itself, for the log alone.
const deepCause = "sector 9 of /var/lib/meshd"

// disk is an engine whose commits fail or wait when a test asks for it.
type disk struct {
	crdtlog.Engine

	mu     sync.Mutex // guards commit
	commit func() error
}

// upon sets what a commit does first, nil for nothing.
func (d *disk) upon(f func() error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.commit = f
}

func (d *disk) Batch(ctx context.Context) (ds.Batch, error) {
	b, err := d.Engine.Batch(ctx)
	return diskBatch{b, d}, err
}

type diskBatch struct {
	ds.Batch
	disk *disk
}

func (b diskBatch) Commit(ctx context.Context) error {
	b.disk.mu.Lock()
	f := b.disk.commit
	b.disk.mu.Unlock()
	if f != nil {
		if err := f(); err != nil {
			return err
		}
	}
	return b.Batch.Commit(ctx)
}

// stuck makes commits wait; reached is closed when one does, and free lets all go.
func (w *refusalWorld) stuck() (reached <-chan struct{}, free func()) {
	w.settle()
	here, gone := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w.disk.upon(func() error {
		once.Do(func() { close(here) })
		<-gone
		return nil
	})
	return here, func() { w.disk.upon(nil); close(gone) }
}

// overdue is a request whose time is over.
type overdue struct{ context.Context }

var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (overdue) Done() <-chan struct{} { return over }
func (overdue) Err() error            { return context.DeadlineExceeded }

// behind runs a request with another handler.
func (w *refusalWorld) behind(svc *service.Service, f func()) {
	w.t.Helper()
	m, err := mcp.New(svc, mcp.Config{Version: "1.2.3"})
	must(w.t, err)
	old := w.handler
	w.handler, err = rest.New(svc, auth.New(w.world.state), m, rest.Config{})
	must(w.t, err)
	f()
	w.handler = old
}

// database is a second way into the state.
func (w *refusalWorld) database(statements ...string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "state.db"))
	must(w.t, err)
	for _, s := range statements {
		_, err := db.ExecContext(w.t.Context(), s)
		must(w.t, err)
	}
	must(w.t, db.Close())
}

// refusalsOfFaults come last: the last of them leave the node broken.
var refusalsOfFaults = []refusalCase{
	{code: reason.RateLimited, provoke: func(w *refusalWorld) {
		cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
		must(w.t, err)
		limits, err := limit.New(limit.Config{Buckets: map[limit.Bucket]limit.Quantity{limit.Search: {Agent: 1, Anonymous: 1}}})
		must(w.t, err)
		svc, err := service.New(w.node, w.world.state, cursors, limits, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Now: w.clock.Now})
		must(w.t, err)
		w.behind(svc, func() {
			a := ask{who: "bo", method: "GET", path: "/api/mesh/search?q=body", tool: "query_knowledge", args: fields{"query": "body"}}
			w.as("bo", a.method, a.path, nil, 200, "")
			w.both(reason.RateLimited, a)
		})
	}},
	refusedByHTTP(reason.NotReady, "no tool streams, and what else is not ready has no page at all", ask{method: "GET", path: "/api/mesh/events"}),
	{code: reason.IdempotencyMismatch, provoke: func(w *refusalWorld) {
		key := map[string]string{"Idempotency-Key": "once"}
		first, other := written("cy", "content", contribution("by one request")["content"]), written("cy", "content", contribution("by another request")["content"])
		first.header, other.header = key, key
		w.want(w.do(apiCall{method: "POST", path: first.path, key: w.keys["cy"], header: key, body: encode(w.t, first.body)}), 201, "")
		// The calls of a tool are no requests of its twin, so each face has its own first.
		first.args["content"] = contribution("by one call")["content"]
		if raw := w.called(first); strings.Contains(raw, `"isError":true`) || !strings.Contains(raw, "structuredContent") {
			w.t.Fatalf("the first call: %s", raw)
		}
		w.both(reason.IdempotencyMismatch, other)
	}},
	{code: reason.IdempotencyInProgress, provoke: func(w *refusalWorld) {
		a := written("cy", "content", contribution("slowly")["content"])
		a.header = map[string]string{"Idempotency-Key": "slow"}
		reached, free := w.stuck()
		done := make(chan int)
		go func() { done <- w.send(a, a.method, a.path, encode(w.t, a.body)).Code }()
		<-reached
		w.http(reason.IdempotencyInProgress, a)
		free()
		if status := <-done; status != 201 {
			w.t.Errorf("the first got %d", status)
		}
	}, noTool: "two calls at once; a tool's key has no part in it"},
	{code: reason.Timeout, provoke: func(w *refusalWorld) {
		did := servicetest.DID(servicetest.Key(95)).String()
		w.http(reason.Timeout, ask{within: overdue{w.t.Context()}, method: "POST", path: "/api/mesh/register/challenge", body: fields{"did": did}})
		w.mcp(reason.Timeout, ask{within: overdue{w.t.Context()}, tool: "register_agent", args: fields{"name": "ida", "did": did}})
	}},
	{code: reason.Overloaded, provoke: func(w *refusalWorld) {
		w.database(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
			INSERT INTO challenges (nonce, subject, purpose, acting_key, text, expires_at) SELECT 'many ' || i, 's', 'registration', 'k', 't', 4102444800000 FROM n`)
		did := servicetest.DID(servicetest.Key(95)).String()
		w.http(reason.Overloaded, ask{method: "POST", path: "/api/mesh/register/challenge", body: fields{"did": did}})
		w.mcp(reason.Overloaded, ask{tool: "register_agent", args: fields{"name": "ida", "did": did}})
		w.database(`DELETE FROM challenges WHERE nonce LIKE 'many %'`)
	}},
	{code: reason.Internal, provoke: func(w *refusalWorld) {
		w.settle()
		w.disk.upon(func() error { return errors.New(deepCause) })
		w.both(reason.Internal, written("cy", "content", contribution("on a broken disk")["content"]))
		w.disk.upon(nil)
	}},
	{code: reason.ReadOnly, provoke: func(w *refusalWorld) {
		w.settle()
		w.disk.upon(func() error { return crdtlog.ErrFull })
		w.both(reason.ReadOnly, written("cy", "content", contribution("without room")["content"]))
		w.disk.upon(nil)
	}},
}

// atNoEndpoint are the codes that no request is refused with, each with why.
var atNoEndpoint = map[reason.Code]string{
	reason.UnknownKind:       "of changes from peers; what the API signs has a kind that is known",
	reason.UnknownSpace:      "of changes from peers; the one endpoint that takes changes in looks for rotations, which have one set",
	reason.ForkedAuthor:      "of a chain that was written twice, by a copied home; node/ingest provokes it",
	reason.HomeNotEmpty:      "of a restore; the script backup of cmd/meshd provokes it",
	reason.SecretMismatch:    "of a start; cmd/meshd provokes it",
	reason.BackupInvalid:     "of a restore; node/backup provokes it",
	reason.InviteExpired:     "of meshd join; the script invite of cmd/meshd provokes it",
	reason.InviteUsed:        "of meshd join; the script invite of cmd/meshd provokes it",
	reason.InviteTampered:    "of meshd join; the script invite of cmd/meshd provokes it",
	reason.InviteUnreadable:  "of meshd join; the script invite of cmd/meshd provokes it",
	reason.ForeignNetwork:    "of meshd join; the script invite of cmd/meshd provokes it",
	reason.PeerUnreachable:   "of the owner's socket; the script peers of cmd/meshd provokes it",
	reason.HomeUnsure:        "of a home that was restored or copied; the script lost-store of cmd/meshd provokes it",
	reason.StoreDamaged:      "of damage in the files of a store; the script damage of cmd/meshd provokes it",
	reason.ClockAhead:        "of changes from peers, and of a clock that fell back by more than it may; node/ingest provokes it",
	reason.CapabilityExpired: "of changes from peers; the API looks at the term before it signs: not_a_member, token_expired",
	reason.BindingInvalid:    "of changes from peers; the API writes the text of a proof itself, and a signature of another is signature_invalid",
	reason.AdmissionRate:     "gossip only",
	reason.AdmissionQuota:    "the verdict on a member of which the head alone is kept; nobody is refused with it",
	reason.ObjectNotFound:    "of sentences about a scene, which have tools alone; gateway/mcp provokes it",
	reason.JobNotFound:       "of compiles that a model asks after, with a tool alone; gateway/mcp provokes it",
	reason.Quarantined:       "gossip only; what is held is entry_not_found to readers",
	reason.LabelDenied:       "gossip only; what a label hides is entry_not_found to readers",

	reason.AuditChainBroken:    "of one record of a request that is taken: rejected[].code; TestAuditTrailIsAChain",
	reason.AuditMalformed:      "of one record of a request that is taken: rejected[].code; TestAuditTrailIsAChain",
	reason.AttestationMismatch: "an answer, in reason of a reply; TestChangesetIsVerified",

	reason.CompileTimeout: "of ten seconds of work; gateway/service provokes it with less time",
	reason.RenderTimeout:  "of twenty seconds of work; gateway/service provokes it with less time",

	reason.SlowConsumer: "stream only: bye",
	reason.Reset:        "stream only: an event",

	reason.NoEvidence:         "warning only",
	reason.NoFinalPunctuation: "warning only",
	reason.UnknownField:       "warning only",
	reason.MetadataKeyDropped: "warning only",
	reason.PromptInjection:    "warning only",
	reason.FillerText:         "warning only",
	reason.RepeatedWords:      "warning only",
	reason.EmptyPraise:        "warning only",
	reason.EmailAddress:       "warning only",
	reason.PhoneNumber:        "warning only",
}
