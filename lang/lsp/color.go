package lsp

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// rgba is a colour of the protocol: each part from 0 to 1.
type rgba struct {
	Red   float64 `json:"red"`
	Green float64 `json:"green"`
	Blue  float64 `json:"blue"`
	Alpha float64 `json:"alpha"`
}

type colorInformation struct {
	Range span `json:"range"`
	Color rgba `json:"color"`
}

type colorPresentation struct {
	Label    string   `json:"label"`
	TextEdit textEdit `json:"textEdit"`
}

// documentColors are the colours of a document: #hex anywhere, bare or in quotes, and
// names where a colour is meant. The place of one in quotes is within them.
func (s *Server) documentColors(d *document, _ json.RawMessage) (any, error) {
	r := s.around(d, len(d.text)+1)
	p := &palette{d: d, registry: r.Registry, found: []colorInformation{}}
	p.visit(d.parsed(), "", nil, false)
	return p.found, nil
}

// presentations are the ways to write a colour in the place of another: #hex, and
// its name when it has one. Quotes stay.
func (s *Server) presentations(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Color rgba `json:"color"`
		Range span `json:"range"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	part := func(x float64) int {
		if !(x > 0) {
			return 0
		}
		return int(math.Round(min(x, 1) * 255))
	}
	hex := fmt.Sprintf("#%02x%02x%02x", part(p.Color.Red), part(p.Color.Green), part(p.Color.Blue))
	full := hex + fmt.Sprintf("%02x", part(p.Color.Alpha))
	if !strings.HasSuffix(full, "ff") {
		hex = full
	}
	out := []colorPresentation{{hex, textEdit{p.Range, hex}}}
	for _, name := range trait.ColorNames() {
		if c, _ := scene.Color(name); c == full {
			out = append(out, colorPresentation{name, textEdit{p.Range, name}})
			break
		}
	}
	return out, nil
}

// palette gathers colours.
type palette struct {
	d        *document
	registry *trait.Registry
	found    []colorInformation
}

func (p *palette) add(start, end int, text string) {
	c, ok := scene.Color(text)
	if !ok || len(p.found) >= maxColors {
		return
	}
	b := scene.RGBA(c)
	part := func(x uint8) float64 { return float64(x) / 255 }
	p.found = append(p.found, colorInformation{p.d.span(start, end), rgba{part(b[0]), part(b[1]), part(b[2]), part(b[3])}})
}

// visit looks at a node in a block of some kind, or among the arguments of a trait.
// meant says that its value is a colour.
func (p *palette) visit(n ast.Node, kind string, e *trait.Entry, meant bool) {
	each := func(kind string, e *trait.Entry, meant bool) {
		ast.Children(n, func(c ast.Node) { p.visit(c, kind, e, meant) })
	}
	at := n.Span()
	switch n := n.(type) {
	case *ast.Colour:
		p.add(int(at.Start), int(at.End), n.Raw)
	case *ast.Ident:
		if meant {
			p.add(int(at.Start), int(at.End), n.Name)
		}
	case *ast.String:
		p.text(n, meant)
	case *ast.Block:
		each(n.BlockKind, nil, false)
	case *ast.Attribute:
		own, _ := p.registry.Lookup(n.Name)
		for i, x := range n.Positional {
			param, ok := (*trait.Param)(nil), false
			if own != nil {
				param, ok = own.Place(i)
			}
			p.visit(x, "", nil, ok && param.Type.Has(trait.TypeColor))
		}
		if n.Config != nil {
			p.visit(n.Config, "", own, false)
		}
		if n.Value != nil {
			p.visit(n.Value, "", nil, isColorKey(n.Name))
		}
		if n.Body != nil {
			p.visit(n.Body, kind, nil, false)
		}
	case *ast.Property:
		if n.Value != nil {
			p.visit(n.Value, "", nil, p.takes(kind, e, n.Key.Name()))
		}
	case *ast.TypedMember:
		each(kind, e, isColorType(n.Type) || isColorKey(n.Name))
	case *ast.Declarator:
		each(kind, e, isColorType(n.Type) || isColorKey(n.Name))
	case *ast.Param:
		each(kind, e, isColorType(n.Parts().Type))
	case *ast.Assign:
		name := ""
		switch x := n.Target.(type) {
		case *ast.Ident:
			name = x.Name
		case *ast.Path:
			segments := x.Segments()
			name = segments[len(segments)-1]
		case *ast.Member:
			name = x.Name
		}
		if n.Value != nil {
			p.visit(n.Value, kind, nil, p.takes(kind, nil, name))
		}
	case *ast.Array, *ast.Ternary:
		each(kind, e, meant)
	case *ast.Body:
		each(kind, e, false)
	default:
		each(kind, nil, false)
	}
}

// text looks at a text that is one colour.
func (p *palette) text(n *ast.String, meant bool) {
	value := strings.TrimSpace(n.Value())
	if n.Raw == "" || n.Raw[0] != '"' && n.Raw[0] != '\'' || strings.HasPrefix(n.Raw, `"""`) {
		return
	}
	if !meant && !(strings.HasPrefix(value, "#") && len(value) >= len("#rrggbb")) { // "#123" may be a number
		return
	}
	i := strings.Index(n.Raw, value)
	if value == "" || i < 0 {
		return
	}
	start := int(n.At.Start) + i
	p.add(start, start+len(value), value)
}

// takes says whether a colour is meant by the value of a key.
func (p *palette) takes(kind string, e *trait.Entry, key string) bool {
	if e != nil {
		if param, ok := e.Param(key); ok {
			return param.Type.Has(trait.TypeColor)
		}
	}
	fold := trait.FoldKey(key)
	for _, param := range check.Settings(kind) {
		if param.Name == fold && param.Type.Has(trait.TypeColor) {
			return true
		}
	}
	return isColorKey(key)
}

// isColorKey says whether a key means a colour by its name.
func isColorKey(key string) bool {
	key = trait.FoldKey(key[strings.LastIndexByte(key, '.')+1:])
	for _, word := range []string{"color", "colour", "colors", "colours"} {
		if key == word || strings.HasSuffix(key, "_"+word) {
			return true
		}
	}
	switch key {
	case "albedo", "emissive", "tint", "background", "sky", "skybox", "ground", "horizon", "zenith", "fill", "stroke", "gradient":
		return true
	}
	return false
}

func isColorType(n ast.Node) bool {
	t, ok := n.(*ast.TypeName)
	return ok && t.Path == "color"
}
