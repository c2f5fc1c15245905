// Package site is the front page of a node and those behind it, rendered on the server
// for people with a browser, in the binary itself. There is no script, no
// framework and no request to another host; style is one sheet, pictures are
// drawn in the page.
//
// Every page is what a reader without a key may see: New takes the use cases,
// and each page asks them as an anonymous caller, whoever sent the request. All
// that strangers wrote passes through html/template.
//
// Start with New; the HTTP face routes to the methods named after the pages and
// serves Assets. Do not add a page that shows more with a credential: what who signed in
// has beyond everybody is in package console. The header alone says who that is.
package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/service"
)

//go:embed html assets
var files embed.FS

// Policy is the Content-Security-Policy of every page: nothing but its own
// style and pictures, no script, no frame, forms to itself.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Site renders the pages of one node. It is safe for concurrent use.
type Site struct {
	service *service.Service
	pages   map[string]*template.Template
	sheet   string // tag of the style sheet, so that a new release is not shown with an old one
}

// New returns the pages over the use cases of a node.
func New(s *service.Service) (*Site, error) {
	base, err := Parts()
	if err == nil {
		base, err = base.New("layout.html").ParseFS(files, "html/layout.html")
	}
	if err != nil {
		return nil, fmt.Errorf("parse layout: %w", err)
	}
	names, err := files.ReadDir("html")
	if err != nil {
		return nil, fmt.Errorf("list pages: %w", err)
	}
	out := &Site{service: s, pages: map[string]*template.Template{}}
	for _, f := range names {
		if f.Name() == "layout.html" || f.Name() == "parts.html" {
			continue
		}
		page, err := base.Clone()
		if err == nil {
			page, err = page.ParseFS(files, "html/"+f.Name())
		}
		if err != nil {
			return nil, fmt.Errorf("parse page %s: %w", f.Name(), err)
		}
		out.pages[strings.TrimSuffix(f.Name(), ".html")] = page
	}
	if out.sheet, err = Sheet(); err != nil {
		return nil, err
	}
	return out, nil
}

// Parts are the functions and pieces that every page of this look is made of, also
// those of the owner's console: mark, kind, empty and their like.
func Parts() (*template.Template, error) {
	return template.New("parts.html").Funcs(functions).ParseFS(files, "html/parts.html")
}

// Sheet is the tag of the style sheet, for the address that pages load it from.
func Sheet() (string, error) {
	css, err := files.ReadFile("assets/site.css")
	if err != nil {
		return "", fmt.Errorf("read style: %w", err)
	}
	sum := sha256.Sum256(css)
	return base64.RawURLEncoding.EncodeToString(sum[:6]), nil
}

// Asset returns a file that pages refer to and its media type.
func Asset(name string) (raw []byte, kind string, ok bool) {
	raw, err := files.ReadFile("assets/" + name)
	if err != nil {
		return nil, "", false
	}
	switch path.Ext(name) {
	case ".css":
		kind = "text/css; charset=utf-8"
	case ".svg":
		kind = "image/svg+xml"
	}
	return raw, kind, true
}

// frame is what every page has around its own part.
type frame struct {
	Title   string // of the page; the network's name follows it
	Tab     string // of the navigation that the page belongs to
	Network string
	Version string
	Base    string // address of this gateway
	Sheet   string
	Visitor Visitor
	Data    any
}

// Visitor is who looks at a page, for its header; the page below it is everybody's.
type Visitor struct {
	Name   string // of who is signed in, "" for nobody
	SignIn string // where people sign in, "" where they do not
	Home   string // pages of who is signed in
}

type visitorMark struct{}

// WithVisitor keeps who looks at a page.
func WithVisitor(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorMark{}, v)
}

// VisitorIn is who looks at a page.
func VisitorIn(ctx context.Context) (Visitor, bool) {
	v, ok := ctx.Value(visitorMark{}).(Visitor)
	return v, ok
}

func (s *Site) render(ctx context.Context, page, title, tab string, data any) ([]byte, error) {
	version := s.service.Status.Version()
	visitor, _ := VisitorIn(ctx)
	var b bytes.Buffer
	err := s.pages[page].Execute(&b, frame{Title: title, Tab: tab, Network: version.Network, Version: version.Version,
		Base: s.service.Access.BaseURL(), Sheet: s.sheet, Visitor: visitor, Data: data})
	if err != nil {
		return nil, fmt.Errorf("render page %s: %w", page, err)
	}
	return b.Bytes(), nil
}

// reader is the anonymous caller that every page asks as.
func reader() call.Caller { return call.Caller{} }

// Failure is the page of a refusal.
func (s *Site) Failure(ctx context.Context, status int, e knowledge.ErrorBody) ([]byte, error) {
	title := "Something went wrong"
	switch {
	case status == 404:
		title = "Nothing here"
	case status == 410:
		title = "No longer here"
	case status == 429:
		title = "Too many requests"
	case status < 500:
		title = "That did not work"
	}
	return s.render(ctx, "failure", title, "", struct {
		Status int
		Error  knowledge.ErrorBody
	}{status, e})
}
