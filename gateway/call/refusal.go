package call

import (
	"fmt"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/lang/trait"
)

// Problem is one wrong field of a request body.
type Problem struct {
	Field   string      `json:"field"`
	Code    reason.Code `json:"code"`
	Message string      `json:"message"`
}

// Invalid refuses a body with every wrong field, as validation_failed; it is nil for
// none.
func Invalid(list ...Problem) error {
	if len(list) == 0 {
		return nil
	}
	r := reason.Refuse(reason.ValidationFailed, "%s %s", list[0].Field, list[0].Message)
	if len(list) > 1 {
		r = reason.Refuse(reason.ValidationFailed, "%d fields are not valid", len(list))
	}
	return r.With(map[string]any{"fields": list})
}

// Fault is a field whose value cannot be taken; the text follows its name.
func Fault(field, format string, args ...any) Problem {
	return Problem{field, reason.InvalidParam, fmt.Sprintf(format, args...)}
}

// Missing is a field that is needed; the text follows its name.
func Missing(field, text string) Problem { return Problem{field, reason.MissingField, text} }

// Unknown is a field that nobody knows, of the object in the field of that name or, for
// "", of the body; the text names the one of known that it most likely means.
func Unknown(in, name string, known []string) Problem {
	p := Problem{Clip(name, 64), reason.UnknownField, "is not known here"}
	if in != "" {
		p.Field = in + "." + p.Field
	}
	if near, ok := trait.Nearest(name, known); ok {
		p.Message += fmt.Sprintf("; the nearest is %q", near)
	}
	return p
}

// BadParam refuses a parameter of a query, as invalid_param; the text follows its name.
func BadParam(name, text string) error {
	return reason.Refuse(reason.InvalidParam, "%s %s", name, text).With(map[string]any{"param": name})
}

func invalidJSON(offset int64, text string) error {
	return reason.Refuse(reason.InvalidJSON, "%s", text).With(map[string]any{"offset": offset})
}

// Hinted is reason.Refuse with a hint.
func Hinted(c reason.Code, text, hint string) *reason.Refusal {
	return &reason.Refusal{Code: c, Text: text, Hint: hint}
}
