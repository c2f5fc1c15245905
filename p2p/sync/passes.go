package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
)

// job is what is to be done with one peer.
type job struct {
	pass  bool
	wants map[string][]change.ID // by set
	again bool                   // another peer did not have these: nobody else is asked after this one
}

func (j *job) add(o job) {
	j.pass = j.pass || o.pass
	j.again = j.again || o.again
	for set, ids := range o.wants {
		if j.wants == nil {
			j.wants = make(map[string][]change.ID)
		}
		room := maxQueued - len(j.wants[set])
		j.wants[set] = append(j.wants[set], ids[:max(0, min(room, len(ids)))]...)
	}
}

// queue has j done with p, after what is under way with it. There is one
// worker a peer at most; what a full table leaves out comes with a later pass.
func (s *Service) queue(p peer.ID, j job) {
	s.mu.Lock()
	if waiting, ok := s.work[p]; ok {
		waiting.add(j)
		s.mu.Unlock()
		return
	}
	if len(s.work) >= maxWorkers {
		s.mu.Unlock()
		return
	}
	mine := job{}
	mine.add(j)
	s.work[p] = &mine
	s.mu.Unlock()
	if !s.child(func(ctx context.Context) { s.worker(ctx, p) }) {
		s.mu.Lock()
		delete(s.work, p)
		s.mu.Unlock()
	}
}

// take returns the work waiting for p, or ends its worker.
func (s *Service) take(p peer.ID) (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := *s.work[p]
	if !j.pass && len(j.wants) == 0 {
		delete(s.work, p)
		return job{}, false
	}
	s.work[p] = &job{}
	return j, true
}

// Soon has a pass run with a connected peer, after what is under way with it. It
// does not wait; what a full table leaves out comes with a later pass.
func (s *Service) Soon(p peer.ID) { s.queue(p, job{pass: true}) }

// errNotOpened is why a session did not begin: the peer is gone, or does not
// answer yet since it has only just started.
var errNotOpened = errors.New("open session")

// worker does what is queued for p, waiting while the peer is busy, or connected
// but not ready.
func (s *Service) worker(ctx context.Context, p peer.ID) {
	busyTimes, wait := 0, openRetry
	for j, ok := s.take(p); ok; j, ok = s.take(p) {
		left, err := s.do(network.WithNoDial(ctx, "sync"), p, j)
		var busy *BusyError
		if errors.As(err, &busy) && busyTimes < busyTries {
			busyTimes++
			if !sleep(ctx, max(busy.Retry, time.Second)) {
				continue
			}
			s.mu.Lock()
			s.work[p].add(j)
			s.mu.Unlock()
			continue
		}
		if errors.Is(err, errNotOpened) && wait <= maxOpenRetry && s.connected(p) {
			if !sleep(ctx, wait) {
				continue
			}
			wait *= 2
			s.mu.Lock()
			s.work[p].add(j)
			s.mu.Unlock()
			continue
		}
		if len(left) > 0 && !j.again {
			for _, other := range s.choose(1, p) {
				s.queue(other, job{wants: left, again: true})
			}
		}
	}
}

// sleep reports whether d went by before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// do runs j with p. left are ids that p was asked for, or should have been,
// and did not give.
func (s *Service) do(ctx context.Context, p peer.ID, j job) (left map[string][]change.ID, err error) {
	if j.pass {
		var r PassReport
		if r, left = s.pass(ctx, p); r.Err != nil {
			err = r.Err
		}
	}
	if len(j.wants) == 0 || err != nil {
		merged := job{wants: left}
		merged.add(job{wants: j.wants})
		return merged.wants, err
	}
	rest, err := s.fetchPast(ctx, p, j.wants)
	merged := job{wants: left}
	merged.add(job{wants: rest})
	return merged.wants, err
}

// pass makes all sets equal with p, in as many sessions as that takes.
func (s *Service) pass(ctx context.Context, p peer.ID) (report PassReport, left map[string][]change.ID) {
	for n := 0; ; n++ {
		r, missing, unnamed := s.session(ctx, p)
		left = missing
		if n == 0 {
			report = r
		} else {
			report.merge(r)
		}
		if n == 0 && unnamed && r.Err == nil {
			continue
		}
		if r.Err != nil || r.Complete || !r.progress() || n+1 == maxAgain {
			break
		}
	}
	if s.cfg.Passed != nil {
		s.cfg.Passed(report)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if report.Complete {
		s.complete = time.Now()
		s.slots.was(p)
	}
	if s.connected(p) {
		s.last[p] = report
	}
	return report, left
}

// session opens one session with p over all sets. unnamed says that both share
// sets which only another session can name.
func (s *Service) session(ctx context.Context, p peer.ID) (report PassReport, left map[string][]change.ID, unnamed bool) {
	report = PassReport{Peer: p, Start: time.Now()}
	if err := s.slots.waitOut(ctx, p); err != nil {
		report.Err = fmt.Errorf("wait for a session: %w", err)
		return report, nil, false
	}
	defer s.slots.giveOut(p)
	st, err := s.dial(ctx, p)
	if err != nil {
		report.Err = err
		return report, nil, false
	}
	a := s.asker(ctx, st, p, s.cursors)
	report = a.run()
	s.end(st, a)
	for _, r := range report.Sets {
		if r.Mode == "" {
			continue
		}
		s.met.sets.WithLabelValues(string(r.Mode)).Inc()
	}
	return report, a.missing, a.unnamed
}

func (s *Service) dial(ctx context.Context, p peer.ID) (network.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	// A peer that has gone is discovery's to dial: libp2p remembers its addresses for a
	// while, and whoever hung up would be connected again by a pass that came late.
	st, err := s.host.NewStream(network.WithNoDial(ctx, "reconcile"), p, Protocol)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotOpened, err)
	}
	return st, nil
}

func (s *Service) end(st network.Stream, a *asker) {
	s.met.ended("out", a.report.BytesIn, a.report.BytesOut, a.report.Err)
	if a.report.Err != nil {
		s.cfg.Log.Debug("sync session ended", "peer", a.peer, "error", a.report.Err)
		_ = st.Reset()
		return
	}
	_ = st.Close()
}

// fetchPast requests changes from p by id, takes them in with the past that they
// wait for in turn, and returns what p did not have.
func (s *Service) fetchPast(ctx context.Context, p peer.ID, wants map[string][]change.ID) (left map[string][]change.ID, err error) {
	st, err := s.dial(ctx, p)
	if err != nil {
		return wants, err
	}
	a := s.asker(ctx, st, p, s.cursors)
	for set, ids := range wants {
		a.missing[set] = slices.Clone(ids)
	}
	err = a.greet()
	for _, set := range s.replica.Sets() {
		if err == nil && len(a.missing[set]) > 0 {
			err = a.past(set)
		}
	}
	a.finish(err)
	s.end(st, a)
	return a.missing, err
}

// FetchChanges requests changes of a set from one peer by id. It returns those that
// came, decoded, a stub where the peer has no body, and nothing that was not
// asked for; they are not judged and not taken in. The error says why some did
// not come. Sessions under way do not delay it; ctx bounds it.
func (s *Service) FetchChanges(ctx context.Context, from peer.ID, set string, ids []change.ID) ([]*change.Change, error) {
	st, err := s.dial(ctx, from)
	if err != nil {
		return nil, err
	}
	a := s.asker(ctx, st, from, s.cursors)
	asked := make(map[change.ID]bool, len(ids))
	for _, id := range ids {
		asked[id] = true
	}
	var got []*change.Change
	err = a.greet()
	if _, ok := a.theirs.find(set); err == nil && !ok {
		err = fmt.Errorf("fetch changes: peer does not follow %s", set)
	}
	if err == nil {
		_, err = a.want(set, bytesOf(ids), func(cs []*change.Change) error {
			for _, c := range cs {
				if asked[c.ID] {
					delete(asked, c.ID)
					got = append(got, c)
				}
			}
			return nil
		})
	}
	a.finish(err)
	s.end(st, a)
	if err == nil && len(asked) > 0 {
		err = fmt.Errorf("fetch changes: %d of %d are not there", len(asked), len(ids))
	}
	return got, err
}

// SyncNow runs a pass with each of peers, or with every connected one when
// none is named, and waits for busy ones until ctx ends. The reports are in the
// order of peers; the error joins those of passes that did not complete.
func (s *Service) SyncNow(ctx context.Context, peers ...peer.ID) ([]PassReport, error) {
	if len(peers) == 0 {
		peers = s.peers()
	}
	reports := make([]PassReport, len(peers))
	var wg sync.WaitGroup
	for i, p := range peers {
		wg.Go(func() { reports[i] = s.passNow(ctx, p) })
	}
	wg.Wait()
	var errs []error
	for _, r := range reports {
		if r.Err != nil {
			errs = append(errs, fmt.Errorf("sync with %v: %w", r.Peer, r.Err))
		}
	}
	return reports, errors.Join(errs...)
}

func (s *Service) passNow(ctx context.Context, p peer.ID) PassReport {
	for {
		r, left := s.pass(ctx, p)
		var busy *BusyError
		if errors.As(r.Err, &busy) && sleep(ctx, max(busy.Retry, time.Second)) {
			continue
		}
		for _, other := range s.choose(1, p) {
			if len(left) > 0 {
				s.queue(other, job{wants: left, again: true})
			}
		}
		return r
	}
}
