package fence_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/fence"
)

// FuzzFence: no text gets out of its block, and none is changed but for its line
// ends.
func FuzzFence(f *testing.F) {
	f.Add("plain")
	f.Add("```\nout")
	f.Add("a ```` b\r\n`````\rc\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := fence.Block("untrusted", text)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		run, ok := strings.CutSuffix(lines[0], "untrusted")
		if !ok || len(run) < 3 || strings.Trim(run, "`") != "" || lines[len(lines)-1] != run {
			t.Fatalf("%q", got)
		}
		inside := lines[1 : len(lines)-1]
		for _, l := range inside {
			if strings.Contains(l, run) || strings.Contains(l, "\r") {
				t.Fatalf("%q closes the block of %q", l, text)
			}
		}
		same := strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
		if strings.Join(inside, "\n") != same {
			t.Fatalf("%q became %q", text, inside)
		}
	})
}
