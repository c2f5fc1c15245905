package knowledge

import (
	"context"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// TeamKnowledgeRequest asks for a page of the entries of a team.
type TeamKnowledgeRequest struct {
	call.Request
	call.PageOf
	Selection
	Tag string `field:"tag"`
}

// TeamKnowledgeForm reads a TeamKnowledgeRequest.
var TeamKnowledgeForm = call.Define[TeamKnowledgeRequest](append(call.Form{
	{Name: "type", Enum: call.KnowledgeTypes, Help: "Only this type."},
	{Name: "domain", Kind: call.Texts, Items: call.MaxDomains, Max: body.MaxDomain, Help: "Only these domains."},
	{Name: "tag", Max: call.MaxTrait, Help: "Only entries with this tag."},
	{Name: "q", Max: call.MaxFilter, Help: "Only entries that contain all these words."},
	{Name: "since", Kind: call.Time, Help: "Only entries from this time on."},
}, call.PageFields(call.MaxPage)...))

// TeamKnowledgeReply is a page of the entries of a team.
type TeamKnowledgeReply struct {
	Success bool    `json:"success"`
	Entries []Entry `json:"entries"`
	call.Paging
}

// TeamKnowledge lists the entries that the members of a team share.
func (s *Service) TeamKnowledge(ctx context.Context, c call.Caller, team string, r TeamKnowledgeRequest) (*TeamKnowledgeReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.KnowledgeRead)
	if err != nil {
		return nil, err
	}
	q := view.EntryQuery{Domains: r.Domain, Tag: r.Tag, Text: r.Q, Since: r.Since, Limit: r.Limit}
	if r.Type != "" {
		q.Types = []string{r.Type}
	}
	filter := r.Filter("knowledge/" + m.ID())
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		if q.After, err = ReadEntryPlace(place); err != nil {
			return nil, err
		}
	}
	page, err := s.mesh.TeamEntries(ctx, m.Guild.ID, q)
	if err != nil {
		return nil, fmt.Errorf("list entries of a team: %w", err)
	}
	reply := &TeamKnowledgeReply{Success: true, Entries: []Entry{}, Paging: call.Paging{Count: len(page.Entries), Total: page.Total}}
	for _, e := range page.Entries {
		reply.Entries = append(reply.Entries, s.showInTeam(ctx, e, c, m))
	}
	if page.Next != nil {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: fmt.Sprintf("%d/0", page.Next.HLC), ID: page.Next.ID.String()})
	}
	return reply, nil
}

// showInTeam shows an entry of a team to one of its members.
func (s *Service) showInTeam(ctx context.Context, e view.Entry, c call.Caller, m access.Member) Entry {
	shown := s.Show(e, c)
	s.said.warn(ctx, s.mesh, shown, e)
	url := s.access.BaseURL() + "/api/mesh/team/" + m.ID() + "/knowledge"
	switch {
	case shown.full != nil:
		shown.full.WorkspaceID, shown.full.URL = m.ID(), url
	case shown.masked != nil:
		shown.masked.URL = url
	}
	return shown
}

// contributeToTeam runs the gate over an entry for a team, signs and appends it.
func (s *Service) contributeToTeam(ctx context.Context, c call.Caller, team string, in contribution, opt view.Submit) (*ContributeReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.KnowledgeWrite)
	if err != nil {
		return nil, err
	}
	if err := c.RequireKeyScope(state.ScopeWrite); err != nil {
		return nil, err
	}
	passed, report := s.mesh.Pass(in.draft) // what is public does not matter here
	if !report.OK() {
		return nil, s.refuse(in.draft, report)
	}
	receipt, err := s.mesh.ContributeToTeam(ctx, m.Agent, m.Guild.ID, passed, opt)
	if err != nil {
		return nil, withQuality(err, report)
	}
	id := receipt.ID.Text(change.PrefixEntry)
	quality := qualityOf(report)
	quality.Warnings = append(quality.Warnings, in.warnings...)
	list := "/api/mesh/team/" + m.ID() + "/knowledge"
	return &ContributeReply{
		Success: true, ID: id, Type: in.entry.Type, Domain: in.domain,
		ProvenanceHash: provenance(in.entry.Type, in.entry.Text, m.Agent.String(), call.Stamp(receipt.CreatedAt)),
		Receipt:        Receipt{Seq: receipt.Seq, Durable: true}, Quality: quality, URL: s.access.BaseURL() + list,
		NextActions: []string{"GET " + list, "POST " + list + "/" + id + "/promote"}, Warnings: in.warnings,
	}, nil
}

// ContributeToTeam takes an entry for a team that the path names, whatever team the
// request names.
func (s *Service) ContributeToTeam(ctx context.Context, c call.Caller, team string, r ContributeRequest, opt view.Submit) (*ContributeReply, error) {
	in, err := s.readContribution(ctx, r)
	if err != nil {
		if _, who := s.access.InTeam(ctx, c, team, access.KnowledgeWrite); who != nil {
			return nil, who // who may not write here learns that first
		}
		return nil, err
	}
	return s.contributeToTeam(ctx, c, team, in, opt)
}

// PromoteEntry copies an entry of a team to the commons, through the gate like any
// other, in the name of the caller: its author, or an admin of the team.
func (s *Service) PromoteEntry(ctx context.Context, c call.Caller, team, entry string, opt view.Submit) (*ContributeReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.KnowledgeWrite)
	if err != nil {
		return nil, err
	}
	id, err := s.access.EntryID(ctx, entry)
	if err != nil {
		return nil, err
	}
	e, err := s.mesh.TeamEntry(ctx, m.Guild.ID, id)
	if err != nil {
		return nil, err
	}
	if e.Agent.ID != m.Agent && !m.May(access.BoardManage) {
		return nil, reason.Refuse(reason.NotOwner, "only its author or an admin of the team makes an entry public")
	}
	copied := e.Body
	copied.Supersedes, copied.Reuses, copied.Domain = change.ID{}, nil, ""
	for _, r := range e.Body.Reuses { // what it cites in the team stays there
		if _, err := s.mesh.Entry(ctx, r); err == nil {
			copied.Reuses = append(copied.Reuses, r)
		}
	}
	draft, err := gate.DraftOf(copied, e.Domain)
	if err != nil {
		return nil, err
	}
	return s.publish(ctx, c, m.Agent, contribution{draft: draft, entry: copied, domain: e.Domain}, opt)
}

// publish runs the gate over an entry for the commons, signs and appends it.
func (s *Service) publish(ctx context.Context, c call.Caller, agent change.AgentID, in contribution, opt view.Submit) (*ContributeReply, error) {
	if err := c.RequireKeyScope(state.ScopeWrite); err != nil {
		return nil, err
	}
	passed, report := s.mesh.Pass(in.draft)
	if !report.OK() {
		return nil, s.refuse(in.draft, s.mesh.Check(ctx, in.draft, agent))
	}
	receipt, err := s.mesh.Contribute(ctx, agent, passed, opt)
	if err != nil {
		return nil, withQuality(err, report)
	}
	id, signed := receipt.ID.Text(change.PrefixEntry), passed.Entry()
	return &ContributeReply{
		Success: true, ID: id, Type: signed.Type, Domain: in.domain,
		ProvenanceHash: provenance(signed.Type, signed.Text, agent.String(), call.Stamp(receipt.CreatedAt)),
		Receipt:        Receipt{Seq: receipt.Seq, Durable: true}, Quality: qualityOf(report), URL: s.access.BaseURL() + "/api/mesh/entry/" + id,
		NextActions: []string{"GET /api/mesh/entry/" + id, "GET /api/mesh/search?q=" + strings.ReplaceAll(in.domain, " ", "+")},
	}, nil
}
