package judged

import (
	"container/heap"
	"sync"

	"github.com/meshd/meshd/crdt/change"
)

// Queue is what waits to be judged: that of authors with standing first, and of
// those the newest. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting order
	signal  chan struct{}
}

// NewQueue makes an empty queue.
func NewQueue() *Queue { return &Queue{signal: make(chan struct{}, 1)} }

type waiter struct {
	id       change.ID
	hlc      uint64
	standing bool
}

// Push adds an entry.
func (q *Queue) Push(id change.ID, hlc uint64, standing bool) {
	q.mu.Lock()
	heap.Push(&q.waiting, waiter{id, hlc, standing})
	q.mu.Unlock()
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// Pop takes the next one out; ok is false when none waits.
func (q *Queue) Pop() (id change.ID, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return id, false
	}
	return heap.Pop(&q.waiting).(waiter).id, true
}

// Len is how many wait.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// Arrived is signalled after a Push.
func (q *Queue) Arrived() <-chan struct{} { return q.signal }

// order is a heap of waiters.
type order []waiter

func (o order) Len() int { return len(o) }

func (o order) Less(i, j int) bool {
	if o[i].standing != o[j].standing {
		return o[i].standing
	}
	return o[i].hlc > o[j].hlc
}

func (o order) Swap(i, j int) { o[i], o[j] = o[j], o[i] }

func (o *order) Push(w any) { *o = append(*o, w.(waiter)) }

func (o *order) Pop() any {
	last := len(*o) - 1
	w := (*o)[last]
	*o = (*o)[:last]
	return w
}
