//go:build !cgo || !(linux || darwin) || !(amd64 || arm64)

package automerge

import (
	"errors"
	"strings"
	"testing"
)

func TestBuildWithoutTheLibraryRefuses(t *testing.T) {
	t.Parallel()
	if e, err := New([]string{"meshd", "doc-worker"}, Config{}); e != nil || !errors.Is(err, ErrUnsupported) {
		t.Errorf("New: %v, %v", e, err)
	}
	if err := ServeWorker(strings.NewReader(""), &strings.Builder{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("ServeWorker: %v", err)
	}
}
