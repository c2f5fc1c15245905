// Package grammar makes the grammars of editors from the tables of the
// language: words and operators of package token, kinds of blocks of package
// check. What an editor colours by a grammar is a first look; the language
// server's semantic tokens say what a name means.
//
// There is one list of rules. TextMate and CodeMirror are two spellings of it,
// and Paint runs it, so that a test can compare it with the lexer. Write the files
// with: go test ./lang/grammar -update
package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
)

// Class is what a rule says of the text it matches.
type Class string

// The classes, named as scopes of TextMate.
const (
	Comment   Class = "comment"
	String    Class = "string"
	Escape    Class = "constant.character.escape"
	Number    Class = "constant.numeric"
	Colour    Class = "constant.other.color"
	Literal   Class = "constant.language"
	Regex     Class = "string.regexp"
	Trait     Class = "entity.name.decorator"
	Directive Class = "meta.preprocessor"
	Key       Class = "variable.other.property"
	State     Class = "variable.other.state"
	Event     Class = "entity.name.function.event"
	Call      Class = "entity.name.function"
	Keyword   Class = "keyword.control"
	Declare   Class = "storage.type"
	Word      Class = "keyword.operator.word"
	Kind      Class = "entity.name.tag"
	Operator  Class = "keyword.operator"
	Bracket   Class = "punctuation.section"
)

// tags are the classes as CodeMirror names them.
var tags = map[Class]string{
	Comment: "comment", String: "string", Escape: "string", Number: "number", Colour: "atom", Literal: "atom", Regex: "string", Trait: "meta",
	Directive: "meta", Key: "propertyName", State: "variableName.special", Event: "variableName.function", Call: "variableName.function",
	Keyword: "keyword", Declare: "keyword", Word: "keyword", Kind: "typeName", Operator: "operator", Bracket: "bracket",
}

// Rule matches text where it stands. The expressions are of the common part of
// Go, JavaScript and Oniguruma.
type Rule struct {
	Class Class
	Match string
	Ahead string // must follow, and is not taken
	Line  bool   // only as the first text of a line
	Push  string // the context that begins behind it
	Pop   bool   // the context ends behind it
}

// Context is a list of rules that are tried in order.
type Context struct {
	Name  string
	Class Class // of the text that no rule matches
	Rules []Rule
}

const name = `[A-Za-z_][A-Za-z0-9_]*`

// Contexts is the whole grammar; the first context is the outermost.
var Contexts = contexts()

func contexts() []Context {
	escape := Rule{Class: Escape, Match: `\\.`}
	body := []Rule{
		{Class: Comment, Match: `//.*`},
		{Class: Comment, Match: `/\*`, Push: "block"},
		{Class: Directive, Match: `#(?:if|elif|else)\b`},
		{Class: Directive, Match: `#` + name + `.*`, Line: true},
		{Class: Comment, Match: `#(?:[ \t].*)?`, Ahead: `$`},
		{Class: String, Match: `"""`, Push: "triple"},
		{Class: String, Match: `'''`, Push: "triple-single"},
		{Class: String, Match: `"`, Push: "double"},
		{Class: String, Match: `'`, Push: "single"},
		{Class: String, Match: "`", Push: "template"},
		{Class: Trait, Match: `@[A-Za-z0-9_]+(?:[.:][A-Za-z_][A-Za-z0-9_]*)*`},
		{Class: Colour, Match: `#(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3,4})\b`},
		{Class: Key, Match: `#` + name},
		{Class: State, Match: `\$` + name + `(?:\.` + name + `)*`},
		{Class: Number, Match: `0[xX][0-9A-Fa-f_]+|0[bB][01_]+|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?(?:%|°(?:/s)?|[A-Za-z]+(?:/[A-Za-z]+)?[²³]?)?`},
		{Class: Key, Match: `[A-Za-z_$][A-Za-z0-9_$]*(?:[.-][A-Za-z0-9_$]+)*`, Ahead: `\??[ \t]*:(?:[^:]|$)`},
		{Class: Event, Match: `on(?:_[A-Za-z0-9_]+|[A-Z][A-Za-z0-9_]*)\b`},
		{Class: Literal, Match: alternatives(wordsOf(token.Literal))},
		{Class: Word, Match: alternatives(wordsOf(token.Operation))},
		{Class: Keyword, Match: alternatives(wordsOf(token.Statement, token.Link, token.Primary))},
		{Class: Declare, Match: alternatives(wordsOf(token.Item, token.Modifier, token.Function, token.Clause)), Ahead: `[ \t]+["A-Za-z_{*(]|[ \t]*\{|$`},
		{Class: Kind, Match: alternatives(blockKinds()), Ahead: `[ \t]+["A-Za-z_@#]|[ \t]*\{`},
		{Class: Call, Match: name, Ahead: `\(`},
		{Class: "", Match: `[A-Za-z_$][A-Za-z0-9_$]*`},
		{Class: Bracket, Match: `[{\[(]`, Push: "group"},
		{Class: Operator, Match: operators()},
	}
	group := slices.Concat([]Rule{{Class: Bracket, Match: `[}\])]`, Pop: true}}, body)
	outer := slices.Concat([]Rule{{Class: Bracket, Match: `[}\])]`}}, body)
	return []Context{
		{"start", "", outer},
		{"group", "", group},
		{"block", Comment, []Rule{{Class: Comment, Match: `\*/`, Pop: true}}},
		{"triple", String, []Rule{escape, {Class: String, Match: `"""`, Pop: true}}},
		{"triple-single", String, []Rule{escape, {Class: String, Match: `'''`, Pop: true}}},
		{"double", String, []Rule{escape, {Class: String, Match: `"`, Pop: true}}},
		{"single", String, []Rule{escape, {Class: String, Match: `'`, Pop: true}}},
		{"template", String, []Rule{escape, {Class: Bracket, Match: `\$\{`, Push: "group"}, {Class: String, Match: "`", Pop: true}}},
	}
}

// wordsOf are the words with one of the roles, without those that an earlier
// rule takes.
func wordsOf(roles ...token.Role) []string {
	var all token.Role
	for _, r := range roles {
		all |= r
	}
	var out []string
	for _, w := range token.Words {
		if w.Role&all != 0 {
			out = append(out, w.Text)
		}
	}
	return out
}

// blockKinds are the kinds of blocks that no word of the language is.
func blockKinds() []string {
	return slices.DeleteFunc(check.Kinds(), func(k string) bool {
		return slices.ContainsFunc(token.Words, func(w token.WordInfo) bool {
			return w.Text == k && w.Role&(token.Statement|token.Literal|token.Operation|token.Item|token.Function|token.Modifier|token.Link) != 0
		})
	})
}

// alternatives matches one of the words, whole.
func alternatives(words []string) string { return `(?:` + strings.Join(words, "|") + `)\b` }

// operators matches any operator, the longest first.
func operators() string {
	var marks []string
	for _, o := range token.Operators {
		if !strings.ContainsAny(o.Text, "()[]{}") {
			marks = append(marks, o.Text)
		}
	}
	slices.SortStableFunc(marks, func(a, b string) int { return len(b) - len(a) })
	for i, m := range marks {
		marks[i] = regexp.QuoteMeta(m)
	}
	return strings.Join(marks, "|")
}

// expression is a rule's match with what must follow, as editors read it.
func (r Rule) expression() string {
	text := r.Match
	if strings.Contains(text, "|") && r.Ahead != "" {
		text = `(?:` + text + `)`
	}
	if r.Class != Operator && r.Class != Bracket && len(r.Match) > 0 && (isLetter(r.Match[0]) || strings.HasPrefix(r.Match, "(?:a") || strings.HasPrefix(r.Match, "[A-Za-z")) {
		text = `\b` + text
	}
	if r.Ahead != "" {
		text += `(?=` + r.Ahead + `)`
	}
	return text
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' }

// TextMate is the grammar for editors that read TextMate's: *.tmLanguage.json.
func TextMate() []byte {
	repository := map[string]any{}
	for _, c := range Contexts {
		var patterns []any
		for _, r := range c.Rules {
			if r.Pop {
				continue
			}
			match := r.expression()
			if r.Line {
				match = `^[ \t]*` + match
			}
			if r.Push == "" {
				if r.Class != "" {
					patterns = append(patterns, map[string]any{"name": string(r.Class) + ".meshd", "match": match})
				} else {
					patterns = append(patterns, map[string]any{"match": match})
				}
				continue
			}
			inner := find(r.Push)
			end := inner.Rules[slices.IndexFunc(inner.Rules, func(r Rule) bool { return r.Pop })]
			rule := map[string]any{"begin": match, "end": end.Match, "patterns": []any{map[string]any{"include": "#" + r.Push}}}
			if inner.Class != "" {
				rule["name"] = string(inner.Class) + ".meshd"
			}
			patterns = append(patterns, rule)
		}
		if patterns == nil {
			patterns = []any{}
		}
		repository[c.Name] = map[string]any{"patterns": patterns}
	}
	return encode(map[string]any{
		"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "name": "meshd", "scopeName": "source.meshd",
		"fileTypes": []string{"holo", "hs", "hsplus"}, "patterns": []any{map[string]any{"include": "#start"}}, "repository": repository,
	})
}

// CodeMirror is the grammar as the states of CodeMirror's simple mode.
func CodeMirror() []byte {
	states := map[string]any{}
	for _, c := range Contexts {
		var rules []any
		for _, r := range c.Rules {
			rule := map[string]any{"regex": r.expression()}
			if r.Class != "" {
				rule["token"] = tags[r.Class]
			}
			if r.Line {
				rule["sol"] = true
				rule["regex"] = `[ \t]*` + r.expression()
			}
			if r.Push != "" {
				rule["push"] = r.Push
			}
			if r.Pop {
				rule["pop"] = true
			}
			rules = append(rules, rule)
		}
		if c.Class != "" {
			rules = append(rules, map[string]any{"regex": "[^]", "token": tags[c.Class]})
		}
		states[c.Name] = rules
	}
	states["languageData"] = map[string]any{"commentTokens": map[string]any{"line": "//", "block": map[string]string{"open": "/*", "close": "*/"}}}
	return encode(states)
}

func find(name string) Context {
	for _, c := range Contexts {
		if c.Name == name {
			return c
		}
	}
	panic(fmt.Sprintf("grammar: no context %q", name))
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic("grammar: " + err.Error())
	}
	return b.Bytes()
}
