package knowledge

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/node/backlog"
	"github.com/meshd/meshd/node/index"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// Names and limits of the index.
const (
	PublicSpace = "knowledge:public" // of the index: what everybody may find
	IndexDir    = "index"            // folder in that of the store
	indexBatch  = 128                // records read from the log at once
	IndexCommit = 4000               // records after which the index is committed
	indexQuiet  = 20 * time.Millisecond
	indexLatest = 700 * time.Millisecond // an entry can be found a second after it came
)

// publicFields are what a caller without a key may match.
var publicFields = []string{"kind", "domain", "tag"}

// Searcher feeds the index from the log in local order, behind the committer.
type Searcher struct {
	n      *Library
	Ix     *index.Index // the index
	signal chan struct{}

	Left *backlog.Backlog // how far it trails the log
}

// OpenSearch opens the index of a node, whose log must be open. An index that is damaged or
// of an older form is built anew, and one of a store in memory lies in memory too.
func OpenSearch(n *Library) (*Searcher, error) {
	dir := n.core.Opt.Home.Path(store.StoreDir, IndexDir)
	if n.core.Opt.Engine != nil || n.core.Config().Storage.Engine == "memory" {
		dir = ""
	}
	ix, err := index.Open(dir, index.Knowledge())
	if errors.Is(err, index.ErrCorrupt) || errors.Is(err, index.ErrStale) {
		n.core.Opt.Log.Warn("search index is built anew", "err", err)
		if err := index.Remove(dir); err != nil {
			return nil, fmt.Errorf("remove search index: %w", err)
		}
		ix, err = index.Open(dir, index.Knowledge())
	}
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	if ix.Position() > n.core.Log.LastSeq() { // of a log that is gone
		if err := ix.Drop(); err != nil {
			return nil, fmt.Errorf("drop search index: %w", err)
		}
	}
	return &Searcher{n: n, Ix: ix, Left: backlog.New(ix.Position()), signal: make(chan struct{}, 1)}, nil
}

// Wake signals that the log has grown, and which sequences were written here.
func (s *Searcher) Wake(own []uint64) {
	s.Left.Grew(s.n.core.Log.LastSeq(), own, s.n.core.Opt.Now())
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// feedOwn makes what was written here searchable ahead of its turn.
func (s *Searcher) feedOwn(ctx context.Context) error {
	var docs []index.Document
	for _, seq := range s.Left.Ahead(indexBatch) {
		recs, err := s.n.core.Log.Since(ctx, seq-1, 1)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		for _, r := range recs {
			if docs, err = s.feed(ctx, docs, r.Change); err != nil {
				return err
			}
		}
	}
	if len(docs) == 0 {
		return nil
	}
	return s.Ix.Put(PublicSpace, docs...)
}

// Serve feeds the index until ctx ends. What was fed but not committed is fed
// again at the next start.
func (s *Searcher) Serve(ctx context.Context) {
	for {
		if err := s.catchUp(ctx); err != nil && ctx.Err() == nil {
			s.n.core.Opt.Log.Error("search index stopped", "err", err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-s.signal:
		}
		s.settle(ctx)
	}
}

// settle waits while changes keep coming, for a bounded time: taking them in
// comes before making them searchable.
func (s *Searcher) settle(ctx context.Context) {
	latest := time.NewTimer(indexLatest)
	defer latest.Stop()
	for {
		quiet := time.NewTimer(indexQuiet)
		select {
		case <-s.signal:
			quiet.Stop()
		case <-quiet.C:
			return
		case <-latest.C:
			quiet.Stop()
			return
		case <-ctx.Done():
			quiet.Stop()
			return
		}
	}
}

func (s *Searcher) catchUp(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.feedOwn(ctx); err != nil {
			return err
		}
		at, last := s.Left.At(), s.n.core.Log.LastSeq()
		recs, err := s.n.core.Log.Since(ctx, at, indexBatch)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		if len(recs) == 0 {
			s.Left.Read(max(at, last)) // what is left there is damaged
			return nil
		}
		var docs []index.Document
		for _, r := range recs {
			runtime.Gosched() // requests go before what is made searchable
			if docs, err = s.feed(ctx, docs, r.Change); err != nil {
				return err
			}
			at = r.Seq
		}
		if err := s.Ix.Put(PublicSpace, docs...); err != nil {
			return err
		}
		s.Left.Read(at)
		if at-s.Ix.Position() >= IndexCommit {
			if err := s.Ix.Commit(at); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// feed turns one record into documents to put, or takes out what it hides.
func (s *Searcher) feed(ctx context.Context, docs []index.Document, c *change.Change) ([]index.Document, error) {
	if c.Body == nil {
		return docs, nil
	}
	switch c.Head.Kind {
	case change.KindEntryPut:
		b, err := body.ParseEntry(c.Body, c.Head.Space)
		if err != nil || c.Head.Space.Area() != change.AreaCommons {
			return docs, nil
		}
		if e, ok := s.n.core.Views.Entry(c.ID); ok && e.State == fold.Live {
			docs = append(docs, s.document(e, b))
		}
		if !b.Supersedes.IsZero() {
			return docs, s.recheck(ctx, b.Supersedes)
		}
	case change.KindEntryRetract:
		if b, err := body.ParseRetract(c.Body, c.Head.Parents()); err == nil {
			return docs, s.recheck(ctx, b.Target)
		}
	}
	return docs, nil
}

// recheck takes an entry out when it is no longer shown.
func (s *Searcher) recheck(_ context.Context, id change.ID) error {
	if e, ok := s.n.core.Views.Entry(id); ok && e.State == fold.Live {
		return nil
	}
	return s.Ix.Delete(PublicSpace, id.String())
}

func (s *Searcher) document(e fold.Entry, b body.Entry) index.Document {
	name := ""
	if a, ok := s.n.core.Views.Agent(e.Agent); ok {
		name = a.Name
	}
	tags := strings.Join(b.Tags, " ")
	facets := map[string][]string{
		"kind": {e.Type}, "domain": {e.Domain}, "author": {e.Agent.String()}, "tag": b.Tags, "intro": {"no"}, "premium": {"no"},
	}
	text := b.Text
	if b.Price > 0 {
		facets["premium"], text = []string{"yes"}, "" // what is sold is not found by its words
	}
	for _, t := range b.Tags {
		if t == fold.IntroTag {
			facets["intro"] = []string{"yes"}
		}
	}
	return index.Document{
		Key:    e.ID.String(),
		Text:   map[string]string{"title": b.Title, "domain": e.Domain, "tag": tags, "kind": e.Type, "author": name, "body": text},
		Facets: facets, Time: int64(e.HLC >> 10),
	}
}

// matching lists the entries that match a text, best first.
func (n *Library) matching(ctx context.Context, q view.EntryQuery) (view.EntryPage, error) {
	query := index.Query{Text: q.Text, Limit: q.Limit + 1, Filters: map[string][]string{}, Until: int64(n.core.VisibleUntil() >> 10)}
	if !q.Since.IsZero() {
		query.Since = q.Since.UnixMilli()
	}
	if !q.Until.IsZero() {
		query.Until = min(query.Until, q.Until.UnixMilli())
	}
	filter := func(facet string, values ...string) {
		if len(values) > 0 && values[0] != "" {
			query.Filters[facet] = values
		}
	}
	filter("kind", q.Types...)
	filter("domain", q.Domains...)
	filter("tag", q.Tag)
	if q.OnlyPublicFields {
		query.FieldsOnly = append([]string{"intro", "premium"}, publicFields...)
	}
	if !q.Agent.IsZero() {
		filter("author", q.Agent.String())
		query.FieldsOnly = appendIfAny(query.FieldsOnly, "author")
	}
	if !q.Intro {
		filter("intro", "no")
	}
	if q.Premium != nil {
		filter("premium", map[bool]string{true: "yes", false: "no"}[*q.Premium])
	}
	if q.After != nil {
		query.After = &index.Mark{Score: q.After.Score, Key: q.After.ID.String()}
	}
	return n.collect(ctx, q, query)
}

func appendIfAny(list []string, s string) []string {
	if list == nil {
		return nil
	}
	return append(list, s)
}

func (n *Library) collect(ctx context.Context, q view.EntryQuery, query index.Query) (page view.EntryPage, err error) {
	page.Matches = []view.Match{}
	o, behind := n.judging.Outlook(0), map[change.ID]bool{}
	defer func() { lastOnPage(&page, behind) }()
	for {
		res, err := n.Search.Ix.Search(PublicSpace, query)
		if err != nil {
			return page, fmt.Errorf("search: %w", err)
		}
		if page.Total == 0 {
			page.Total = res.Total
		}
		for _, h := range res.Hits {
			if len(page.Entries) == q.Limit {
				return page, nil
			}
			mark := h.Mark()
			query.After = &mark
			raw, err := hex.DecodeString(h.Key)
			if err != nil || len(raw) != len(change.ID{}) {
				continue
			}
			f, ok := n.core.Views.Entry(change.ID(raw))
			if !ok || f.State != fold.Live {
				continue
			}
			e, err := n.entryOf(ctx, f)
			if errors.Is(err, crdtlog.ErrDamaged) && ctx.Err() == nil {
				page.Damaged++
				continue
			}
			if err != nil {
				return page, err
			}
			if e.Held != "" {
				page.Hidden++
				continue
			}
			behind[e.ID] = n.judging.Behind(&f, o)
			page.Entries = append(page.Entries, e)
			page.Matches = append(page.Matches, view.Match{Score: h.Score, Fields: h.Fields})
			page.Next = &view.EntryPlace{Score: h.Score, ID: f.ID}
		}
		if !res.More {
			page.Next = nil
			return page, nil
		}
	}
}

// lastOnPage moves entries that are shown behind others to the end of their page of
// hits.
func lastOnPage(page *view.EntryPage, behind map[change.ID]bool) {
	type hit struct {
		e view.Entry
		m view.Match
	}
	all := make([]hit, len(page.Entries))
	for i, e := range page.Entries {
		all[i] = hit{e, page.Matches[i]}
	}
	slices.SortStableFunc(all, func(a, b hit) int {
		switch x, y := behind[a.e.ID], behind[b.e.ID]; {
		case x == y:
			return 0
		case x:
			return 1
		}
		return -1
	})
	for i, h := range all {
		page.Entries[i], page.Matches[i] = h.e, h.m
	}
}

// Close commits what was fed and closes the index.
func (s *Searcher) Close() error {
	if err := s.Ix.Commit(s.Left.At()); err != nil {
		return errors.Join(fmt.Errorf("commit search index: %w", err), s.Ix.Close())
	}
	return s.Ix.Close()
}

// IndexLag is how many changes the search index is behind the log.
func (n *Library) IndexLag() uint64 {
	return n.core.Log.LastSeq() - min(n.core.Log.LastSeq(), n.Search.Left.At())
}

// Again puts a change that was fed before, or should have been, into the index.
func (s *Searcher) Again(ctx context.Context, c *change.Change) error {
	docs, err := s.feed(ctx, nil, c)
	if err != nil || len(docs) == 0 {
		return err
	}
	return s.Ix.Put(PublicSpace, docs...)
}
