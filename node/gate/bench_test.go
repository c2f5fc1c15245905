package gate

import (
	"strings"
	"testing"
)

// BenchmarkCheck judges prose that holds some of the words detectors look for,
// as real lessons do, at two lengths.
func BenchmarkCheck(b *testing.B) {
	const lesson = "When a client retries a request the token bucket refills, so send the api key in a header and log only its digest. "
	for name, n := range map[string]int{"500": 500, "4000": 4000} {
		b.Run(name, func(b *testing.B) {
			g := newGate(b, Config{})
			d := Draft{Type: "pattern", Content: strings.Repeat(lesson, 40)[:n-1] + ".", Evidence: []string{"go test ./..."}, Tags: []string{"retry"}}
			b.SetBytes(int64(n))
			for b.Loop() {
				if r := g.Check(d); !r.OK() {
					b.Fatal(r.Codes())
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newGate(b, Config{})
	}
}
