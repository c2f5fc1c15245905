package access

import (
	"context"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// FindAgent reads the :id of a path: agent id, DID or local name.
func (s *Service) FindAgent(ctx context.Context, text string) (view.Agent, error) {
	if text == "" || len(text) > call.MaxIDText {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return s.mesh.FindAgent(ctx, text)
}

// TextOf reads a text of a document, "" for anything else.
func TextOf(x any) string {
	switch s := x.(type) {
	case string:
		return s
	case doc.Text:
		return string(s)
	}
	return ""
}

// TextsOf reads a list of texts of a document and leaves out what is none.
func TextsOf(x any) []string {
	out := []string{}
	items, _ := x.([]any)
	for _, item := range items {
		if s := TextOf(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}
