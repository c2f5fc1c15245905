package rest

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/scene"
)

// languageRoutes read and check sources and tell of traits. They need no key:
// they work on what they are given and keep nothing.
func languageRoutes() []route {
	source := []reason.Code{reason.MissingField, reason.BodyTooLarge}
	return []route{
		{method: "POST", path: "/api/parse", summary: "Read a source text", bucket: limit.Compile, body: scene.ParseForm, size: maxSource,
			reply: (*scene.ParseReply)(nil), codes: source,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Scenes.Parse(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/validate", summary: "Check a source text", bucket: limit.Compile, body: scene.ValidateForm, size: maxSource,
			reply: (*scene.ValidateReply)(nil), codes: source,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Scenes.Validate(r.Context(), r.values))
			}},
		{method: "GET", path: "/api/traits", summary: "The traits of the language", bucket: limit.Read, query: scene.TraitsForm,
			reply: (*scene.TraitsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.UnknownCategory}, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.Scenes.Traits(r.values)) }},
	}
}
