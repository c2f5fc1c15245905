package rules

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

const (
	// maxProofDepth bounds how many bindings lead from an identity to the
	// record of its key, and how many links a chain of grants has.
	maxProofDepth = 10
)

// Reader says what members mean that give rights: for whom a key writes, who may
// replace it, what a grant gives. Each answer follows from the member and its past
// alone, so a Reader answers no differently for having been asked before, of
// whatever Past. It remembers within fixed bounds. The zero Reader is ready, and
// safe for concurrent use; it must not be copied.
type Reader struct {
	lines  memo[*Line]  // by the id of the record
	grants memo[*Grant] // by the id of the grant
}

// Identity is what proof[0] says of an author: for which agent it writes.
type Identity struct {
	Agent  change.AgentID
	Record change.ID // the binding or rotation that states it
	// Device is the grant by which the author writes when it is not a key of the
	// agent itself but of one of its devices or of a gateway; nil otherwise.
	Device *Grant

	record *change.Change // of Record, nil when Device is set
}

// pq is the post-quantum half of the author's key; keys of devices have none.
func (id Identity) pq(line *Line) []byte {
	if id.Device != nil {
		return nil
	}
	return line.PQ
}

// Line is what the record of a key says of its agent, judged by the past of that
// record alone: an acting key, and what may replace it. It is immutable.
type Line struct {
	Agent       change.AgentID
	Keys        []did.Key // the keys so far, the genesis key first, the key of the record last
	Controllers []string  // DIDs that outrank the key
	Next        []byte    // H of the recovery key, nil without one
	PQ          []byte    // post-quantum half of the last key, nil without one
}

// Key is the acting key of the record.
func (l *Line) Key() did.Key { return l.Keys[len(l.Keys)-1] }

// Has reports whether k is or was the acting key.
func (l *Line) Has(k did.Key) bool { return slices.Contains(l.Keys, k) }

// Identity is the agent that the member c was written for. The error is a fault
// of past, or says that c is no member.
func (r *Reader) Identity(c *change.Change, past Past) (Identity, error) {
	if c.Head.Kind == change.KindBind && c.Head.Seq == 1 || c.Head.Kind == change.KindRotate {
		agent, _ := c.Head.Space.Agent()
		return Identity{Agent: agent, Record: c.ID, record: c}, nil
	}
	if len(c.Head.Proof) == 0 {
		return Identity{}, noIdentity("proof names no identity of the author")
	}
	p, err := member(past, c.Head.Proof[0])
	if err != nil {
		return Identity{}, err
	}
	return r.identity(c.Head.Author, p, past)
}

// identity reads p, the proof[0] of a change by author.
func (r *Reader) identity(author did.Key, p *change.Change, past Past) (Identity, error) {
	agent, inAgent := p.Head.Space.Agent()
	switch p.Head.Kind {
	case change.KindBind, change.KindRotate:
		if p.Head.Author != author {
			return Identity{}, noIdentity("proof[0] is the identity of another key")
		}
		return Identity{Agent: agent, Record: p.ID, record: p}, nil
	case change.KindGrant:
		if !inAgent {
			return Identity{}, noIdentity("proof[0] is a role, and no identity")
		}
		g, err := r.Grant(p, past)
		if err != nil {
			return Identity{}, err
		}
		if g.Audience != author {
			return Identity{}, reason.Refuse(reason.WrongAudience, "the grant in proof[0] is for another key")
		}
		return Identity{Agent: agent, Record: g.Record, Device: g}, nil
	}
	return Identity{}, noIdentity("proof[0] is no identity of the author")
}

// lineOf is the line that stands behind an identity.
func (r *Reader) lineOf(id Identity, past Past) (*Line, error) {
	record := id.record
	if record == nil {
		var err error
		if record, err = member(past, id.Record); err != nil {
			return nil, err
		}
	}
	return r.Line(record, past)
}

// Line is what record, a member that is a profile.bind or a rotate, says of its
// agent. The refusal is chain_invalid when the chain of records is longer than
// membership allows; any other error is a fault of past.
func (r *Reader) Line(record *change.Change, past Past) (*Line, error) {
	var rotations []*change.Change // newest first
	var line *Line
	for line == nil {
		var err error
		if record, err = keyRecord(record, past); err != nil {
			return nil, err
		}
		if known, ok := r.lines.get(record.ID); ok {
			line = known
			break
		}
		if record.Head.Kind == change.KindBind {
			if line, err = firstLine(record); err != nil {
				return nil, err
			}
			r.lines.put(record.ID, line)
			break
		}
		if rotations = append(rotations, record); len(rotations) > change.MaxKeys {
			return nil, reason.Refuse(reason.ChainInvalid, "more than %d keys of one agent", change.MaxKeys)
		}
		if record, err = member(past, record.Head.Proof[0]); err != nil {
			return nil, err
		}
	}
	for _, c := range slices.Backward(rotations) {
		v, err := body.ParseRotate(c.Body)
		if err != nil {
			return nil, fmt.Errorf("read a rotation: %w", err)
		}
		line = line.rotated(v, c.Head.Author)
		r.lines.put(c.ID, line)
	}
	return line, nil
}

func firstLine(genesis *change.Change) (*Line, error) {
	v, err := body.ParseBind(genesis.Body, true)
	if err != nil {
		return nil, fmt.Errorf("read the genesis: %w", err)
	}
	agent, _ := genesis.Head.Space.Agent()
	return &Line{
		Agent: agent, Keys: []did.Key{genesis.Head.Author}, Controllers: v.Controllers,
		Next: bytes.Clone(v.Next), PQ: bytes.Clone(v.PQ), // the memo must not keep bodies alive
	}, nil
}

// rotated is l after the rotation v to the key next.
func (l *Line) rotated(v body.Rotate, next did.Key) *Line {
	n := &Line{
		Agent: l.Agent, Keys: append(slices.Clone(l.Keys), next), Controllers: l.Controllers, Next: l.Next, PQ: bytes.Clone(v.PQ),
	}
	if v.HasControllers {
		n.Controllers = v.Controllers
	}
	switch {
	case v.Next != nil:
		n.Next = bytes.Clone(v.Next)
	case v.Rank(l.Controllers, l.Next) == body.RankRecovery:
		n.Next = nil // it was used, and is used once
	}
	return n
}

// keyRecord follows later bindings of one key to what made it an acting key: the
// genesis or a rotation.
func keyRecord(p *change.Change, past Past) (*change.Change, error) {
	author := p.Head.Author
	for range maxProofDepth {
		switch {
		case p.Head.Author != author || p.Head.Kind != change.KindBind && p.Head.Kind != change.KindRotate:
			return nil, noIdentity("proof[0] is no identity of the author")
		case p.Head.Kind == change.KindRotate || p.Head.Seq == 1:
			return p, nil
		}
		var err error
		if p, err = member(past, p.Head.Proof[0]); err != nil {
			return nil, err
		}
	}
	return nil, reason.Refuse(reason.ChainInvalid, "more than %d bindings between the identity and the record of its key", maxProofDepth)
}

// member reads a change that a member refers to, which is a member too.
func member(past Past, id change.ID) (*change.Change, error) {
	m, err := past.Member(id)
	if err != nil {
		return nil, fmt.Errorf("read the past: %w", err)
	}
	if m == nil {
		return nil, missing("its past is not here yet", id)
	}
	return m, nil
}

func noIdentity(text string) error { return reason.Refuse(reason.CapabilityMissing, "%s", text) }
