package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

// emptyNode is the program with a home that is not there yet.
func emptyNode(t *testing.T) *testNode {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n := &testNode{t: t, program: filepath.Join(dir, "meshd")}
	if err := os.Symlink(exe, n.program); err != nil {
		t.Fatal(err)
	}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			n.env = append(n.env, v)
		}
	}
	n.env = append(n.env, "MESHD_LOOPBACK=1", "MESHD_HOME="+filepath.Join(dir, "home"), "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	return n
}

// at is the home's folder.
func (n *testNode) at() string { return filepath.Join(filepath.Dir(n.program), "home") }

// unpack puts a home that another build has made in the place of the node's.
func (n *testNode) unpack(archive string) {
	n.t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		n.t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		n.t.Fatal(err)
	}
	in := tar.NewReader(zip)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			n.t.Fatal(err)
		}
		path := filepath.Join(filepath.Dir(n.at()), filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o700)
		case tar.TypeReg:
			var content []byte
			if content, err = io.ReadAll(in); err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
		default:
			err = fmt.Errorf("%s is of type %q", h.Name, h.Typeflag)
		}
		if err != nil {
			n.t.Fatal(err)
		}
	}
}

// files are the contents of a home, by path; LOCK is everybody's.
func (n *testNode) files() map[string][32]byte {
	n.t.Helper()
	out := map[string][32]byte{}
	err := filepath.WalkDir(n.at(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == store.LockFile {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = sha256.Sum256(b)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return out
}

// refuses runs a command that must end with a code, and returns what it says.
func (n *testNode) refuses(code int, args ...string) string {
	n.t.Helper()
	cmd := exec.Command(n.program, args...)
	cmd.Env = n.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if _, err := cmd.Output(); err == nil || cmd.ProcessState.ExitCode() != code {
		n.t.Errorf("meshd %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, stderr.Bytes())
	}
	return stderr.String()
}

var (
	oneFact  = regexp.MustCompile(`(?m)^(view) +(.*)$`)
	oneDID   = regexp.MustCompile(`(?m)^did +(.*)$`)
	oneEntry = regexp.MustCompile(`(?m)^ent_[a-z0-9]+`)
	oneGuild = regexp.MustCompile(`(?m)^(Den) .*$`)
)

// shown is what testdata/homes/make writes down of a home, while its node runs.
func (n *testNode) shown() (facts []string) {
	n.t.Helper()
	n.t.Run("shown", func(t *testing.T) {
		running := *n
		running.t = t
		running.start()
		facts = running.facts()
	})
	return facts
}

func (n *testNode) facts() (facts []string) {
	for _, m := range oneFact.FindAllStringSubmatch(string(n.do("status")), -1) {
		facts = append(facts, m[1]+" "+m[2])
	}
	for _, m := range oneDID.FindAllStringSubmatch(string(n.do("id", "show")), -1) {
		facts = append(facts, "did "+m[1])
	}
	for _, m := range oneEntry.FindAllString(string(n.do("feed", "--limit", "50")), -1) {
		facts = append(facts, "entry "+m)
	}
	for _, m := range oneGuild.FindAllStringSubmatch(string(n.do("guild", "list")), -1) {
		facts = append(facts, "guild "+m[1])
	}
	return facts
}

// TestScenario21OldHomes: homes of older builds, which testdata/homes keeps, opened by
// this one: the same identity, entries, guild and hash of the views, and their agents
// write on. Changes that an older build exported show the same entries in a new home. A
// home, or its database, that a newer build has written is refused with its exit code
// and stays as it is.
func TestScenario21OldHomes(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/homes/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no home of an older build: %v", err)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(strings.TrimSuffix(archive, ".tar.gz") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
			n := emptyNode(t)
			n.unpack(archive)
			if got := n.shown(); !slices.Equal(got, want) {
				t.Fatalf("this build shows\n%s\nthe one that wrote the home showed\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			n.do("verify", "--deep")
			n.do("contribute", "-q", "--type", "gotcha", "--domain", "go", "What an older build has begun goes on in a newer one, in the same chain and under the same key.")
			n.do("verify", "--deep")
			after := n.shown()
			if len(after) != len(want)+1 {
				t.Errorf("after writing on:\n%s", strings.Join(after, "\n"))
			}

			// A member of the same network that knows only what the older build sent.
			other := emptyNode(t)
			other.do("init")
			other.do("import", strings.TrimSuffix(archive, ".tar.gz")+".jsonl")
			entries := func(facts []string) []string {
				return slices.DeleteFunc(slices.Clone(facts), func(f string) bool { return !strings.HasPrefix(f, "entry ") })
			}
			if got := entries(other.shown()); !slices.Equal(got, entries(want)) {
				t.Errorf("of what it exported another home shows %q, want %q", got, entries(want))
			}

			refused := 0
			for what, newer := range map[string]func(*testNode) error{
				"home": func(n *testNode) error {
					return os.WriteFile(filepath.Join(n.at(), store.VersionFile), fmt.Appendln(nil, store.CurrentFormat()+1), 0o600)
				},
				"state.db": func(n *testNode) error {
					db, err := sql.Open("sqlite", filepath.Join(n.at(), store.StateFile))
					if err != nil {
						return err
					}
					_, err = db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`)
					return errors.Join(err, db.Close())
				},
			} {
				n := emptyNode(t)
				n.unpack(archive)
				if err := newer(n); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				before := n.files()
				for _, args := range [][]string{{"run"}, {"contribute", "--type", "gotcha", "--domain", "go", "Nothing that an older build does to a newer home may change it."}} {
					if said := n.refuses(session.ExitNewer, args...); !strings.Contains(said, "newer") {
						t.Errorf("%s: meshd %s says %q", what, args[0], said)
					}
					refused++
				}
				if what == "home" {
					for path, sum := range n.files() {
						if before[path] != sum {
							t.Errorf("%s: %s was touched", what, path)
						}
					}
				}
			}
			t.Logf("scenario 21: %s: %d of %d facts the same (identity, entries, guild, hash of the views), writes on, its export shows the same entries elsewhere, %d of %d commands on newer homes refused with exit code %d (bar: all the same, clean refusal)",
				name, len(want), len(want), refused, 4, session.ExitNewer)
		})
	}
}
