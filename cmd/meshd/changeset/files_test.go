package changeset

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/attest"
)

const (
	blobA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	blobB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func TestParseDiff(t *testing.T) {
	t.Parallel()
	raw := ":100644 100755 " + blobA + " " + blobB + " M\x00a b\n:c\x00:000000 120000 " + blobA + " " + blobB + " A\x00l\x00"
	got, err := parseDiff([]byte(raw))
	want := []diffEntry{{"a b\n:c", "100755", blobB, 'M'}, {"l", "120000", blobB, 'A'}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := parseDiff(nil); err != nil || len(got) != 0 {
		t.Errorf("no changes: %v, %v", got, err)
	}
	for _, bad := range []string{
		"x", "\x00", "\x00\x00", ":1 2 3 4 M", ":1 2 3 4 M\x00path", "1 2 3 4 M\x00path\x00", ":1 2 3 M\x00path\x00", ":1 2 3 4 R100\x00a\x00b\x00",
		strings.Repeat(":1 2 3 4 M\x00path\x00", attest.MaxFiles+1),
	} {
		if _, err := parseDiff([]byte(bad)); err == nil {
			t.Errorf("%.60q is read", bad)
		}
	}
}

func TestEntriesThatCannotBeSigned(t *testing.T) {
	t.Parallel()
	for _, e := range []diffEntry{
		{"a", "100644", blobA, 'U'}, {"a", "040000", blobA, 'M'}, {"a", "", blobA, 'A'},
	} {
		if _, err := e.file(io.Discard, bufio.NewReader(strings.NewReader(""))); err == nil {
			t.Errorf("%+v is signed", e)
		}
	}
	for answer, ok := range map[string]bool{
		blobA + " blob 3\nabc\n": true, blobA + " missing\n": false, blobA + " tree 3\nabc\n": false, blobB + " blob 3\nabc\n": false,
		blobA + " blob 4\nabc\n": false, blobA + " blob 3\nabc": false, blobA + " blob -1\n": false, blobA + " blob x\n": false, "": false,
	} {
		var asked bytes.Buffer
		f, err := diffEntry{"a", "100644", blobA, 'T'}.file(&asked, bufio.NewReader(strings.NewReader(answer)))
		if ok != (err == nil) || asked.String() != blobA+"\n" {
			t.Errorf("%q: %v", answer, err)
		}
		if ok && (f.SHA256 != sha256.Sum256([]byte("abc")) || f.Change != attest.Modified) {
			t.Errorf("%q: %+v", answer, f)
		}
	}
	module, err := diffEntry{"m", "160000", blobA, 'A'}.file(io.Discard, bufio.NewReader(strings.NewReader("")))
	if err != nil || module.Change != attest.AddedSubmodule || module.SHA256 != sha256.Sum256([]byte(blobA)) {
		t.Errorf("submodule: %+v, %v", module, err)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add([]byte(":100644 100755 " + blobA + " " + blobB + " M\x00a\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		entries, err := parseDiff(raw)
		if err != nil {
			return
		}
		total := 0
		for _, e := range entries {
			total += len(e.path) + 1
		}
		if total > len(raw) {
			t.Fatalf("%d bytes of paths from %d", total, len(raw))
		}
	})
}
