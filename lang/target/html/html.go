// Package html writes a scene as one page that needs nothing else: the viewer,
// the scene and its assets are inside, no request leaves it, and no code of the
// author runs. Without script or graphics the page shows a plan of the scene and
// the list of what is in it.
package html

import (
	"bytes"
	"cmp"
	"crypto/sha256"
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

//go:embed viewer.LICENSES.txt
var licenses string

//go:embed page.css
var style string

// policy lets the page run its own script and show what is inside of it.
const policy = "default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; " +
	"connect-src 'none'; base-uri 'none'; form-action 'none'"

var scriptHash = func() string {
	sum := sha256.Sum256([]byte(viewer))
	return base64.StdEncoding.EncodeToString(sum[:])
}()

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
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
	line(`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, scriptHash)
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, text(title))
	line(`<link rel="icon" href="data:,">`)
	line("<style>\n%s</style>", style)
	line(`</head>`)
	line(`<body>`)
	line(`<main>`)
	line(`<h1>%s</h1>`, text(title))
	if still != nil {
		line(`<img id="still" alt="Plan of the scene, seen from above" src="data:image/svg+xml;base64,%s">`, base64.StdEncoding.EncodeToString(still))
	}
	b.WriteString(list(s))
	line(`<noscript><p class="note">Without script this page shows the plan of the scene and what is in it.</p></noscript>`)
	line(`</main>`)
	line(`<script type="application/json" id="scene">%s</script>`, doc)
	b.WriteString("<script>")
	b.WriteString(viewer)
	line(`</script>`)
	line("<!--\nNotices of the software in this page.\n\n%s-->", strings.ReplaceAll(licenses, "--", "- -"))
	line(`</body>`)
	line(`</html>`)
	out := &artefact.Output{Files: []artefact.File{{Path: "index.html", MediaType: "text/html", Data: b.Bytes()}}}
	for i := range s.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "#scene/nodes/" + fmt.Sprint(i)})
	}
	for i := range s.Assets {
		if len(s.Assets[i].Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{s.Assets[i].Path}})
		}
	}
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
			fmt.Fprintf(&b, "<li>%s", text(cmp.Or(n.Label, n.Name, n.Path)))
			if n.Alt != "" {
				fmt.Fprintf(&b, ": %s", text(n.Alt))
			}
			if n.Text != nil && n.Text.Value != "" {
				fmt.Fprintf(&b, ", “%s”", text(n.Text.Value))
			}
			b.WriteString("</li>\n")
		}
		b.WriteString("</ul>\n")
	}
	b.WriteString("</div>\n")
	return b.String()
}

// text escapes what an author wrote for the text of a page; characters that turn
// the direction of reading or that end lines are shown as what they are.
func text(s string) string {
	s = html.EscapeString(s)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x2028 || r == 0x2029:
			return -1
		}
		return r
	}, s)
}
