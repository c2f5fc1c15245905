package admin

import (
	"context"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/identity/did"
)

// Purchases keeps what agents of this node bought elsewhere; knowledge.Purchases is one.
type Purchases interface {
	KeepBought(ctx context.Context, buyer change.AgentID, p knowledge.Purchase) error
}

var _ Purchases = knowledge.Purchases{}

// PresentOrder is the body of POST /control/present: what an agent of this node shall be
// able to do at a gateway, once.
type PresentOrder struct {
	Agent    string `json:"agent,omitempty"` // the owner's when absent
	Audience string `json:"audience"`        // DID of the gateway
	Can      string `json:"can"`
	Part     string `json:"part,omitempty"` // of the agent's space, such as credits
	Seconds  int    `json:"seconds"`
}

// PresentReply is the outcome of POST /control/present.
type PresentReply struct {
	Agent string `json:"agent"`
	Token string `json:"token"`
}

func (h *handlers) present(r *http.Request, in PresentOrder) (PresentReply, error) {
	id, err := h.ownAgent(r, in.Agent)
	if err != nil {
		return PresentReply{}, err
	}
	gateway, err := did.ParseKey(in.Audience)
	if err != nil {
		return PresentReply{}, reason.Refuse(reason.InvalidDID, "audience must be the did:key of a gateway")
	}
	token, err := h.Node.Present(id, gateway, in.Can, in.Part, time.Duration(in.Seconds)*time.Second)
	return PresentReply{id.String(), token}, err
}

// LoginOrder is the body of POST /control/login: a text of a gateway that an agent of this
// node logs in with.
type LoginOrder struct {
	Agent string `json:"agent,omitempty"` // the owner's when absent
	Text  string `json:"text"`
}

// LoginReply is the outcome of POST /control/login.
type LoginReply struct {
	DID       string `json:"did"`
	Signature string `json:"signature"` // base64url
}

func (h *handlers) login(r *http.Request, in LoginOrder) (LoginReply, error) {
	id, err := h.ownAgent(r, in.Agent)
	if err != nil {
		return LoginReply{}, err
	}
	key, sig, err := h.Node.SignLogin(id, in.Text)
	return LoginReply{key.String(), base64.RawURLEncoding.EncodeToString(sig)}, err
}

// BoughtOrder is the body of POST /control/bought: what an agent of this node bought at
// another gateway.
type BoughtOrder struct {
	Agent string `json:"agent,omitempty"` // the owner's when absent
	knowledge.Purchase
}

func (h *handlers) bought(r *http.Request, in BoughtOrder) (map[string]bool, error) {
	id, err := h.ownAgent(r, in.Agent)
	if err != nil {
		return nil, err
	}
	return map[string]bool{"success": true}, h.Purchases.KeepBought(r.Context(), id, in.Purchase)
}
