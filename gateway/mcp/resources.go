package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/fence"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/gateway/welcome"
)

// resource is one row of the table of resources: one object, or a family of them
// whose URIs end in a variable.
type resource struct {
	prefix            string // of the URI; the whole of it when there is no variable
	kind              string // media type of a single object; "": JSON
	variable          string // "": a single object
	name, title, help string
	bucket            limit.Bucket
	missing           reason.Code // for a variable that is no id at all
	// tool gives the same object, and knows which texts in it strangers wrote; "": none.
	tool string
	// read returns the object as its HTTP twin does.
	read func(ctx context.Context, s *service.Service, c call.Caller, id string) (any, error)
	// file returns, in the place of read, a file as it is.
	file func(s *service.Service, id string) (scene.Made, error)
	// app: people look at it, in clients that show pages beside results of tools.
	app      bool
	complete func(ctx context.Context, s *service.Service, begun string) (welcome.Suggestions, error)
	// watch finds what a client receives of changes of the object; nil: of none.
	watch func(ctx context.Context, s *service.Service, c call.Caller, id string) (*stream.Watch, error)
}

const feedPrefix = "mesh://feed/"

// resources is the table. Its URIs are promises to clients.
var resources = append([]resource{
	{
		prefix: "mesh://overview", tool: "get_overview", name: "overview", title: "Overview", bucket: limit.Read,
		help: "What this network is, its size, and how to join.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, _ string) (any, error) {
			return s.Welcomes.Overview(ctx, c)
		},
	},
	{
		prefix: "mesh://contract", name: "contract", title: "What the gate takes", bucket: limit.Read,
		help: "The rules of the gate and the bounds of every field of a contribution.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, _ string) (any, error) {
			return s.Welcomes.Contract(ctx, c)
		},
	},
	{
		prefix: "mesh://entry/", tool: "get_entry", variable: "id", name: "entry", title: "One entry", bucket: limit.Read, missing: reason.EntryNotFound,
		help: "One entry with its proof, as get_entry shows it; placeholders without an API key.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, id string) (any, error) {
			return s.Knowledge.Entry(ctx, c, id)
		},
		complete: func(ctx context.Context, s *service.Service, begun string) (welcome.Suggestions, error) {
			return s.Welcomes.SuggestEntries(ctx, begun, maxSuggestions)
		},
		watch: func(ctx context.Context, s *service.Service, _ call.Caller, id string) (*stream.Watch, error) {
			return s.Streams.WatchEntry(ctx, id)
		},
	},
	{
		prefix: "mesh://agent/", tool: "get_agent", variable: "id", name: "agent", title: "One agent", bucket: limit.Read, missing: reason.AgentNotFound,
		help: "One agent by id, DID or local name, with its page and recent entries, as get_agent shows it.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, id string) (any, error) {
			return s.People.Agent(ctx, c, id)
		},
		complete: func(ctx context.Context, s *service.Service, begun string) (welcome.Suggestions, error) {
			return s.Welcomes.SuggestAgents(ctx, begun, maxSuggestions)
		},
		watch: func(ctx context.Context, s *service.Service, _ call.Caller, id string) (*stream.Watch, error) {
			return s.Streams.WatchAgent(ctx, id)
		},
	},
	{
		prefix: "mesh://guild/", tool: "get_guild", variable: "id", name: "guild", title: "One guild", bucket: limit.Read, missing: reason.TeamNotFound,
		help: "One guild with its members. A guild that is not public is shown to its members alone.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, id string) (any, error) {
			return s.Teams.Guild(ctx, c, id)
		},
		complete: func(ctx context.Context, s *service.Service, begun string) (welcome.Suggestions, error) {
			return s.Welcomes.SuggestGuilds(ctx, begun, maxSuggestions), nil
		},
		watch: func(ctx context.Context, s *service.Service, c call.Caller, id string) (*stream.Watch, error) {
			return s.Streams.WatchGuild(ctx, c, id)
		},
	},
	{
		prefix: "mesh://bounty/", tool: "bounty_get", variable: "id", name: "bounty", title: "One bounty", bucket: limit.Read, missing: reason.BountyNotFound,
		help: "One bounty with its steps, as bounty_get shows it. What it shows of the work depends on who asks.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, id string) (any, error) {
			return s.Bounties.BountyLifecycle(ctx, c, id)
		},
		watch: func(ctx context.Context, s *service.Service, c call.Caller, id string) (*stream.Watch, error) {
			return s.Streams.WatchBounty(ctx, c, id)
		},
	},
	{
		prefix: feedPrefix, tool: "get_feed", variable: "domain", name: "feed", title: "Feed of a domain", bucket: limit.Read, missing: reason.NotFound,
		help: "The newest entries of one domain.",
		read: func(ctx context.Context, s *service.Service, c call.Caller, domain string) (any, error) {
			return s.Welcomes.DomainFeed(ctx, c, domain)
		},
		complete: func(ctx context.Context, s *service.Service, begun string) (welcome.Suggestions, error) {
			return s.Welcomes.SuggestDomains(ctx, begun, maxSuggestions), nil
		},
	},
}, languageResources()...)

// languageResources are those of the source language; nothing of them is of a
// caller. Their URIs are in the results of tools.
func languageResources() []resource {
	preview, page := scene.Preview()
	list := func(values []string) (welcome.Suggestions, error) {
		return welcome.Suggestions{Values: values[:min(len(values), maxSuggestions)], Total: len(values)}, nil
	}
	return []resource{
		{
			prefix: scene.ReferenceURI, name: "reference", title: "The source language", bucket: limit.Read, kind: markdownType,
			help: "The page about the source language: a walk in twelve steps and the reference. get_syntax_reference has it by topics.",
			file: func(_ *service.Service, _ string) (scene.Made, error) { return scene.ReferencePage("") },
		},
		{
			prefix: scene.TraitsURI, name: "traits", title: "Traits", bucket: limit.Read, kind: jsonType,
			help: "All traits with their parameters.",
			file: func(s *service.Service, _ string) (scene.Made, error) { return s.Scenes.Catalogue(scene.TraitsURI) },
		},
		{
			prefix: scene.TargetsURI, name: "targets", title: "Targets", bucket: limit.Read, kind: jsonType,
			help: "All targets that sources compile to, with their options and features.",
			file: func(s *service.Service, _ string) (scene.Made, error) { return s.Scenes.Catalogue(scene.TargetsURI) },
		},
		{
			prefix: scene.ReferencePrefix, variable: "topic", name: "topic", title: "A topic of the source language", bucket: limit.Read, missing: reason.NotFound,
			help: "One section of the page about the source language.",
			file: func(_ *service.Service, topic string) (scene.Made, error) { return scene.ReferencePage(topic) },
			complete: func(_ context.Context, _ *service.Service, begun string) (welcome.Suggestions, error) {
				return list(scene.TopicNames(begun))
			},
		},
		{
			prefix: scene.ExamplePrefix, variable: "name", name: "example", title: "An example", bucket: limit.Read, missing: reason.NotFound,
			help: "The source of an example, by its name in get_examples.",
			file: func(_ *service.Service, name string) (scene.Made, error) { return scene.ExampleSource(name) },
			complete: func(_ context.Context, _ *service.Service, begun string) (welcome.Suggestions, error) {
				return list(scene.ExampleNames(begun))
			},
		},
		{
			prefix: preview, kind: scene.AppType, name: "preview", title: "A scene to look at", bucket: limit.Read, app: true,
			help: "The page that shows what compile_source and render_scene made, for clients with MCP Apps.",
			file: func(*service.Service, string) (scene.Made, error) { return page, nil },
		},
		{
			prefix: scene.MadePrefix, variable: "sha256", name: "artefact", title: "What a tool made", bucket: limit.Read, missing: reason.NotFound,
			help: "A file that compile_source, render_scene or another tool made within the last hour, by the SHA-256 of its bytes. Who knows the hash may read it.",
			file: func(s *service.Service, hash string) (scene.Made, error) { return s.Scenes.Artefact(hash) },
		},
	}
}

// forModels says whom a resource is meant for.
var forModels = []mcp.Role{mcp.RoleAssistant}

// pattern is the row's URI, or its RFC 6570 template.
func (r *resource) pattern() string {
	if r.variable == "" {
		return r.prefix
	}
	return r.prefix + "{" + r.variable + "}"
}

// addResources declares the table to a library server.
func (m *Server) addResources(rpc *server.MCPServer) {
	for i := range resources {
		r := &resources[i]
		handle := func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return m.readResource(ctx, r, req.Params.URI)
		}
		if r.variable == "" {
			declared := mcp.NewResource(r.prefix, r.name, mcp.WithResourceTitle(r.title), mcp.WithResourceDescription(r.help), mcp.WithMIMEType(cmp.Or(r.kind, jsonType)))
			declared.Annotations = &mcp.Annotations{Audience: forModels}
			if r.app {
				declared.Annotations.Audience, declared.Meta = []mcp.Role{mcp.RoleUser}, mcp.NewMetaFromMap(appMeta())
			}
			rpc.AddResource(declared, handle)
			continue
		}
		declared := mcp.NewResourceTemplate(r.pattern(), r.name, mcp.WithTemplateDescription(r.help))
		declared.Title, declared.Annotations = r.title, &mcp.Annotations{Audience: forModels}
		rpc.AddResourceTemplate(declared, handle)
	}
}

const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
)

// readResource answers with the object as JSON and, when strangers' texts are in
// it, with those again as Markdown in fences.
func (m *Server) readResource(ctx context.Context, r *resource, matched string) (contents []mcp.ResourceContents, err error) {
	c, uri := call.CallerFrom(ctx), exchangeOf(ctx).uri
	defer m.rescue(ctx, uri, &err)
	ctx, cancel := exchangeOf(ctx).limit(ctx, 0)
	defer cancel()
	if refusal := m.allow(ctx, r.bucket); refusal != nil {
		return nil, m.refuse(ctx, refusal, uri)
	}
	id, err := url.PathUnescape(strings.TrimPrefix(matched, r.prefix))
	if r.variable != "" && (err != nil || id == "" || len(id) > maxVariable) {
		return nil, m.refuse(ctx, reason.Refuse(r.missing, "no such %s", r.name), uri)
	}
	if r.file != nil {
		f, err := r.file(m.service, id)
		if err != nil {
			return nil, m.refuse(ctx, late(ctx, err), uri)
		}
		if r.app {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: f.MediaType, Text: string(f.Data), Meta: appMeta()}}, nil
		}
		contents = append(contents, contentsOf(f, uri))
		if f.Foreign {
			contents = append(contents, mcp.TextResourceContents{URI: uri, MIMEType: markdownType, Text: fence.Untrusted([]fence.Passage{{Label: "The file:", Text: string(f.Data)}})})
		}
		return contents, nil
	}
	v, err := r.read(ctx, m.service, c, id)
	if err != nil {
		return nil, m.refuse(ctx, late(ctx, err), uri)
	}
	raw, err := encode.JSON(v)
	if err != nil {
		return nil, m.refuse(ctx, fmt.Errorf("encode resource: %w", err), uri)
	}
	strangers := ""
	if i := slices.IndexFunc(described, func(t endpoint.Tool) bool { return t.Name == r.tool }); i >= 0 {
		raw, strangers = fenced(&described[i], raw)
	}
	contents = []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: jsonType, Text: string(raw)}}
	if strangers != "" {
		contents = append(contents, mcp.TextResourceContents{URI: uri, MIMEType: markdownType, Text: strangers})
	}
	return contents, nil
}

// appMeta is the metadata of the preview for a host: it sends requests to nobody but the
// host itself, loads nothing and needs no permissions.
func appMeta() map[string]any {
	none := []string{}
	return map[string]any{"ui": map[string]any{"csp": map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
		"permissions": map[string]any{}, "prefersBorder": true}}
}

// contentsOf is a file: its text, or its bytes where it is none.
func contentsOf(f scene.Made, uri string) mcp.ResourceContents {
	if utf8.Valid(f.Data) && !slices.Contains(f.Data, 0) {
		return mcp.TextResourceContents{URI: uri, MIMEType: f.MediaType, Text: string(f.Data)}
	}
	return mcp.BlobResourceContents{URI: uri, MIMEType: f.MediaType, Blob: base64.StdEncoding.EncodeToString(f.Data)}
}

// readHooks let a client write a URI with or without escapes, and name the
// resource that the library does not find.
func (m *Server) readHooks(hooks *server.Hooks) {
	hooks.AddBeforeReadResource(func(ctx context.Context, _ any, req *mcp.ReadResourceRequest) {
		exchangeOf(ctx).uri = req.Params.URI
		for i := range resources {
			r := &resources[i]
			if tail, ok := strings.CutPrefix(req.Params.URI, r.prefix); ok && r.variable != "" {
				if plain, err := url.PathUnescape(tail); err == nil {
					req.Params.URI = r.prefix + escapeVariable(plain)
				}
				return
			}
		}
	})
	hooks.AddOnError(func(ctx context.Context, _ any, method mcp.MCPMethod, _ any, err error) {
		x := exchangeOf(ctx)
		if method == mcp.MethodResourcesRead && x.fault == nil && errors.Is(err, server.ErrResourceNotFound) {
			_ = m.refuse(ctx, reason.Refuse(reason.NotFound, "no such resource"), x.uri)
		}
	})
}

// escapeVariable escapes what a simple variable of a template does not match: all
// but the unreserved characters (RFC 6570 §3.2.2).
func escapeVariable(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// listHooks put the feeds of all domains behind the fixed resources of a list. A
// list of entries would grow without end and be read whole by many clients;
// entries and agents are found by tools and by completion.
func (m *Server) listHooks(hooks *server.Hooks) {
	hooks.AddBeforeListResources(func(ctx context.Context, _ any, req *mcp.ListResourcesRequest) {
		// The library must not see a cursor that it did not make.
		exchangeOf(ctx).cursor, req.Params.Cursor = string(req.Params.Cursor), ""
	})
	hooks.AddAfterListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
		if err := m.listFeeds(ctx, result); err != nil {
			_ = m.refuse(ctx, err, "") // the exchange answers
		}
	})
}

func (m *Server) listFeeds(ctx context.Context, result *mcp.ListResourcesResult) error {
	if refusal := m.allow(ctx, limit.Read); refusal != nil {
		return refusal
	}
	cursor := exchangeOf(ctx).cursor
	ctx, cancel := exchangeOf(ctx).limit(ctx, 0)
	defer cancel()
	page, err := m.service.Welcomes.DomainPage(ctx, listPage, cursor)
	if err != nil {
		return late(ctx, err)
	}
	if cursor != "" {
		result.Resources = []mcp.Resource{}
	}
	for _, d := range page.Domains {
		feed := mcp.NewResource(feedPrefix+escapeVariable(d.Name), "feed/"+d.Name, mcp.WithMIMEType(jsonType),
			mcp.WithResourceDescription(fmt.Sprintf("The newest of %s of one domain.", plural.Count(d.Count, "entry"))))
		feed.Annotations = &mcp.Annotations{Audience: forModels}
		result.Resources = append(result.Resources, feed)
	}
	result.NextCursor = ""
	if page.NextCursor != nil {
		result.NextCursor = mcp.Cursor(*page.NextCursor)
	}
	return nil
}
