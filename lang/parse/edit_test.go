package parse

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// differs says where two readings differ in anything that can be read of them.
func differs(a, b *Reading) string {
	if d := deepDiffers("found", reflect.ValueOf(a.Found), reflect.ValueOf(b.Found), nil); d != "" {
		return d
	}
	s, o := a.File.Stream, b.File.Stream
	for i := range min(s.Source.Lines(), o.Source.Lines()) {
		at, _ := s.Source.Position(i)
		if also, _ := o.Source.Position(i); at != also {
			return "lines"
		}
	}
	switch {
	case s.Source.Lines() != o.Source.Lines():
		return "number of lines"
	case !reflect.DeepEqual(s.Tokens, o.Tokens):
		return "tokens"
	case !reflect.DeepEqual(s.Partner, o.Partner):
		return "partners"
	}
	comments := func(x, y ast.Node) string {
		if p, q := a.File.Comments(x), b.File.Comments(y); fmt.Sprintf("%+v", either(p)) != fmt.Sprintf("%+v", either(q)) {
			return fmt.Sprintf("comments of %s at %v: %+v, want %+v", x.Kind(), x.Span(), either(p), either(q))
		}
		return ""
	}
	if d := deepDiffers("comments", reflect.ValueOf(s.Comments), reflect.ValueOf(o.Comments), nil); d != "" {
		return d
	}
	x, y := *a.File, *b.File
	x.Stream, y.Stream = nil, nil
	if d := deepDiffers("file", reflect.ValueOf(&x), reflect.ValueOf(&y), comments); d != "" {
		return d
	}
	return ""
}

func either(c *ast.Comments) ast.Comments {
	if c == nil {
		return ast.Comments{}
	}
	return *c
}

// deepDiffers compares all fields, but where the comments of a node are kept: these
// are compared themselves.
func deepDiffers(path string, a, b reflect.Value, comments func(x, y ast.Node) string) string {
	if a.Kind() == reflect.Interface {
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return path
			}
			return ""
		}
		a, b = a.Elem(), b.Elem()
	}
	if a.Type() != b.Type() {
		return fmt.Sprintf("%s: %s, want %s", path, a.Type(), b.Type())
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return path
			}
			return ""
		}
		return deepDiffers(path, a.Elem(), b.Elem(), comments)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: %d, want %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := deepDiffers(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), comments); d != "" {
				return d
			}
		}
	case reflect.Struct:
		if comments != nil && a.CanAddr() {
			if x, ok := a.Addr().Interface().(ast.Node); ok {
				if d := comments(x, b.Addr().Interface().(ast.Node)); d != "" {
					return path + ": " + d
				}
			}
		}
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if f.Name == "note" || a.Type() == reflect.TypeFor[ast.File]() && !f.IsExported() {
				continue
			}
			if d := deepDiffers(path+"."+f.Name, a.Field(i), b.Field(i), comments); d != "" {
				return d
			}
		}
	default:
		if !a.Equal(b) {
			return fmt.Sprintf("%s: %v, want %v", path, a, b)
		}
	}
	return ""
}

// pieces are what random edits write.
var pieces = []string{
	" ", "\n", "\n\n", "\r\n", "\r", "\t", "a", "label", "x: 1", "x:", ": ", ",", ";", "{", "}", "{ }", "(", ")", "()", "[", "]", "[]", "\"", "\"a\"", "'", "\"\"\"",
	"`", "`a${b}c`", "${", "\\", "//", "// c\n", "/*", "*/", "/* c */", "/** d */", "#", "# c\n", "#if a {\n}\n", "#else", "#version 2\n", "#[test]", "#{a}", "#fff",
	"@", "@glow", "@glow(a: 1)", "@else { }", "@if a {\n}\n", "else { }", "else", "on_x() { a() }\n", "object \"A\" {\n  x: 1\n}\n", "orb a { }", "1", ".5", "1e", "3s", "%",
	"a.b", "->", "=>", "?.", "...", "|", "|\n    text\n", "= 1", "== ", "+", "-", "/", "/a/g", "é", "語", "😀", "\uFEFF", "\x00", "~", "using \"A\"", "extends B",
	"state { n: 0 }\n", "switch (a) {\n case 1: b\n default: c\n}\n", "match a {\n 1 => 2\n}\n", "if a {\n} else {\n}\n", "function f(a, b) {\n  return a\n}\n", "on", "case 1:",
	"connect a -> b", "import { a } from \"b\"\n", "export ", "  ", "    ", "children: [\n  orb a {\n    x: 1\n  }\n]\n",
}

// gentle are pieces that most edits consist of.
var gentle = []string{
	"a", "b", "_", "1", "0", " ", "  ", "\n", "\n    ", "-", ".", ":", ",", "x: 1", "\n  label: \"a\"\n", "// c\n", " // c", "\n// c\n", "/* c */", "{ }", "[]", "()", "\"a\"", "@glow",
	"\n@glow\n", "object \"A\" {\n  x: 1\n}\n", "on_x() { a() }\n", "if a { b() }\n",
}

// randomEdit is an edit at a place of a text, a short one mostly.
func randomEdit(t *rapid.T, text string) token.Edit {
	start := rapid.IntRange(0, len(text)).Draw(t, "start")
	end := min(len(text), start+rapid.SampledFrom([]int{0, 0, 0, 0, 1, 1, 2, 5, 20, 200}).Draw(t, "length"))
	piece := ""
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0: // what stands elsewhere in the text
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		piece = text[from:min(len(text), from+rapid.IntRange(0, 60).Draw(t, "of"))]
	case 1, 2:
	case 3, 4, 5:
		piece = rapid.SampledFrom(pieces).Draw(t, "piece")
	default:
		piece = rapid.SampledFrom(gentle).Draw(t, "gentle piece")
		end = min(end, start+1)
	}
	return token.Edit{Start: start, End: end, Text: piece}
}

// Whatever is edited, again and again, the reading is that of the whole text, and
// the readings before it are as they were.
func TestEditIsAWholeReading(t *testing.T) {
	t.Parallel()
	var small []sample
	var parts, wholes atomic.Int64
	check := func(t *testing.T, samples []sample) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			s := rapid.SampledFrom(samples).Draw(t, "sample")
			format, _ := ast.FormatOf(s.path)
			src := token.Decode(s.path, []byte(s.text))
			first := readSource(src, format)
			r := first
			for range rapid.IntRange(1, 4).Draw(t, "edits") {
				e := randomEdit(t, r.File.Text())
				want := readSource(r.File.Stream.Source.Edited(e), format)
				next := r.edit(r.File.Stream.Source.Edited(e), e)
				if next == nil {
					wholes.Add(1)
					next = want
				} else {
					parts.Add(1)
					if d := differs(next, want); d != "" {
						t.Fatalf("%s: %+v at %q: %s", s.path, e, around(r.File.Text(), e), d)
					}
				}
				if len(want.Found) == 0 || rapid.Bool().Draw(t, "keep") { // damage does not stay for long
					r = next
				}
			}
			if d := differs(first, readSource(src, format)); d != "" {
				t.Fatalf("%s: the first reading has changed: %s", s.path, d)
			}
		})
	}
	t.Run("samples", func(t *testing.T) {
		for _, s := range samples(t) {
			if len(s.text) < 400 {
				small = append(small, s)
				continue
			}
			t.Run(s.path, func(t *testing.T) { check(t, []sample{s}) })
		}
		t.Run("small", func(t *testing.T) { check(t, small) })
	})
	t.Logf("%d in part, %d whole", parts.Load(), wholes.Load())
	if parts.Load() < wholes.Load()/2 {
		t.Errorf("only %d in part, %d whole", parts.Load(), wholes.Load())
	}
}

func around(text string, e token.Edit) string {
	return text[max(0, e.Start-80):e.Start] + "«" + text[e.Start:e.End] + "»" + text[e.End:min(len(text), e.End+80)]
}

// FuzzEdit is TestEditIsAWholeReading for one edit of any text.
func FuzzEdit(f *testing.F) {
	for i, s := range samples(f) {
		f.Add(s.text, 7*i, 7*i+i%3, pieces[i%len(pieces)])
	}
	f.Fuzz(func(t *testing.T, text string, start, end int, piece string) {
		if len(text)+len(piece) > 1<<14 {
			return
		}
		r := readSource(token.Decode("main.holo", []byte(text)), ast.Holo)
		e := token.Edit{Start: max(0, min(start, len(r.File.Text()))), Text: piece}
		e.End = max(e.Start, min(end, len(r.File.Text())))
		next := r.edit(r.File.Stream.Source.Edited(e), e)
		if next == nil {
			return
		}
		checkTree(t, next.File, next.Found)
		if d := differs(next, readSource(r.File.Stream.Source.Edited(e), ast.Holo)); d != "" {
			t.Fatalf("%+v at %q: %s", e, around(r.File.Text(), e), d)
		}
	})
}

// In a file of 100 kB of which one line is written, the item of that line is read
// and nothing else: of a composition the innermost item, before which all is shared.
func TestEditReadsTheItemAlone(t *testing.T) {
	t.Parallel()
	text := one(t, 100_000)
	at := strings.Index(text[len(text)/2:], "\n\n") + len(text)/2 + 1
	whole := Read("main.holo", []byte(text), ast.Holo)
	r := whole
	const line = "    label: \"x\" + 1 // why"
	for i := range line {
		r = r.Edit(token.Edit{Start: at + i, End: at + i, Text: line[i : i+1]})
		if r.looks*100 > whole.looks {
			t.Errorf("%q: %d looks, %d at all of it", line[:i+1], r.looks, whole.looks)
		}
	}
	if text = text[:at] + line + text[at:]; r.File.Text() != text {
		t.Fatal("another text")
	}
	if d := differs(r, Read("main.holo", []byte(text), ast.Holo)); d != "" {
		t.Fatal(d)
	}
	before, shared := 0, 0
	old, now := whole.File.Items()[0].(*ast.Block).Body.Items, r.File.Items()[0].(*ast.Block).Body.Items
	for i, n := range old {
		if int(n.Span().End) < at {
			before++
			if now[i] == n {
				shared++
			}
		}
	}
	if before < 10 || shared < before-1 {
		t.Errorf("%d of %d items shared", shared, before)
	}
}

// Many edits all over a file leave no more than a few times what one reading needs:
// neither the texts of before nor the nodes are kept.
func TestEditsDoNotPileUp(t *testing.T) {
	text := one(t, 20_000)
	start := heap()
	r := Read("main.holo", []byte(text), ast.Holo)
	once := heap() - start
	for i := range 1500 {
		at := (i*37 + i/7) % len(r.File.Text())
		at += strings.IndexByte(r.File.Text()[at:], '\n')
		r = r.Edit(token.Edit{Start: at, End: at, Text: []string{" // c", " "}[i%2]})
	}
	many := heap() - start
	t.Logf("%d bytes after one reading, %d after many edits", once, many)
	if many > 3*once {
		t.Errorf("%d bytes after one reading, %d after many edits", once, many)
	}
	runtime.KeepAlive(r)
}

// Nodes of every kind are where they are when a line before them gets longer.
func TestEveryKindOfNodeMoves(t *testing.T) {
	t.Parallel()
	moved := map[ast.Kind]bool{}
	rest := sample{"rest.hsplus", "stage (1, 2) { }\ntemplate \"T\" (a, b) { c: 1 }\nbutton#submit again#now { ...a }\nfunction f() {\n  while a { break }\n  b = function(c) { d() }\n  e = (f, g)\n}\nstruct S {\n  h: string?\n}\n"}
	for _, s := range append(samples(t), rest) {
		format, _ := ast.FormatOf(s.path)
		if r := Read(s.path, []byte(s.text), format); r.File.IsValueDocument || r.File.Stream.Source.Encoding != token.UTF8 {
			continue
		}
		r := Read(s.path, []byte("first: 1\n\n"+s.text), format)
		e := token.Edit{Start: len("first: 1"), End: len("first: 1"), Text: "2 // longer"}
		src := r.File.Stream.Source.Edited(e)
		now := r.edit(src, e)
		if now == nil {
			continue
		}
		if d := differs(now, readSource(src, format)); d != "" {
			t.Errorf("%s: %s", s.path, d)
		}
		for i, n := range now.File.Items()[1:] {
			if n == r.File.Items()[i+1] {
				t.Errorf("%s: item %d is not a copy", s.path, i+1)
			}
			ast.Walk(n, func(n ast.Node) bool {
				moved[n.Kind()] = true
				return true
			})
		}
	}
	var missing []ast.Kind
	for k := ast.KindFile + 1; !strings.Contains(k.String(), "("); k++ {
		if !moved[k] {
			missing = append(missing, k)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no sample has %v", missing)
	}
}

// What stands around the items that are read again may have a part in how they are
// read, or they in how it is. Each row is an edit of «old» to new.
func TestEditSeesWhatReachesFurther(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, new string }{
		{"a heading over lines", "x: 1\nfoo bar\n@a\n@b«»\ny: 2\n", "\n{ }"},
		{"a heading that ends", "x: 1\nfoo bar\n@a\n@b\n«{ }»\ny: 2\n", "z: 1"},
		{"an operator on the next line", "x: 1\n  «a»\ny: 2\n", "+ a"},
		{"an else", "x: 1\nif a { b() }\n«c»\ny: 2\n", "else { }"},
		{"a condition's else", "x: 1\n#if a {\n}\n«c»\ny: 2\n", "#else {\n}"},
		{"a control's else", "x: 1\n@if a { b: 1 }\n@else { «c: 1» }\ny: 2\n", "c: 2"},
		{"the if of an else", "x: 1\n@«if» a { b: 1 }\n@else { c: 1 }\ny: 2\n", "glow"},
		{"a value on the next line", "x: 1\ny:\n  a«: 1»\nz: 2\n", ""},
		{"a key instead of a value", "x: 1\ny:\n  a«»\nz: 2\n", ": 1"},
		{"a brace on the next line", "x: 1\nobject \"A\"\n«z»\ny: 2\n", "{ }"},
		{"a closer on the next line", "x: 1\no {\n  a: 1\n  b: 2«»\n}\ny: 2\n", " }"},
		{"an opener", "x: 1\no {\n  a: 1«»\n  b: 2\n}\ny: 2\n", " {"},
		{"a quote that closes further on", "x: 1\ny: 2«»\nz: \"a\"; b: \"c\"\n", "\""},
		{"a quote that is cut further on", "x: 1\ny: 2«»\nz: \"a\"\n", "\""},
		{"a cut text that closes", "x: 1\ny: \"a\nz: b\nw: «2»\n", "\""},
		{"a cut text before", "x: 1\ny: 'a\nz: «b»\nw: 2\n", "b'"},
		{"a template that closes further on", "x: 1\ny: `a`\nz: 2\nw: «3»\nv: `b`\n", "`"},
		{"a template that never closes", "x: 1\ny: `a\nz: 2\nw: «3»\n", "`"},
		{"a comment that never closes", "x: 1\ny: 2«»\nz: 3\n", " /*"},
		{"a comment that closes further on", "x: 1\ny: 2«»\nz: 3 /* c */\n", " /*"},
		{"a comment before the next item", "x: 1\ny: 2\n// a«»\nz: 3\n", "b"},
		{"a new comment before the next item", "x: 1\ny: 2\n«»z: 3\n", "// a\n"},
		{"a comment that trails no more", "x: 1\ny: 2 // a«»\nz: 3\n", "\n// b"},
		{"a comment at the end of a body", "x: 1\no {\n  y: 2\n  // a«»\n}\nz: 3\n", "b"},
		{"a comment that trails the item before", "x: 1\n\n«/»// a\nz: 3\ny: 2\n", "b"},
		{"the first comment", "// a«»\nx: 1\n", "b"},
		{"the file's comment", "/** a«» */\nx: 1\n", "b"},
		{"a blank line", "x: 1\ny: 2\n«»z: 3\n", "\n"},
		{"the indentation of the next line", "x: 1\no {\n  y: )\n«  »z: 3\n}\n", ""},
		{"a block string", "x: 1\ny: |\n  a\n«z»: 3\n", " b"},
		{"the mark of a block string", "x: 1\ny: «1»\n  a\nz: 3\n", "|"},
		{"a directive", "x: 1\n«y»\nz: 3\n", "#version 1"},
		{"damage", "x: 1\no { p {\n  y: «2»\n} }\nz: 3\n", "= ="},
		{"damage that goes", "x: 1\no @a {\n  y: «= =»\n} \nz: 3\n", "2"},
		{"damage of a row of traits", "x: 1\n@a @b {\n  y: «2»\n}\nz: 3\n", "= ="},
		{"damage in a row of traits that goes", "x: 1\n@a @b {\n  y: «= =»\n}\nz: 3\n", "2"},
		{"an error on the next line", "x: 1\nconnect a -> «b»\nobject \"B\" { }\n", ""},
		{"an error on the next line that goes", "x: 1\nconnect a ->« »\nobject \"B\" { }\n", " b"},
		{"an error of the line before", "x: 1\nconnect a ->\n«object» \"B\" { }\nz: 1\n", "orb"},
		{"a bracket before that is open", "o {\n  a: (\n  b: «1»\n}\nz: 2\n", "2 }"},
		{"a case", "x: 1\nswitch a {\n  case 1:\n    b()\n    «c()»\n  case 2:\n    d()\n}\n", "case 3: e()"},
		{"no match any more", "x: 1\ny: match a {\n  «1 => 2»\n}\nz: 3\n", "b: 1"},
		{"a line end in two", "x: 1\r«»\ny: 2\nz: 3\n", " "},
		{"half a character", "x: 1\ny: \"é\"\nz: 3\n«»", "\xc3"},
		{"a mark of the byte order", "«»x: 1\ny: 2\n", "\uFEFF"},
		{"the first line", "«»x: 1\ny: 2\n", "#!"},
		{"a mark on the first line", "#«»(a)\nx: 1\ny: 2\n", "!"},
		{"another beginning", "«x»: 1\ny: 2\n", "{ }\n"},
		{"nothing is left", "x: 1\n«y: 2»\nz: 3\n", ""},
		{"all goes", "«x: 1\ny: 2\n»", ""},
	} {
		before, rest, _ := strings.Cut(row.text, "«")
		old, after, _ := strings.Cut(rest, "»")
		for _, inside := range []string{"", "composition \"A\" {\n"} {
			text := inside + before + old + after
			if inside != "" {
				text += "\n}\n"
			}
			r := Read("main.holo", []byte(text), ast.Holo)
			e := token.Edit{Start: len(inside + before), End: len(inside + before + old), Text: row.new}
			want := readSource(r.File.Stream.Source.Edited(e), ast.Holo)
			if d := differs(r.Edit(e), want); d != "" {
				t.Errorf("%s: %s\n%q", row.name, d, around(text, e))
			}
		}
	}
}
