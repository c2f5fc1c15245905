package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"
)

// Show prints an answer for people.
type Show func(s *Session, data json.RawMessage) error

// Ask sends one request and hands its answer to show, or prints it as it is with
// --json.
func (s *Session) Ask(ctx context.Context, n Need, method, path string, query url.Values, in any, show Show) error {
	return s.WithAnswer(ctx, n, method, path, query, in, func(data json.RawMessage) error {
		if s.JSON {
			return s.PrintRaw(data)
		}
		return show(s, data)
	})
}

// Read asks for what a verb only reads: Ask with GET.
func (s *Session) Read(c *cobra.Command, path string, query url.Values, show Show) error {
	return s.Ask(c.Context(), Existing, http.MethodGet, path, query, nil, show)
}

// WithAnswer sends one request and passes its answer on.
func (s *Session) WithAnswer(ctx context.Context, n Need, method, path string, query url.Values, in any, use func(json.RawMessage) error) (err error) {
	d, err := s.Connect(ctx, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	data, _, err := d.Do(ctx, method, path, query, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	return use(data)
}

// Request is one request that a command makes as an agent of this node.
type Request struct {
	As           string // name of the agent, "" for the owner's
	Method, Path string
	Query        url.Values
	In           any    // becomes the body; nil sends none
	Key          string // Idempotency-Key, "" for none
}

// Send makes the request and hands its answer to show, or prints it as it is with
// --json. An answer without a body is printed as a success then.
func (s *Session) Send(ctx context.Context, e Request, show Show) (err error) {
	d, err := s.Connect(ctx, Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return s.send(ctx, d, e, show)
}

// AskAbout makes a request about something that a word names: by its whole id, or by so
// much of its beginning that no other of the kind fits. ask gets the whole id.
func (s *Session) AskAbout(ctx context.Context, n Need, as, kind, word string, ask func(id string) Request, show Show) (err error) {
	d, err := s.Connect(ctx, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	d.As = as
	id, err := s.Whole(ctx, d, kind, word)
	if err != nil {
		return err
	}
	e := ask(id)
	e.As = as
	return s.send(ctx, d, e, show)
}

func (s *Session) send(ctx context.Context, d *Client, e Request, show Show) error {
	d.As = e.As
	header := http.Header{}
	if e.Key != "" {
		header.Set("Idempotency-Key", e.Key)
	}
	data, _, err := d.Do(ctx, e.Method, e.Path, e.Query, e.In, header)
	if err != nil {
		return s.Refused(err)
	}
	if s.JSON {
		if len(data) == 0 {
			data = []byte(`{"success":true}`)
		}
		return s.PrintRaw(data)
	}
	return show(s, data)
}

// AskAs is Ask for an agent of this node.
func (s *Session) AskAs(ctx context.Context, as, method, path string, in any, show Show) error {
	return s.Send(ctx, Request{As: as, Method: method, Path: path, In: in}, show)
}

// Made prints what a command made: with -q its id alone, for the next command of
// a script.
func (s *Session) Made(id string, pairs ...string) error {
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, id)
		return err
	}
	return s.Facts(pairs...)
}

// Given are the pairs of names and texts whose text is not empty: what a form
// leaves out has its default.
func Given(pairs ...string) map[string]any {
	in := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			in[pairs[i]] = pairs[i+1]
		}
	}
	return in
}

// OrNone is what a name that may be absent points to.
func OrNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TeamPath is the address of something in a team.
func TeamPath(team string, rest string) string {
	return "/api/mesh/team/" + url.PathEscape(team) + rest
}
