package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
)

// turns are handlers that spend nearly the whole budget of a turn, each in another
// part of the instructions.
var turns = map[string]string{
	"arithmetic": `let n = 0; let k = 1; while (k < 200) { k += 1; n = (n * 3 + k) % 1009; if (n > 500 && k != 7) { n -= 1 } }; state.n = n`,
	"calls":      `let n = 0; for (const i of 0..400) { n = this.add(n, i) }; state.n = n`,
	"values":     `let l = [1, 2, 3]; let o = { a: 1, b: 2 }; for (const i of 0..300) { l[1] = i; o.a = l[1] + l[0]; o.b = o.a }; state.n = o.b`,
	"library":    `let n = 0; for (const i of 0..400) { n = clamp(n + Math.abs(i), 0, 100) }; state.n = n`,
	"texts":      "let s = \"\"; for (const i of 0..300) { s = `${i}:${state.n}`; if (s == \"never\") { break } }; state.n = s.length",
	"closures":   `let f = (x) => x + 1; let n = 0; for (const i of 0..300) { n = f(n) }; state.n = n`,
}

// BenchmarkTurn runs one event of each kind; a step is an instruction.
func BenchmarkTurn(b *testing.B) {
	for name, body := range turns {
		b.Run(name, func(b *testing.B) {
			text := "object \"A\" { state { n: 0 }\nfunction add(x, y) { return x + y }\non \"tap\" { " + body + " }\n}"
			c := compile(b, ".", "turn.holo", []byte(text), ast.Holo)
			m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
			if err != nil {
				b.Fatal(err)
			}
			m.Start()
			b.ReportAllocs()
			for b.Loop() {
				m.Inject(run.Event{Node: c.Nodes[0].ID, Name: "tap"})
				m.Step()
			}
			if entries, _ := m.Trace(); len(entries) > 0 && entries[len(entries)-1].Kind == "fault" {
				b.Fatal(entries[len(entries)-1])
			}
		})
	}
}

// BenchmarkExamples runs three seconds of every example that has a program.
func BenchmarkExamples(b *testing.B) {
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		b.Fatal("no examples", err)
	}
	var all []*run.Compiled
	for _, file := range files {
		format, ok := ast.FormatOf(file)
		if !ok {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, compile(b, filepath.Dir(file), filepath.Base(file), raw, format))
	}
	b.Run("read", func(b *testing.B) { // decode and verify
		var texts [][]byte
		for _, c := range all {
			raw, err := c.Program.Encode()
			if err != nil {
				b.Fatal(err)
			}
			texts = append(texts, raw)
		}
		for b.Loop() {
			for _, raw := range texts {
				if _, err := run.Read(raw); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			for _, c := range all {
				m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
				if err != nil {
					b.Fatal(err)
				}
				m.Start()
				m.Run(3)
			}
		}
	})
}
