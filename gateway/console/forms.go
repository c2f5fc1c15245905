package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/state"
)

// readForm reads a posted form.
func (c *Console) readForm(v *visit) error {
	v.Body = http.MaxBytesReader(v.w, v.Body, maxForm)
	if err := v.ParseForm(); err != nil {
		return reason.Refuse(reason.InvalidParam, "the form cannot be read, or is larger than %d bytes", maxForm)
	}
	for _, values := range v.PostForm {
		for i, text := range values {
			values[i] = strings.ReplaceAll(text, "\r\n", "\n") // as the author typed it
		}
	}
	return nil
}

// readQuery reads the query of a page by a form. A field that a form left empty was
// not asked for.
func readQuery(v *visit, f call.Form) (call.Values, error) {
	q := v.URL.Query()
	for name, values := range q {
		if len(values) == 1 && values[0] == "" {
			q.Del(name)
		}
	}
	return f.FromQuery(q)
}

// readPosted is readQuery for a posted form.
func readPosted(v *visit, f call.Form) (call.Values, error) {
	q := url.Values{}
	for name, values := range v.PostForm {
		if len(values) == 1 && values[0] != "" {
			q[name] = values
		}
	}
	return f.FromQuery(q)
}

// once runs an act that a form may be sent twice for, and reads what it answered.
func (c *Console) once(v *visit, run func(mark string) (any, error), into any) error {
	sent := url.Values{}
	for name, values := range v.PostForm {
		sent[name] = values
	}
	a := access.Attempt{Key: v.PostForm.Get("once"), Method: v.Method, Path: c.root + v.URL.Path, Body: []byte(sent.Encode())}
	reply, _, err := c.Service.Access.Once(v.Context(), v.caller, a, func() (state.Reply, error) {
		if err := c.use(v); err != nil {
			return state.Reply{}, err
		}
		out, err := run(a.Mark())
		if err != nil {
			return state.Reply{}, err
		}
		raw, err := endpoint.JSON(out)
		return state.Reply{Status: 200, Body: raw}, err
	})
	if err != nil {
		return err
	}
	return json.Unmarshal(reply.Body, into)
}
