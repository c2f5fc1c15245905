package service_test

import (
	"errors"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
)

// TestRefusalNamesTheCallersField: whatever name of a field the caller used, the
// refusal has it, in the text and in the details, and keeps what else it carries.
func TestRefusalNamesTheCallersField(t *testing.T) {
	t.Parallel()
	form := call.Form{{Name: "q", Aliases: []string{"query", "search"}}, {Name: "tag", Kind: call.Texts}, {Name: "depends_on"}}
	v, err := form.FromJSON([]byte(`{"search": "x", "tag": ["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	v = v.Calling("tags", "tag")
	quality := &knowledge.Quality{}
	for name, c := range map[string]struct {
		err         error
		text, field string
	}{
		"alias":          {call.BadParam("q", "must not be empty"), "search must not be empty", "search"},
		"renamed":        {call.BadParam("tags", "is too long"), "tag is too long", "tag"},
		"in a list":      {call.Invalid(call.Fault("depends_on", "is bad"), call.Fault("q", "is bad")), "2 fields are not valid", "depends_on"},
		"below a field":  {call.Invalid(call.Fault("q[3].x", "is bad")), "search[3].x is bad", "search[3].x"},
		"missing":        {reason.Refuse(reason.MissingField, "q is needed").With(map[string]any{"field": "q"}), "search is needed", "search"},
		"another's name": {call.BadParam("query", "is bad"), "query is bad", "query"},
		"no field":       {reason.Refuse(reason.EntryNotFound, "q is gone"), "q is gone", ""},
		"with a verdict": {&knowledge.Refused{Refusal: reason.Refuse(reason.TooShort, "q is short").With(map[string]any{"field": "q"}), Quality: quality}, "search is short", "search"},
	} {
		got := v.Said(c.err)
		body := knowledge.NewErrorBody(got, "")
		if body.Error != c.text || fieldIn(body.Details) != c.field || body.Code != string(reason.Of(c.err)) || reason.Of(got) != reason.Of(c.err) {
			t.Errorf("%s: %+v", name, body)
		}
		if (name == "with a verdict") != (body.Quality == quality) {
			t.Errorf("%s: verdict %v", name, body.Quality)
		}
	}
	two := call.Invalid(call.Fault("depends_on", "is bad"), call.Fault("q", "is bad"))
	var r *reason.Refusal
	if errors.As(v.Said(two), &r); r.Details["fields"].([]call.Problem)[1].Field != "search" {
		t.Errorf("the second field is %v", r.Details)
	}
	if errors.As(two, &r); r.Details["fields"].([]call.Problem)[1].Field != "q" {
		t.Error("the first error was changed")
	}
	if got := knowledge.NewErrorBody(call.Within(two, "fields"), "").Details["fields"].([]call.Problem); got[0].Field != "fields.depends_on" {
		t.Errorf("within: %v", got)
	}
	if plain := errors.New("q"); v.Said(plain) != plain || v.Said(nil) != nil {
		t.Error("what is no refusal was changed")
	}
}

func fieldIn(details map[string]any) string {
	for _, key := range []string{"field", "param"} {
		if s, ok := details[key].(string); ok {
			return s
		}
	}
	if list, ok := details["fields"].([]call.Problem); ok {
		return list[0].Field
	}
	return ""
}
