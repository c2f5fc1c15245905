package capability

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/view"
)

// maxTerm bounds expires_in; the node bounds a gateway's shorter.
const maxTerm = 30 * 24 * 60 * 60

// DelegateRequest asks for a capability.
type DelegateRequest struct {
	call.Request
	Audience  string          `field:"audience"`
	Can       []string        `field:"can"`
	With      string          `field:"with"`
	Role      string          `field:"role"`
	ExpiresIn int             `field:"expires_in"`
	NB        json.RawMessage `field:"nb"`
	Renew     bool            `field:"renew"`
	Format    string          `field:"format"`
}

// DelegateForm reads a DelegateRequest.
var DelegateForm = call.Define[DelegateRequest](call.Form{
	{Name: "audience", Max: call.MaxIDText, Required: true, Help: "did:key that shall have the capability."},
	{Name: "can", Kind: call.TextOrList, Items: maxAbilities, Max: maxAbility, Help: "Abilities, such as entry/put."},
	{Name: "with", Max: maxResource, Help: "Resource, mesh://<network>/agent|guild|team/<id>; the caller's own space when absent."},
	{Name: "role", Enum: []string{"owner", "admin", "member", "viewer"}, Help: "A role of a guild, instead of can."},
	{Name: "expires_in", Kind: call.Int, Min: 1, Max: maxTerm, Help: "Seconds. A role may do without."},
	{Name: "nb", Kind: call.Object, Help: "A caveat: fields that must be met."},
	{Name: "renew", Kind: call.Bool, Help: "Renew it while it is used."},
	{Name: "format", Enum: []string{formatV0, formatV1}, Default: formatV0, Help: "UCAN 0.10 is written into the log and proves changes; 1.0 opens sessions at gateways alone, and gives one ability."},
})

// CapabilityReply is a capability that was given.
type CapabilityReply struct {
	Success bool    `json:"success"`
	Token   string  `json:"token"`
	CID     string  `json:"cid"`
	Exp     *string `json:"exp"`
	Change  *string `json:"change_id" doc:"of the grant in the log; none for UCAN 1.0"`
}

// Delegate gives a key rights of the caller. What is issued by an API key is
// bounded by its scopes and its term, and ends with it.
func (s *Service) Delegate(ctx context.Context, c call.Caller, r DelegateRequest) (*CapabilityReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	aud, err := did.ParseKey(r.Audience)
	if err != nil {
		return nil, reason.Refuse(reason.InvalidDID, "audience must be the did:key of an Ed25519 key")
	}
	d := view.Delegation{Audience: aud, With: plain(r.With), Can: r.Can, Role: r.Role, Renew: r.Renew}
	if r.ExpiresIn > 0 {
		at := s.access.Now().Add(time.Duration(r.ExpiresIn) * time.Second)
		d.Expires = &at
	}
	if r.NB != nil {
		caveat := map[string]any{}
		if err := json.Unmarshal(r.NB, &caveat); err != nil {
			return nil, reason.Refuse(reason.InvalidParam, "nb must be an object").With(map[string]any{"param": "nb"})
		}
		d.Caveats = []map[string]any{caveat}
	}
	s.issuing.RLock()
	defer s.issuing.RUnlock()
	if err := s.within(ctx, c, &d); err != nil {
		return nil, err
	}
	if r.Format == formatV1 {
		lent, err := s.mesh.Lend(agent, d)
		if err != nil {
			return nil, auth.RefuseToken(err, s.access.Now())
		}
		if err := s.keep(ctx, agent.String(), d.Key, lent); err != nil {
			return nil, err
		}
		return &CapabilityReply{Success: true, Token: lent.Token, CID: lent.CID, Exp: stampOfPtr(lent.Expires)}, nil
	}
	got, err := s.mesh.Delegate(ctx, agent, d)
	if err != nil {
		return nil, err
	}
	return &CapabilityReply{Success: true, Token: got.Token, CID: got.CID, Exp: stampOfPtr(got.Expires), Change: changeText(got.ID)}, nil
}

func changeText(id change.ID) *string {
	text := id.Text(change.PrefixChange)
	return &text
}

func stampOfPtr(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return call.StampOrNil(*t)
}

// CapabilityRecord is a capability as its parties see it.
type CapabilityRecord struct {
	CID       string      `json:"cid"`
	Token     string      `json:"token"`
	Format    string      `json:"format" enum:"ucan-0.10,ucan-1.0"`
	State     string      `json:"state" enum:"active,expired,revoked"`
	Issuer    string      `json:"issuer"`
	AgentID   string      `json:"agent_id" doc:"for whom it was issued"`
	Audience  string      `json:"audience"`
	HolderID  *string     `json:"holder_id" doc:"the agent whose key the audience is"`
	Role      *string     `json:"role"`
	Att       []CapRecord `json:"capabilities"`
	Renew     bool        `json:"renew"`
	CreatedAt string      `json:"created_at"`
	ExpiresAt *string     `json:"expires_at"`
	ChangeID  *string     `json:"change_id" doc:"of the grant in the log; none for a token beside it"`
	EndedBy   *string     `json:"ended_by"`
	Source    *string     `json:"source" doc:"cid of the token of the other version that it was made from"`
	KeyID     *string     `json:"key_id" doc:"the API key that issued it and with which it ends"`
}

// CapRecord is one ability on one resource.
type CapRecord struct {
	With string           `json:"with"`
	Can  string           `json:"can"`
	Nb   []map[string]any `json:"nb"`
}

// CapabilitiesReply lists what the caller gave and got.
type CapabilitiesReply struct {
	Success  bool               `json:"success"`
	Issued   []CapabilityRecord `json:"issued"`
	Received []CapabilityRecord `json:"received"`
}

// Capabilities lists what the caller gave and got, newest first.
func (s *Service) Capabilities(ctx context.Context, c call.Caller) (*CapabilitiesReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	issued, received, err := s.mesh.Capabilities(ctx, agent)
	if err != nil {
		return nil, fmt.Errorf("list capabilities: %w", err)
	}
	reply := &CapabilitiesReply{Success: true, Issued: []CapabilityRecord{}, Received: []CapabilityRecord{}}
	for _, x := range issued {
		reply.Issued = append(reply.Issued, capabilityRecord(x))
	}
	for _, x := range received {
		reply.Received = append(reply.Received, capabilityRecord(x))
	}
	me, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return nil, fmt.Errorf("list capabilities: %w", err)
	}
	gave, got, err := s.sessionRecords(ctx, me)
	if err != nil {
		return nil, fmt.Errorf("list capabilities: %w", err)
	}
	reply.Issued, reply.Received = newestFirst(reply.Issued, gave), newestFirst(reply.Received, got)
	return reply, nil
}

func newestFirst(a, b []CapabilityRecord) []CapabilityRecord {
	all := append(a, b...)
	slices.SortStableFunc(all, func(x, y CapabilityRecord) int { return strings.Compare(y.CreatedAt, x.CreatedAt) })
	return all
}

func capRecords(caps []view.Cap) []CapRecord {
	out := []CapRecord{}
	for _, x := range caps {
		out = append(out, CapRecord{x.With, x.Can, x.Caveats})
	}
	return out
}

func capabilityRecord(c view.Capability) CapabilityRecord {
	r := CapabilityRecord{CID: c.CID, Token: c.Token, Format: formatV0, State: string(c.State), Issuer: c.Issuer.String(), AgentID: c.Agent.String(),
		Audience: c.Audience.String(), Att: capRecords(c.Caps), Renew: c.Renew, CreatedAt: call.Stamp(c.CreatedAt), ExpiresAt: stampOfPtr(c.Expires),
		ChangeID: changeText(c.ID)}
	if !c.Holder.IsZero() {
		id := c.Holder.String()
		r.HolderID = &id
	}
	if c.Role != "" {
		r.Role = &c.Role
	}
	if !c.EndedBy.IsZero() {
		id := c.EndedBy.Text(change.PrefixChange)
		r.EndedBy = &id
	}
	if c.Key != "" {
		r.KeyID = &c.Key
	}
	return r
}

// RevokeRequest ends a capability.
type RevokeRequest struct {
	call.Request
	UpTo json.RawMessage `field:"up_to"`
	Why  string          `field:"why"`
}

// RevokeForm reads a RevokeRequest.
var RevokeForm = call.Define[RevokeRequest](call.Form{
	{Name: "up_to", Kind: call.Object, Help: "Last accepted changes, {author did: {chain: change id}}; everything seen by now when absent."},
	{Name: "why", Max: body.MaxWhy, Help: "Why, for everybody to read."},
})

// RevokeReply is what a revocation does.
type RevokeReply struct {
	Success  bool                         `json:"success"`
	CID      string                       `json:"cid"`
	Cut      map[string]map[string]string `json:"cut"`
	Effect   RevokeEffect                 `json:"effect"`
	ChangeID *string                      `json:"change_id" doc:"of the revocation in the log; none for a token beside it"`
	Reissued []string                     `json:"reissued" doc:"cids of tokens of the other version that were made from it here and end with it"`
	// Revocation is for other gateways; nil when the caller did not issue the token.
	Revocation *Revocation `json:"revocation" doc:"signed, for POST /api/mesh/capabilities/revocations of other gateways; none when another agent issued it"`
}

// RevokeEffect counts what lost effect here.
type RevokeEffect struct {
	Excluded int `json:"excluded"`
}

// RevokeCapability ends a capability for good.
func (s *Service) RevokeCapability(ctx context.Context, c call.Caller, cid string, r RevokeRequest) (*RevokeReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	by, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	found, err := s.mesh.FindCapability(ctx, cid)
	if reason.Of(err) == reason.NotFound {
		t, ok, fault := s.state.SessionToken(ctx, cid)
		if ok || fault != nil {
			if fault != nil {
				return nil, fault
			}
			return s.revokeLent(ctx, by, t)
		}
	}
	if err != nil {
		return nil, err
	}
	var upTo body.Cuts
	if r.UpTo != nil {
		if upTo, err = readCuts(r.UpTo); err != nil {
			return nil, err
		}
	}
	done, err := s.mesh.Revoke(ctx, agent, found.ID, upTo, r.Why)
	if err != nil {
		return nil, err
	}
	reply := &RevokeReply{Success: true, CID: done.CID, Cut: map[string]map[string]string{}, Effect: RevokeEffect{done.Excluded},
		ChangeID: changeText(done.ID), Reissued: []string{}}
	if found.Agent == agent && found.Token != "" {
		signed, err := s.mesh.SignRevocation(agent, found.Token)
		if err != nil {
			return nil, err
		}
		reply.Revocation = revocationOf(signed, found.Token)
		ended, err := s.state.RevokeToken(ctx, state.TokenRevocation{CID: found.CID, Issuer: by.DID.String(), Record: signed, Expires: found.Expires}, s.access.Now())
		if err != nil && reason.Of(err) != reason.TokenReplayed { // the log has it either way
			return nil, err
		}
		reply.Reissued = call.ListOf(ended)
	}
	for author, cut := range done.Cut {
		reply.Cut[author.String()] = CutTexts(cut)
	}
	return reply, nil
}

// CutTexts is a cut as clients read it: ids of changes by chain.
func CutTexts(cut body.Cut) map[string]string {
	out := make(map[string]string, len(cut))
	for chain, id := range cut {
		out[chain] = id.Text(change.PrefixChange)
	}
	return out
}

func readCuts(raw json.RawMessage) (body.Cuts, error) {
	bad := func(what string) error {
		return reason.Refuse(reason.InvalidParam, "up_to: %s", what).With(map[string]any{"param": "up_to"})
	}
	var in map[string]map[string]string
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, bad("want {author: {chain: change id}}")
	}
	out := body.Cuts{}
	for author, chains := range in {
		key, err := did.ParseKey(author)
		if err != nil {
			return nil, bad("an author is no did:key")
		}
		out[key] = body.Cut{}
		for chain, text := range chains {
			id, err := change.ParseID(change.PrefixChange, text)
			if err != nil {
				return nil, bad("a change id is " + strconv.Quote(text))
			}
			out[key][chain] = id
		}
	}
	return out, nil
}

// VerifyRequest asks whether a token allows an act.
type VerifyRequest struct {
	call.Request
	Token    string   `field:"token"`
	Proofs   []string `field:"proofs"`
	Action   string   `field:"action"`
	Resource string   `field:"resource"`
}

// VerifyCapabilityForm reads a VerifyRequest.
var VerifyCapabilityForm = call.Define[VerifyRequest](call.Form{
	{Name: "token", Max: maxTokenText, Required: true, Help: "A UCAN 0.10 token, or a container of UCAN 1.x: an invocation with its delegations, or delegations alone."},
	{Name: "proofs", Kind: call.TextOrList, Items: v0.MaxProofs, Max: body.MaxToken, Help: "Tokens it rests on; those in the log need not be sent."},
	{Name: "action", Max: maxAbility, Help: "Ability, such as entry/put."},
	{Name: "resource", Max: maxResource, Help: "Resource it is for."},
})

// VerifyCapabilityReply is the answer, with the reason when it is no.
type VerifyCapabilityReply struct {
	Success bool       `json:"success"`
	Allowed bool       `json:"allowed"`
	Reason  *string    `json:"reason"`
	Mode    string     `json:"mode" enum:"capability"`
	Matched *CapRecord `json:"matched_capability"`
	Chain   []string   `json:"chain"`
	Errors  []string   `json:"errors"`
}

// VerifyCapability judges a token against the log, as this node itself would.
func (s *Service) VerifyCapability(ctx context.Context, r VerifyRequest) (*VerifyCapabilityReply, error) {
	if r.Token == "" {
		return nil, reason.Refuse(reason.MissingField, "token is missing").With(map[string]any{"field": "token"})
	}
	r.Resource = plain(r.Resource)
	if ucan.Sniff(r.Token) == ucan.V1 {
		return s.verifyV1(ctx, r), nil
	}
	res := v0.Verify(r.Token, s.check(ctx, r.Proofs))
	reply := &VerifyCapabilityReply{Success: true, Mode: "capability", Chain: []string{}, Errors: []string{}}
	for _, f := range res.Findings {
		reply.Errors = append(reply.Errors, string(f.Code))
	}
	if len(res.Findings) > 0 {
		why := reply.Errors[0]
		reply.Reason = &why
		return reply, nil
	}
	if r.Action == "" && r.Resource == "" {
		reply.Allowed = len(res.Authorities) > 0
		return reply, nil
	}
	a, ok := ucan.Permits(res.Authorities, ucan.Act{Resource: r.Resource, Ability: r.Action}, nil)
	if !ok {
		why := string(reason.CapabilityDenied)
		reply.Reason = &why
		return reply, nil
	}
	reply.Allowed, reply.Chain = true, call.ListOf(a.Chain)
	reply.Matched = &CapRecord{With: a.Resource, Can: a.Ability, Nb: a.Constraints}
	return reply, nil
}

// EndorseRequest takes changes back in.
type EndorseRequest struct {
	call.Request
	Changes []string `field:"changes"`
}

// EndorseForm reads an EndorseRequest.
var EndorseForm = call.Define[EndorseRequest](call.Form{
	{Name: "changes", Kind: call.Texts, Items: body.MaxEndorsed, Max: call.MaxIDText, Required: true, Help: "Ids of changes of one space that lie beyond a cut."},
})

// EndorseReply says that they count again.
type EndorseReply struct {
	Success  bool   `json:"success"`
	ChangeID string `json:"change_id"`
	Endorsed int    `json:"endorsed"`
}

// Endorse takes changes back in that lie beyond a cut.
func (s *Service) Endorse(ctx context.Context, c call.Caller, r EndorseRequest) (*EndorseReply, error) {
	for _, scope := range []state.Scope{state.ScopeKeys, state.ScopeWrite} { // it lets write who may not
		if err := c.RequireScope(scope); err != nil {
			return nil, err
		}
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	var ids []change.ID
	for _, text := range r.Changes {
		id, err := s.changeID(ctx, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	rec, err := s.mesh.Endorse(ctx, agent, ids)
	if err != nil {
		return nil, err
	}
	return &EndorseReply{Success: true, ChangeID: rec.ID.Text(change.PrefixChange), Endorsed: len(ids)}, nil
}

// changeID reads the id of a change, which for an entry may be written as its own.
func (s *Service) changeID(ctx context.Context, text string) (change.ID, error) {
	none := reason.Refuse(reason.InvalidParam, "not the id of a change: %s", text).With(map[string]any{"param": "changes"})
	if strings.HasPrefix(text, change.PrefixEntry) {
		return s.access.ID(ctx, change.PrefixEntry, text, none)
	}
	return s.access.ID(ctx, change.PrefixChange, text, none)
}
