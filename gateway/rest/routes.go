package rest

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/node/view"
)

// route is one endpoint.
type route struct {
	method, path string
	summary      string
	keyed        bool        // needs a credential
	scope        state.Scope // needs this scope
	tokens       bool        // also takes capability and role tokens, which the use case judges
	bucket       limit.Bucket
	query, body  call.Form
	reply        any // nil pointer of the type of a success
	status       int // of a success; 0: 200
	codes        []reason.Code
	once         bool // honours Idempotency-Key
	secret       bool // the reply carries an API key
	list         bool // the reply is a list
	page         bool // for people: not part of the API's description
	cache        caching
	timeout      time.Duration // 0: the default
	endless      bool          // what it hands over to bounds its time itself
	size         int64         // bytes of a body; 0: maxBody
	media        string        // of a body that is no JSON, which the row reads itself
	proves       bool          // what the body holds proves itself: the bucket measures its authors, the request counts as a read
	handle       func(*Handler, *request) (answer, error)
	raw          func(*Handler, http.ResponseWriter, *http.Request) // instead of handle
	stream       bool                                               // a raw row that goes on until the client ends it; takes tickets
	kind         string                                             // of a success that is no JSON
}

// pattern is the path as the multiplexer wants it.
func (rt *route) pattern() string {
	if rt.path == "/" {
		return "/{$}"
	}
	return rt.path
}

// room is how many bytes the body may have.
func (rt *route) room() int64 {
	if rt.size > 0 {
		return rt.size
	}
	return maxBody
}

func (rt *route) time() time.Duration {
	if rt.timeout > 0 {
		return rt.timeout
	}
	return timeDefault
}

// within is the time of a request; a stream has no end of its own.
func (rt *route) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if rt.stream || rt.endless {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, rt.time())
}

// feedForm is the feed's with the formats that only HTTP has.
var feedForm = append(call.Form{
	{Name: "format", Enum: []string{"json", "atom", "jsonfeed"}, Default: "json", Help: "Form of the reply."},
}, knowledge.FeedForm...)

// routes is the table of every endpoint.
func routes() []route {
	overview := route{method: "GET", path: "/api/mesh", summary: "What this network is and how to join", bucket: limit.Read,
		reply: (*welcome.OverviewReply)(nil), cache: shared,
		handle: func(h *Handler, r *request) (answer, error) {
			return value(h.service.Welcomes.Overview(r.Context(), r.caller))
		}}
	onboard := overview
	onboard.path = "/api/mesh/onboard"
	agent := route{method: "GET", path: "/api/mesh/agent/{id}", summary: "One agent with its page and recent entries", bucket: limit.Read,
		reply: (*people.AgentReply)(nil), codes: []reason.Code{reason.AgentNotFound}, cache: private,
		handle: func(h *Handler, r *request) (answer, error) {
			return value(h.service.People.Agent(r.Context(), r.caller, r.PathValue("id")))
		}}
	agentProfile := agent
	agentProfile.path = "/api/mesh/agent/{id}/profile"
	patch := route{method: "PATCH", path: "/api/mesh/profile", summary: "Edit the caller's page", keyed: true, tokens: true, scope: state.ScopeWrite,
		bucket: limit.Write, body: profile.ProfileForm, reply: (*profile.ProfileReply)(nil), handle: editProfile,
		codes: []reason.Code{reason.NoFields, reason.SecretDetected, reason.VersionConflict}}
	put := patch
	put.method = "PUT"
	wellKnown := route{method: "GET", path: "/.well-known/mcp", summary: "Where and how the MCP server is reached", bucket: limit.Read,
		reply: (*welcome.DiscoveryReply)(nil), cache: unchanged,
		handle: func(h *Handler, r *request) (answer, error) {
			return answer{value: h.service.Welcomes.Discovery()}, nil
		}}
	wellKnownJSON := wellKnown
	wellKnownJSON.path = "/.well-known/mcp.json"

	return slices.Concat(
		[]route{overview, onboard, agent, agentProfile, patch, put, wellKnown, wellKnownJSON},
		knowledgeRoutes(),
		peopleRoutes(),
		identityRoutes(),
		trustRoutes(),
		nodeRoutes(),
		resourceRoutes(),
		eventRoutes(),
		quickstartRoutes(),
		sceneRoutes(),
		socialRoutes(),
		compileRoutes(),
		languageRoutes(),
		artefactRoutes(),
		bountyRoutes(),
		paidRoutes(),
		creditRoutes(),
		runtimeRoutes(),
		changeRoutes(),
		memoryRoutes(),
	)
}

// knowledgeRoutes read and write entries and find agents.
func knowledgeRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/feed", summary: "List entries", bucket: limit.Read, query: feedForm,
			reply: (*knowledge.FeedReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound}, list: true, cache: shared, handle: feed},
		{method: "GET", path: "/api/mesh/search", summary: "Search entries", bucket: limit.Search, query: knowledge.SearchForm, timeout: timeSearch,
			reply: (*knowledge.SearchReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.Search(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/entry/{id}", summary: "One entry", bucket: limit.Read, reply: (*knowledge.EntryReply)(nil), cache: private,
			codes:   append([]reason.Code{reason.EntryNotFound, reason.Retracted, reason.Revoked, reason.Purged}, paymentCodes...),
			timeout: timePay, handle: readEntry},
		{method: "DELETE", path: "/api/mesh/entry/{id}", summary: "Withdraw an own entry", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Write,
			reply: (*knowledge.RetractReply)(nil), codes: []reason.Code{reason.EntryNotFound, reason.NotOwner, reason.Retracted},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.Retract(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "POST", path: "/api/mesh/contribute", summary: "Contribute an entry", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Contribute,
			body: knowledge.ContributeForm, reply: (*knowledge.ContributeReply)(nil), status: http.StatusCreated, once: true, handle: contribute,
			codes: []reason.Code{reason.InvalidType, reason.TooShort, reason.TooLong, reason.TooFewWords, reason.RawSessionDump, reason.ShellLog,
				reason.SecretDetected, reason.CredentialEcho, reason.Duplicate, reason.NearDuplicate, reason.UnknownReference, reason.ReceiptMismatch, reason.NotOwner,
				reason.TeamNotFound, reason.NotAMember}},
		{method: "POST", path: "/api/mesh/contribute/check", summary: "Ask the gate about an entry without writing it", bucket: limit.Check,
			body: knowledge.ContributeForm, reply: (*knowledge.CheckReply)(nil), codes: []reason.Code{reason.UnknownReference},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.Check(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/domains", summary: "List the domains of the commons", bucket: limit.Read, query: knowledge.DomainsForm,
			reply: (*knowledge.DomainsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.Domains(r.Context(), r.values))
			}},
		{method: "GET", path: "/api/mesh/directory", summary: "List agents", bucket: limit.Read, query: people.DirectoryForm,
			reply: (*people.DirectoryReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Directory(r.Context(), r.values))
			}},
		{method: "GET", path: "/api/mesh/guilds", summary: "List public guilds", bucket: limit.Read, query: team.GuildsForm,
			reply: (*team.GuildsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Guilds(r.Context(), r.values))
			}},
	}
}

// nodeRoutes describe the node and its doors.
func nodeRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/mcp-config", summary: "Settings for an MCP client", bucket: limit.Read, query: welcome.MCPConfigForm,
			reply: (*welcome.MCPConfigReply)(nil), codes: []reason.Code{reason.InvalidParam}, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{value: h.service.Welcomes.MCPConfig(r.values)}, nil
			}},
		{method: "GET", path: "/api/mesh/health", summary: "Health, in short", bucket: limit.Read, reply: (*status.MeshHealthReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) { return answer{value: h.service.Status.MeshHealth()}, nil }},
		{method: "GET", path: "/api/health", summary: "Health of the node and its parts", bucket: limit.Read, reply: (*status.HealthReply)(nil),
			codes: []reason.Code{}, handle: func(h *Handler, r *request) (answer, error) {
				reply, ready := h.service.Status.Health()
				return answer{value: reply, status: readyStatus(ready)}, nil
			}},
		{method: "GET", path: "/livez", summary: "Alive", handle: func(*Handler, *request) (answer, error) {
			return answer{raw: []byte("ok\n"), kind: "text/plain; charset=utf-8"}, nil
		}},
		{method: "GET", path: "/readyz", summary: "Ready for traffic", reply: (*status.ReadyReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				reply := h.service.Status.Ready()
				return answer{value: reply, status: readyStatus(reply.Ready)}, nil
			}},
		{method: "GET", path: "/healthz", summary: "How the node is, for admins with what is behind it; 200 whatever it says", reply: (*status.HealthzReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{value: h.service.Status.Healthz(r.caller)}, nil
			}},
		{method: "GET", path: "/version", summary: "Name and version of the program", reply: (*status.VersionReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) { return answer{value: h.service.Status.Version()}, nil }},
		{method: "GET", path: "/openapi.json", summary: "This document", bucket: limit.Read, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) {
				return h.openapi.answer(r.Request, "application/json"), nil
			}},
		{method: "POST", path: mcpPath, summary: "One message of the Model Context Protocol", raw: serveMCP, endless: true},
	}
}

// value answers 200 with what a use case returned.
func value[T any](v *T, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{value: v}, nil
}

func readyStatus(ready bool) int {
	if ready {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

func contribute(h *Handler, r *request) (answer, error) {
	wait := r.URL.Query().Get("wait")
	peers, err := access.Replicas(wait)
	if err != nil {
		return answer{}, err
	}
	reply, err := h.service.Knowledge.Contribute(r.Context(), r.caller, r.values, view.Submit{IdempotencyKey: r.mark, WaitPeers: peers})
	if err != nil {
		return answer{}, err
	}
	a := created(reply, "/api/mesh/entry/"+reply.ID)
	if peers > 0 {
		a = a.with("X-Mesh-Replicated", strconv.Itoa(reply.Replicas))
	}
	return a, nil
}

// ownPage answers with a tag that begins with the page's version, so that the
// tag can come back in If-Match.
func ownPage(h *Handler, r *request) (answer, error) {
	reply, err := h.service.Profiles.Profile(r.Context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	raw, err := encode(reply)
	if err != nil {
		return answer{}, err
	}
	tag := `"` + strconv.Itoa(reply.Version) + "-" + strings.Trim(etag(raw, false), `"`) + `"`
	return answer{raw: raw, kind: "application/json"}.with("ETag", tag), nil
}

func editProfile(h *Handler, r *request) (answer, error) {
	version, err := ifMatch(r.Header.Get("If-Match"))
	if err != nil {
		return answer{}, err
	}
	return value(h.service.Profiles.EditProfile(r.Context(), r.caller, r.values, version))
}

// ifMatch reads the version in an If-Match: a number, or the tag of a profile;
// -1 when any version will do.
func ifMatch(header string) (int, error) {
	text := strings.Trim(strings.TrimSpace(header), `"`)
	if text == "" || text == "*" {
		return -1, nil
	}
	text, _, _ = strings.Cut(text, "-")
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, reason.Refuse(reason.InvalidParam, "If-Match must be a version or the ETag of the profile").
			With(map[string]any{"param": "If-Match"})
	}
	return int(n), nil
}
