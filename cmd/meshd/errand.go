package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// errand is one request that a command makes as an agent of this node.
type errand struct {
	as           string // name of the agent, "" for the owner's
	method, path string
	query        url.Values
	in           any    // becomes the body; nil sends none
	key          string // Idempotency-Key, "" for none
}

// errand makes the request and hands its answer to show, or prints it as it is with
// --json. An answer without a body is printed as a success then.
func (p *program) errand(ctx context.Context, e errand, show func(json.RawMessage) error) (err error) {
	d, err := p.door(ctx, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	d.as = e.as
	header := http.Header{}
	if e.key != "" {
		header.Set("Idempotency-Key", e.key)
	}
	data, _, err := d.do(ctx, e.method, e.path, e.query, e.in, header)
	if err != nil {
		return p.refused(err)
	}
	if p.json {
		if len(data) == 0 {
			data = []byte(`{"success":true}`)
		}
		return p.printRaw(data)
	}
	return show(data)
}

// made prints what a command made: with -q its id alone, for the next command of
// a script.
func (p *program) made(id string, pairs ...string) error {
	if p.quiet {
		_, err := fmt.Fprintln(p.out, id)
		return err
	}
	return p.facts(pairs...)
}

// given are the pairs of names and texts whose text is not empty: what a form
// leaves out has its default.
func given(pairs ...string) map[string]any {
	in := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			in[pairs[i]] = pairs[i+1]
		}
	}
	return in
}

// orNone is what a name that may be absent points to.
func orNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// amount is a sum as people write it, with its currency.
func amount(n float64, currency string) string {
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + oneLine(currency, 16)
}
