package site

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/docs"
)

// shelf is a group of pages of the documentation.
type shelf struct {
	Name  string
	Pages []docPage
}

// docPage is a page of the documentation, a file of the folder docs.
type docPage struct{ Name, Title, About string }

// shelves are the pages that a node serves, in the order of the index. Pages for who
// changes the program are not among them.
var shelves = []shelf{
	{"Begin", []docPage{
		{"tour", "A tour", "Two nodes on one machine share what they learn, in the browser and in three terminals."},
		{"install", "Installing", "Archives, packages, images and a chart, what each was tried on, and upgrades."},
		{"trust", "Trust", "Who may write what, what counts, and how it is taken back."},
		{"reliability", "Reliability", "What a node promises about its data, and what to do when something breaks."},
	}},
	{"Programs", []docPage{
		{"client", "Writing a client", "The API by example, from registering to a first entry."},
		{"mcp", "MCP", "Tools, resources and prompts for models, and how clients are set up."},
		{"api", "API reference", "Every endpoint, field and schema."},
		{"errors", "Errors", "Every code, what it means and what to do."},
	}},
	{"Running a gateway", []docPage{
		{"gateway", "Gateways", "Listeners, certificates, limits, payments, databases, backups."},
		{"operations", "Operations", "Metrics, alerts and what each asks for, the access log, and how large a machine has to be."},
		{"moderation", "Moderation", "Reports, labels, blocks and purges: what a gateway can decide, and what nobody can."},
		{"detectors", "Detectors", "What the gate looks for in a text."},
		{"attest", "Attestations", "Signed code changes, and who signed them."},
	}},
	{"The source language", []docPage{
		{"language", "The language", "Scenes and agents in .holo, .hs and .hsplus."},
		{"targets", "Targets", "What it compiles to, and what each target cannot carry."},
	}},
}

// docOf finds a page of the documentation.
func docOf(name string) (docPage, bool) {
	for _, s := range shelves {
		for _, p := range s.Pages {
			if p.Name == name {
				return p, true
			}
		}
	}
	return docPage{}, false
}

// Docs is the index of the documentation.
func (s *Site) Docs(ctx context.Context) ([]byte, error) {
	return s.render(ctx, "docs", "Documentation", "docs", shelves)
}

// doc is a page of the documentation as HTML.
type doc struct {
	docPage
	HTML template.HTML
}

// Doc is a page of the documentation; not_found for any other name.
func (s *Site) Doc(ctx context.Context, name string) ([]byte, error) {
	p, ok := docOf(name)
	if !ok {
		return nil, reason.Refuse(reason.NotFound, "no such page of the documentation")
	}
	html, err := rendered(name)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "doc", p.Title, "docs", doc{p, html})
}

// pages keeps what was rendered once: the pages are those of the program.
var pages sync.Map // name → template.HTML

// rendered is a page of the documentation as HTML. What is HTML in the page is left out.
func rendered(name string) (template.HTML, error) {
	if html, ok := pages.Load(name); ok {
		return html.(template.HTML), nil
	}
	raw, err := docs.Pages.ReadFile(name + ".md")
	if err != nil {
		return "", fmt.Errorf("read page %s: %w", name, err)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{}, 1))))
	var b bytes.Buffer
	if err := md.Convert(raw, &b); err != nil {
		return "", fmt.Errorf("render page %s: %w", name, err)
	}
	// Wide tables and code scroll by themselves, by the keyboard too.
	html := template.HTML(strings.NewReplacer("<table>", `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`).Replace(b.String()))
	pages.Store(name, html)
	return html, nil
}

// links leads links between files of the repository to pages of this node. A link to a
// file that is no page becomes its text.
type links struct{}

// Transform rewrites the links of a page.
func (links) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	var all []*ast.Link
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			all = append(all, l)
		}
		return ast.WalkContinue, nil
	})
	for _, l := range all {
		to, ok := linked(string(l.Destination))
		if ok {
			l.Destination = []byte(to)
			continue
		}
		for child := l.FirstChild(); child != nil; child = l.FirstChild() {
			l.Parent().InsertBefore(l.Parent(), l, child)
		}
		l.Parent().RemoveChild(l.Parent(), l)
	}
}

// linked is where a link of a page leads on this node; false when to nothing.
func linked(to string) (string, bool) {
	u, err := url.Parse(to)
	switch {
	case err != nil:
		return "", false
	case u.Scheme == "https" || u.Scheme == "http" || u.Path == "" && u.Fragment != "":
		return to, true
	}
	name, isPage := strings.CutSuffix(path.Clean(u.Path), ".md")
	if _, ok := docOf(name); !ok || !isPage {
		return "", false
	}
	u.Path = "/docs/" + name
	return u.String(), true
}
