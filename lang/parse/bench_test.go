package parse

import (
	"runtime"
	"strings"
	"testing"
	"time"

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
			if !strings.HasPrefix(s.path, "T") && s.path != "pier.holo" && !strings.HasPrefix(s.text, "#!") {
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

// Twice the text takes twice the time. A quadratic shape takes four times as
// long; three is the bound because other programs share the machine.
func TestTimeIsLinear(t *testing.T) {
	for _, h := range hostile {
		ok := false
		var once, twice time.Duration
		for try := 0; try < 5 && !ok; try++ {
			once, twice = fastest(h.make(1<<15)), fastest(h.make(1<<16))
			ok = twice <= 3*once+2*time.Millisecond
		}
		if testing.Verbose() {
			t.Logf("%-30s %8v %8v", h.name, once, twice)
		}
		if !ok {
			t.Errorf("%s: %v for 32 KiB, %v for 64 KiB", h.name, once, twice)
		}
	}
}

func fastest(text string) time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		parseText("main.holo", text)
		best = min(best, time.Since(start))
	}
	return best
}
