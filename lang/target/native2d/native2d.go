// Package native2d writes a scene as one flat page: every thing is an element at
// its place, a metre is a hundred pixels, what can be used is a button, and the
// controls of the scene stand beside it with their labels. The page runs the
// program of the scene and needs nothing else; nothing of it is a picture of
// text. Depth is left out, and so are lights, cameras, particles and model files.
package native2d

import (
	"bytes"
	"cmp"
	_ "embed" // the adapter and the style
	"fmt"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

//go:embed adapter.js
var adapter string

//go:embed page.css
var style string

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	unseen(s)
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	script := bundle.Script(bundle.Core, adapter)
	title := cmp.Or(s.Name, "Scene")
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<!DOCTYPE html>`)
	line(`<!-- %s -->`, in.Header())
	line(`<html lang="%s">`, artefact.Markup(cmp.Or(in.Options.Text("lang"), "en")))
	line(`<head>`)
	line(`<meta charset="utf-8">`)
	line(`<meta http-equiv="Content-Security-Policy" content="%s">`, artefact.PagePolicy(script))
	line(`<meta name="viewport" content="width=device-width, initial-scale=1">`)
	line(`<meta name="referrer" content="no-referrer">`)
	line(`<title>%s</title>`, artefact.Markup(title))
	line(`<link rel="icon" href="data:,">`)
	line("<style>\n%s</style>", style)
	line(`</head>`)
	line(`<body>`)
	line(`<main>`)
	line(`<h1>%s</h1>`, artefact.Markup(title))
	b.WriteString(sheet(s))
	if len(s.Nodes)+len(s.UI) == 0 {
		line(`<p class="note">This scene is empty.</p>`)
	}
	b.WriteString(still(s))
	line(`</main>`)
	line(`<script type="application/json" id="scene">%s</script>`, doc)
	b.WriteString("<script>")
	b.WriteString(script)
	line(`</script>`)
	line(`</body>`)
	line(`</html>`)
	out := &artefact.Output{Files: []artefact.File{{Path: "index.html", MediaType: "text/html", Data: b.Bytes()}}}
	for i := range s.Nodes {
		in.Pause()
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "#" + s.Nodes[i].ID})
	}
	out.Notes = artefact.Outside(in.Scene)
	return out, nil
}

// unseen leaves out the bytes of files that a flat page has no use for.
func unseen(s *scene.Scene) {
	s.Assets = append([]scene.Asset(nil), s.Assets...)
	for i := range s.Assets {
		if a := &s.Assets[i]; !strings.HasPrefix(a.MediaType, "image/") && !strings.HasPrefix(a.MediaType, "audio/") {
			a.Data = nil
		}
	}
}

// sheet are the things of a scene, each in the place of its parent.
func sheet(all *scene.Scene) string {
	at, s := spots(all), artefact.Standing(all)
	faces := make([]face, len(all.Nodes))
	seen := false
	for i := range all.Nodes {
		faces[i] = faceOf(all, &all.Nodes[i], at[i].turn)
		seen = seen || faces[i].kind != none && i < len(s.Nodes)
	}
	a := reach(s, at, faces[:len(s.Nodes)])
	var b strings.Builder
	hidden := ""
	if !seen {
		hidden = " hidden"
	}
	fmt.Fprintf(&b, "<section class=\"sheet\" tabindex=\"0\" aria-label=\"Scene\" style=\"background:%s\"%s>\n", sky(s), hidden)
	fmt.Fprintf(&b, "<div class=\"stage\" style=\"width:%spx;height:%spx\">\n", css(a.right-a.left), css(a.bottom-a.top))
	fmt.Fprintf(&b, "<div class=\"origin\" style=\"left:%spx;top:%spx\">\n", css(-a.left), css(-a.top))
	children, roots := artefact.Tree(s)
	var put func(list []int)
	put = func(list []int) {
		for _, i := range list {
			n, p := &s.Nodes[i], &at[i]
			off := ""
			if !n.Visible {
				off = " hidden"
			}
			fmt.Fprintf(&b, "<div class=\"node\" id=\"%s\" style=\"transform:matrix(%s)%s\"%s>\n", n.ID, p.local, depth(n.T[2]), off)
			faces[i].write(&b, s, n, p.scale)
			put(children[i])
			b.WriteString("</div>\n")
		}
	}
	put(roots)
	b.WriteString("</div>\n</div>\n</section>\n")
	if len(s.Nodes) == len(all.Nodes) {
		return b.String()
	}
	b.WriteString("<template>\n") // of what is spawned each node by itself
	for i := len(s.Nodes); i < len(all.Nodes); i++ {
		n, off := &all.Nodes[i], ""
		if !n.Visible {
			off = " hidden"
		}
		fmt.Fprintf(&b, "<div class=\"node\" id=\"%s\"%s>\n", n.ID, off)
		faces[i].write(&b, all, n, at[i].scale)
		b.WriteString("</div>\n")
	}
	b.WriteString("</template>\n")
	return b.String()
}

// String is a matrix as a style has it.
func (m matrix) String() string {
	parts := make([]string, len(m))
	for i, x := range m {
		parts[i] = css(x)
	}
	return strings.Join(parts, ",")
}

// depth puts what is nearer in front of its neighbours.
func depth(z float64) string {
	if k := math.Floor(float64(min(max(z, -1e6), 1e6)*100) + 0.5); k != 0 {
		return ";z-index:" + css(k)
	}
	return ""
}

// sky is the background of the sheet.
func sky(s *scene.Scene) string {
	colors := s.Environment.Sky.Colors
	switch len(colors) {
	case 0:
		return "#dfe5ec"
	case 1:
		return hex(scene.RGBA(colors[0]))
	}
	short := make([]string, len(colors))
	for i, c := range colors {
		short[i] = hex(scene.RGBA(c))
	}
	return "linear-gradient(" + strings.Join(short, ",") + ")"
}

// still is what the controls say to people without script.
func still(s *scene.Scene) string {
	if len(s.UI) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<noscript>\n<p class=\"note\">The controls of this page need script. They are:</p>\n<ul>\n")
	var put func(list []scene.Widget)
	put = func(list []scene.Widget) {
		for i := range list {
			w := &list[i]
			if t := cmp.Or(w.Label, w.ID); t != "" {
				fmt.Fprintf(&b, "<li>%s</li>\n", artefact.Markup(t))
			}
			put(w.Children)
		}
	}
	put(s.UI)
	b.WriteString("</ul>\n</noscript>\n")
	return b.String()
}
