package gate

import (
	"strings"
	"testing"
)

// lesson is prose that contains some of the words detectors look for, as real lessons
// do.
const lesson = "When a client retries a request the token bucket refills, so send the api key in a header and log only its digest. "

// BenchmarkCheck judges it at two lengths.
func BenchmarkCheck(b *testing.B) {
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

// BenchmarkRefusal asks for the first refusal alone, as for the entries of others.
func BenchmarkRefusal(b *testing.B) {
	g := newGate(b, Config{})
	d := Draft{Type: "pattern", Content: strings.Repeat(lesson, 40)[:499] + ".", Evidence: []string{"go test ./..."}, Tags: []string{"retry"}}
	for b.Loop() {
		if code := g.Refusal(d); code != "" {
			b.Fatal(code)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newGate(b, Config{})
	}
}
