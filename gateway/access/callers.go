package access

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
)

// SponsorOf is the tree whose budget a caller's requests share.
func (s *Service) SponsorOf(c call.Caller) string {
	if c.Acts() == "" {
		return ""
	}
	id, err := change.ParseAgentID(c.Acts())
	if err != nil {
		return ""
	}
	return s.mesh.SponsorRoot(id)
}

// Allow takes one request of the caller from a bucket. The owner is never
// slowed down.
func (s *Service) Allow(b limit.Bucket, c call.Caller) limit.Decision {
	if c.Kind == auth.Owner {
		return limit.Decision{OK: true}
	}
	since := c.Since // a key says so itself; of who presents a token the record of the agent does
	if since.IsZero() && c.Acts() != "" {
		since = s.BornAt(context.Background(), c.Acts())
	}
	return s.limits.Allow(b, limit.Principal{Agent: c.Acts(), Since: since, Sponsor: s.SponsorOf(c), Addr: c.Addr}, s.cfg.Now())
}

// BornAt is when an agent was made: here, or where its record says. One that is
// not known is as new as can be.
func (s *Service) BornAt(ctx context.Context, agent string) time.Time {
	if hosted, err := s.state.AgentByID(ctx, agent); err == nil {
		return hosted.CreatedAt
	}
	if id, err := change.ParseAgentID(agent); err == nil {
		if who, err := s.mesh.Agent(ctx, id); err == nil {
			return who.CreatedAt
		}
	}
	return s.cfg.Now()
}

// Now is the service's clock.
func (s *Service) Now() time.Time { return s.cfg.Now() }

// BaseURL is the address of this gateway, or "".
func (s *Service) BaseURL() string { return call.Clip(s.cfg.BaseURL(), maxPublicURL) }

// FullURL is BaseURL of any length, for what is signed.
func (s *Service) FullURL() string { return s.cfg.BaseURL() }

// Writer checks that the caller may write as an agent with an ability in the agent's
// own space, and returns which.
func (s *Service) Writer(ctx context.Context, c call.Caller, ability string) (change.AgentID, error) {
	c, err := s.Authorize(ctx, c, auth.Own(ability))
	if err != nil {
		return change.AgentID{}, err
	}
	return Actor(c)
}

// Actor is the agent the caller acts as.
func Actor(c call.Caller) (change.AgentID, error) { return ParseActor(c.AgentID) }

// ParseActor reads the agent of a caller; the owner of a node may have none yet.
func ParseActor(agent string) (change.AgentID, error) {
	if agent == "" {
		return change.AgentID{}, call.Hinted(reason.AgentNotFound, "the owner of this node has no agent yet",
			"register one: POST /api/mesh/register")
	}
	id, err := change.ParseAgentID(agent)
	if err != nil {
		return change.AgentID{}, fmt.Errorf("read the caller's agent: %w", err)
	}
	return id, nil
}

// WaitFor delays a read until the views have reached seq, for a bounded time.
func (s *Service) WaitFor(ctx context.Context, seq uint64) error {
	ctx, cancel := context.WithTimeout(ctx, minSeqWait)
	defer cancel()
	if err := s.mesh.WaitSeq(ctx, seq); err != nil {
		return reason.Refuse(reason.ViewBehind, "the view is at %d, not yet at %d", s.mesh.Seq(), seq).
			With(map[string]any{"seq": s.mesh.Seq(), "retry_after": 1})
	}
	return nil
}

// Seq is the local sequence the views have reached.
func (s *Service) Seq() uint64 { return s.mesh.Seq() }

// Lag is the age of the views that answer reads.
func (s *Service) Lag() time.Duration { return s.mesh.Lag() }

// Replicas reads the ?wait= of a write: durable, or peers:n.
func Replicas(wait string) (int, error) {
	switch {
	case wait == "" || wait == "durable":
		return 0, nil
	case len(wait) == len("peers:n") && strings.HasPrefix(wait, "peers:"):
		if n := int(wait[6] - '0'); n >= 1 && n <= maxPeers {
			return n, nil
		}
	}
	return 0, call.BadParam("wait", "must be durable or peers:1 to peers:3")
}
