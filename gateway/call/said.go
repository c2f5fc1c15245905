package call

import (
	"errors"
	"maps"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// Said is err with the fields that it names called as the caller called them: a
// request may use another name of a field, and tools have names of their own. An
// error that names none of those is returned as it is.
func (v Values) Said(err error) error {
	return rename(err, func(field string) string {
		root, rest := field, ""
		if i := strings.IndexAny(field, ".["); i >= 0 {
			root, rest = field[:i], field[i:]
		}
		if used, ok := v.said[root]; ok {
			return used + rest
		}
		return field
	})
}

// Within is err with each field that it names put below a field of the caller's.
func Within(err error, field string) error {
	return rename(err, func(inner string) string { return field + "." + inner })
}

// rename is err with other names of fields, in its details and where its text
// begins with one.
func rename(err error, name func(string) string) error {
	var r *reason.Refusal
	if !errors.As(err, &r) {
		return err
	}
	out := &reason.Refusal{Code: r.Code, Text: r.Text, Hint: r.Hint, Details: maps.Clone(r.Details)}
	changed := false
	called := func(field string) string {
		now := name(field)
		if now == field {
			return field
		}
		changed = true
		if rest, ok := strings.CutPrefix(r.Text, field); ok && strings.HasPrefix(rest, " ") {
			out.Text = now + rest
		}
		return now
	}
	for _, key := range []string{"field", "param"} {
		if field, ok := r.Details[key].(string); ok {
			out.Details[key] = called(field)
		}
	}
	if list, ok := r.Details["fields"].([]Problem); ok {
		again := make([]Problem, len(list))
		for i, p := range list {
			again[i] = Problem{called(p.Field), p.Code, p.Message}
		}
		out.Details["fields"] = again
	}
	if !changed {
		return err
	}
	return &renamed{err, out}
}

// renamed is an error whose refusal is in other words. What else it carries
// is found behind it.
type renamed struct {
	error
	refusal *reason.Refusal
}

func (r *renamed) Error() string { return r.refusal.Error() }

// As gives the refusal in the caller's words to errors.As.
func (r *renamed) As(target any) bool {
	if p, ok := target.(**reason.Refusal); ok {
		*p = r.refusal
		return true
	}
	return false
}

func (r *renamed) Unwrap() error { return r.error }
