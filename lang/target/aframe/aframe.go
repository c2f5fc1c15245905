// Package aframe writes a scene as a page for A-Frame: a tree of entities with
// their components, angles in degrees, and a component of the scene that runs it.
// The page names the library and does not carry it.
package aframe

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the adapter
	"encoding/base64"
	"fmt"
	"html"
	"net/url"

	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

// Library is where a page finds the library when nothing else is asked for: the
// file of the package on npm, of this version.
const Library = "https://cdn.jsdelivr.net/npm/aframe@1.8.0/dist/aframe-v1.8.0.min.js"

// digest is that of the library's file. A page refuses another one.
const digest = "sha384-d2HJ2eWTxYenz2Vcmsy7gDZW7G2Gq51k1M15G7vv2O/S60nSNYZVjtgGzPnd3sG+"

//go:embed adapter.js
var adapter string

//go:embed page.css
var style string

// policy lets the page run the library and its own script, and show what is
// inside of it.
const policy = "default-src 'none'; script-src 'sha256-%s' %s; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; " +
	"connect-src 'none'; base-uri 'none'; form-action 'none'"

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	s.Post = nil // neither effects nor particles are shown
	for i := range s.Nodes {
		s.Nodes[i].Particle = scene.Value{}
	}
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	title := artefact.Markup(cmp.Or(s.Name, "Scene"))
	library := cmp.Or(in.Options.Text("library"), Library)
	script := bundle.Script(bundle.Host, adapter)
	sum := sha256.Sum256([]byte(script))
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<!DOCTYPE html>`)
	line(`<!-- %s -->`, in.Header())
	line(`<html lang="%s">`, html.EscapeString(cmp.Or(in.Options.Text("lang"), "en")))
	line(`<head>`)
	line(`<meta charset="utf-8">`)
	line(`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, base64.StdEncoding.EncodeToString(sum[:]), html.EscapeString(origin(library)))
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, title)
	line(`<link rel="icon" href="data:,">`)
	line("<style>\n%s</style>", style)
	if library == Library {
		line(`<script src="%s" integrity="%s" crossorigin="anonymous"></script>`, Library, digest)
	} else {
		line(`<script src="%s"></script>`, html.EscapeString(library))
	}
	line(`<script type="application/json" id="scene">%s</script>`, doc)
	b.WriteString("<script>")
	b.WriteString(script)
	line(`</script>`)
	line(`</head>`)
	line(`<body>`)
	line(`<main>`)
	line(`<h1>%s</h1>`, title)
	b.WriteString(artefact.Contents(s))
	line(`<noscript><p>Without script this page shows only what is in the scene.</p></noscript>`)
	line(`</main>`)
	here := artefact.Standing(s)
	w := &writer{in: in, s: here, stage: staging.Of(here)} // prototypes are made by the runtime
	w.scene()
	b.Write(w.d.Bytes())
	line(`</body>`)
	line(`</html>`)
	out := &artefact.Output{Files: []artefact.File{{Path: "index.html", MediaType: "text/html", Data: b.Bytes()}}, Places: w.places}
	out.Notes = artefact.Outside(s)
	out.Losses = artefact.PageLosses(in)
	return out, nil
}

// origin is what the policy of a page says of an address: the host of a whole
// one, and for the rest the place of the page itself.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "'self'"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}
