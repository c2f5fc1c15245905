package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	ds "github.com/ipfs/go-datastore"

	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/store"
)

var secret = [32]byte{1}

// written is the backup of a small home: a file in a folder, a key, three pairs.
func written(t testing.TB) []byte {
	t.Helper()
	home, err := store.Open(filepath.Join(t.TempDir(), "home"), store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer home.Close()
	for name, text := range map[string]string{
		"meshd.yaml": "log: {}\n", "keys/a.sealed": "secret", "objects/x/y": strings.Repeat("o", 200_000), "empty": "",
		// None of these belongs into a backup.
		"store/000001.log": "derived", "run/meshd.sock.pid": "1", "INSTANCE": "{}", "state.db": "half", "state.db-wal": "half", "teams.json.new": "[", "keys/.new-1": "half",
	} {
		if err := os.MkdirAll(filepath.Dir(home.Path(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(home.Path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	_, err = backup.Write(t.Context(), &out, backup.Source{
		Header: backup.Header{Program: "test", Shards: 1, State: "sqlite"}, Home: home, Store: home.Path(store.StoreDir), Secret: secret,
		Log: func(_ context.Context, visit func(string, []byte) error) error {
			return errors.Join(visit("/a", nil), visit("/b", bytes.Repeat([]byte("v"), 70_000)), visit("/c", []byte("w")))
		},
		State: func(_ context.Context, path string) error { return os.WriteFile(path, []byte("database"), 0o600) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadFindsWhatWasWritten(t *testing.T) {
	t.Parallel()
	var files, pairs []string
	h, end, err := backup.Read(bytes.NewReader(written(t)), backup.Sink{
		Pair: func(k string, v []byte) error { pairs = append(pairs, fmt.Sprint(k, len(v))); return nil },
		File: func(name string, mode fs.FileMode) error { files = append(files, name); return nil },
	})
	if err != nil || h.Program != "test" || !end.Sealed(secret) || end.Sealed([32]byte{2}) {
		t.Fatalf("%+v, %+v, %v", h, end, err)
	}
	if got := strings.Join(files, " "); got != "VERSION empty meshd.yaml objects/x/y keys/a.sealed state.db" {
		t.Errorf("files: %s", got)
	}
	if got := strings.Join(pairs, " "); got != "/a0 /b70000 /c1" {
		t.Errorf("pairs: %s", got)
	}
}

// No cut and no altered byte of a backup gives anything but what was written, which a
// few bytes of the compression's own do not touch, or backup_invalid.
func TestEveryDamageIsFound(t *testing.T) {
	t.Parallel()
	whole, untouched := written(t), 0
	_, sound, err := backup.Read(bytes.NewReader(whole), backup.Sink{})
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x10
		for what, b := range map[string][]byte{"altered": bad, "cut": whole[:at]} {
			_, end, err := backup.Read(bytes.NewReader(b), backup.Sink{})
			if err == nil && what == "altered" && bytes.Equal(end.Digest, sound.Digest) && end.Sealed(secret) {
				untouched++
			} else if reason.Of(err) != reason.BackupInvalid {
				t.Fatalf("%s at %d of %d: %v", what, at, len(whole), err)
			}
		}
	}
	if untouched > 8 {
		t.Errorf("%d altered bytes of %d make no difference", untouched, len(whole))
	}
	if _, _, err := backup.Read(bytes.NewReader(append(bytes.Clone(whole), 0)), backup.Sink{}); reason.Of(err) != reason.BackupInvalid {
		t.Errorf("with a byte more: %v", err)
	}
	broken := errors.New("the disk is gone")
	if _, _, err := backup.Read(iotest.TimeoutReader(bytes.NewReader(whole)), backup.Sink{}); err == nil || reason.Of(err) == reason.BackupInvalid {
		t.Errorf("a fault of reading: %v", err)
	}
	if _, _, err := backup.Read(bytes.NewReader(whole), backup.Sink{Pair: func(string, []byte) error { return broken }}); !errors.Is(err, broken) {
		t.Errorf("a fault of the sink: %v", err)
	}
}

// A restore that fails anywhere leaves an empty folder; one that works leaves what
// was written, closed to others.
func TestRestoreIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	whole := written(t)
	engine := crdtlog.NewMemory()
	target := backup.Target{Dir: filepath.Join(t.TempDir(), "new"), Engine: func(string) (crdtlog.Engine, error) { return engine, nil }}
	refuses := target
	refuses.Check = func(string, backup.Header, backup.End) error { return errors.New("looked at and refused") }
	for what, in := range map[string][]byte{"cut": whole[:len(whole)-9], "refused": whole} {
		if _, _, err := backup.Restore(t.Context(), bytes.NewReader(in), refuses); err == nil {
			t.Fatalf("%s: restored", what)
		}
		if left, err := os.ReadDir(target.Dir); err != nil || len(left) > 0 {
			t.Fatalf("%s: left %v, %v", what, left, err)
		}
	}
	if _, _, err := backup.Restore(t.Context(), bytes.NewReader(whole), target); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"VERSION": 2, "empty": 0, "meshd.yaml": 8, "objects/x/y": 200_000, "keys/a.sealed": 6, "state.db": 8} {
		info, err := os.Stat(filepath.Join(target.Dir, name))
		if err != nil || int(info.Size()) != want || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if v, err := engine.Get(t.Context(), ds.RawKey("/c")); err != nil || string(v) != "w" {
		t.Errorf("pair: %q, %v", v, err)
	}
	if _, _, err := backup.Restore(t.Context(), bytes.NewReader(whole), target); reason.Of(err) != reason.HomeNotEmpty {
		t.Errorf("into a home: %v", err)
	}
}

// FuzzRead: whatever the bytes, a reader is refused or given names that stay below
// the home.
func FuzzRead(f *testing.F) {
	f.Add(written(f))
	f.Add([]byte("MESHBAK1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _, err := backup.Read(bytes.NewReader(b), backup.Sink{File: func(name string, _ fs.FileMode) error {
			if !filepath.IsLocal(name) {
				t.Errorf("a file called %q", name)
			}
			return nil
		}})
		if err != nil && reason.Of(err) != reason.BackupInvalid {
			t.Errorf("refused by %v", err)
		}
	})
}
