package call

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate"
)

// Place is where a detector fired, in characters of a field.
type Place struct {
	Code   string `json:"code"`
	Field  string `json:"field"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
}

// UnknownReference refuses an id that is cited and not known here.
func UnknownReference(text string) error {
	return reason.Refuse(reason.UnknownReference, "a cited entry is not known here").
		With(map[string]any{"id": Clip(text, MaxIDText)})
}

// Matches are the places of findings, without what was found.
func Matches(list []gate.Finding) []Place {
	var out []Place
	for _, f := range list {
		if f.Field != "" {
			out = append(out, Place{string(f.Code), f.Field, f.Offset, f.Length})
		}
	}
	return out
}

// UnknownAuthor stands where the author is not shown.
const UnknownAuthor = "unknown"

// KnowledgeTypes are the kinds of entries.
var KnowledgeTypes = []string{"wisdom", "pattern", "gotcha"}
