// Package agentcard is the A2A agent card 1.0: what an agent can do and where it
// is reached, as served at /.well-known/agent-card.json, and its signatures.
//
// Fill a Card, Validate it, Sign it, Encode it. Of a card from elsewhere: Parse,
// then SignedBy a key that is trusted for other reasons. A card says what it
// likes about itself; without a signature by a known key it is an advertisement.
//
// Parse is strict, also where the protocol would be lenient: a member that this
// version of the card does not have is refused, since whether it belongs to the
// signed bytes depends on whether its value is a default, which only those who
// know it can say. All functions are pure and safe for concurrent use.
package agentcard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/meshd/meshd/identity/jcs"
)

// Errors of this package, wrapped with what was found.
var (
	ErrCard     = errors.New("not a sound agent card")
	ErrUnsigned = errors.New("card is not signed by that key")
)

// Card is an agent card (A2A 1.0 §4.4.1). Members without omitempty are those
// the protocol requires; they are written even when they are empty.
type Card struct {
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Version      string       `json:"version"` // of the agent
	Interfaces   []Interface  `json:"supportedInterfaces"`
	Provider     *Provider    `json:"provider,omitempty"`
	Capabilities Capabilities `json:"capabilities"`
	InputModes   []string     `json:"defaultInputModes"`  // media types
	OutputModes  []string     `json:"defaultOutputModes"` // media types
	Skills       []Skill      `json:"skills"`

	Schemes      map[string]Scheme `json:"securitySchemes,omitempty"`
	Requirements []Requirement     `json:"securityRequirements,omitempty"`

	DocumentationURL *string     `json:"documentationUrl,omitempty"`
	IconURL          *string     `json:"iconUrl,omitempty"`
	Signatures       []Signature `json:"signatures,omitempty"`
}

// Interface is one way to reach the agent; the first is preferred.
type Interface struct {
	URL             string `json:"url"`
	ProtocolBinding string `json:"protocolBinding"` // JSONRPC, GRPC, HTTP+JSON or a URI
	Tenant          string `json:"tenant,omitempty"`
	ProtocolVersion string `json:"protocolVersion"` // major.minor
}

// Provider is who runs the agent.
type Provider struct {
	URL          string `json:"url"`
	Organization string `json:"organization"`
}

// Capabilities are optional parts of the protocol. Nil is "not said", which is
// another thing than false and is signed as such.
type Capabilities struct {
	Streaming         *bool       `json:"streaming,omitempty"`
	PushNotifications *bool       `json:"pushNotifications,omitempty"`
	Extensions        []Extension `json:"extensions,omitempty"`
	ExtendedAgentCard *bool       `json:"extendedAgentCard,omitempty"`
}

// Extension is an extension of the protocol.
type Extension struct {
	URI         string          `json:"uri,omitempty"`
	Description string          `json:"description,omitempty"`
	Required    bool            `json:"required,omitempty"`
	Params      json.RawMessage `json:"params,omitempty"` // an object
}

// Skill is one thing the agent can do.
type Skill struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Description  string        `json:"description"`
	Tags         []string      `json:"tags"`
	Examples     []string      `json:"examples,omitempty"`
	InputModes   []string      `json:"inputModes,omitempty"`
	OutputModes  []string      `json:"outputModes,omitempty"`
	Requirements []Requirement `json:"securityRequirements,omitempty"`
}

// Requirement is a set of schemes that are asked for together, by name, each
// with its scopes.
type Requirement struct {
	Schemes map[string]Scopes `json:"schemes,omitempty"`
}

// Scopes are the scopes of one scheme.
type Scopes struct {
	List []string `json:"list,omitempty"`
}

// Signature is a JWS over the card (A2A 1.0 §8.4), its protected header and
// signature in base64url.
type Signature struct {
	Protected string          `json:"protected"`
	Signature string          `json:"signature"`
	Header    json.RawMessage `json:"header,omitempty"` // unprotected, an object; nobody signed it and nothing here looks at it
}

// Parse reads a card of at most MaxCard bytes and validates it. A member that
// stands there with its default (an empty list, "", false) is dropped, unless
// the protocol requires it or keeps "not said" apart: it is no part of what is
// signed. Nulls, unknown members and members twice are ErrCard.
func Parse(data []byte) (Card, error) {
	if len(data) > MaxCard {
		return Card{}, fmt.Errorf("%w: %d bytes, at most %d", ErrCard, len(data), MaxCard)
	}
	plain, err := withoutDefaults(data)
	if err != nil {
		return Card{}, err
	}
	var c Card
	if err := jcs.Unmarshal(plain, MaxCard, &c); err != nil {
		return Card{}, fmt.Errorf("%w: %w", ErrCard, err)
	}
	if err := c.Validate(); err != nil {
		return Card{}, err
	}
	return c, nil
}

// Encode writes the card as canonical JSON. A card that does not Validate is
// ErrCard.
func (c Card) Encode() ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	data, err := jcs.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCard, err)
	}
	if len(data) > MaxCard {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrCard, len(data), MaxCard)
	}
	return data, nil
}

// Validate returns every fault of the card, each wrapping ErrCard, or nil.
func (c Card) Validate() error {
	v := &validator{}
	v.text("name", c.Name, true)
	v.text("description", c.Description, false)
	v.text("version", c.Version, true)
	v.list("supportedInterfaces", len(c.Interfaces), true)
	for i, f := range c.Interfaces {
		at := fmt.Sprintf("supportedInterfaces[%d]", i)
		v.url(at+".url", f.URL)
		v.text(at+".protocolBinding", f.ProtocolBinding, true)
		v.text(at+".tenant", f.Tenant, false)
		if !isVersion(f.ProtocolVersion) {
			v.fault("%s.protocolVersion: want major.minor", at)
		}
	}
	if c.Provider != nil {
		v.url("provider.url", c.Provider.URL)
		v.text("provider.organization", c.Provider.Organization, true)
	}
	c.Capabilities.validate(v)
	v.modes("defaultInputModes", c.InputModes, true)
	v.modes("defaultOutputModes", c.OutputModes, true)
	if c.Skills == nil {
		v.fault("skills: missing")
	}
	v.list("skills", len(c.Skills), false)
	seen := map[string]bool{}
	for i, s := range c.Skills {
		s.validate(v, fmt.Sprintf("skills[%d]", i), c.Schemes)
		if seen[s.ID] {
			v.fault("skills[%d].id: %.80q twice", i, s.ID)
		}
		seen[s.ID] = true
	}
	v.list("securitySchemes", len(c.Schemes), false)
	for name, s := range c.Schemes {
		s.validate(v, fmt.Sprintf("securitySchemes[%.80q]", name))
	}
	v.requirements("securityRequirements", c.Requirements, c.Schemes)
	for name, u := range map[string]*string{"documentationUrl": c.DocumentationURL, "iconUrl": c.IconURL} {
		if u != nil {
			v.url(name, *u)
		}
	}
	if len(c.Signatures) > MaxSignatures {
		v.fault("signatures: %d, at most %d", len(c.Signatures), MaxSignatures)
	}
	for i, s := range c.Signatures {
		v.object(fmt.Sprintf("signatures[%d].header", i), s.Header)
	}
	return v.err()
}

func (c Capabilities) validate(v *validator) {
	v.list("capabilities.extensions", len(c.Extensions), false)
	for i, e := range c.Extensions {
		at := fmt.Sprintf("capabilities.extensions[%d]", i)
		v.text(at+".uri", e.URI, true)
		v.text(at+".description", e.Description, false)
		v.object(at+".params", e.Params)
	}
}

func (s Skill) validate(v *validator, at string, schemes map[string]Scheme) {
	v.text(at+".id", s.ID, true)
	v.text(at+".name", s.Name, true)
	v.text(at+".description", s.Description, false)
	if s.Tags == nil {
		v.fault("%s.tags: missing", at)
	}
	v.texts(at+".tags", s.Tags)
	v.texts(at+".examples", s.Examples)
	v.modes(at+".inputModes", s.InputModes, false)
	v.modes(at+".outputModes", s.OutputModes, false)
	v.requirements(at+".securityRequirements", s.Requirements, schemes)
}

// isVersion reports whether s is major.minor in decimal.
func isVersion(s string) bool {
	major, minor, ok := strings.Cut(s, ".")
	return ok && digits(major) && digits(minor)
}

func digits(s string) bool {
	if len(s) == 0 || len(s) > 9 {
		return false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// isURL reports whether s is an absolute http or https URL without credentials.
func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && len(s) <= MaxText
}
