package gate

import "testing"

// TestPatterns compiles what would panic only when a text first needs it.
func TestPatterns(t *testing.T) {
	t.Parallel()
	if len(patterns) < 100 {
		t.Fatalf("%d patterns", len(patterns))
	}
	for _, p := range patterns {
		p.get()
	}
}
