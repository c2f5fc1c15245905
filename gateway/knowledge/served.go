package knowledge

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// reads are how many reads of each entry this gateway has counted, as its state
// had them when it was last asked.
type reads struct {
	mu     sync.Mutex
	totals map[string]int64
}

func newReads() *reads { return &reads{totals: map[string]int64{}} }

// count is what this gateway knows of the reads of an entry: its own, or those
// that the network's gateways counted when they are more.
func (r *reads) count(entry string, served int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(int(r.totals[entry]), served)
}

func (r *reads) add(entry string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.totals[entry]++
}

func (r *reads) set(totals map[string]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.totals = totals
}

// dayOf is a day as served counts it.
func dayOf(t time.Time) int64 { return t.Unix() / 86_400 }

// served counts a full read by another agent: one a caller, entry and day, and
// none by who is the author or related to it. A count that cannot be kept is lost;
// the reader gets the entry all the same.
func (s *Service) served(ctx context.Context, c call.Caller, e view.Entry) {
	if c.Masked() || c.AgentID == "" || c.Kind == auth.Anonymous || e.Body.Text == "" {
		return
	}
	reader, err := change.ParseAgentID(c.AgentID)
	if err != nil || s.mesh.Related(reader, e.Agent.ID) {
		return
	}
	id := e.ID.Text(change.PrefixEntry)
	if fresh, err := s.state.NoteServed(ctx, dayOf(s.access.Now()), id, c.AgentID); err == nil && fresh {
		s.reads.add(id)
	}
}

// ServiceAgent is the agent that this gateway itself writes as, opened at the
// first call.
func (s *Service) ServiceAgent(ctx context.Context) (change.AgentID, error) {
	return s.mesh.ServiceAgent(ctx)
}

// SettleServed signs what was served on days that are over, where the network's
// manifest lists this gateway, and forgets who read what. A day whose counts were
// written and not forgotten is written again: the largest count stands.
func (s *Service) SettleServed(ctx context.Context) error {
	if totals, err := s.state.ServedTotals(ctx); err == nil {
		s.reads.set(totals)
	}
	gateway, err := s.ServiceAgent(ctx)
	if err != nil {
		return fmt.Errorf("open the gateway's agent: %w", err)
	}
	for {
		counts, err := s.state.ServedBefore(ctx, dayOf(s.access.Now()))
		if err != nil || len(counts) == 0 {
			return err
		}
		if s.mesh.Serves(gateway) {
			var rows []view.ServedRow
			for _, c := range counts {
				if id, err := ParseEntryID(c.Entry); err == nil {
					rows = append(rows, view.ServedRow{Entry: id, Count: c.Count})
				}
			}
			if err := s.mesh.WriteServed(ctx, gateway, counts[0].Day, rows); err != nil {
				return fmt.Errorf("write what was served: %w", err)
			}
		}
		if err := s.state.ForgetServed(ctx, counts[0].Day); err != nil {
			return err
		}
	}
}
