package check

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
)

// large is the examples one after the other, with names of their own, up to a size.
func large(tb testing.TB, size int) string {
	tb.Helper()
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		for _, name := range []string{"lighthouse.holo", "museum.holo", "greenhouse.hs", "weather.hs"} {
			raw, err := os.ReadFile("../../examples/" + name)
			if err != nil {
				tb.Fatal(err)
			}
			fmt.Fprintf(&b, "module M%d {\n%s\n}\n", i, raw)
		}
	}
	return b.String()
}

// The must of the specification is 3 MB/s, the goal 5.
func BenchmarkCheck(b *testing.B) {
	text := large(b, 1<<20)
	f, found := parse.File("main.holo", []byte(text), ast.Holo)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		run(f, found, Options{})
	}
}

// hostile are texts of a shape that might take more than linear time.
var hostile = map[string]func(n int) string{
	"one name":     func(n int) string { return strings.Repeat("orb a { x: 1 }\n", n) },
	"slips":        func(n int) string { return lines(n, "object o%d { on_start { foo%[1]d() } }\n") },
	"state slips":  func(n int) string { return lines(n, "object o%d { on_start { state.k%[1]d = 1 } }\n") },
	"traits":       func(n int) string { return "object a {\n" + lines(n, "@nosuch%d\n") + "}" },
	"known traits": func(n int) string { return "object a {\n" + strings.Repeat("@glowing\n@clickable\n", n) + "}" },
	"templates":    func(n int) string { return lines(n, "template t%d using t%[2]d { }\n") },
	"diamonds": func(n int) string {
		return lines(n, "template t%d using t%[2]d, t%[3]d { }\norb o using t%[1]d { state { a: 1 } on_start { log state.zz + q } }\n")
	},
	"handlers": func(n int) string { return "object a {\n" + strings.Repeat("on_grab() { log 1 }\n", n) + "}" },
	"wires": func(n int) string {
		return lines(n, "object a%d { function f() { emit(\"e%[1]d\") } }\nconnect a%[1]d.e%[2]d -> a%[2]d.g()\n")
	},
	"computed": func(n int) string { return "object a { computed {\n" + lines(n, "c%d: c%[2]d + c%[3]d\n") + "} }" },
	"machine": func(n int) string {
		return "object a { @state_machine { initial: s0\nstates {\n" + lines(n, "s%d { on_click -> s%[2]d\n on_tap -> s%[3]d }\n") + "} } }"
	},
	"stages": func(n int) string {
		return "pipeline p {\n" + lines(n, "filter f%d { from: f%[2]d, where: x }\n") + "}"
	},
	"aliases": func(n int) string { return lines(n, "type T%d = T%[2]d | T%[3]d\nlet a%[1]d: T%[1]d = true\n") },
	"unions":  func(n int) string { return "type T = 1 | 2\nlet a: " + strings.Repeat("T | ", n) + "T = \"x\"" },
	"nested objects": func(n int) string {
		return "let a = " + strings.Repeat("{ a: ", min(n, 200)) + "1" + strings.Repeat(" }", min(n, 200))
	},
	"nested functions": func(n int) string {
		return strings.Repeat("function f(a) { ", min(n, 200)) + strings.Repeat("}", min(n, 200))
	},
	"keys":    func(n int) string { return "object a {\n" + strings.Repeat("k: 1\n", n) + "}" },
	"locals":  func(n int) string { return "object a { on_start {\n" + lines(n, "let v%d = v%[2]d\n") + "} }" },
	"imports": func(n int) string { return lines(n, "import { a%d } from \"./x%[1]d\"\n") },
	"deep owners": func(n int) string {
		return strings.Repeat("group {", 50) + lines(n, "state { k%d: 1 } on_start { log state.q%[2]d }\n") + strings.Repeat("}", 200)
	},
	"structs": func(n int) string {
		return lines(n, "struct S%d extends S%[2]d { a%[1]d: S%[2]d }\nlet v%[1]d: S%[1]d = { b: 1 }\n")
	},
}

// lines repeats a line with a number and its two followers.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		line := strings.NewReplacer("%[1]d", fmt.Sprint(i), "%[2]d", fmt.Sprint(i+1), "%[3]d", fmt.Sprint(i+2), "%d", fmt.Sprint(i)).Replace(format)
		b.WriteString(line)
	}
	return b.String()
}

// No shape of text makes the checker slow: ten times the text is ten times the
// work, in what is looked at and in what is allocated, where a quadratic walk
// makes it a hundred times. BenchmarkHostileShapes has the times.
func TestHostileShapes(t *testing.T) {
	judge := func(text string) (work, made int) {
		f, found := parse.File("main.hsplus", []byte(text), ast.HSPlus)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work = run(f, found, Options{}).work
		runtime.ReadMemStats(&after)
		return work, int(after.TotalAlloc - before.TotalAlloc)
	}
	for name, shape := range hostile {
		small, little := judge(shape(300))
		large, much := judge(shape(3000))
		if testing.Verbose() {
			t.Logf("%-20s looks %7d %8d (%4.1f), bytes %9d %10d (%4.1f)", name, small, large, float64(large)/float64(small), little, much, float64(much)/float64(little))
		}
		if large > 12*small+3000 {
			t.Errorf("%s: looks at %d for 300, at %d for 3000", name, small, large)
		}
		if much > 15*little+1<<20 {
			t.Errorf("%s: %d bytes for 300, %d for 3000", name, little, much)
		}
	}
}

func BenchmarkHostileShapes(b *testing.B) {
	for name, shape := range hostile {
		text := shape(3000)
		f, found := parse.File("main.hsplus", []byte(text), ast.HSPlus)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				run(f, found, Options{})
			}
		})
	}
}
