package lsp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processor is the time that the processors have worked for this program. Other
// programs on the machine do not add to it.
func processor() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// large is a source of 100 kB, of one composition after the other.
func large(tb testing.TB) string {
	tb.Helper()
	raw, err := os.ReadFile("../../examples/museum.holo")
	if err != nil {
		tb.Fatal(err)
	}
	body := string(raw[strings.Index(string(raw), "composition"):])
	var b strings.Builder
	for i := 0; b.Len() < 100_000; i++ {
		b.WriteString(strings.Replace(body, "\"Museum\"", fmt.Sprintf("\"Museum %d\"", i), 1))
	}
	return b.String()
}

// What a key costs in a file of 100 kB: the text changes in its middle, and what may
// stand there is asked for, of every kind. Figures are of the processor, as DESIGN.md
// has them: go test ./lang/lsp -run '^$' -bench Completion100kB -cpu 1
func BenchmarkCompletion100kB(b *testing.B) {
	for _, place := range []struct{ name, line string }{
		{"body", "    geo"}, {"trait", "    @grab"}, {"argument", "    @grabbable(ha"}, {"value", "    geometry: \"sp"}, {"preset", "    material: \"ch"},
		{"handler", "    on_ho"}, {"event", "    on \"ho"}, {"emit", "    onPoint: () => emit(\"de"}, {"name", "    onPoint: () => cla"}, {"member", "    onPoint: () => state."},
	} {
		b.Run(place.name, func(b *testing.B) {
			text := large(b)
			middle := strings.Index(text[len(text)/2:], "\n    ") + len(text)/2 + 1
			c := dial(b, files)
			c.open("big.holo", text[:middle]+place.line+"\n"+text[middle:])
			c.typing = true
			d := c.s.docs[base+"big.holo"]
			key := place.line[len(place.line)-1:]
			end := d.position(middle + len(place.line))
			before := end
			before.Character--
			var took []time.Duration
			for i := range max(b.N, 40) {
				c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "big.holo", "version": 2 * i},
					"contentChanges": []any{map[string]any{"range": span{before, end}, "text": ""}}})
				start := processor()
				c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "big.holo", "version": 2*i + 1},
					"contentChanges": []any{map[string]any{"range": span{before, before}, "text": key}}})
				var got completionList
				c.ask("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": base + "big.holo"}, "position": end}, &got)
				took = append(took, processor()-start)
				if len(got.Items) == 0 && place.name != "emit" && place.name != "member" {
					b.Fatal("nothing is proposed")
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "cpu-p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "cpu-p95-ms")
		})
	}
}
