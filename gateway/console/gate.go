package console

import (
	"net/http"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
)

// Gate decides about requests of people at a gateway as about those of programs. The HTTP
// face is one, so that no rule stands twice.
type Gate interface {
	// Stranger is the caller of a request whose credentials are not looked at.
	Stranger(r *http.Request) call.Caller
	// Identify finds who sends a request, by the credentials in its headers.
	Identify(out http.Header, r *http.Request) (call.Caller, error)
	// Pass judges right and rate of a caller at an endpoint, and returns the caller as the
	// endpoint sees it.
	Pass(out http.Header, r *http.Request, row *endpoint.Route, c call.Caller) (call.Caller, error)
}

// pass judges a page at a gateway by its twin, and who asks becomes the caller as that sees
// it. A token acts once here too: an act uses it up.
func (c *Console) pass(v *visit) error {
	row := c.twins[v.row.twin]
	var err error
	if v.caller, err = v.gate.Pass(v.w.Header(), v.Request, row, v.guest.By.caller); err != nil {
		return err
	}
	v.Request = v.WithContext(call.WithCaller(v.Context(), v.caller))
	v.spend = row.Needs.Acts() && v.Method == http.MethodPost && row.Method != http.MethodGet
	if v.row.once { // which uses it up, unless it has answered before
		return nil
	}
	return c.use(v)
}

// use uses up the token that an act rests on.
func (c *Console) use(v *visit) error {
	if !v.spend {
		return nil
	}
	return v.caller.Use(v.Context(), c.Now())
}

// beside is the caller for something that a page shows besides what it is about, by the
// endpoint of that; ok is false for who has no right to it, or no agent.
func (c *Console) beside(v *visit, twin string) (who call.Caller, ok bool) {
	if v.gate == nil {
		return v.caller, v.caller.AgentID != ""
	}
	who, err := c.Service.Access.Authorize(v.Context(), v.guest.By.caller, c.twins[twin].Needs)
	return who, err == nil && who.AgentID != ""
}
