// Package workshop bounds what compiling, drawing and reading sources cost a
// gateway: how many at a time, how long each, how many wait, and how much memory
// they and their replies occupy together. Who finds no room is sent away with
// overloaded and the seconds after which to come again; nothing queues without a
// bound.
//
// Places go by shares (line.go): nobody fills all of them, those who are known go
// before those who are not, and of equals the one with the least running.
package workshop

import (
	"context"
	"errors"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Config are the bounds. The zero value of a field is its default.
type Config struct {
	Jobs    int           // at a time
	Waiting int           // for a place; one more is refused at once
	Wait    time.Duration // that one waits at most
	PerJob  int64         // bytes of memory that one job may take
	Memory  int64         // bytes for all jobs and the replies that are being sent
}

// The defaults.
const (
	DefaultJobs    = 2
	DefaultWaiting = 16
	DefaultWait    = 5 * time.Second
	DefaultPerJob  = 512 << 20
	DefaultMemory  = 2*DefaultPerJob + 256<<20

	retryAfter = 2       // seconds
	askEvery   = 1 << 10 // steps between two looks at the memory
)

// Workshop is safe for concurrent use.
type Workshop struct {
	cfg  Config
	live func() int64 // bytes that the last collection found alive

	mu      sync.Mutex
	jobs    int
	held    int64       // by replies
	running map[Who]int // jobs of each share
	line    []*waiter   // in the order in which they came
}

// New makes an empty workshop.
func New(cfg Config) *Workshop {
	if cfg.Jobs <= 0 {
		cfg.Jobs = DefaultJobs
	}
	if cfg.Waiting <= 0 {
		cfg.Waiting = DefaultWaiting
	}
	if cfg.Wait <= 0 {
		cfg.Wait = DefaultWait
	}
	if cfg.PerJob <= 0 {
		cfg.PerJob = DefaultPerJob
	}
	if cfg.Memory <= 0 {
		cfg.Memory = DefaultMemory
	}
	return &Workshop{cfg: cfg, live: liveBytes, running: map[Who]int{}}
}

var (
	errTime   = errors.New("work took too long")
	errMemory = errors.New("work took too much memory")
)

// Do runs a piece of work when there is room for it, for whom the context names
// (With). The work calls step again
// and again, and an error of step ends it: its time is over (late is the code that
// the caller gets), the caller has gone, or the process has taken more memory
// since it began than the jobs that run may. What was counted before the work
// began keeps that from happening; this is for what was counted wrongly.
func (w *Workshop) Do(ctx context.Context, limit time.Duration, late reason.Code, work func(step func() error) error) error {
	who := whose(ctx)
	if err := w.enter(ctx, who); err != nil {
		return err
	}
	defer w.leave(who)
	over, stop := context.WithTimeoutCause(ctx, limit, errTime)
	defer stop()
	before, steps := w.live(), 0
	err := work(func() error {
		if steps++; steps%askEvery == 0 && w.live()-before > int64(w.cfg.Jobs)*w.cfg.PerJob {
			return errMemory
		}
		return context.Cause(over)
	})
	switch {
	case errors.Is(err, errTime):
		return reason.Refuse(late, "the work took longer than it may").With(map[string]any{"seconds": int(limit / time.Second)})
	case errors.Is(err, errMemory):
		return overloaded("there is not enough memory for this now; try again")
	}
	return err
}

// Keep counts the bytes of a reply as long as it is being sent, which is until the
// context of its request ends.
func (w *Workshop) Keep(ctx context.Context, bytes int) {
	if bytes <= 0 {
		return
	}
	w.mu.Lock()
	w.held += int64(bytes)
	w.mu.Unlock()
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.held -= int64(bytes)
		w.admit()
	})
}

// Load is what the workshop is busy with, for metrics.
type Load struct {
	Jobs, Waiting int
	Held          int64 // bytes of replies
}

// Load is what it does now.
func (w *Workshop) Load() Load {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Load{w.jobs, len(w.line), w.held}
}

// room says whether one more job fits. The caller holds mu.
func (w *Workshop) room() bool {
	return w.jobs < w.cfg.Jobs && int64(w.jobs+1)*w.cfg.PerJob+w.held <= w.cfg.Memory
}

func overloaded(text string) error {
	return reason.Refuse(reason.Overloaded, "%s", text).With(map[string]any{"retry_after": retryAfter})
}

func liveBytes() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
