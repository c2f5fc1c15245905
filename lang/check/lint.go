package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/trait"
)

// unused reports declarations whose names stand nowhere else.
func (c *checker) unused() {
	for _, s := range c.symbols {
		if s.Kind == Template && s.File == c.f.Path() {
			c.unusedParams(s)
		}
		if c.mentions[s.Name] || s.File != c.f.Path() || s.At.End == s.At.Start || s.decl.HasError() {
			continue
		}
		if _, exported := c.exported[s.Name]; exported {
			continue
		}
		switch s.Kind {
		case Template:
			if c.f.Format == ast.Holo && c.library() {
				continue // a file of templates is there to be imported
			}
		case State:
		case Imported:
			c.unusedImport(s)
			continue
		case Function:
			if c.calledByHost(s) || c.routed(s) {
				continue
			}
		default:
			continue
		}
		at := c.lines(s.Full)
		c.add("LNT001", s.At, s.Name).Fix("Remove it", int(at.Start), int(at.End), "")
	}
}

// unusedParams reports the parameters of a template that nothing in the file reads, and
// that are no settings of what it makes.
func (c *checker) unusedParams(s *Symbol) {
	b, ok := s.decl.(*ast.Block)
	if !ok || b.Body == nil || len(b.Heading().Using)+len(b.Heading().Extends) > 0 || b.HasError() {
		return
	}
	entry, _ := words().settings.Lookup("object")
	for _, it := range b.Body.Items {
		list, ok := it.(*ast.Block)
		if !ok || list.BlockKind != "props" && list.BlockKind != "params" || list.Body == nil {
			continue
		}
		for _, it := range list.Body.Items {
			p, ok := it.(*ast.Property)
			if !ok || p.Key.Computed != nil || len(p.Key.Parts()) != 1 || c.mentions[p.Key.Name()] {
				continue
			}
			if _, known := entry.Param(p.Key.Name()); !known {
				c.add("LNT001", p.Key.At, p.Key.Name())
			}
		}
	}
}

// library says whether a file declares templates and nothing that uses them.
func (c *checker) library() bool {
	for _, n := range c.f.Items() {
		if e, ok := n.(*ast.Export); ok && e.Item != nil {
			n = e.Item
		}
		switch n := n.(type) {
		case *ast.Block:
			if n.BlockKind != "template" && n.BlockKind != "trait" {
				return false
			}
		case *ast.Import, *ast.LineDirective:
		default:
			return false
		}
	}
	return true
}

// calledByHost says whether a function is called by others than the file's text:
// methods of types, members that a trait or a parent requires.
func (c *checker) calledByHost(s *Symbol) bool {
	f, ok := s.decl.(*ast.Func)
	if !ok || f.Body == nil || f.FuncKind == ast.Getter || f.FuncKind == ast.Setter {
		return true
	}
	if s.Parent != nil {
		if b, ok := s.Parent.decl.(*ast.Block); ok {
			if k := words().byName[b.BlockKind]; k == nil || k.role == typed || len(b.Heading().Attrs) > 0 {
				return true
			}
		}
	}
	switch s.Name {
	case "main", "init", "setup", "start", "update", "tick", "render", "constructor", "dispose":
		return true
	}
	return false
}

// routeMethods are the blocks of a service that are called like the method they answer.
var routeMethods = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "patch": true, "head": true, "options": true}

// endpointKinds are the blocks that are an endpoint, and the traits that make one.
var endpointKinds = map[string]bool{"endpoint": true, "route": true, "http": true}

// serverKinds are the traits that make a composition or an object a server.
var serverKinds = map[string]bool{"http": true, "service": true, "api": true, "rest": true}

// requests are the events that a request of an endpoint is for its handlers.
var requests = map[string]bool{"request": true, "http_request": true, "call": true, "http": true}

// answers are names of functions of a service or an endpoint that answer its requests.
var answers = map[string]bool{
	"handler": true, "handle": true, "action": true, "run": true, "call": true, "execute": true, "respond": true, "reply": true, "answer": true,
}

// routed says whether requests call a function: of an endpoint, called like a method or
// a path, or of the name of an endpoint.
func (c *checker) routed(s *Symbol) bool {
	name := trait.FoldKey(s.Name)
	if c.served[name] {
		return true
	}
	if s.Parent == nil {
		return false
	}
	b, ok := s.Parent.decl.(*ast.Block)
	if !ok {
		return false
	}
	switch k := b.BlockKind; {
	case endpointKinds[k], routeMethods[k] && b.Name != nil:
		return answers[name] || routeMethods[name] || functionsIn(b) == 1
	case c.serves && hasRoute(b):
		return answers[name] || routeMethods[name] || functionsIn(b) == 1
	case k == "service":
		return strings.HasPrefix(strings.Trim(s.Name, `"'`), "/")
	}
	return false
}

// hasRoute says whether an object of a server is one of its endpoints.
func hasRoute(b *ast.Block) bool {
	for _, it := range b.Body.Items {
		if p, ok := it.(*ast.Property); ok {
			switch p.Key.Name() {
			case "route", "path", "method":
				return true
			}
		}
	}
	return false
}

// functionsIn counts the functions of a block.
func functionsIn(b *ast.Block) (n int) {
	for _, it := range b.Body.Items {
		if f, ok := it.(*ast.Func); ok && f.Body != nil {
			n++
		}
	}
	return n
}

// route notes the action that an endpoint means by its own name.
func (c *checker) route(b *ast.Block) {
	is := endpointKinds[b.BlockKind]
	for _, a := range b.Heading().Attrs {
		is = is || endpointKinds[a.Name]
	}
	if b.Body != nil {
		for _, it := range b.Body.Items {
			a, ok := it.(*ast.Attribute)
			is = is || ok && endpointKinds[a.Name]
		}
	}
	c.serves = c.serves || is || b.BlockKind == "service"
	if name := b.NameText(); is && name != "" {
		if c.served == nil {
			c.served = map[string]bool{}
		}
		c.served[trait.FoldKey(strings.ReplaceAll(name, " ", "_"))] = true
	}
}

// unusedImport reports an imported name that the file does not use.
func (c *checker) unusedImport(s *Symbol) {
	f := c.add("LNT001", s.At, s.Name)
	im, ok := s.decl.(*ast.Import)
	if !ok {
		if name, ok := s.decl.(*ast.ImportName); ok {
			at := c.lines(name.At)
			f.Fix("Remove it", int(at.Start), int(at.End), "")
		}
		return
	}
	at := c.lines(im.At)
	if len(im.Names) == 0 || im.Default == "" && im.Star == "" && len(im.Names) == 1 {
		f.Fix("Remove the import", int(at.Start), int(at.End), "")
	}
}

// secretKeys are settings whose values are secrets.
var secretKeys = []string{"password", "passwd", "secret", "api_key", "apikey", "access_key", "private_key", "client_secret", "auth_token", "access_token"}

// secretStarts are beginnings of tokens that services give out.
var secretStarts = []string{"sk-", "sk_live_", "rk_live_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "AIza", "-----BEGIN "}

// secret reports a text that looks like a password or a key.
func (c *checker) secret(key string, v ast.Node) {
	s, ok := v.(*ast.String)
	if !ok {
		return
	}
	text := s.Value()
	if strings.Contains(text, "${") || strings.ContainsAny(text, " ") && !strings.HasPrefix(text, "-----BEGIN ") {
		return
	}
	looks := false
	for _, start := range secretStarts {
		looks = looks || strings.HasPrefix(text, start) && len(text) >= len(start)+16
	}
	fold := strings.ReplaceAll(strings.ToLower(key), "-", "_")
	for _, k := range secretKeys {
		looks = looks || strings.HasSuffix(fold, k) && len(text) >= 8
	}
	if looks {
		c.add("LNT009", s.At)
	}
}

// assetExists reports a path of an asset that the project does not have.
func (c *checker) assetExists(key string, v ast.Node) {
	s, ok := v.(*ast.String)
	if !ok || c.o.Project == nil {
		return
	}
	name := s.Value()
	if strings.Contains(name, "${") || strings.Contains(name, ":") || strings.HasPrefix(name, "//") || module.KindOf(name) != module.Asset {
		return
	}
	spec := name
	if !strings.HasPrefix(spec, "./") && !strings.HasPrefix(spec, "../") && !strings.HasPrefix(spec, "/") && !strings.HasPrefix(spec, "@/") {
		spec = "./" + spec
	}
	_, _, problem := c.o.Project.Resolve(c.f.Path(), spec)
	if problem == nil {
		return
	}
	if problem.Code == "IMP008" {
		c.add("IMP008", s.At, name)
		return
	}
	f := c.add(problem.Code, s.At, problem.Slots...)
	if problem.Suggestion != "" {
		c.respell(f, s, strings.TrimPrefix(problem.Suggestion, "./"))
	}
}
