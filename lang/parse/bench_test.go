package parse

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// mixed is about n bytes of the samples, over and over.
func mixed(tb testing.TB, n int) string {
	tb.Helper()
	var b strings.Builder
	for b.Len() < n {
		for _, s := range samples(tb) {
			if !strings.HasPrefix(s.path, "T") && s.path != "pier.holo" && !strings.HasPrefix(s.text, "#!") && !strings.HasPrefix(s.text, "\xff\xfe") && !strings.HasPrefix(s.text, "\xfe\xff") {
				b.WriteString(s.text)
			}
		}
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	raw := []byte(mixed(b, 1<<20))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := File("main.holo", raw, ast.Holo); len(errorsOf(found)) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkLex(b *testing.B) {
	raw := []byte(mixed(b, 1<<20))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		src := token.Decode("main.holo", raw)
		token.Lex(src, diag.NewBag("main.holo", src))
	}
}

// hostile are shapes that make careless parsers slow, deep or large. Each is n
// bytes or a little more.
var hostile = []struct {
	name string
	make func(n int) string
}{
	{"unclosed strings", func(n int) string { return strings.Repeat("\"a\n", n/3) }},
	{"escaped quotes", func(n int) string { return "\"a" + strings.Repeat("\n\\\"b", n/4) + "\"x" }},
	{"other quotes", func(n int) string { return strings.Repeat("'\"", n/2) }},
	{"unclosed triple strings", func(n int) string { return strings.Repeat("\"\"\"a\n", n/5) }},
	{"unclosed single triple strings", func(n int) string { return strings.Repeat("'''a\n", n/5) }},
	{"both triple strings", func(n int) string { return strings.Repeat("'''\"\"\"", n/6) }},
	{"hyphens", func(n int) string { return "a:" + strings.Repeat("\n- b", n/4) }},
	{"deeper hyphens", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString("a:\n" + strings.Repeat(" ", i%300) + "- ")
		}
		return b.String()
	}},
	{"objects behind hyphens", func(n int) string { return "a:" + strings.Repeat("\n- b: 1\n  c:\n  - d: 2", n/22) }},
	{"handlers with texts", func(n int) string { return strings.Repeat("on a.b(\"c\", d)=>(e){}", n/23) }},
	{"headings with arrows", func(n int) string { return strings.Repeat("a \"b\" -> @c(d) e(f) ", n/20) }},
	{"headings with arrows on lines", func(n int) string { return strings.Repeat("a \"b\" -> c d(e)\n", n/17) }},
	{"maps", func(n int) string { return strings.Repeat("\"a\"->{", n/6) }},
	{"degrees", func(n int) string { return strings.Repeat("1°/s ", n/6) }},
	{"unclosed templates", func(n int) string { return strings.Repeat("`a${", n/4) }},
	{"unclosed template lines", func(n int) string { return strings.Repeat("`a${b}\n", n/7) }},
	{"unclosed comment", func(n int) string { return strings.Repeat("/* ", n/3) }},
	{"round brackets", func(n int) string { return strings.Repeat("(", n) }},
	{"curly brackets", func(n int) string { return strings.Repeat("{", n) }},
	{"square brackets", func(n int) string { return "a:" + strings.Repeat("[", n) }},
	{"closers", func(n int) string { return strings.Repeat(")]}", n/3) }},
	{"mixed brackets", func(n int) string { return strings.Repeat("([{", n/3) + strings.Repeat("])}", 100) }},
	{"bodies", func(n int) string { return strings.Repeat("a{", n/2) }},
	{"arrays of blocks", func(n int) string { return "x: " + strings.Repeat("[a b (", n/6) }},
	{"empty bodies", func(n int) string { return strings.Repeat("a{}", n/3) }},
	{"a long path", func(n int) string { return "a" + strings.Repeat(".a", n/2) }},
	{"a long key", func(n int) string { return "a" + strings.Repeat(".a", n/2) + ": 1" }},
	{"a chain of calls", func(n int) string { return "a" + strings.Repeat(".a()", n/4) }},
	{"a chain of indexes", func(n int) string { return "a" + strings.Repeat("[0]", n/3) }},
	{"a long heading", func(n int) string { return strings.Repeat("a ", n/2) + "{}" }},
	{"a heading without a body", func(n int) string { return strings.Repeat("a ", n/2) }},
	{"texts on a line", func(n int) string { return strings.Repeat("\"a\" ", n/4) }},
	{"texts with arguments", func(n int) string { return strings.Repeat("\"a\" (b { c }) ", n/14) }},
	{"values on a line", func(n int) string { return strings.Repeat("a: b ", n/5) }},
	{"less-than chains", func(n int) string { return "a: b" + strings.Repeat("<b", n/2) }},
	{"less-than lines", func(n int) string { return strings.Repeat("a: b<c<d<e\n", n/11) }},
	{"type arguments", func(n int) string { return "struct S { a: " + strings.Repeat("B<", n/2) + " }" }},
	{"quotes", func(n int) string { return strings.Repeat("\"'`", n/3) }},
	{"traits with braces", func(n int) string { return strings.Repeat("@x {", n/4) }},
	{"traits on a line", func(n int) string { return strings.Repeat("@x ", n/3) }},
	{"traits with bodies on a line", func(n int) string { return strings.Repeat("@x{} ", n/5) }},
	{"traits on lines", func(n int) string { return "object" + strings.Repeat("\n @x", n/4) }},
	{"sums", func(n int) string { return "a" + strings.Repeat("+a", n/2) }},
	{"powers", func(n int) string { return "a" + strings.Repeat("**a", n/3) }},
	{"negations", func(n int) string { return strings.Repeat("!", n) }},
	{"ternaries", func(n int) string { return strings.Repeat("a?", n/2) }},
	{"arrows", func(n int) string { return strings.Repeat("a=>", n/3) }},
	{"ifs", func(n int) string { return strings.Repeat("if a ", n/5) }},
	{"elses", func(n int) string { return "if a b()" + strings.Repeat(" else if a b()", n/14) }},
	{"assignments", func(n int) string { return strings.Repeat("a=", n/2) }},
	{"exports", func(n int) string { return strings.Repeat("export ", n/7) }},
	{"directives", func(n int) string { return strings.Repeat("#if a {", n/7) }},
	{"commas", func(n int) string { return strings.Repeat(",", n) }},
	{"statements", func(n int) string { return strings.Repeat("1,", n/2) }},
	{"properties", func(n int) string { return strings.Repeat("a:1,", n/4) }},
	{"bad characters", func(n int) string { return strings.Repeat("~\\", n/2) }},
	{"bad characters on lines", func(n int) string { return strings.Repeat("\\\n", n/2) }},
	{"foreign letters", func(n int) string { return strings.Repeat("é ", n/3) }},
	{"comments", func(n int) string { return strings.Repeat("//\n", n/3) }},
	{"comments in items", func(n int) string { return strings.Repeat("a/**/:1\n", n/8) }},
	{"block strings", func(n int) string { return strings.Repeat("a: |\n b\n", n/8) }},
	{"functions", func(n int) string { return strings.Repeat("a(){}", n/5) }},
	{"parameters", func(n int) string { return "a(" + strings.Repeat("a,", n/2) + ") {}" }},
	{"arguments", func(n int) string { return "a(1," + strings.Repeat("a,", n/2) + ")" }},
	{"zero bytes", func(n int) string { return strings.Repeat("\x00", n) }},
	{"carriage returns", func(n int) string { return strings.Repeat("\r", n) }},
	{"indented bodies", func(n int) string { return strings.Repeat("if a:\n  b\n", n/10) }},
	{"missing values", func(n int) string { return strings.Repeat("a:\n", n/3) }},
}

// Memory stays below 64 bytes for one of the source and 16 MiB, whatever the
// shape. The test leaves 256 KiB for its smaller texts.
func TestMemoryIsLinear(t *testing.T) {
	const n = 1 << 18
	for _, h := range hostile {
		raw := []byte(h.make(n))
		before := heap()
		f, found := parseSource(token.Decode("main.holo", raw), ast.Holo)
		used := int64(heap() - before)
		if limit := int64(64*len(raw) + 1<<18); used > limit {
			t.Errorf("%s: %d bytes for %d, limit %d", h.name, used, len(raw), limit)
		}
		if testing.Verbose() {
			t.Logf("%-30s %5.1f bytes a byte, %d diagnostics", h.name, float64(used)/float64(len(raw)), len(found))
		}
		runtime.KeepAlive(f)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// No shape of text makes the parser slow: eight times the text is eight times the
// work, in the tokens that are looked at and in what is allocated, where a
// quadratic walk makes it sixty-four times. BenchmarkHostileShapes has the times.
func TestWorkIsLinear(t *testing.T) {
	read := func(text string) (looks, made int) {
		src := token.Decode("main.holo", []byte(text))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		bag := diag.NewBag(src.Path, src)
		p := newParser(token.Lex(src, bag), bag)
		p.parseFile()
		bag.All()
		runtime.ReadMemStats(&after)
		return p.looks, int(after.TotalAlloc - before.TotalAlloc)
	}
	for _, h := range hostile {
		small, little := read(h.make(1 << 12))
		large, much := read(h.make(1 << 15))
		if testing.Verbose() {
			t.Logf("%-30s looks %7d %8d (%4.1f), bytes %9d %10d (%4.1f)", h.name, small, large, float64(large)/float64(small), little, much, float64(much)/float64(little))
		}
		if large > 10*small+3000 {
			t.Errorf("%s: looks at %d tokens of 4 KiB, at %d of 32 KiB", h.name, small, large)
		}
		if much > 12*little+1<<19 {
			t.Errorf("%s: %d bytes for 4 KiB, %d for 32 KiB", h.name, little, much)
		}
	}
}

func BenchmarkHostileShapes(b *testing.B) {
	for _, h := range hostile {
		text := h.make(1 << 16)
		b.Run(h.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				parseText("main.holo", text)
			}
		})
	}
}

// one is a file of about n bytes whose only item is a composition, with the insides
// of a sample over and over.
func one(tb testing.TB, n int) string {
	tb.Helper()
	for _, s := range samples(tb) {
		if s.path != "harbour_town.holo" {
			continue
		}
		from, to := strings.Index(s.text, "  template "), strings.LastIndex(s.text, "\n}\n\nconnect ")
		var b strings.Builder
		b.WriteString("composition \"Large\" {\n")
		for b.Len() < n {
			b.WriteString(s.text[from:to])
			b.WriteString("\n")
		}
		b.WriteString("}\n")
		return b.String()
	}
	tb.Fatal("no sample")
	return ""
}

// exhibit is an item as authors write them: 19 lines with traits, state, handlers and
// children.
const exhibit = `  object "Exhibit %d" @grabbable @glowing(color: "#44ccff", intensity: 0.5) {
    geometry: "cylinder"
    position: [%d, 1.5, -2]
    scale: [0.5, 1, 0.5]
    material: { color: "#884422", roughness: 0.4, metallic: 0.1 }
    state { touched: 0, open: false, names: ["a", "b", "c"] }
    // counts who looks
    on "tap" {
      state.touched += 1
      if (state.touched > 3 && !state.open) {
        state.open = true
        emit("opened", { by: this.name, at: now() })
      }
    }
    object "Label" {
      text: "Exhibit %d"
      position: [0, 0.8, 0]
    }
  }
`

// room are so many lines of exhibits, side by side or in one composition.
func room(lines int, whole bool) string {
	var b strings.Builder
	if whole {
		b.WriteString("composition \"Room\" {\n")
	}
	for i := range (lines + 18) / 19 {
		fmt.Fprintf(&b, exhibit, i, i%40, i)
	}
	if whole {
		b.WriteString("}\n")
	}
	return b.String()
}

// What a keystroke takes in files of the sizes that there are: a line is written, a
// character an edit, beside reading the file whole after each.
func BenchmarkEdit(b *testing.B) {
	files := []struct{ name, text string }{{"mixed of 100 kB", mixed(b, 100_000)}, {"templates of 100 kB", one(b, 100_000)}}
	for _, s := range samples(b) {
		if s.path == "harbour_town.holo" {
			files = append(files, struct{ name, text string }{s.path, s.text})
		}
	}
	for _, n := range []int{500, 2_000, 10_000} {
		files = append(files, struct{ name, text string }{fmt.Sprintf("%d lines of items", n), room(n, false)},
			struct{ name, text string }{fmt.Sprintf("%d lines in a composition", n), room(n, true)})
	}
	for _, file := range files {
		lines := strings.SplitAfter(file.text, "\n")
		for _, place := range []struct {
			name string
			at   int
		}{{"first tenth", len(lines) / 10}, {"middle", len(lines) / 2}, {"last tenth", len(lines) * 9 / 10}} {
			at := len(strings.Join(lines[:place.at], ""))
			text := file.text[:at] + "\n" + file.text[at:] // a line to write into
			run := func(name string, edit func(r *Reading, e token.Edit) *Reading) {
				b.Run(file.name+"/"+place.name+"/"+name, func(b *testing.B) {
					start := Read("main.holo", []byte(text), ast.Holo)
					r, written := start, 0
					b.ReportAllocs()
					for b.Loop() {
						const line = "    label: \"x\" + 1"
						if written == len(line) {
							r, written = start, 0
						}
						r = edit(r, token.Edit{Start: at + written, End: at + written, Text: line[written : written+1]})
						written++
					}
				})
			}
			run("edit", (*Reading).Edit)
			run("whole", func(r *Reading, e token.Edit) *Reading {
				return Read("main.holo", []byte(r.File.Stream.Source.Edited(e).Text), ast.Holo)
			})
		}
	}
}

// TestTheRoomIsRead: the texts of the benchmark have no errors.
func TestTheRoomIsRead(t *testing.T) {
	for _, whole := range []bool{false, true} {
		if _, found := File("main.holo", []byte(room(500, whole)), ast.Holo); len(errorsOf(found)) > 0 {
			t.Error(found)
		}
	}
}
