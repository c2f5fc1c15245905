package node

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

const (
	publicSpace = "knowledge:public"
	indexDir    = "index"
	indexBatch  = 128  // records read from the log at once
	indexCommit = 4000 // records after which the index is committed
	indexQuiet  = 20 * time.Millisecond
	indexLatest = 700 * time.Millisecond // an entry can be found a second after it came
)

// publicFields are what a caller without a key may match.
var publicFields = []string{"kind", "domain", "tag"}

// searcher feeds the index from the log in local order, behind the committer.
type searcher struct {
	n      *Node
	ix     *index.Index
	signal chan struct{}

	left *backlog.Backlog
}

func openSearch(n *Node) (*searcher, error) {
	dir := n.opt.Home.Path(store.StoreDir, indexDir)
	if n.opt.Engine != nil || n.Config().Storage.Engine == "memory" {
		dir = ""
	}
	ix, err := index.Open(dir, index.Knowledge())
	if errors.Is(err, index.ErrCorrupt) || errors.Is(err, index.ErrStale) {
		n.opt.Log.Warn("search index is built anew", "err", err)
		if err := index.Remove(dir); err != nil {
			return nil, fmt.Errorf("remove search index: %w", err)
		}
		ix, err = index.Open(dir, index.Knowledge())
	}
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	if ix.Position() > n.log.LastSeq() { // of a log that is gone
		if err := ix.Drop(); err != nil {
			return nil, fmt.Errorf("drop search index: %w", err)
		}
	}
	return &searcher{n: n, ix: ix, left: backlog.New(ix.Position()), signal: make(chan struct{}, 1)}, nil
}

// wake tells that the log has grown, and which sequences were written here.
func (s *searcher) wake(own []uint64) {
	s.left.Grew(s.n.log.LastSeq(), own, s.n.opt.Now())
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// feedOwn makes what was written here searchable ahead of its turn.
func (s *searcher) feedOwn(ctx context.Context) error {
	var docs []index.Document
	for _, seq := range s.left.Ahead(indexBatch) {
		recs, err := s.n.log.Since(ctx, seq-1, 1)
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
	return s.ix.Put(publicSpace, docs...)
}

// serve feeds the index until ctx ends. What was fed but not committed is fed
// again at the next start.
func (s *searcher) serve(ctx context.Context) {
	for {
		if err := s.catchUp(ctx); err != nil && ctx.Err() == nil {
			s.n.opt.Log.Error("search index stopped", "err", err)
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
func (s *searcher) settle(ctx context.Context) {
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

func (s *searcher) catchUp(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.feedOwn(ctx); err != nil {
			return err
		}
		at, last := s.left.At(), s.n.log.LastSeq()
		recs, err := s.n.log.Since(ctx, at, indexBatch)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		if len(recs) == 0 {
			s.left.Read(max(at, last)) // what is left there is damaged
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
		if err := s.ix.Put(publicSpace, docs...); err != nil {
			return err
		}
		s.left.Read(at)
		if at-s.ix.Position() >= indexCommit {
			if err := s.ix.Commit(at); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// feed turns one record into documents to put, or takes out what it hides.
func (s *searcher) feed(ctx context.Context, docs []index.Document, c *change.Change) ([]index.Document, error) {
	if c.Body == nil {
		return docs, nil
	}
	switch c.Head.Kind {
	case change.KindEntryPut:
		b, err := body.ParseEntry(c.Body, c.Head.Space)
		if err != nil || c.Head.Space.Area() != change.AreaCommons {
			return docs, nil
		}
		if e, ok := s.n.views.Entry(c.ID); ok && e.State == fold.Live {
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
func (s *searcher) recheck(_ context.Context, id change.ID) error {
	if e, ok := s.n.views.Entry(id); ok && e.State == fold.Live {
		return nil
	}
	return s.ix.Delete(publicSpace, id.String())
}

func (s *searcher) document(e fold.Entry, b body.Entry) index.Document {
	name := ""
	if a, ok := s.n.views.Agent(e.Agent); ok {
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
func (n *Node) matching(ctx context.Context, q view.EntryQuery) (view.EntryPage, error) {
	query := index.Query{Text: q.Text, Limit: q.Limit + 1, Filters: map[string][]string{}, Until: int64(n.visibleUntil() >> 10)}
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

func (n *Node) collect(ctx context.Context, q view.EntryQuery, query index.Query) (page view.EntryPage, err error) {
	page.Matches = []view.Match{}
	o, behind := n.outlook(0), map[change.ID]bool{}
	defer func() { lastOnPage(&page, behind) }()
	for {
		res, err := n.search.ix.Search(publicSpace, query)
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
			f, ok := n.views.Entry(change.ID(raw))
			if !ok || f.State != fold.Live {
				continue
			}
			e, err := n.entry(ctx, f)
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
			behind[e.ID] = n.behind(&f, o)
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

// close commits what was fed and closes the index.
func (s *searcher) close() error {
	if err := s.ix.Commit(s.left.At()); err != nil {
		return errors.Join(fmt.Errorf("commit search index: %w", err), s.ix.Close())
	}
	return s.ix.Close()
}

// indexLag is how many changes the search index is behind the log.
func (n *Node) indexLag() uint64 {
	return n.log.LastSeq() - min(n.log.LastSeq(), n.search.left.At())
}
