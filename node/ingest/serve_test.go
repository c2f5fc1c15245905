package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/node/ingest"
)

// busy makes the committer stand still until release.
func (r *rig) busy() (release func()) {
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := r.Quiet(context.Background(), func() { <-stop }); err != nil {
			r.t.Errorf("quiet: %v", err)
		}
	}()
	synctest.Wait()
	return func() { close(stop); <-done }
}

// A bubble of synctest fails when a goroutine is left in it.

func TestCanceledRequestIsLostNeverItsAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, crdtlog.NewMemory()).serve()
		r.take(ada.record)
		release := r.busy()
		ctx, cancel := context.WithCancel(t.Context())
		const asked = 300 // more than the queue takes
		errs := make([]error, asked)
		var wg sync.WaitGroup
		for i := range asked {
			wg.Go(func() {
				_, errs[i] = r.Submit(ctx, ingest.Write{
					Signer: ada.key, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody(fmt.Sprint(i)), Proof: []change.ID{ada.record.ID},
				})
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		release()
		wg.Wait()
		written := 0
		for _, err := range errs {
			switch {
			case err == nil:
				written++
			case !errors.Is(err, context.Canceled):
				t.Errorf("submit: %v", err)
			}
		}
		if written == 0 || written == asked || int(r.log.LastSeq()) != 1+written {
			t.Errorf("%d acknowledged, %d stored", written, r.log.LastSeq()-1)
		}
		r.end()
		r.sound()
	})
}

func TestEndOfServeAnswersEverybody(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, crdtlog.NewMemory()).serve()
		r.take(ada.record)
		release := r.busy()
		const asked = 300
		errs := make([]error, asked)
		var wg sync.WaitGroup
		for i := range asked {
			wg.Go(func() { _, errs[i] = r.submit(ada, fmt.Sprint(i), "") })
		}
		synctest.Wait()
		wg.Go(r.end)
		synctest.Wait()
		release()
		wg.Wait()
		written := 0
		for _, err := range errs {
			switch {
			case err == nil:
				written++
			case !errors.Is(err, ingest.ErrClosed):
				t.Errorf("submit: %v", err)
			}
		}
		if written < 200 || int(r.log.LastSeq()) != 1+written {
			t.Errorf("%d acknowledged, %d stored", written, r.log.LastSeq()-1)
		}
		if _, err := r.submit(ada, "too late", ""); !errors.Is(err, ingest.ErrClosed) {
			t.Errorf("submit after the end: %v", err)
		}
		r.sound()
	})
}

// What this node writes does not wait for all that strangers sent before.
func TestOwnWritesGoFirst(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	const strangers = 200
	var loud []*author
	for i := range strangers {
		loud = append(loud, w.agent(fmt.Sprint("loud", i)))
	}
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, crdtlog.NewMemory()).serve()
		r.take(ada.record)
		release := r.busy()
		var wg sync.WaitGroup
		for _, l := range loud {
			wg.Go(func() { r.receive("peer", l.record) })
		}
		synctest.Wait()
		var mine ingest.Receipt
		wg.Go(func() {
			var err error
			if mine, err = r.submit(ada, "It is mine, and was written last.", ""); err != nil {
				t.Errorf("submit: %v", err)
			}
		})
		synctest.Wait()
		release()
		wg.Wait()
		if mine.Seq != 2 {
			t.Errorf("the own write is number %d of %d", mine.Seq, strangers+2)
		}
		r.end()
		r.sound()
	})
}
