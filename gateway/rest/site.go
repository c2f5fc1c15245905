package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/site"
	"github.com/meshd/meshd/gateway/team"
)

// siteRoutes are the pages for people. They are no part of the API and so of its
// description.
func (h *Handler) siteRoutes() []route {
	page := func(path, summary string, form call.Form, render func(*endpoint.Request) ([]byte, error)) route {
		return route{page: true, Route: endpoint.Route{Method: "GET", Path: path, Summary: summary, Bucket: limit.Read, Query: form, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				raw, err := render(r)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return h.personal(r.Request, htmlAnswer(raw)), nil
			}}}
	}
	text := func(path, summary string, write func(*endpoint.Request) ([]byte, error)) route {
		return route{page: true, Route: endpoint.Route{Method: "GET", Path: path, Summary: summary, Bucket: limit.Read, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				raw, err := write(r)
				return endpoint.Answer{Raw: raw, Kind: "text/plain; charset=utf-8"}, err
			}}}
	}
	return []route{
		page("/", "What this node is", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Home(r.Context()) }),
		page("/join", "How to join", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Join(r.Context()) }),
		page("/about", "About this node", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.About(r.Context()) }),
		page("/feed", "Entries", site.FeedForm, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Feed(r.Context(), knowledge.FeedForm.Read(r.Values))
		}),
		page("/entries/{id}", "One entry", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Entry(r.Context(), r.ID()) }),
		page("/domains", "Domains", site.DomainsForm, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Domains(r.Context(), knowledge.DomainsForm.Read(r.Values))
		}),
		page("/agents", "Agents", site.AgentsForm, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Agents(r.Context(), people.DirectoryForm.Read(r.Values))
		}),
		page("/agents/{id}", "One agent", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Agent(r.Context(), r.ID()) }),
		page("/guilds", "Guilds", site.GuildsForm, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Guilds(r.Context(), team.GuildsForm.Read(r.Values))
		}),
		page("/guilds/{id}", "One guild", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Guild(r.Context(), r.ID()) }),
		page("/bounties", "Bounties", site.BountiesForm, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Bounties(r.Context(), bounty.BountiesForm.Read(r.Values))
		}),
		page("/bounties/{id}", "One bounty", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Bounty(r.Context(), r.ID()) }),
		page("/search", "Search for entries", site.SearchForm.Form, func(r *endpoint.Request) ([]byte, error) {
			return h.site.Search(r.Context(), site.SearchForm.Read(r.Values))
		}),
		page("/docs", "Documentation", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Docs(r.Context()) }),
		page("/docs/{id}", "One page of the documentation", nil, func(r *endpoint.Request) ([]byte, error) { return h.site.Doc(r.Context(), r.PathValue("id")) }),
		text("/robots.txt", "What search engines may fetch", func(*endpoint.Request) ([]byte, error) { return site.Robots(h.cfg.Public), nil }),
		text("/llms.txt", "Where a model begins", func(r *endpoint.Request) ([]byte, error) { return h.site.Machines(r.Context()) }),
		{page: true, Route: endpoint.Route{Method: "GET", Path: "/favicon.ico", Summary: "The mark, for who looks for it there", Cache: endpoint.Unchanged, Handle: func(*endpoint.Request) (endpoint.Answer, error) {
			raw, kind, _ := site.Asset("mark.svg")
			return endpoint.Answer{Raw: raw, Kind: kind}, nil
		}}},
		{page: true, Route: endpoint.Route{Method: "GET", Path: "/assets/{name}", Summary: "Style and pictures of the pages", Cache: endpoint.Unchanged, Handle: asset}},
	}
}

func asset(r *endpoint.Request) (endpoint.Answer, error) {
	raw, kind, ok := site.Asset(r.PathValue("name"))
	if !ok {
		return endpoint.Answer{}, reason.Refuse(reason.NotFound, "no such file")
	}
	return endpoint.Answer{Raw: raw, Kind: kind}, nil
}

func htmlAnswer(raw []byte) endpoint.Answer {
	return endpoint.Answer{Raw: raw, Kind: "text/html; charset=utf-8"}.With("Content-Security-Policy", site.Policy).
		With("Referrer-Policy", "no-referrer")
}

// personal keeps a page that names who is signed in out of caches that others read.
func (h *Handler) personal(r *http.Request, a endpoint.Answer) endpoint.Answer {
	if h.cfg.Guests == nil {
		return a
	}
	a = a.With("Vary", "Cookie")
	if v, _ := site.VisitorIn(r.Context()); v.Name != "" {
		a = a.With("Cache-Control", "private, no-store")
	}
	return a
}

// visited is a request for a page with who is signed in, where people sign in at all.
func (h *Handler) visited(w http.ResponseWriter, r *http.Request) *http.Request {
	if h.cfg.Guests == nil {
		return r
	}
	name, _ := h.cfg.Guests.Who(w, r, gate{h})
	return r.WithContext(site.WithVisitor(r.Context(), site.Visitor{Name: name, SignIn: console.SignInPath, Home: console.GuestRoot + "/"}))
}

// failPage answers a person with a page; false when there is none to show.
func (h *Handler) failPage(w http.ResponseWriter, r *http.Request, status int, body knowledge.ErrorBody) bool {
	if h.site == nil || !wantsPage(r) {
		return false
	}
	raw, err := h.site.Failure(h.visited(w, r).Context(), status, body)
	if err != nil {
		h.cfg.Log.Error("render failure page failed", "request", body.RequestID, "error", err)
		return false
	}
	for k, v := range htmlAnswer(raw).Header {
		w.Header()[k] = v
	}
	w.Header().Add("Vary", "Accept")
	send(w, r, status, "text/html; charset=utf-8", raw)
	return true
}

// wantsPage reports whether a refusal is for a person: asked for by a browser,
// which names text/html, outside the API.
func wantsPage(r *http.Request) bool {
	p := r.URL.Path
	if r.Method != http.MethodGet && r.Method != http.MethodHead || p == mcpPath ||
		slices.ContainsFunc([]string{"/api/", "/.well-known/", "/openapi"}, func(part string) bool { return strings.HasPrefix(p, part) }) {
		return false
	}
	html, json := 0.0, 0.0
	for _, part := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, rest, _ := strings.Cut(strings.TrimSpace(part), ";")
		switch q := weight(rest); strings.ToLower(strings.TrimSpace(kind)) {
		case "text/html":
			html = max(html, q)
		case "application/json":
			json = max(json, q)
		}
	}
	return html > 0 && html >= json
}

// weight is the q of a media range, 1 without one.
func weight(params string) float64 {
	for _, p := range strings.Split(params, ";") {
		if text, ok := strings.CutPrefix(strings.ReplaceAll(strings.TrimSpace(p), " ", ""), "q="); ok {
			q, err := strconv.ParseFloat(text, 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0
			}
			return q
		}
	}
	return 1
}
