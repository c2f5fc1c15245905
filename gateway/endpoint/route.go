// Package endpoint has the rows of which the faces of a gateway are made: a Route is
// one endpoint of the HTTP API, a Tool one tool of the MCP server. A room of the
// gateway lists its rows beside its use cases (Service.Routes, Service.Tools); the
// faces (gateway/rest, gateway/mcp) make of all of them their multiplexer, their
// documents and their checks of who may call what how often. So what is described is
// what runs.
//
// A Handle or Run reads the request by the form of its use case, calls it, and says
// how its reply is sent; it decides nothing.
package endpoint

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
)

// Route is one endpoint.
type Route struct {
	Method, Path string // a path of http.ServeMux, with {name} for its values
	Summary      string
	Needs        auth.Right // what the caller must be allowed, which access.Authorize judges
	Bucket       limit.Bucket
	Query, Body  call.Form
	Reply        any // nil pointer of the type of a success
	Status       int // of a success; 0: 200
	Codes        []reason.Code
	Once         bool // honours Idempotency-Key
	Secret       bool // the reply carries an API key
	List         bool // the reply is a list
	Cache        Caching
	Timeout      time.Duration // 0: DefaultTime
	Size         int64         // bytes of a body; 0: MaxBody
	Media        string        // of a body that is no JSON, which the row reads itself
	Proves       bool          // what the body carries proves itself: the bucket measures its authors, the request counts as a read
	Kind         string        // media type of a success that is no JSON
	Handle       func(*Request) (Answer, error)
}

// At is the same endpoint at another path.
func (r Route) At(path string) Route {
	r.Path = path
	return r
}

// MaxSize is how many bytes the body may have.
func (r *Route) MaxSize() int64 { return cmp.Or(r.Size, MaxBody) }

// Time is how long a request may take.
func (r *Route) Time() time.Duration { return cmp.Or(r.Timeout, DefaultTime) }

// Caching says who may keep a reply.
type Caching uint8

const (
	NoStore   Caching = iota // writes and secrets
	Private                  // depends on the caller
	Shared                   // depends on the caller, and anonymous ones may share it
	Unchanged                // the same for everybody
)

// KeyedCodes are the refusals of endpoints that ask who calls, with what a token may
// lack.
var KeyedCodes = []reason.Code{
	reason.AuthRequired, reason.InvalidToken, reason.TokenExpired, reason.TokenNotYetValid, reason.KeyRevoked, reason.SignatureInvalid,
	reason.ScopeMissing, reason.CapabilityDenied, reason.ChainInvalid, reason.ProofMissing, reason.AttenuationViolation, reason.WrongAudience,
}

// SecretCodes refuse texts that look like credentials.
var SecretCodes = []reason.Code{reason.SecretDetected, reason.CredentialEcho}

// EntryCodes are the refusals of an endpoint of one entry.
var EntryCodes = []reason.Code{reason.EntryNotFound, reason.Retracted, reason.Revoked, reason.Purged}

// memberCodes are what every endpoint inside a team may answer.
var memberCodes = []reason.Code{reason.TeamNotFound, reason.NotAMember, reason.CapabilityMissing, reason.NotReady}

// InTeam completes a row for members: a path below the team, and the codes that all
// of them share. The row says which right in the team it needs.
func InTeam(r Route, codes ...reason.Code) Route {
	r.Path = "/api/mesh/team/{id}" + r.Path
	r.Codes = slices.Concat(memberCodes, codes)
	if r.Method == http.MethodGet {
		r.Cache = Private
	}
	return r
}

// With are codes and more of them.
func With(codes []reason.Code, more ...reason.Code) []reason.Code { return slices.Concat(codes, more) }

// AdminRoute begins a row for those who run the gateway. Its use case finds nothing
// for everybody else.
func AdminRoute(method, path, summary string) Route {
	return Route{Method: method, Path: "/api/admin/" + path, Summary: summary, Bucket: limit.Read,
		Codes: []reason.Code{reason.NotFound, reason.MissingField, reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound, reason.SecretDetected,
			reason.CredentialEcho, reason.Purged, reason.ScopeMissing}}
}
