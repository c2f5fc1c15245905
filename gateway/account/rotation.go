package account

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/view"
)

// RotationRequest asks what a rotation would say.
type RotationRequest struct {
	call.Request
	Agent string `field:"agent"`
	New   string `field:"new"`
	Next  string `field:"next"`
	PQ    string `field:"pq"`
}

// RotationQuery reads a RotationRequest.
var RotationQuery = call.Define[RotationRequest](call.Form{
	{Name: "agent", Max: call.MaxIDText, Help: "Agent id, DID or name; the caller's own when absent."},
	{Name: "new", Max: call.MaxIDText, Required: true, Help: "did:key that shall act for the agent."},
	{Name: "next", Max: call.MaxSHA256, Help: "Hex of the hash of a new recovery key."},
	{Name: "pq", Max: 2 * keys.PQKeySize, Help: "Hex of the ML-DSA-65 half of the new key, which then signs control changes twice."},
})

// RotationReply is a rotation without its consent and signature.
type RotationReply struct {
	Success bool              `json:"success"`
	AgentID string            `json:"agent_id"`
	Network string            `json:"network"`
	Old     string            `json:"old"`
	New     string            `json:"new"`
	Record  string            `json:"record" doc:"proof[0] of the rotation"`
	Cut     map[string]string `json:"cut"`
	Next    *string           `json:"next"`
	PQ      *string           `json:"pq" doc:"hex of the ML-DSA-65 half of the new key; null for a key without one"`
	Line    string            `json:"line" doc:"what the old key or a controller signs to consent"`
	HLC     uint64            `json:"hlc" doc:"the hlc of the rotation must lie above"`
}

// Rotation says what must be signed to take an agent over to another key.
func (s *Service) Rotation(ctx context.Context, c call.Caller, r RotationRequest) (*RotationReply, error) {
	to, err := did.ParseKey(r.New)
	if err != nil {
		return nil, reason.Refuse(reason.InvalidDID, "new must be the did:key of an Ed25519 key")
	}
	var id change.AgentID
	if r.Agent != "" {
		a, err := s.mesh.FindAgent(ctx, r.Agent)
		if err != nil {
			return nil, err
		}
		id = a.ID
	} else if id, err = access.Actor(c); err != nil {
		return nil, err
	}
	var next []byte
	if r.Next != "" {
		if next, err = hex.DecodeString(r.Next); err != nil || len(next) != 32 {
			return nil, reason.Refuse(reason.InvalidParam, "next must be 64 hex digits").With(map[string]any{"param": "next"})
		}
	}
	pair := keys.HybridKey{Key: to}
	if r.PQ != "" {
		if pair.PQ, err = hex.DecodeString(r.PQ); err != nil || len(pair.PQ) != keys.PQKeySize {
			return nil, reason.Refuse(reason.InvalidParam, "pq must be the hex of %d bytes", keys.PQKeySize).With(map[string]any{"param": "pq"})
		}
	}
	d, err := s.mesh.RotationDraft(ctx, id, pair, next)
	if err != nil {
		return nil, err
	}
	return rotationReply(s.mesh, d), nil
}

func rotationReply(mesh Node, d view.RotationDraft) *RotationReply {
	_, net := mesh.Network()
	r := &RotationReply{Success: true, AgentID: d.Agent.String(), Network: net.String(), Old: d.Body.Old.String(), New: d.To.String(),
		Record: d.Record.Text(change.PrefixChange), Cut: capability.CutTexts(d.Body.Cut), Line: d.Line, HLC: d.HLC}
	r.Next, r.PQ = hexOf(d.Body.Next), hexOf(d.Body.PQ)
	return r
}

func hexOf(b []byte) *string {
	if b == nil {
		return nil
	}
	text := hex.EncodeToString(b)
	return &text
}

// RotateIdentityRequest brings a rotation that is signed, or the consent to one that this
// gateway has offered.
type RotateIdentityRequest struct {
	call.Request
	Head string `field:"head"`
	Body string `field:"body"`
	ProofFields
}

// RotateIdentityForm reads a RotateIdentityRequest.
var RotateIdentityForm = call.Define[RotateIdentityRequest](call.Form{
	{Name: "head", Max: maxHeadText, Help: "Base64 of the head of the rotation, signed by the new key."},
	{Name: "body", Max: maxBodyText, Help: "Base64 of its body, with the consent."},
	{Name: "nonce", Max: maxNonce, Judged: true, Help: "Instead of head and body: the nonce of a rotation that this gateway has offered."},
	{Name: "signature", Max: call.MaxSignature, Judged: true,
		Help: "The consent to it: of a wallet 0x and 130 hex digits over its line (personal_sign), of a did base64url or hex of 64 bytes over its line."},
	{Name: "wallet_address", Max: maxAddress, Judged: true, Help: "The wallet that consents."},
	{Name: "did", Max: call.MaxIDText, Judged: true, Help: "Or the did:key that does."},
})

// RotatedReply is who acts for the agent now.
type RotatedReply struct {
	Success   bool                 `json:"success"`
	DID       string               `json:"did"`
	Custody   string               `json:"custody" enum:"gateway,self"`
	Algorithm string               `json:"algorithm" enum:"ed25519,ed25519+ml-dsa-65" doc:"what the new key signs control changes with; of two signatures both must verify"`
	Ended     capability.EndedWith `json:"ended" doc:"what API keys here had issued, and capabilities of older versions, which name no key; the keys live on"`
}

// RotateIdentity takes in a rotation, which proves itself, or completes one that was
// offered with the consent that r brings.
func (s *Service) RotateIdentity(ctx context.Context, r RotateIdentityRequest) (*RotatedReply, error) {
	if r.Nonce != "" || r.Signature != "" {
		a, err := offers{s}.take(ctx, r.ProofFields)
		if err != nil {
			return nil, err
		}
		return s.rotated(ctx, a)
	}
	if r.Head == "" {
		return nil, call.Invalid(call.Missing("head", "is missing, with body; or send nonce and signature for a rotation that was offered here"))
	}
	head, err1 := base64.StdEncoding.DecodeString(r.Head)
	raw, err2 := base64.StdEncoding.DecodeString(r.Body)
	if err1 != nil || err2 != nil || len(head) == 0 {
		return nil, reason.Refuse(reason.InvalidParam, "head and body are the base64 of a change").With(map[string]any{"param": "head"})
	}
	c, err := change.Decode(head, raw)
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.Admit(ctx, c)
	if err != nil {
		return nil, err
	}
	return s.rotated(ctx, a)
}

// rotated ends what API keys had issued under the old key.
func (s *Service) rotated(ctx context.Context, a view.Agent) (*RotatedReply, error) {
	reply := &RotatedReply{Success: true, DID: a.DID.String(), Custody: string(state.CustodySelf), Algorithm: keys.SchemeOf(a.PQ)}
	if a.Local {
		reply.Custody = string(state.CustodyGateway)
	}
	if a.Local { // of another node's agent nothing can be taken back here, now or later
		if err := s.state.OweIssued(ctx, a.ID.String(), a.ID.String(), s.access.Now()); err != nil {
			return nil, fmt.Errorf("owe what API keys issued: %w", err)
		}
	}
	reply.Ended = s.capability.EndAll(ctx, a.ID.String(), nil)
	return reply, nil
}

// DeviceReply is a new device key of this node.
type DeviceReply struct {
	Success bool   `json:"success"`
	DID     string `json:"did" doc:"lend your agent's voice to this key from its own node"`
}

// NewDevice makes a key on this node for an agent that lives on another one.
// Only the owner of the node may.
func (s *Service) NewDevice(ctx context.Context, c call.Caller) (*DeviceReply, error) {
	if c.Kind != auth.Owner {
		return nil, reason.Refuse(reason.Forbidden, "only the owner of the node makes device keys")
	}
	k, err := s.mesh.NewDeviceKey(ctx)
	if err != nil {
		return nil, err
	}
	return &DeviceReply{Success: true, DID: k.String()}, nil
}
