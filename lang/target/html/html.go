// Package html writes a scene as one page that needs nothing else: the viewer,
// the scene and its assets are inside, no request leaves it, and no code of the
// author runs. Without script or graphics the page shows a plan of the scene and
// the list of what is in it.
package html

import (
	"bytes"
	"cmp"
	_ "embed" // the viewer
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

//go:embed viewer.js
var viewer string

// Notices are the licences of the software in the viewers of pages.
//
//go:embed viewer.LICENSES.txt
var Notices string

//go:embed page.css
var style string

// Viewer is what a page runs: a script, the notices of the software in it, and
// what the script finds as attributes of the main element.
type Viewer struct{ Script, Notices, Main string }

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	return Viewer{Script: viewer, Notices: Notices}.Page(in)
}

// Page makes index.html with this viewer.
func (v Viewer) Page(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	still, _, err := picture.Plan(in.Scene, 960, 540)
	if err != nil {
		still = nil // a scene beyond what a picture holds still has its list
	}
	title := cmp.Or(s.Name, "Scene")
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<!DOCTYPE html>`)
	line(`<!-- %s -->`, in.Header())
	line(`<html lang="%s">`, html.EscapeString(cmp.Or(in.Options.Text("lang"), "en")))
	line(`<head>`)
	line(`<meta charset="utf-8">`)
	line(`<meta http-equiv="Content-Security-Policy" content="%s">`, artefact.PagePolicy(v.Script))
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, artefact.Markup(title))
	line(`<link rel="icon" href="data:,">`)
	line("<style>\n%s</style>", style)
	line(`</head>`)
	line(`<body>`)
	line(`<main%s>`, v.Main)
	line(`<h1>%s</h1>`, artefact.Markup(title))
	if still != nil {
		line(`<img id="still" alt="Plan of the scene, seen from above" src="data:image/svg+xml;base64,%s">`, base64.StdEncoding.EncodeToString(still))
	}
	b.WriteString(list(s))
	line(`<noscript><p class="note">Without script this page shows the plan of the scene and what is in it.</p></noscript>`)
	line(`</main>`)
	line(`<script type="application/json" id="scene">%s</script>`, doc)
	b.WriteString("<script>")
	b.WriteString(v.Script)
	line(`</script>`)
	line("<!--\nNotices of the software in this page.\n\n%s-->", strings.ReplaceAll(v.Notices, "--", "- -"))
	line(`</body>`)
	line(`</html>`)
	out := &artefact.Output{Files: []artefact.File{{Path: "index.html", MediaType: "text/html", Data: b.Bytes()}}}
	for i := range s.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "#scene/nodes/" + fmt.Sprint(i)})
	}
	out.Notes = artefact.Outside(s)
	out.Losses = artefact.UnshownModels(in)
	return out, nil
}

// list names what is in the scene, for people who cannot see or use the picture.
// The viewer puts its own in the place.
func list(s *scene.Scene) string {
	var b strings.Builder
	b.WriteString("<div id=\"list\">\n")
	if len(s.Nodes) == 0 {
		b.WriteString("<p>This scene is empty.</p>\n")
	} else {
		b.WriteString("<h2>In this scene</h2>\n<ul>\n")
		for i := range s.Nodes {
			n := &s.Nodes[i]
			if n.Kind == "light" || n.Kind == "camera" || n.Kind == "group" {
				continue
			}
			fmt.Fprintf(&b, "<li>%s", artefact.Markup(cmp.Or(n.Label, n.Name, n.Path)))
			if n.Alt != "" {
				fmt.Fprintf(&b, ": %s", artefact.Markup(n.Alt))
			}
			if n.Text != nil && n.Text.Value != "" {
				fmt.Fprintf(&b, ", “%s”", artefact.Markup(n.Text.Value))
			}
			b.WriteString("</li>\n")
		}
		b.WriteString("</ul>\n")
	}
	b.WriteString("</div>\n")
	return b.String()
}
