package moderation

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/node/view"
)

// ReasonRequest is the body of every act of an admin.
type ReasonRequest struct {
	call.Request
	Reason string `field:"reason"`
}

// ReasonForm reads a ReasonRequest.
var ReasonForm = call.Define[ReasonRequest](call.Form{{Name: "reason", Min: 1, Max: call.MaxReason, Required: true, Help: "Why; it is kept in the audit log."}})

// AdminAgent is an account of this gateway.
type AdminAgent struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Tier       string  `json:"tier"`
	Reputation float64 `json:"reputation"`
	Home       bool    `json:"home" doc:"whether this gateway acts for it"`
	Suspended  *string `json:"suspended" doc:"why, or null"`
	CreatedAt  string  `json:"createdAt"`
}

// AdminAgentsReply is a page of accounts.
type AdminAgentsReply struct {
	Success bool         `json:"success"`
	Agents  []AdminAgent `json:"agents"`
	call.Paging
}

// AdminAgents lists agents with what only an admin sees.
func (s *Service) AdminAgents(ctx context.Context, c call.Caller, r AdminAgentsRequest) (*AdminAgentsReply, error) {
	if _, err := s.access.Admin(c); err != nil {
		return nil, err
	}
	page, err := s.mesh.Agents(ctx, view.AgentQuery{Text: r.Query, Sort: "name", Limit: call.MaxPage})
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", err)
	}
	stopped, err := s.state.Suspended(ctx)
	if err != nil {
		return nil, err
	}
	reply := &AdminAgentsReply{Success: true, Agents: []AdminAgent{}, Paging: call.Paging{Count: len(page.Agents), Total: page.Total}}
	for _, a := range page.Agents {
		out := AdminAgent{ID: a.ID.String(), Name: a.Name, Tier: a.Tier, Reputation: people.Points(a.Reputation.Score), Home: a.Local, CreatedAt: call.Stamp(a.CreatedAt)}
		if why, ok := stopped[out.ID]; ok {
			out.Suspended = &why
		}
		reply.Agents = append(reply.Agents, out)
	}
	return reply, nil
}

// AdminAgentsRequest selects accounts.
type AdminAgentsRequest struct {
	call.Request
	Query string `field:"q"`
}

// AdminAgentsForm reads an AdminAgentsRequest.
var AdminAgentsForm = call.Define[AdminAgentsRequest](call.Form{{Name: "q", Max: call.MaxFilter, Help: "Only names that match."}})

// AdminDoneReply says that it is done.
type AdminDoneReply struct {
	Success bool   `json:"success"`
	Object  string `json:"object"`
	Action  string `json:"action"`
}

// act is who acts as an admin, and why: each act needs a reason.
func (s *Service) act(c call.Caller, text string) (actor, why string, err error) {
	if actor, err = s.access.Admin(c); err != nil {
		return "", "", err
	}
	if text == "" {
		return "", "", reason.Refuse(reason.MissingField, "reason is required").With(map[string]any{"field": "reason"})
	}
	why, err = s.comment.PlainText("reason", text, 1)
	return actor, why, err
}

// Suspend stops an account of this gateway from writing.
func (s *Service) Suspend(ctx context.Context, c call.Caller, id string, r ReasonRequest) (*AdminDoneReply, error) {
	return s.onAccount(ctx, c, id, r, "suspend", s.state.Suspend)
}

// Restore lets it write again.
func (s *Service) Restore(ctx context.Context, c call.Caller, id string, r ReasonRequest) (*AdminDoneReply, error) {
	return s.onAccount(ctx, c, id, r, "restore", s.state.Restore)
}

func (s *Service) onAccount(ctx context.Context, c call.Caller, id string, r ReasonRequest, action string, do func(ctx context.Context, agent, why, actor string, now time.Time) error) (*AdminDoneReply, error) {
	actor, why, err := s.act(c, r.Reason)
	if err != nil {
		return nil, err
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := do(ctx, a.ID.String(), why, actor, s.access.Now()); err != nil {
		return nil, err
	}
	return &AdminDoneReply{true, a.ID.String(), action}, nil
}

// LabelRequest is a label of the gateway's own.
type LabelRequest struct {
	call.Request
	Target string `field:"target"`
	Value  string `field:"value"`
	Reason string `field:"reason"`
}

// LabelForm reads a LabelRequest.
var LabelForm = call.Define[LabelRequest](call.Form{
	{Name: "target", Max: call.MaxIDText, Required: true, Help: "An entry (ent_), comment (cmt_) or note (gst_)."},
	{Name: "value", Enum: body.Labels(), Required: true, Help: "What is wrong, or that reports were upheld or dismissed."},
	{Name: "reason", Min: 1, Max: call.MaxReason, Required: true, Help: "Why; it is public in the log and kept in the audit log."},
})

// LabelsRequest asks for the labels of one thing.
type LabelsRequest struct {
	call.Request
	Target string `field:"target"`
}

// LabelsForm reads a LabelsRequest.
var LabelsForm = call.Define[LabelsRequest](call.Form{{Name: "target", Max: call.MaxIDText, Required: true, Help: "An entry, comment or note."}})

// LabelsReply are all labels of one thing, whoever gave them.
type LabelsReply struct {
	Success bool                   `json:"success"`
	Target  string                 `json:"target"`
	Labels  []knowledge.EntryLabel `json:"labels"`
}

// parseTarget reads the id of what can be labelled, and returns its whole text too.
func (s *Service) parseTarget(ctx context.Context, text string) (id change.ID, whole string, err error) {
	none := reason.Refuse(reason.NotFound, "nothing of that id can be labelled")
	for _, prefix := range []string{change.PrefixEntry, change.PrefixComment, change.PrefixNote} {
		if strings.HasPrefix(text, prefix) {
			id, err := s.access.ID(ctx, prefix, text, none)
			return id, id.Text(prefix), err
		}
	}
	return change.ID{}, "", none
}

// AdminLabels lists the labels of one thing.
func (s *Service) AdminLabels(ctx context.Context, c call.Caller, r LabelsRequest) (*LabelsReply, error) {
	if _, err := s.access.Admin(c); err != nil {
		return nil, err
	}
	target, whole, err := s.parseTarget(ctx, r.Target)
	if err != nil {
		return nil, err
	}
	reply := &LabelsReply{Success: true, Target: whole, Labels: []knowledge.EntryLabel{}}
	for _, l := range s.mesh.Labels(target) {
		reply.Labels = append(reply.Labels, knowledge.EntryLabel{Value: l.Value, By: l.By.ID.String(), At: call.Stamp(l.At)})
	}
	return reply, nil
}

// AdminLabel labels something as the admin's agent, or as this gateway.
func (s *Service) AdminLabel(ctx context.Context, c call.Caller, r LabelRequest) (*AdminDoneReply, error) {
	actor, why, err := s.act(c, r.Reason)
	if err != nil {
		return nil, err
	}
	if r.Value == "" {
		return nil, reason.Refuse(reason.MissingField, "value is required").With(map[string]any{"field": "value"})
	}
	target, whole, err := s.parseTarget(ctx, r.Target)
	if err != nil {
		return nil, err
	}
	return s.decide(ctx, actor, target, whole, r.Value, why)
}

// decide writes a label by the gateway's agent, whose word counts here, and keeps
// who had it written.
func (s *Service) decide(ctx context.Context, actor string, target change.ID, text, value, why string) (*AdminDoneReply, error) {
	by, err := s.mesh.ServiceAgent(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.mesh.Label(ctx, by, target, value, why); err != nil {
		return nil, err
	}
	return s.done(ctx, actor, text, "label."+value, value, why)
}

// done keeps an act in the audit log, as its event, and answers with it.
func (s *Service) done(ctx context.Context, actor, object, event, action, why string) (*AdminDoneReply, error) {
	if err := s.access.Audit(ctx, actor, event, object, why); err != nil {
		return nil, err
	}
	return &AdminDoneReply{true, object, action}, nil
}

// QuarantineRequest asks for what was reported.
type QuarantineRequest struct {
	call.Request
	call.PageOf
}

// QuarantineForm reads a QuarantineRequest.
var QuarantineForm = call.Define[QuarantineRequest](call.PageFields(call.MaxPage))

// QuarantineItem is something that was reported or labelled.
type QuarantineItem struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind" enum:"entry,comment"`
	Held    bool     `json:"held" doc:"it is not shown now"`
	Code    string   `json:"code,omitempty"`
	Author  string   `json:"author"`
	Reports []Report `json:"reports"`
}

// Report is one report or label.
type Report struct {
	Value  string `json:"value"`
	By     string `json:"by"`
	Note   string `json:"note"`
	Counts bool   `json:"counts" doc:"its author has earned that"`
	At     string `json:"at"`
}

// QuarantineReply is a page of what was reported, newest report first.
type QuarantineReply struct {
	Success bool             `json:"success"`
	Items   []QuarantineItem `json:"items"`
	call.Paging
}

// Quarantine lists what was reported and what is not shown because of it.
func (s *Service) Quarantine(ctx context.Context, c call.Caller, r QuarantineRequest) (*QuarantineReply, error) {
	if _, err := s.access.Admin(c); err != nil {
		return nil, err
	}
	all, err := s.mesh.Quarantine(ctx)
	if err != nil {
		return nil, err
	}
	reply := &QuarantineReply{Success: true, Items: []QuarantineItem{}}
	shown, err := call.Paged(s.pages, &reply.Paging, r.PageOf, r.Filter("quarantine"), all, func(q view.Quarantined) change.ID { return q.Target })
	for _, q := range shown {
		item := QuarantineItem{ID: q.Target.Text(change.PrefixEntry), Kind: "entry", Held: q.Code != "", Code: string(q.Code), Author: q.Agent.ID.String()}
		if q.Comment {
			item.ID, item.Kind = q.Target.Text(change.PrefixComment), "comment"
		}
		for _, one := range q.Reports {
			item.Reports = append(item.Reports, Report{one.Value, one.By.ID.String(), one.Why, one.Heavy, call.Stamp(one.At)})
		}
		reply.Items = append(reply.Items, item)
	}
	return reply, err
}

// Release shows something again: the reports and labels on it were wrong. What was
// purged is gone.
func (s *Service) Release(ctx context.Context, c call.Caller, id string, r ReasonRequest) (*AdminDoneReply, error) {
	actor, why, err := s.act(c, r.Reason)
	if err != nil {
		return nil, err
	}
	target, whole, err := s.parseTarget(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err = s.mesh.FindComment(ctx, target); reason.Of(err) != reason.Purged {
		_, err = s.mesh.Entry(ctx, target)
	}
	if reason.Of(err) == reason.Purged {
		return nil, err
	}
	return s.decide(ctx, actor, target, whole, body.LabelDismissed, why)
}

// Purge takes something off this node for good: its hash and the reason stay, and
// it never comes back.
func (s *Service) Purge(ctx context.Context, c call.Caller, id string, r ReasonRequest) (*AdminDoneReply, error) {
	actor, why, err := s.act(c, r.Reason)
	if err != nil {
		return nil, err
	}
	target, whole, err := s.parseTarget(ctx, id)
	if err != nil {
		return nil, err
	}
	// Only what can be labelled can be purged: the rest decides about other changes.
	if _, err := s.mesh.FindComment(ctx, target); err != nil {
		if _, err = s.mesh.Entry(ctx, target); reason.Of(err) == reason.EntryNotFound && len(s.mesh.Labels(target)) == 0 || reason.Of(err) == reason.Purged {
			return nil, err
		}
	}
	e, _ := s.mesh.Entry(ctx, target) // of what is not shown nothing is sold
	if err := s.mesh.Purge(ctx, target); err != nil {
		return nil, err
	}
	if !e.Body.Hash.IsZero() {
		if err := s.state.DropPremium(ctx, e.Agent.ID.String(), e.Body.Hash); err != nil {
			return nil, err
		}
	}
	return s.done(ctx, actor, whole, "purge", "purge", why)
}

// AuditRequest asks for what was done here.
type AuditRequest struct {
	call.Request
	call.PageOf
	Actor string `field:"actor"`
}

// AuditForm reads an AuditRequest.
var AuditForm = call.Define[AuditRequest](append(call.Form{{Name: "actor", Max: call.MaxIDText, Help: "Only acts of this agent; node is the owner."}}, call.PageFields(call.MaxPage)...))

// AuditReply is a page of the audit log, newest first.
type AuditReply struct {
	Success bool        `json:"success"`
	Records []AuditLine `json:"records"`
	call.Paging
}

// AuditLine is one act.
type AuditLine struct {
	ID     string         `json:"id"`
	At     string         `json:"at"`
	Actor  string         `json:"actor"`
	Action string         `json:"action"`
	Object string         `json:"object"`
	Detail map[string]any `json:"detail"`
}

// AdminAudit lists what was done at this gateway.
func (s *Service) AdminAudit(ctx context.Context, c call.Caller, r AuditRequest) (*AuditReply, error) {
	if _, err := s.access.Admin(c); err != nil {
		return nil, err
	}
	filter, before := r.Filter("audit"), ""
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		before = place.ID
	}
	list, err := s.state.Audit(ctx, r.Actor, before, r.Limit)
	if err != nil {
		return nil, err
	}
	reply := &AuditReply{Success: true, Records: []AuditLine{}, Paging: call.Paging{Count: len(list), Total: len(list)}}
	for _, e := range list {
		reply.Records = append(reply.Records, AuditLine{e.ID, call.Stamp(e.At), e.Actor, e.Action, e.Object, e.Detail})
	}
	if len(list) == r.Limit {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{ID: list[len(list)-1].ID})
	}
	return reply, nil
}

// AdminRevokeKey ends an API key of any agent at once.
func (s *Service) AdminRevokeKey(ctx context.Context, c call.Caller, id string, r ReasonRequest) (*AdminDoneReply, error) {
	actor, why, err := s.act(c, r.Reason)
	if err != nil {
		return nil, err
	}
	owner, err := s.state.KeyOwner(ctx, id)
	if err != nil {
		return nil, err
	}
	ended, err := s.state.RevokeKey(ctx, owner, id, s.access.Now())
	if err != nil {
		return nil, err
	}
	s.capability.EndWith(ctx, owner, ended)
	return s.done(ctx, actor, id, "key.revoked_by_admin", "revoke", why)
}
