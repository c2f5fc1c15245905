// Package descriptors shares the files that a process may have open (RLIMIT_NOFILE)
// among the store, peers and HTTP, so that a crowd at one listener cannot keep the
// store from opening a table.
package descriptors

import (
	"fmt"
	"syscall"
)

const (
	maxStore  = 1256 // tables that the engine keeps open, and logs, databases, sockets and pipes beside them
	minStore  = 64
	maxHTTP   = 12_288 // connections of the HTTP listener whatever the limit: 10,000 streams
	unlimited = 1 << 20
)

// Share is who may have how many descriptors.
type Share struct {
	Limit int `json:"limit"` // of the process, unlimited as a million
	Store int `json:"store"` // for the store, and whatever else a node opens
	Peers int `json:"peers"` // connections with peers
	HTTP  int `json:"http"`  // connections at the HTTP listener
}

// Of shares a limit. high is the number of connections with peers above which the
// least useful are closed; up to twice as many may be open for a while.
func Of(limit uint64, high int) Share {
	s := Share{Limit: int(min(limit, unlimited))}
	s.Store = min(max(s.Limit/4, minStore), maxStore)
	rest := max(s.Limit-s.Store, 2)
	s.Peers = max(min(2*high, rest/3), 1)
	s.HTTP = max(min(rest-s.Peers, maxHTTP), 1)
	return s
}

// Here shares the limit of this process. The runtime has raised the soft limit to
// the hard one when it started.
func Here(high int) Share {
	var lim syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &lim); err != nil {
		lim.Cur = 1024 // what every system grants
	}
	return Of(lim.Cur, high)
}

// Tables is how many files of the store may stay open: what is left of its part
// after logs, databases, sockets and pipes.
func (s Share) Tables() int { return s.Store * 4 / 5 }

// High and Low are how many connections with peers are kept, of those asked for:
// at most half of Peers, since new ones are not closed at once.
func (s Share) High(asked int) int { return max(min(asked, s.Peers/2), 2) }

// Low is at most half of High when that was cut, else as asked.
func (s Share) Low(low, high int) int {
	if cut := s.High(high); cut < high {
		return max(min(low, cut/2), 1)
	}
	return low
}

// Text says the share in one line.
func (s Share) Text() string {
	return fmt.Sprintf("%d open files: %d for the store, %d connections with peers, %d at the HTTP listener", s.Limit, s.Store, s.Peers, s.HTTP)
}
