package instance

import (
	"bytes"
	"sync"
)

// RecentLog keeps the newest lines of a log in memory, for the owner's console. It is
// safe for concurrent use.
type RecentLog struct {
	mu    sync.Mutex // guards lines
	lines [][]byte   // a ring, once it is full
	next  int
}

// Write takes one or more whole lines. It keeps the beginning of a long one.
func (l *RecentLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(p) {
		line = bytes.TrimRight(line, "\n")
		if len(line) > maxRecentLine {
			line = append(bytes.ToValidUTF8(line[:maxRecentLine], nil), "…"...)
		}
		line = bytes.Clone(line)
		if len(l.lines) < maxRecentLines {
			l.lines = append(l.lines, line)
			continue
		}
		l.lines[l.next] = line
		l.next = (l.next + 1) % maxRecentLines
	}
	return len(p), nil
}

// Lines are the newest lines, oldest first.
func (l *RecentLog) Lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]string, 0, len(l.lines))
	for i := range l.lines {
		out = append(out, string(l.lines[(l.next+i)%len(l.lines)]))
	}
	return out
}
