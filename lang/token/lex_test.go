package token

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
)

func lex(text string) (*Stream, []diag.Diagnostic) {
	src := Decode("main.holo", []byte(text))
	bag := diag.NewBag(src.Path, src)
	s := Lex(src, bag)
	return s, bag.All()
}

// show prints tokens as kind and spelling.
func show(s *Stream) string {
	var out []string
	for i, t := range s.Tokens[:len(s.Tokens)-1] {
		out = append(out, kindName(t.Kind)+"‹"+s.Text(i)+"›")
	}
	return strings.Join(out, " ")
}

func kindName(k Kind) string {
	names := map[Kind]string{
		Bad: "bad", Stray: "stray", Ident: "word", StateRef: "state", Number: "number", String: "string", BlockString: "block",
		Template: "template", TemplateHead: "head", TemplateMiddle: "middle", TemplateTail: "tail", Colour: "colour",
		Directive: "directive", Selector: "selector", Trait: "trait", At: "at", Regex: "regex",
	}
	if n, ok := names[k]; ok {
		return n
	}
	return "op"
}

func TestTokens(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"a $b $ c1", "word‹a› state‹$b› word‹$› word‹c1›"},
		{"1 2.5 .5 1e3 1.5e-3 0xfF 0b101 1_000", "number‹1› number‹2.5› number‹.5› number‹1e3› number‹1.5e-3› number‹0xfF› number‹0b101› number‹1_000›"},
		{"3s 250ms 9.81m/s² 2e 5kg³", "number‹3s› number‹250ms› number‹9.81m/s²› number‹2e› number‹5kg³›"},
		{"-1", "op‹-› number‹1›"},
		{"0..3 1.x a.5", "number‹0› op‹..› number‹3› number‹1› op‹.› word‹x› word‹a› op‹.› number‹5›"},
		{"50% a % 5 5 % 2 5%n 5%(2) 5%2 5%", "number‹50%› word‹a› op‹%› number‹5› number‹5› op‹%› number‹2› number‹5› op‹%› word‹n› number‹5› op‹%› op‹(› number‹2› op‹)› number‹5› op‹%› number‹2› number‹5%›"},
		{`"a" 'b' "a\"b" """c"d"""`, `string‹"a"› string‹'b'› string‹"a\"b"› string‹"""c"d"""›`},
		{"\"a\nb\" 'c\nd'", "string‹\"a\nb\"› string‹'c\nd'›"},
		{`"""a\"""b"""`, `string‹"""a\"""b"""›`},
		{"`a` `b${c}d` `${`x${y}`}`", "template‹`a`› head‹`b${› word‹c› tail‹}d`› head‹`${› head‹`x${› word‹y› tail‹}`› tail‹}`›"},
		{"`a${b}c${{d:1}}e`", "head‹`a${› word‹b› middle‹}c${› op‹{› word‹d› op‹:› number‹1› op‹}› tail‹}e`›"},
		{"c: #3af d: #123456 [#abcd]", "word‹c› op‹:› colour‹#3af› word‹d› op‹:› colour‹#123456› op‹[› colour‹#abcd› op‹]›"},
		{"c: #3afg", "word‹c› op‹:› bad‹#› number‹3afg›"},
		{"#version 2.1 // x \n#if a {\n} #else {}", "directive‹#version 2.1 // x› directive‹#if› word‹a› op‹{› op‹}› directive‹#else› op‹{› op‹}›"},
		{"a\n#fff\n[\n#fff\n]", "word‹a› directive‹#fff› op‹[› colour‹#fff› op‹]›"},
		{"button#submit x", "word‹button› selector‹#submit› word‹x›"},
		{"#[a] #{b}", "op‹#[› word‹a› op‹]› op‹#{› word‹b› op‹}›"},
		{"@2d_canvas @ns.name @ns:name @glow: 1 @ x", "trait‹@2d_canvas› trait‹@ns.name› trait‹@ns:name› trait‹@glow› op‹:› number‹1› at‹@› word‹x›"},
		{"a = /b[/]c/gi / 2", "word‹a› op‹=› regex‹/b[/]c/gi› op‹/› number‹2›"},
		{"a / b / c", "word‹a› op‹/› word‹b› op‹/› word‹c›"},
		{"return /x/", "word‹return› regex‹/x/›"},
		{"a: |\n  b\n\n   c\nd", "word‹a› op‹:› block‹|\n  b\n\n   c› word‹d›"},
		{"a: | b", "word‹a› op‹:› op‹|› word‹b›"},
		{"a?.b c?.5:1 a??b a??=b", "word‹a› op‹?.› word‹b› word‹c› op‹?› number‹.5› op‹:› number‹1› word‹a› op‹??› word‹b› word‹a› op‹??=› word‹b›"},
		{"größe", "word‹größe›"},
		{"a~b \\", "word‹a› op‹~› word‹b› bad‹\\›"},
		{"// c\na /* b */ c # d", "word‹a› word‹c›"},
		{"#!/bin/x\na", "word‹a›"},
		{"\ufeffa", "word‹a›"},
		{"a\r\nb\rc", "word‹a› word‹b› word‹c›"},
	}
	for _, c := range cases {
		s, _ := lex(c.text)
		if got := show(s); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Every row of the table of operators is one token, and the longest wins.
func TestOperatorsAreTokens(t *testing.T) {
	t.Parallel()
	for _, o := range Operators {
		text := o.Text
		if o.Kind == Slash {
			text = "a /"
		}
		s, _ := lex(text)
		got := s.Tokens[len(s.Tokens)-2]
		if got.Kind != o.Kind && got.Kind != Stray || o.Kind.Operator().Text != o.Text {
			t.Errorf("%q is of kind %d, want %d", o.Text, got.Kind, o.Kind)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	if !slices.IsSortedFunc(Words, func(a, b WordInfo) int { return strings.Compare(a.Text, b.Text) }) {
		t.Error("the table is not in alphabetical order")
	}
	if len(Words) != int(numWords)-2 {
		t.Errorf("%d rows for %d words", len(Words), numWords-2)
	}
	for _, w := range Words {
		if LookupWord(w.Text) != w.Word {
			t.Errorf("%s is not found", w.Text)
		}
		if s, _ := lex(w.Text); s.Tokens[0].Word != w.Word {
			t.Errorf("%s is not marked", w.Text)
		}
	}
	for text, want := range map[string]bool{"on_x": true, "onX": true, "on_": false, "on": false, "once": false, "online": false, "only": false} {
		if IsOnWord(text) != want || want != (LookupWord(text) == OnWord) {
			t.Errorf("IsOnWord(%s) = %v", text, !want)
		}
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	s, _ := lex("a b\nc\n\nd/* x */e // y\nf /*\n*/ g")
	want := []uint8{
		NewlineBefore, SpaceBefore, NewlineBefore | SpaceBefore, NewlineBefore | SpaceBefore | BlankBefore,
		SpaceBefore | CommentBefore, NewlineBefore | SpaceBefore | CommentBefore, NewlineBefore | SpaceBefore | CommentBefore,
	}
	for i, f := range want {
		if got := s.Tokens[i].Flags; got != f {
			t.Errorf("%s: flags %b, want %b", s.Text(i), got, f)
		}
	}
}

func TestPartners(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want string // pairs of tokens; ! where the closer is missing
	}{
		{"(a)[b]{c}", "0-2 3-5 6-8"},
		{"#[a] #{b} `${c}`", "0-2 3-5 6-8"},
		{"( [ )", "0-2 1-2!"},
		{"( ]", "0-1"},
		{"{ a ] }", "0-3"},
		{"a {\n  b {\n    c\n}", "1-5 3-5!"},
		{"a {\n  b {\n  }\n  }\n  c\n}", "1-7 3-4"},
		{"`${ ( }` x", "0-2 1-2!"},
		{"`${ a ) }`", "0-3"},
	}
	for _, c := range cases {
		s, _ := lex(c.text)
		var got []string
		for i, tok := range s.Tokens {
			if tok.Kind.Opens() {
				mark := ""
				if !s.Closed(i) {
					mark = "!"
				}
				got = append(got, fmt.Sprintf("%d-%d%s", i, s.Partner[i], mark))
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: %s, want %s", c.text, g, c.want)
		}
	}
}

func TestUnquote(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"a"`: "a", `'it"s'`: `it"s`, `"\n\t\r\0\\\"\'\q"`: "\n\t\r\x00\\\"'q", `"\u0041\u{1F600}"`: "A😀", `"\u12"`: `\u12`,
		`"\u{}"`: `\u{}`, `"\uD800"`: `\uD800`, "\"a\r\nb\rc\"": "a\nb\nc", `"open`: "open", `""`: "", `"`: "",
		`"""a "b" \n \""" c"""`: `a "b" \n """ c`, "\"\"\"\n    a\n      b\n    \"\"\"": "a\n  b", `""""""`: "",
		"|": "", "|\n    a\n\n      b": "a\n\n  b\n",
	} {
		if got := Unquote(raw); got != want {
			t.Errorf("Unquote(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		value float64
		unit  string
	}{
		"1": {1, ""}, "1_000.5e2km": {100050, "km"}, "0xfF": {255, ""}, "0b101": {5, ""}, ".5%": {0.5, "%"}, "9.81m/s²": {9.81, "m/s²"},
		"2em": {2, "em"}, "1e400": {inf(), ""}, "0b": {0, "b"}, "3b": {3, "b"},
	} {
		_, unit := SplitNumber(raw)
		if v := NumberValue(raw); v != want.value || unit != want.unit {
			t.Errorf("%s is %v %q, want %v %q", raw, v, unit, want.value, want.unit)
		}
	}
}

func inf() float64 {
	x := 1e308
	return x * 10
}

func TestPositions(t *testing.T) {
	t.Parallel()
	src := Decode("x", []byte("a\nbc\r\nd\re"))
	for offset, want := range map[int][2]int{0: {1, 1}, 1: {1, 2}, 2: {2, 1}, 4: {2, 3}, 6: {3, 1}, 8: {4, 1}, 9: {4, 2}, 99: {4, 2}, -1: {1, 1}} {
		if l, c := src.Position(offset); l != want[0] || c != want[1] {
			t.Errorf("offset %d is at %d:%d, want %v", offset, l, c, want)
		}
	}
	if src.Lines() != 4 {
		t.Errorf("%d lines", src.Lines())
	}
}

func TestDecodings(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		text     string
		encoding Encoding
	}{
		"a":                          {"a", UTF8},
		"\xff\xfea\x00=\xd8\x00\xde": {"a😀", UTF16LE},
		"\xfe\xff\x00a\xd8=\xde\x00": {"a😀", UTF16BE},
		"\xff\xfea\x00\x00\xd8b\x00": {"a\ufffdb", UTF16LE},
		"\xfe\xff\x00a\x00":          {"a\ufffd", UTF16BE},
		"a\xff\xc3(":                 {"a\ufffd\ufffd(", UTF8},
		"\xef\xbb\xbfa":              {"\ufeffa", UTF8},
	} {
		if s := Decode("x", []byte(raw)); s.Text != want.text || s.Encoding != want.encoding {
			t.Errorf("%q is %q in %s", raw, s.Text, s.Encoding)
		}
	}
}

// Tokens and comments cover all of a text but white space, and partners mirror.
func FuzzLex(f *testing.F) {
	for _, seed := range []string{"a { b: \"c\" }", "`a${b}`", "( [ } ) ]", "#if a\n#x\n# c", "a: |\n  b", "\"a\n'b", "/* ", "1e+ 0x 5%", "\xff\xfea\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<16 {
			return
		}
		s, _ := lex(string(raw))
		at, c := 0, 0
		white := func(to int) {
			if strings.Trim(strings.TrimPrefix(s.Source.Text[at:to], "\ufeff"), " \t\r\n") != "" {
				t.Fatalf("text between tokens at %d", at)
			}
		}
		for i, tok := range s.Tokens {
			for ; c < len(s.Comments) && s.Comments[c].Start < tok.Start; c++ {
				white(int(s.Comments[c].Start))
				at = int(s.Comments[c].End)
			}
			white(int(tok.Start))
			at = int(tok.End)
			switch {
			case tok.Kind.Opens():
				if int(s.Partner[i]) <= i || int(s.Partner[i]) >= len(s.Tokens) {
					t.Fatalf("token %d has partner %d", i, s.Partner[i])
				}
			case tok.Kind.Closes():
				if j := s.Partner[i]; int(s.Partner[j]) != i || !s.Closed(int(j)) {
					t.Fatalf("closer %d and opener %d differ", i, j)
				}
			}
			Unquote(s.Text(i))
			NumberValue(s.Text(i))
		}
	})
}
