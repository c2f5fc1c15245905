// Package html writes a scene as one page that needs nothing else: the viewer,
// the scene and its assets are inside, no request leaves it, and no code of the
// author runs. Without script or graphics the page shows a plan of the scene and
// the list of what is in it.
package html

import (
	"bytes"
	"cmp"
	_ "embed" // the adapter
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

//go:embed adapter.js
var adapter string

// Notices are the licences of the software in the viewers of pages.
//
//go:embed viewer.LICENSES.txt
var Notices string

//go:embed page.css
var style string

// Viewer is what a page runs: a script, the notices of the software in it, what
// the script finds as attributes of the main element, and what it looks like beyond
// the style of all pages. Connect are the sources of the page's policy that the
// script may ask; without them it connects to nobody.
type Viewer struct {
	Script, Notices, Main, Style string
	Connect                      []string
}

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	return Viewer{Script: bundle.Script(bundle.Viewer, adapter), Notices: Notices}.Page(in)
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
	still, _, err := picture.Plan(artefact.Standing(in.Scene), 960, 540)
	if err != nil {
		still = nil // a scene beyond what a picture shows still has its list
	}
	title := cmp.Or(s.Name, "Scene")
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<!DOCTYPE html>`)
	line(`<!-- %s -->`, in.Header())
	line(`<html lang="%s">`, html.EscapeString(cmp.Or(in.Options.Text("lang"), "en")))
	line(`<head>`)
	line(`<meta charset="utf-8">`)
	line(`<meta http-equiv="Content-Security-Policy" content="%s">`, artefact.PagePolicy(v.Script, v.Connect...))
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, artefact.Markup(title))
	line(`<link rel="icon" href="data:,">`)
	line("<style>\n%s%s</style>", style, v.Style)
	line(`</head>`)
	line(`<body>`)
	line(`<main%s>`, v.Main)
	line(`<h1>%s</h1>`, artefact.Markup(title))
	if still != nil {
		line(`<img id="still" alt="Plan of the scene, seen from above" src="data:image/svg+xml;base64,%s">`, base64.StdEncoding.EncodeToString(still))
	}
	b.WriteString(artefact.Contents(s))
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
	out.Losses = artefact.PageLosses(in)
	return out, nil
}

// Frame is a page without a scene: the viewer takes scenes from window.parent, by the
// protocol viewer/1. The script begin runs before it, in a scope of its own.
func Frame(title, begin string) []byte {
	script := "\"use strict\";(()=>{\n" + begin + "})();\n" + bundle.Script(bundle.Viewer, adapter)
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<!DOCTYPE html>`)
	line(`<html lang="en">`)
	line(`<head>`)
	line(`<meta charset="utf-8">`)
	line(`<meta http-equiv="Content-Security-Policy" content="%s">`, artefact.PagePolicy(script))
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, artefact.Markup(title))
	line("<style>\n%s</style>", style)
	line(`</head>`)
	line(`<body>`)
	line(`<main></main>`)
	b.WriteString("<script>")
	b.WriteString(script)
	line(`</script>`)
	line("<!--\nNotices of the software in this page.\n\n%s-->", strings.ReplaceAll(Notices, "--", "- -"))
	line(`</body>`)
	line(`</html>`)
	return b.Bytes()
}
