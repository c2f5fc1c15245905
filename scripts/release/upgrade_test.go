package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// older is the commit whose program makes the home that this one takes over: the last one
// before the database got the tables of visitors and offers. After a release it is the
// commit of the tag before.
const older = "88a21c47"

// TestUpgradeFromOlder: a home made by the program of an older commit shows the same
// under this one, which writes on in it; what the older one then does with the home is a
// refusal that says why, since the database has grown.
func TestUpgradeFromOlder(t *testing.T) {
	dir := t.TempDir()
	archive := exec.Command("git", "archive", "--format=tar", older)
	archive.Dir = source.src
	var errs bytes.Buffer
	archive.Stderr = &errs
	files, err := archive.Output()
	if err != nil {
		t.Fatalf("git archive %s: %v: %s\nA shallow clone lacks that commit: git fetch --unshallow gets it.", older, err, errs.String())
	}
	unpack := exec.Command("tar", "-x", "-C", dir)
	unpack.Stdin = bytes.NewReader(files)
	run(t, unpack)
	old := machine{program: filepath.Join(t.TempDir(), "meshd"), env: []string{"MESHD_HOME=" + filepath.Join(t.TempDir(), "home")}}
	compile := exec.Command("go", "build", "-trimpath", "-o", old.program, "./cmd/meshd")
	compile.Dir = dir
	run(t, compile)

	old.says(t, "init")
	n := old.start(t)
	old.says(t, "guild", "create", "-q", "Den")
	id := n.contributes()
	old.says(t, "comment", id, "Seen with a monitoring session that had autocommit switched off.")
	before := shown(t, old)
	exported := changes(t, old)
	n.stop()
	if len(before) < 4 {
		t.Fatalf("the older program shows %q", before)
	}

	now := old
	now.program = filepath.Join(unzip(t, file("linux_amd64.tar.gz")), "meshd")
	said := now.says(t, "upgrade", "--check")
	if !regexp.MustCompile(`this program adds [1-9][0-9]* table changes? to its database when it opens it`).MatchString(said) {
		t.Errorf("meshd upgrade --check says %q", said)
	}
	n = now.start(t)
	n.isThis()
	if after := shown(t, now); !slices.Equal(after, before) {
		t.Errorf("this program shows\n%s\nthe older one showed\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	if after := changes(t, now); !slices.Equal(after, exported) {
		t.Errorf("%d changes, %d before", len(after), len(exported))
	}
	now.says(t, "contribute", "-q", "--type", "wisdom", "--domain", "ops", "Rehearse the restore and not the backup: nobody has ever been asked to show a working backup at night.")
	now.says(t, "doctor")
	n.stop()
	now.says(t, "verify", "--deep")
	now.says(t, "doctor")

	if said := old.refuses(t, 14, "run"); !strings.Contains(said, "newer") {
		t.Errorf("the older program says %q", said)
	}
	n = now.start(t)
	if after := changes(t, now); len(after) != len(exported)+1 {
		t.Errorf("%d changes at the end, want %d", len(after), len(exported)+1)
	}
	n.stop()
}

var facts = regexp.MustCompile(`(?m)^(did +\S+|ent_\S+|Den\b)`)

// shown is what a program shows of a home whose node runs: identity, entries, guilds.
func shown(t *testing.T, m machine) (out []string) {
	t.Helper()
	for _, args := range [][]string{{"id", "show"}, {"feed", "--limit", "50"}, {"guild", "list"}} {
		for _, fact := range facts.FindAllString(m.says(t, args...), -1) {
			out = append(out, strings.Join(strings.Fields(fact), " "))
		}
	}
	for line := range strings.Lines(m.says(t, "status")) {
		if strings.HasPrefix(line, "view ") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return out
}

// changes are the signed changes of a home.
func changes(t *testing.T, m machine) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(m.says(t, "export")), "\n")
	slices.Sort(lines)
	return lines
}
