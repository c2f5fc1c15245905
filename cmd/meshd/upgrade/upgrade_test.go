package upgrade

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/store"
)

// TestInstalled: who looks after the program is read from the system, and only what
// nobody else looks after is replaced.
func TestInstalled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, content, want string
		replaceable         bool
	}{
		"package":         {"var/lib/dpkg/info/meshd.list", "/.\n/usr/bin/meshd\n", byPackage, false},
		"another program": {"var/lib/dpkg/info/meshd.list", "/.\n/usr/bin/meshd-other\n", bySource, true},
		"image":           {"etc/meshd-image", "", byImage, false},
		"source":          {"etc/hostname", "", bySource, true},
	} {
		root := t.TempDir()
		file := filepath.Join(root, c.file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(c.content), 0o600)); err != nil {
			t.Fatal(err)
		}
		if got := installed(root, "/usr/bin/meshd"); got.Installed != c.want || got.replaceable() != c.replaceable || got.text() == "" || got.Next == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestHomesThatAProgramMustNotHave: of a program that reads less than the home has, or
// does not say what it reads, nothing is put in place.
func TestHomesThatAProgramMustNotHave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		home homeReport
		f    formats
		want error
	}{
		"same":              {homeReport{Format: 1, State: 24}, formats{1, 24}, nil},
		"newer program":     {homeReport{Format: 1, State: 24}, formats{2, 30}, nil},
		"no database":       {homeReport{Format: 1}, formats{1, 0}, nil},
		"newer home":        {homeReport{Format: 2, State: 24}, formats{1, 24}, store.ErrNewerFormat},
		"newer database":    {homeReport{Format: 1, State: 25}, formats{1, 24}, state.ErrNewer},
		"silent about that": {homeReport{Format: 1, State: 24}, formats{1, 0}, state.ErrNewer},
	} {
		if err := c.home.refused(c.f); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestListed reads the lines that sha256sum writes, in text and binary mode.
func TestListed(t *testing.T) {
	t.Parallel()
	right := strings.Repeat("00", sha256.Size)
	for sums, want := range map[string]string{
		right + "  a.tar.gz\n":                             "",
		"ff  b.tar.gz\n" + right + " *a.tar.gz\n":          "",
		strings.Repeat("11", sha256.Size) + "  a.tar.gz\n": "damaged or another file",
		"junk  a.tar.gz\n":                                 "damaged or another file",
		right + "  ../a.tar.gz\n":                          "does not name",
		right + "  b.tar.gz\n":                             "does not name",
		"":                                                 "does not name",
	} {
		err := listed(sums, "a.tar.gz", [sha256.Size]byte{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", sums, err, want)
		}
	}
}

// TestFilesAreBounded: no more of a list is read than there may be.
func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "SHA256SUMS")
	for size, refused := range map[int]bool{maxSums: false, maxSums + 1: true} {
		if err := os.WriteFile(file, bytes.Repeat([]byte("a"), size), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := fetchSmall(t.Context(), file, true); (err != nil) != refused {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
}
