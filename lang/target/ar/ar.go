// Package ar writes a scene as one page that shows it in the room: where the
// browser offers immersive-ar, the scene follows the eye over the surfaces that
// the device finds, is set down by a selection and kept there by an anchor. It
// is the page of package html with another viewer; without AR the scene is
// looked at from all sides.
package ar

import (
	_ "embed" // the adapter
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
	"github.com/meshd/meshd/lang/target/html"
	"github.com/meshd/meshd/lang/trait"
)

//go:embed adapter.js
var adapter string

// followed are the kinds of anchors that keep a thing where it stands; a browser
// follows no pictures, faces or places of the globe.
var followed = []string{"", "world", "local", "plane"}

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	losses := artefact.NewTally(in)
	var held []string
	for i := range in.Scene.Nodes {
		n := &in.Scene.Nodes[i]
		at := slices.IndexFunc(n.Traits, func(t scene.TraitUse) bool { return t.Name == "anchor" })
		if at < 0 {
			continue
		}
		if n.Prototype != "" {
			losses.Approximate(artefact.XR, n, "what is spawned is held with the scene, not by an anchor of its own")
			continue
		}
		held = append(held, n.ID)
		if kind := setting(n.Traits[at].Params, "type"); !slices.Contains(followed, kind) {
			losses.Approximate(artefact.XR, n, "anchors of pictures, faces and places of the globe hold the thing where it stands")
		}
		if p := setting(n.Traits[at].Params, "persistence"); p == "cloud" || p == "local" {
			losses.Approximate(artefact.XR, n, "anchors last as long as the session")
		}
	}
	v := html.Viewer{Script: bundle.Script(bundle.Viewer, adapter), Notices: html.Notices}
	if len(held) > 0 {
		v.Main = fmt.Sprintf(` data-anchors="%s"`, strings.Join(held, " "))
	}
	out, err := v.Page(in)
	if err != nil {
		return nil, err
	}
	out.Losses = append(out.Losses, losses.All()...)
	return out, nil
}

// setting is a word or text of a trait.
func setting(params scene.Value, key string) string {
	for _, f := range params.Fields {
		if f.Key == key && (f.Value.Kind == trait.Text || f.Value.Kind == trait.Word) {
			return f.Value.Str
		}
	}
	return ""
}
