package people

import (
	"context"
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/view"
)

// PassportReply is the JSON form of a passport. It is sent as its issuer signed
// it: canonical JSON, without the member success of other replies.
type PassportReply struct {
	Version            int              `json:"version"`
	Issuer             string           `json:"issuer" doc:"DID that signed: of this gateway's host (did:web), else of the agent or a device of it (did:key)"`
	VerificationMethod string           `json:"verification_method"`
	DID                string           `json:"did" doc:"of the agent"`
	DIDDocument        json.RawMessage  `json:"did_document"`
	Wallet             string           `json:"wallet,omitempty" doc:"for the owner only"`
	DelegationChain    []string         `json:"delegation_chain" doc:"content ids of tokens, from the leaf to the root"`
	StateSnapshot      PassportSnapshot `json:"state_snapshot"`
	Memory             PassportMemory   `json:"memory"`
	IssuedAt           string           `json:"issued_at"`
	ExpiresAt          string           `json:"expires_at,omitempty"`
	Signature          string           `json:"signature"`
}

// PassportSnapshot is where the agent's state stands.
type PassportSnapshot struct {
	Head   string `json:"head" doc:"rows and fingerprint of the issuing node's views"`
	SHA256 string `json:"sha256" doc:"of the sorted ids of the agent's public entries, each ended by a line feed"`
}

// PassportMemory is what the agent knows, as a Merkle root (RFC 6962) over the
// sorted ids of its public entries.
type PassportMemory struct {
	Root             string  `json:"root"`
	Wisdom           int     `json:"wisdom"`
	Pattern          int     `json:"pattern"`
	Gotcha           int     `json:"gotcha"`
	CompressionRatio float64 `json:"compression_ratio" doc:"bytes of knowledge to a byte of the root"`
}

// Passport issues the passport of an agent in one form, as the did:web of this gateway
// where that has one. The agent itself gets all
// of it, others the public part.
func (s *Service) Passport(ctx context.Context, c call.Caller, id string, form passport.Form) ([]byte, error) {
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	if !a.Local {
		return nil, call.Hinted(reason.Forbidden, "passports are issued by the node that speaks for the agent", "ask the agent's own node: "+call.Clip(a.Home, call.MaxURL))
	}
	return s.mesh.Passport(ctx, a.ID, s.order(form, !c.Masked() && !c.ByToken() && c.AgentID == a.ID.String()))
}

// AgentCard is the signed A2A card of an agent of this node, "" for the owner's.
func (s *Service) AgentCard(ctx context.Context, id string) (*agentcard.Card, error) {
	a, err := s.carded(ctx, id)
	if err != nil {
		return nil, err
	}
	base := s.access.BaseURL()
	if base == "" {
		return nil, call.Hinted(reason.NotFound, "this gateway has no address to put on a card", "configure gateway.public_url")
	}
	network, _ := s.mesh.Network()
	description := "An agent of the " + network + " network of shared knowledge."
	if bio := profile.ProfileOf(a, s.profile.PageOf(ctx, a)).Bio; bio != "" {
		description = bio
	}
	docs := base + "/openapi.json"
	signed, err := s.mesh.SignCard(ctx, a.ID, agentcard.Card{
		Name: a.Name, Description: description, Version: s.version,
		// What answers here is the API of docs; it is none of the transports that
		// the protocol itself names.
		Interfaces:       []agentcard.Interface{{URL: base + "/api/mesh", ProtocolBinding: "urn:mesh:rest", ProtocolVersion: "1.0"}},
		Provider:         &agentcard.Provider{URL: base, Organization: network},
		InputModes:       []string{"application/json"},
		OutputModes:      []string{"application/json"},
		DocumentationURL: &docs,
		Schemes: map[string]agentcard.Scheme{"key": {HTTP: &agentcard.HTTPScheme{Scheme: "Bearer",
			Description: "An API key, from POST /api/mesh/register. Reading needs none."}}},
		Skills: []agentcard.Skill{
			{ID: "search", Name: "Search knowledge", Description: "Find what agents of the network have learned: GET /api/mesh/search?q=.",
				Tags: []string{"knowledge", "search"}},
			{ID: "verify", Name: "Verify an entry", Description: "Check the history of an entry: GET /api/mesh/entry/{id}/verify.",
				Tags: []string{"knowledge", "provenance"}},
			{ID: "contribute", Name: "Contribute knowledge", Description: "Share what was learned: POST /api/mesh/contribute.",
				Tags: []string{"knowledge"}, Requirements: []agentcard.Requirement{{Schemes: map[string]agentcard.Scopes{"key": {}}}}},
		},
	})
	return &signed, err
}

// carded is the agent that a card is asked of.
func (s *Service) carded(ctx context.Context, id string) (view.Agent, error) {
	if id != "" {
		a, err := s.access.FindAgent(ctx, id)
		if err == nil && !a.Local {
			err = reason.Refuse(reason.Forbidden, "cards are signed by the node that speaks for the agent")
		}
		return a, err
	}
	owner, ok := s.mesh.Owner()
	if !ok {
		return view.Agent{}, call.Hinted(reason.NotFound, "the owner of this node has no agent yet", "register one: POST /api/mesh/register")
	}
	return s.mesh.Agent(ctx, owner)
}

// hostKey is the fragment of the owner's key in the DID document of this host.
const hostKey = "owner"

// WebDocument is the DID document of this gateway's host (did:web).
type WebDocument struct {
	Context        []string             `json:"@context"`
	ID             string               `json:"id"`
	AlsoKnownAs    []string             `json:"alsoKnownAs"`
	Methods        []VerificationMethod `json:"verificationMethod"`
	Authentication []string             `json:"authentication"`
	Assertion      []string             `json:"assertionMethod"`
}

// VerificationMethod is a key of a DID document.
type VerificationMethod struct {
	ID         string `json:"id"`
	Type       string `json:"type" enum:"Multikey"`
	Controller string `json:"controller"`
	Multibase  string `json:"publicKeyMultibase"`
}

// WebDocument names the key of the owner's agent as that of this host. Without a
// public https address at the root of a host name there is none.
func (s *Service) WebDocument(ctx context.Context) (*WebDocument, error) {
	id, ok := webDID(s.access.BaseURL())
	if !ok {
		return nil, call.Hinted(reason.NotFound, "this gateway has no public host name", "configure gateway.public_url with https and a host name")
	}
	owner, err := s.carded(ctx, "")
	if err != nil {
		return nil, err
	}
	key := owner.DID.String()
	method := id + "#" + hostKey
	return &WebDocument{
		Context: []string{"https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"}, ID: id, AlsoKnownAs: []string{key},
		Methods:        []VerificationMethod{{method, "Multikey", id, strings.TrimPrefix(key, "did:key:")}},
		Authentication: []string{method}, Assertion: []string{method},
	}, nil
}

// webDID is the did:web of an address whose document stands below /.well-known.
func webDID(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return "", false
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") ||
		strings.ContainsFunc(host, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.')
		}) {
		return "", false
	}
	if port := u.Port(); port != "" && port != "443" {
		host += "%3A" + port
	}
	return "did:web:" + host, true
}

// signerAgent is the id of the agent whose acting key a key is or was, or nil.
func (s *Service) signerAgent(ctx context.Context, key did.Key) *string {
	a, err := s.mesh.FindAgent(ctx, key.String())
	if err != nil {
		return nil
	}
	id := a.ID.String()
	return &id
}
