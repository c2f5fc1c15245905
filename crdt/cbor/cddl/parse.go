package cddl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var tokens = regexp.MustCompile(`^(?:"[^"]*"|=>|\.\.|\.size|-?[0-9]+|[A-Za-z_][A-Za-z0-9_-]*|[=/{}\[\]():,?*+])`)

// Parse reads a file of rules. The error says at what it stops.
func Parse(text string) (*Schema, error) {
	p := &parser{}
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, ";")
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			t := tokens.FindString(line)
			if t == "" {
				return nil, fmt.Errorf("cannot read %q", line)
			}
			p.tokens, line = append(p.tokens, t), line[len(t):]
		}
	}
	s := &Schema{rules: map[string]*node{}}
	for len(p.tokens) > 0 && p.err == nil {
		name := p.next()
		p.want("=")
		if s.rules[name] != nil {
			p.fail("two rules %q", name)
		}
		s.rules[name] = p.choice()
	}
	return s, p.err
}

type parser struct {
	tokens []string
	err    error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.tokens = nil
}

func (p *parser) peek(i int) string {
	if i < len(p.tokens) {
		return p.tokens[i]
	}
	return ""
}

func (p *parser) next() string {
	t := p.peek(0)
	if t == "" {
		p.fail("ends too early")
		return ""
	}
	p.tokens = p.tokens[1:]
	return t
}

func (p *parser) accept(t string) bool {
	if p.peek(0) != t {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *parser) want(t string) {
	if got := p.next(); got != t {
		p.fail("%q where %q is due", got, t)
	}
}

func (p *parser) choice() *node {
	first := p.primary()
	if p.peek(0) != "/" {
		return first
	}
	n := &node{kind: choice, parts: []*node{first}}
	for p.accept("/") {
		n.parts = append(n.parts, p.primary())
	}
	return n
}

func (p *parser) primary() *node {
	t := p.next()
	switch {
	case t == "{":
		return &node{kind: table, group: p.group("}")}
	case t == "[":
		return &node{kind: array, group: p.group("]")}
	case strings.HasPrefix(t, `"`):
		return &node{kind: literal, text: strings.Trim(t, `"`)}
	case isNumber(t):
		n := &node{kind: numbers, from: p.number(t)}
		if n.to = n.from; p.accept("..") {
			n.to = p.number(p.next())
		}
		return n
	}
	n := &node{name: t}
	if p.accept(".size") {
		open := p.accept("(")
		if n.size = p.primary(); n.size.kind != numbers {
			p.fail("a size that is no number")
		}
		if open {
			p.want(")")
		}
	}
	return n
}

func isNumber(t string) bool {
	_, err := strconv.ParseInt(t, 10, 64)
	return err == nil
}

func (p *parser) number(t string) int64 {
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		p.fail("%q is no number", t)
	}
	return n
}

// group reads members up to the bracket that ends them.
func (p *parser) group(end string) (out []entry) {
	for p.err == nil && !p.accept(end) {
		e := entry{least: 1, most: 1}
		switch {
		case p.accept("?"):
			e.least = 0
		case p.accept("+"):
			e.most = -1
		case p.accept("*"):
			e.least, e.most = 0, -1
		case isNumber(p.peek(0)) && p.peek(1) == "*":
			e.least = int(p.number(p.next()))
			p.want("*")
			e.most = int(p.number(p.next()))
		}
		switch p.peek(1) {
		case ":":
			e.key = p.next()
			p.want(":")
			if end == "]" {
				e.key = "" // a name for people
			}
		case "=>":
			p.want("tstr")
			p.want("=>")
			e.others = true
		}
		e.typ = p.choice()
		out = append(out, e)
		if !p.accept(",") {
			p.want(end)
			return out
		}
	}
	return out
}
