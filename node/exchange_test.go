package node_test

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

// What an import reports is bounded, and so is a line of it.
func TestImportIsBounded(t *testing.T) {
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	rep, err := b.Import(t.Context(), strings.NewReader(strings.Repeat("{}\n\n", 30)))
	if err != nil || rep.Read != 30 || rep.Refused[reason.BadEncoding] != 30 || len(rep.Faults) != 20 {
		t.Errorf("%d faults named in %+v, %v", len(rep.Faults), rep, err)
	}
	if got := rep.Faults[1].Line; got != 3 {
		t.Errorf("the second fault is said to be in line %d, and is in line 3", got)
	}
	rep, err = b.Import(t.Context(), strings.NewReader("{}\n"+strings.Repeat("x", 128<<10+1)+"\n{}\n"))
	if !errors.Is(err, bufio.ErrTooLong) || rep.Read != 1 {
		t.Errorf("a line of 128 KiB and a byte: %+v, %v", rep, err)
	}
}
