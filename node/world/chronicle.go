package world

import (
	"fmt"
	"sync"
	"time"
)

// chronicle is the record of a world: what was done to the nodes, how often people
// and liars did what, and which rules were broken.
type chronicle struct {
	began time.Time

	mu     sync.Mutex // guards what follows
	counts map[string]int
	story  []string
	found  []Violation
}

func (w *chronicle) violated(rule string, machine int, format string, args ...any) {
	v := Violation{rule, machine, time.Since(w.began), fmt.Sprintf(format, args...)}
	w.record("%v", v)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, v)
}

func (w *chronicle) record(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := fmt.Sprintf("%7.1fs  ", time.Since(w.began).Seconds()) + fmt.Sprintf(format, args...)
	w.story = append(w.story, line)
}

func (w *chronicle) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[what]++
}
