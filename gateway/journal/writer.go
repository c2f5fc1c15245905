package journal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
)

// follow writes what sub brings, after what the log says was missed, until ctx
// or sub ends.
func (j *Journal) follow(ctx context.Context, sub *events.Sub) error {
	if err := j.catchUp(ctx); err != nil {
		return err
	}
	look, trim := time.NewTicker(lookEvery), time.NewTicker(trimEvery)
	defer look.Stop()
	defer trim.Stop()
	for {
		select {
		case <-ctx.Done():
			// What was received is published before the end, for the one who reads next.
			j.write(context.WithoutCancel(ctx), j.gather(sub, nil, time.After(0)), 1)
			return nil
		case e, open := <-sub.C():
			if !open {
				return sub.Err()
			}
			j.write(ctx, j.gather(sub, []events.Event{e}, time.After(linger)), 0)
		case <-look.C:
			j.lookForOthers(ctx)
		case <-trim.C:
			j.trim(ctx)
		}
	}
}

// gather adds to a batch what comes until the time is up or the batch is full.
func (j *Journal) gather(sub *events.Sub, batch []events.Event, up <-chan time.Time) []events.Event {
	for len(batch) < batchMost {
		select {
		case e, open := <-sub.C():
			if !open {
				return batch
			}
			batch = append(batch, e)
			continue
		default:
		}
		select {
		case e, open := <-sub.C():
			if !open {
				return batch
			}
			batch = append(batch, e)
		case <-up:
			return batch
		}
	}
	return batch
}

// catchUp publishes from the log what was not published. When it is more than the stream
// keeps, the stream begins anew after it.
func (j *Journal) catchUp(ctx context.Context) error {
	behind := j.src.Seq() - min(j.mark, j.src.Seq())
	if behind == 0 {
		return nil
	}
	j.cfg.Log.Info("telling events from the log", "changes", behind)
	if err := j.skip(ctx); err != nil {
		return err
	}
	for j.mark < j.src.Seq() {
		news, reached, err := j.src.News(ctx, j.mark, newsBatch)
		if err != nil {
			return fmt.Errorf("retell the log: %w", err)
		}
		if reached <= j.mark {
			return nil
		}
		if !j.write(ctx, append(news, events.Event{Kind: events.LogPublished, Log: reached}), 0) {
			return ctx.Err()
		}
	}
	return nil
}

// skip begins the stream anew when more happened than it keeps. Readers are sent
// away; when they come back they learn that events are missing.
func (j *Journal) skip(ctx context.Context) error {
	seq, keep := j.src.Seq(), uint64(j.cfg.Keep)
	if seq-min(j.mark, seq) <= keep {
		return nil
	}
	if err := j.state.SkipEvents(ctx, j.cfg.Now()); err != nil {
		return fmt.Errorf("begin the stream of events anew: %w", err)
	}
	span, err := j.state.EventSpan(ctx)
	if err != nil {
		return err
	}
	j.mark = seq - keep
	j.mu.Lock()
	defer j.mu.Unlock()
	j.span, j.ring = span, ring{floor: span.Head}
	for s := range j.streams {
		s.mu.Lock()
		s.end(reason.Reset)
		s.mu.Unlock()
	}
	return nil
}

// write makes a batch durable and publishes it. It tries again until it succeeds, tries
// are used up (0: never) or ctx ends, and reports whether it succeeded.
func (j *Journal) write(ctx context.Context, batch []events.Event, tries int) bool {
	if len(batch) == 0 {
		return true
	}
	mark := j.mark
	var es []state.Event
	for _, e := range batch {
		if e.Kind == events.LogPublished {
			mark = max(mark, e.Log)
			continue
		}
		es = append(es, translate(ctx, j.src, e)...)
	}
	for n := 1; ; n++ {
		err := j.store(ctx, es, mark)
		if err == nil {
			j.mark = mark
			j.after(batch)
			return true
		}
		if ctx.Err() != nil || n == tries {
			return false
		}
		j.cfg.Log.Warn("events not written; trying again", "error", err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(retryAfter):
		}
	}
}

// store writes events, hides the texts that they withdraw, and publishes both
// what others wrote before and what was stored now.
func (j *Journal) store(ctx context.Context, es []state.Event, mark uint64) error {
	if len(es) == 0 && mark == j.mark {
		return nil
	}
	stored, before, err := j.state.AppendEvents(ctx, j.cfg.Node, es, mark, j.cfg.Now())
	if err != nil {
		return err
	}
	if gone := objectsGone(stored); len(gone) > 0 {
		if err := j.state.HideEvents(ctx, gone); err != nil {
			j.cfg.Log.Warn("texts of withdrawn objects not hidden", "error", err)
		}
	}
	if before > j.Head() {
		j.lookForOthers(ctx) // finds what was stored now, too
	} else {
		j.publish(stored)
	}
	return nil
}

// after does what follows a batch.
func (j *Journal) after(batch []events.Event) {
	for _, e := range batch {
		step, _ := e.Data.(events.Step)
		switch {
		case e.Kind == events.KeyRevoked || e.Kind == events.KeyRecovered:
			j.Recheck(e.Object)
		case e.Kind == events.TeamStep && strings.HasPrefix(step.Name, "member."):
			j.Recheck("")
		}
	}
	j.mu.Lock()
	over := j.span.Head-j.span.Floor > uint64(j.cfg.Keep)+trimSlack
	j.mu.Unlock()
	if over {
		j.trim(context.Background())
	}
}

// publish hands events to every stream that wants them, in order.
func (j *Journal) publish(es []state.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range es {
		if es[i].Seq <= j.span.Head {
			continue
		}
		e := &Event{Event: es[i]}
		j.span.Head = e.Seq
		for _, o := range objectsGone(es[i : i+1]) {
			j.ring.hide(o)
		}
		j.ring.push(e)
		for s := range j.streams {
			s.offer(e)
		}
	}
}

// Head is the place of the newest event.
func (j *Journal) Head() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.span.Head
}

// lookForOthers publishes what gateways of the same database have written.
func (j *Journal) lookForOthers(ctx context.Context) {
	for {
		es, err := j.state.EventsAfter(ctx, j.Head(), nil, pageEvents)
		if err != nil {
			if ctx.Err() == nil {
				j.cfg.Log.Warn("events of other gateways not read", "error", err)
			}
			return
		}
		j.publish(es)
		if len(es) < pageEvents {
			return
		}
	}
}

func (j *Journal) trim(ctx context.Context) {
	span, err := j.state.TrimEvents(ctx, j.cfg.Keep, j.cfg.Now().Add(-j.cfg.Term), j.cfg.Now())
	if err != nil {
		j.cfg.Log.Warn("old events not forgotten", "error", err)
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.span.Floor = max(j.span.Floor, span.Floor)
}
