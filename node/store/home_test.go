package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// mustOpen opens a home and closes it with the test.
func mustOpen(t testing.TB, dir string) *Home {
	t.Helper()
	h, err := Open(dir, Options{Command: "test"})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}

func mode(t testing.TB, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOpenMakesAPrivateHome(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	h := mustOpen(t, dir)
	if !h.Fresh() || !h.Locked() || h.Dir() != dir {
		t.Errorf("fresh %v, locked %v, dir %s", h.Fresh(), h.Locked(), h.Dir())
	}
	for _, name := range []string{".", KeysDir, StoreDir, ObjectsDir, RunDir} {
		if m := mode(t, h.Path(name)); m != 0o700 {
			t.Errorf("%s has mode %o", name, m)
		}
	}
	for _, name := range []string{LockFile, VersionFile} {
		if m := mode(t, h.Path(name)); m != 0o600 {
			t.Errorf("%s has mode %o", name, m)
		}
	}
	if n, err := h.Format(); n != CurrentFormat() || err != nil {
		t.Errorf("format %d, %v", n, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h.Locked() {
		t.Error("still locked after Close")
	}
	if data, err := os.ReadFile(h.Path(LockFile)); err != nil || len(data) != 0 {
		t.Errorf("a clean end left %q, %v", data, err)
	}
	if again := mustOpen(t, dir); again.Fresh() {
		t.Error("the second opening says fresh")
	}
}

func TestOpenTakesRightsOfOthersAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys := filepath.Join(dir, KeysDir)
	if err := os.Mkdir(keys, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(keys, 0o755); err != nil { // whatever the umask
		t.Fatal(err)
	}
	mustOpen(t, dir)
	if m := mode(t, keys); m != 0o700 {
		t.Errorf("mode %o", m)
	}
}

func TestOpenSaysWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	cases := map[string]func(dir string) error{
		"make home": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"open lock": func(dir string) error { return os.MkdirAll(filepath.Join(dir, LockFile), 0o700) },
		"make folder": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, RunDir), nil, 0o600))
		},
		"does not hold a number": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, VersionFile), []byte("one"), 0o600))
		},
	}
	for want, prepare := range cases {
		dir := filepath.Join(t.TempDir(), "home")
		if err := prepare(dir); err != nil {
			t.Fatal(err)
		}
		if h, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), want) || h != nil {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestFailedOpenGivesTheLockBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, VersionFile), []byte("999\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second would find the lock of the first
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrNewerFormat) {
			t.Fatalf("Open = %v", err)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	h := mustOpen(t, t.TempDir())
	if got := h.Path("store", "x"); got != filepath.Join(h.Dir(), "store", "x") {
		t.Errorf("Path = %s", got)
	}
	for in, want := range map[string]string{"": "", "/etc/x": "/etc/x", "net.txt": h.Path("net.txt"), "a/b": h.Path("a", "b")} {
		if got := h.Resolve(in); got != want {
			t.Errorf("Resolve(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestInspectNeedsNoLockAndChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Inspect(dir); !errors.Is(err, ErrNoStore) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := Inspect(filepath.Join(dir, "none")); !errors.Is(err, ErrNoStore) {
		t.Errorf("missing folder: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("Inspect left %v, %v", entries, err)
	}
	owner := mustOpen(t, dir)
	h, err := Inspect(dir)
	if err != nil || h.Locked() {
		t.Fatalf("Inspect: %v, locked %v", err, h.Locked())
	}
	if who, held, err := h.Holder(); !held || err != nil || who.PID != os.Getpid() || who.Command != "test" {
		t.Errorf("holder %+v, %v, %v", who, held, err)
	}
	if err := h.Close(); err != nil || !owner.Locked() {
		t.Errorf("closing the reader: %v, owner locked %v", err, owner.Locked())
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	if who, held, err := h.Holder(); held || err != nil {
		t.Errorf("after the owner ended: %+v, %v, %v", who, held, err)
	}
}

func TestInspectReadsANewerHome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, VersionFile), []byte("7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.Format(); n != 7 || err != nil {
		t.Errorf("format %d, %v", n, err)
	}
	if _, held, err := h.Holder(); held || err != nil {
		t.Errorf("no lock file: held %v, %v", held, err)
	}
}

func TestNewerFormatIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, VersionFile), []byte("2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{})
	var fe *FormatError
	if !errors.As(err, &fe) || fe.Found != 2 || fe.Current != 1 || !errors.Is(err, ErrNewerFormat) {
		t.Fatalf("Open = %v", err)
	}
	if msg := err.Error(); !strings.Contains(msg, "format 2") || !strings.Contains(msg, "up to 1") {
		t.Errorf("message %q does not name both", msg)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != LockFile && e.Name() != VersionFile {
			t.Errorf("Open made %s", e.Name())
		}
	}
}

func TestMigrationsRunInOrderAndOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	var ran []int
	failAt := 3
	steps := map[int]migration{}
	for from := 1; from < 5; from++ {
		steps[from] = func(got string) error {
			if n, err := readFormat(filepath.Join(got, VersionFile)); n != from || err != nil {
				t.Errorf("step %d runs at format %d, %v", from, n, err)
			}
			if from == failAt {
				return fs.ErrPermission
			}
			ran = append(ran, from)
			return nil
		}
	}
	// The third step fails: the first two count, and the next run goes on there.
	if _, err := open(dir, Options{}, 5, steps); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "from format 3 to 4") {
		t.Fatalf("open = %v", err)
	}
	failAt = 0
	h, err := open(dir, Options{}, 5, steps)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := h.Format(); n != 5 || h.Fresh() {
		t.Errorf("format %d, fresh %v", n, h.Fresh())
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ran, []int{1, 2, 3, 4}) {
		t.Errorf("ran %v", ran)
	}
}

func TestFormatThatNobodyReads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	if _, err := open(dir, Options{}, 3, map[int]migration{2: nil}); err == nil || !strings.Contains(err.Error(), "format 1, which this meshd no longer reads") {
		t.Fatalf("open = %v", err)
	}
}

func TestMissingVersionBesideAStoreIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := mustOpen(t, dir)
	if err := os.WriteFile(h.Path(StoreDir, "000001.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Close(), os.Remove(h.Path(VersionFile))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "VERSION file is missing") {
		t.Fatalf("Open = %v", err)
	}
}

func TestReadFormat(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"1\n": 1, "12": 12, " 3 ": 3, "": 0, "0": 0, "-1": 0, "1.5": 0, "9999999999": 0, strings.Repeat("1", 99): 0} {
		path := filepath.Join(t.TempDir(), "v")
		if err := os.WriteFile(path, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readFormat(path); got != want || (err != nil) != (want == 0) {
			t.Errorf("readFormat(%q) = %d, %v", in, got, err)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"1\n", "", "00", "+1", "1 2", "\x00"} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, strconv.Itoa(os.Getpid()))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := readFormat(path); err == nil && n < 1 {
			t.Errorf("%q is format %d", data, n)
		}
	})
}

func TestLockedErrorText(t *testing.T) {
	t.Parallel()
	e := &LockedError{Dir: "/h", Holder: Holder{PID: 7, Command: "meshd run", Started: time.Unix(0, 0)}}
	if got := fmt.Sprint(e); got != "/h is in use by process 7 (meshd run) since 1970-01-01T00:00:00Z" {
		t.Error(got)
	}
	if got := (&LockedError{Dir: "/h"}).Error(); got != "/h is in use by another process" {
		t.Error(got)
	}
}
