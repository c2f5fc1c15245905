package writing

import (
	"context"
	"errors"
	"testing"

	"github.com/meshd/meshd/node/near"
)

// Who waits for a text alike goes when its request does, and waits for no others.
func TestWaitForATextAlikeEnds(t *testing.T) {
	t.Parallel()
	p := newDrafts()
	text := near.Of("A log is synced before the write is acknowledged.")
	mine := draft{owner: 1, text: text}
	end, err := p.begin(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.begin(gone, mine); !errors.Is(err, context.Canceled) {
		t.Errorf("waited: %v", err)
	}
	for name, other := range map[string]draft{
		"another owner": {owner: 2, text: text},
		"another text":  {owner: 1, text: near.Of("A cache is cold after the restart, so warm it with the keys of yesterday.")},
	} {
		over, err := p.begin(gone, other)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		over()
	}
	end()
	if end, err = p.begin(gone, mine); err != nil {
		t.Fatal(err)
	}
	end()
	if len(p.here) != 0 {
		t.Errorf("%d are still being written", len(p.here))
	}
}
