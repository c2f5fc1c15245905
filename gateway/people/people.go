package people

import (
	"context"
	"slices"
	"time"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
)

// AgentsReply is a page of agents in short.
type AgentsReply struct {
	Success bool         `json:"success"`
	Agents  []ShortAgent `json:"agents"`
	call.Paging
}

// ShortAgent is an agent in a list that shows little.
type ShortAgent struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	WalletAddress *string  `json:"walletAddress"`
	Traits        []string `json:"traits" doc:"the first five"`
	TraitCount    int      `json:"traitCount"`
	Reputation    float64  `json:"reputation"`
	Tier          string   `json:"tier"`
	CreatedAt     string   `json:"createdAt"`
	Online        bool     `json:"online"`
	LastHeartbeat *string  `json:"lastHeartbeat"`
}

// Agents lists agents in short, by the filters of the directory.
func (s *Service) Agents(ctx context.Context, r DirectoryRequest) (*AgentsReply, error) {
	full, err := s.Directory(ctx, r)
	if err != nil {
		return nil, err
	}
	reply := &AgentsReply{Success: true, Agents: []ShortAgent{}, Paging: full.Paging}
	for _, a := range full.Agents {
		reply.Agents = append(reply.Agents, ShortAgent{a.ID, a.Name, a.WalletAddress, a.Traits[:min(len(a.Traits), shortTraits)], len(a.Traits),
			a.Reputation, a.Tier, a.CreatedAt, a.Online, a.LastHeartbeat})
	}
	return reply, nil
}

// AuthorRequest pages through what one agent has written.
type AuthorRequest struct {
	call.Request
	call.PageOf
	knowledge.FeedSelection
}

// AuthorForm reads an AuthorRequest.
var AuthorForm = call.Define[AuthorRequest](slices.DeleteFunc(slices.Clone(knowledge.FeedForm.Form), func(f call.Field) bool { return f.Name == "author" }))

// AgentKnowledge lists the entries of one agent; self is the caller's.
func (s *Service) AgentKnowledge(ctx context.Context, c call.Caller, id string, r AuthorRequest) (*knowledge.FeedReply, error) {
	if id == "self" {
		if err := c.RequireKey(); err != nil {
			return nil, err
		}
		own, err := access.Actor(c)
		if err != nil {
			return nil, err
		}
		id = own.String()
	}
	return s.knowledge.Feed(ctx, c, knowledge.FeedRequest{Request: r.Request, PageOf: r.PageOf, FeedSelection: r.FeedSelection, Author: call.Clip(id, call.MaxIDText)})
}

// PeersReply is whom this node knows.
type PeersReply struct {
	Success bool       `json:"success"`
	Peers   []PeerInfo `json:"peers" doc:"at most 100, connected ones first"`
	Addrs   []string   `json:"addrs" doc:"where peers reach this node: for bootstrap lists"`
}

// PeerInfo is a peer, without its address.
type PeerInfo struct {
	DID       string   `json:"did"`
	Name      string   `json:"name" doc:"its libp2p id"`
	Roles     []string `json:"roles"`
	Connected bool     `json:"connected"`
	LastSeen  *string  `json:"last_seen"`
}

// Peers are whom this node knows, and where it is reached itself. Addresses of others
// are theirs to give.
func (s *Service) Peers() *PeersReply {
	peers, own := s.mesh.KnownPeers()
	reply := &PeersReply{Success: true, Peers: []PeerInfo{}, Addrs: call.ListOf(own)}
	for _, p := range peers[:min(len(peers), maxPeerList)] {
		seen := p.Seen
		if p.Connected {
			seen = s.access.Now().Truncate(time.Second)
		}
		reply.Peers = append(reply.Peers, PeerInfo{p.DID, p.ID, call.ListOf(p.Roles), p.Connected, call.StampOrNil(seen)})
	}
	return reply
}
