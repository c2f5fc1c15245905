package lsp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// Compiling is a document that Config.Losses compiles.
type Compiling struct {
	Target string
	Root   fs.FS  // what imports are read from, as the editor has it; nil for a document alone
	Name   string // below the root
	Text   string
	Format ast.Format
}

type inlayHint struct {
	Position     position `json:"position"`
	Label        string   `json:"label"`
	Kind         int      `json:"kind,omitempty"`
	Tooltip      *markup  `json:"tooltip,omitempty"`
	PaddingLeft  bool     `json:"paddingLeft,omitempty"`
	PaddingRight bool     `json:"paddingRight,omitempty"`
}

// hintParameter is the kind of a hint of the protocol.
const hintParameter = 2

// lossHint is what a target leaves out at a line of a text.
type lossHint struct {
	at             int // the end of the line
	label, tooltip string
}

func (s *Server) uncompiled() *document {
	if s.cfg.Losses == nil || s.target == "" {
		return nil
	}
	for _, d := range s.sorted() {
		if !d.compiled {
			return d
		}
	}
	return nil
}

// compile compiles a document to the target of the client's settings and makes the
// client ask for hints again.
func (s *Server) compile(d *document) {
	source := Compiling{Target: s.target, Name: d.path, Text: d.text, Format: d.format}
	if d.inside && s.project != nil {
		source.Root = s.project.FS()
	}
	losses, err := s.cfg.Losses(source)
	if errors.Is(err, ErrWaits) {
		return
	}
	if err != nil && err.Error() != s.complaint {
		s.complaint = err.Error()
		s.notify("window/logMessage", map[string]any{"type": 2, "message": "losses are not shown: " + s.complaint})
	}
	before := d.losses
	d.compiled, d.lossText = true, d.text
	d.losses = d.lossHints(losses)
	if s.refreshes && !slices.Equal(before, d.losses) {
		s.asked++
		s.send(call{"2.0", fmt.Sprintf("refresh-%d", s.asked), "workspace/inlayHint/refresh"})
	}
}

// lossHints are the losses at the lines of a document, one hint a line.
func (d *document) lossHints(losses []scene.Loss) []lossHint {
	type line struct{ left, near, why []string }
	lines := map[int]*line{}
	target := ""
	for _, l := range losses {
		name := l.Feature
		if l.Trait != "" {
			name = "@" + l.Trait
		}
		target = l.Target
		for _, n := range l.Nodes {
			if n.File != d.path || n.Line < 1 || n.Line > len(d.starts) {
				continue
			}
			one := lines[n.Line]
			if one == nil {
				if len(lines) >= maxHints {
					continue
				}
				one = &line{}
				lines[n.Line] = one
			}
			list := &one.left
			if l.Code == "TGT003" {
				list = &one.near
			}
			if !slices.Contains(*list, name) {
				*list = append(*list, name)
				one.why = append(one.why, "- "+name+": "+l.Reason)
			}
		}
	}
	out := []lossHint{}
	for number, one := range lines {
		var says []string
		if len(one.left) > 0 {
			says = append(says, "leaves out "+strings.Join(one.left, ", "))
		}
		if len(one.near) > 0 {
			says = append(says, "approximates "+strings.Join(one.near, ", "))
		}
		end := len(d.text)
		if number < len(d.starts) {
			end = d.starts[number]
		}
		end = d.starts[number-1] + len(strings.TrimRight(d.text[d.starts[number-1]:end], " \t\r\n"))
		out = append(out, lossHint{end, target + " " + strings.Join(says, ", "), strings.Join(one.why, "\n")})
	}
	slices.SortFunc(out, func(a, b lossHint) int { return cmp.Compare(a.at, b.at) })
	return out
}

// inlayHints are the names of arguments that traits take by their places, and what
// the target of the settings leaves out, as it was when the client last rested.
func (s *Server) inlayHints(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Range span `json:"range"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	start, end := d.offset(p.Range.Start), d.offset(p.Range.End)
	out := d.argumentHints(s.around(d, len(d.text)+1).Registry, start, end)
	moved := token.Edit{}
	if d.lossText != d.text {
		moved = difference(d.lossText, d.text)
	}
	for _, l := range d.losses {
		at := l.at
		if d.lossText != d.text && at > moved.Start {
			if at < moved.End {
				continue // its line is being written
			}
			at += len(moved.Text) - (moved.End - moved.Start)
		}
		if at < start || at > end {
			continue
		}
		out = append(out, inlayHint{Position: d.position(at), Label: l.label, Tooltip: &markup{"markdown", l.tooltip}, PaddingLeft: true})
	}
	return out, nil
}

// argumentHints are the names of the parameters that arguments without a name mean.
func (d *document) argumentHints(r *trait.Registry, start, end int) []inlayHint {
	out := []inlayHint{}
	ast.Walk(d.parsed(), func(n ast.Node) bool {
		if at := n.Span(); int(at.End) < start || int(at.Start) > end || len(out) >= maxHints {
			return false
		}
		a, ok := n.(*ast.Attribute)
		if !ok || a.Control() != "" || len(a.Positional) == 0 {
			return true
		}
		e, ok := r.Lookup(a.Name)
		if !ok {
			return true
		}
		for i, x := range a.Positional {
			if p, ok := e.Place(i); ok && *p.Positional != trait.Rest && int(x.Span().Start) >= start && int(x.Span().Start) <= end {
				out = append(out, inlayHint{Position: d.position(int(x.Span().Start)), Label: p.Name + ":", Kind: hintParameter, PaddingRight: true})
			}
		}
		return true
	})
	return out
}

// configure takes the settings of a client: {"target": …}, below "meshd" or not.
func (s *Server) configure(settings json.RawMessage) {
	var p struct {
		Target *string `json:"target"`
		Meshd  *struct {
			Target *string `json:"target"`
		} `json:"meshd"`
	}
	if json.Unmarshal(settings, &p) != nil {
		return
	}
	if p.Meshd != nil {
		p.Target = p.Meshd.Target
	}
	if p.Target == nil || *p.Target == s.target || len(*p.Target) > trait.MaxName {
		return
	}
	s.target, s.complaint = *p.Target, ""
	for _, d := range s.docs {
		d.compiled = false
		d.losses = nil
	}
	if s.refreshes && s.target == "" {
		s.asked++
		s.send(call{"2.0", fmt.Sprintf("refresh-%d", s.asked), "workspace/inlayHint/refresh"})
	}
}
