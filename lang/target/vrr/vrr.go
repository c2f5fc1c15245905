// Package vrr writes a scene as one page that is bound to live data: the page of
// package html with another viewer, which reads the endpoints that the source
// names, and no other. Values go into the state of the scene by handlers that are
// part of its program, so that everything that follows from them runs. What a feed
// sends is data: what does not fit is refused, counted and shown.
//
// A value that is late, or whose endpoint is away, is marked as stale at its
// thing and in a list. Without an endpoint the page is that of package html, and
// says so.
package vrr

import (
	_ "embed" // the adapter
	"encoding/json"
	"fmt"
	"slices"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
	"github.com/meshd/meshd/lang/target/html"
)

//go:embed adapter.js
var adapter string

//go:embed live.css
var style string

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	r, err := read(in)
	if err != nil {
		return nil, err
	}
	with, err := wired(in, r.bindings)
	if err != nil {
		return nil, err
	}
	plan, err := json.Marshal(struct {
		Feeds    []feed     `json:"feeds"`
		Bindings []*binding `json:"bindings"`
		Idle     []idle     `json:"idle"`
	}{some(r.feeds), some(r.bindings), some(r.idle)})
	if err != nil {
		return nil, err
	}
	v := html.Viewer{
		Script: bundle.Script(bundle.Viewer, adapter), Notices: html.Notices, Style: style, Main: fmt.Sprintf(` data-live="%s"`, artefact.Markup(string(plan))),
	}
	for _, f := range r.feeds {
		if !slices.Contains(v.Connect, f.allowed) {
			v.Connect = append(v.Connect, f.allowed)
		}
	}
	out, err := v.Page(with)
	if err != nil {
		return nil, err
	}
	out.Losses = append(out.Losses, r.losses.All()...)
	return out, nil
}

// some is the list, and [] for none.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
