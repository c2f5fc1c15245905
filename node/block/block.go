// Package block is the block list of a node: agents, trees of agents
// that sponsored one another, peers and domains, and the labelers whose judgement it
// follows. It is the will of the operator: what is blocked is not shown and
// not relayed here, stays a member of its set, and is shown again when the block
// ends.
package block

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/node/store"
)

const (
	maxRules = 10_000  // of a list; a longer one is a policy that belongs to a labeler
	maxFile  = 4 << 20 // bytes
)

// The kinds of rules.
const (
	Agent  = "agent"  // by its id: what it wrote
	Tree   = "tree"   // by the id of an agent: what it and all whom it sponsored wrote
	Peer   = "peer"   // by its id: no connection
	Domain = "domain" // by name: its public entries
)

// Kinds are the kinds of rules.
func Kinds() []string { return []string{Agent, Tree, Peer, Domain} }

// ErrFull means that a list has as many rules as it may.
var ErrFull = fmt.Errorf("a node keeps at most %d blocks", maxRules)

// Rule is one entry of the list.
type Rule struct {
	Kind  string    `json:"kind"`
	ID    string    `json:"id"`
	Why   string    `json:"why,omitempty"`
	Label string    `json:"label,omitempty"` // published as this label; "": kept to this node
	At    time.Time `json:"at"`
}

type key struct{ kind, id string }

// lists are one state of a Book. They are never changed.
type lists struct {
	Rules  []Rule   `json:"rules"`  // by kind and id
	Follow []string `json:"follow"` // did:key of labelers, in order

	index map[key]bool
	kinds map[string]bool
}

func (l *lists) ready() *lists {
	l.index, l.kinds = make(map[key]bool, len(l.Rules)), map[string]bool{}
	for _, r := range l.Rules {
		l.index[key{r.Kind, r.ID}], l.kinds[r.Kind] = true, true
	}
	return l
}

// Book keeps the lists in a file. It is safe for concurrent use, and reading it takes
// no lock.
type Book struct {
	path string
	turn sync.Mutex // held by the one change that goes on
	now  atomic.Pointer[lists]
}

// Open reads the lists of a file; one that is not there is empty.
func Open(path string) (*Book, error) {
	b := &Book{path: path}
	now := &lists{}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read blocks: %w", err)
	case len(text) > maxFile:
		return nil, fmt.Errorf("read blocks: %s has more than %d bytes", path, maxFile)
	default:
		if err := json.Unmarshal(text, now); err != nil {
			return nil, fmt.Errorf("read blocks: %s: %w", path, err)
		}
	}
	b.now.Store(now.ready())
	return b, nil
}

// Has reports whether there is a rule.
func (b *Book) Has(kind, id string) bool { return b.now.Load().index[key{kind, id}] }

// Any reports whether there is a rule of a kind.
func (b *Book) Any(kind string) bool { return b.now.Load().kinds[kind] }

// Rules are all rules, by kind and id.
func (b *Book) Rules() []Rule { return slices.Clone(b.now.Load().Rules) }

// Follows are the labelers that are followed.
func (b *Book) Follows() []string { return slices.Clone(b.now.Load().Follow) }

// Followed reports whether a labeler is followed.
func (b *Book) Followed(did string) bool { return slices.Contains(b.now.Load().Follow, did) }

// Put adds a rule or replaces the one of the same kind and id. It is on disk when Put
// returns nil.
func (b *Book) Put(r Rule) error {
	return b.change(func(l *lists) error {
		l.Rules = slices.DeleteFunc(l.Rules, func(o Rule) bool { return o.Kind == r.Kind && o.ID == r.ID })
		if len(l.Rules) >= maxRules {
			return ErrFull
		}
		l.Rules = append(l.Rules, r)
		slices.SortFunc(l.Rules, func(x, y Rule) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.ID, y.ID)) })
		return nil
	})
}

// Drop removes a rule and returns it; ok is false when there is none.
func (b *Book) Drop(kind, id string) (was Rule, ok bool, err error) {
	err = b.change(func(l *lists) error {
		l.Rules = slices.DeleteFunc(l.Rules, func(o Rule) bool {
			if o.Kind == kind && o.ID == id {
				was, ok = o, true
				return true
			}
			return false
		})
		return nil
	})
	return was, ok, err
}

// Follow begins or ends to follow a labeler, by its did:key.
func (b *Book) Follow(did string, on bool) error {
	return b.change(func(l *lists) error {
		l.Follow = slices.DeleteFunc(l.Follow, func(o string) bool { return o == did })
		if on {
			if len(l.Follow) >= maxRules {
				return ErrFull
			}
			l.Follow = append(l.Follow, did)
			slices.Sort(l.Follow)
		}
		return nil
	})
}

func (b *Book) change(do func(*lists) error) error {
	b.turn.Lock()
	defer b.turn.Unlock()
	old := b.now.Load()
	next := &lists{Rules: slices.Clone(old.Rules), Follow: slices.Clone(old.Follow)}
	if err := do(next); err != nil {
		return err
	}
	text, err := json.MarshalIndent(next, "", " ")
	if err != nil {
		return fmt.Errorf("write blocks: %w", err)
	}
	if err := store.AtomicWrite(b.path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write blocks: %w", err)
	}
	b.now.Store(next.ready())
	return nil
}
