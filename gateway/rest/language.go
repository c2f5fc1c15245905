package rest

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
)

// languageRoutes read and check sources and tell of traits. They need no key:
// they work on what they are given and keep nothing.
func languageRoutes() []route {
	source := []reason.Code{reason.MissingField, reason.BodyTooLarge}
	return []route{
		{method: "POST", path: "/api/parse", summary: "Read a source text", bucket: limit.Compile, body: service.ParseForm, size: maxSource,
			reply: (*service.ParseReply)(nil), codes: source,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.Parse(r.Context(), r.values)) }},
		{method: "POST", path: "/api/validate", summary: "Check a source text", bucket: limit.Compile, body: service.ValidateForm, size: maxSource,
			reply: (*service.ValidateReply)(nil), codes: source,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.Validate(r.Context(), r.values)) }},
		{method: "GET", path: "/api/traits", summary: "The traits of the language", bucket: limit.Read, query: service.TraitsForm,
			reply: (*service.TraitsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.UnknownCategory}, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.Traits(r.values)) }},
	}
}
