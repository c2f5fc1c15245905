package runtime

import (
	"bytes"
	"testing"
)

// An input is its lines: two inputs with the same ticks differ in the last line feed
// at most.
func FuzzTicksOf(f *testing.F) {
	f.Add("\n\n[{\"name\":\"tap\"}]\n")
	f.Fuzz(func(t *testing.T, in string) {
		ticks, err := ticksOf(in)
		if err != nil {
			if len(in) <= maxPlayTicks {
				t.Fatal(err)
			}
			return
		}
		text := string(bytes.Join(ticks, []byte("\n")))
		if len(ticks) > maxPlayTicks || text != in && text+"\n" != in {
			t.Fatalf("%q is read as %q", in, ticks)
		}
	})
}
