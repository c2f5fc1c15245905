// Package docs_test compares the documents with the code they describe.
package docs_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

var (
	described = regexp.MustCompile("(?m)^### `([a-z_]+)`\n\n(.+)\n\n(.+)$")
)

// TestErrorsNamesEveryCode compares errors.md with the table of codes: each
// stands there once, with the facts of its row, and no other does.
func TestErrorsNamesEveryCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("errors.md")
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]string{}
	note := func(code, fact string) {
		if _, twice := facts[code]; twice {
			t.Errorf("%s stands there twice", code)
		}
		facts[code] = fact
	}
	for _, m := range described.FindAllStringSubmatch(string(text), -1) {
		note(m[1], m[2])
	}
	for _, info := range reason.All() {
		got, there := facts[string(info.Code)]
		delete(facts, string(info.Code))
		switch want := factsOf(info); {
		case !there:
			t.Errorf("%s is missing", info.Code)
		case got != want:
			t.Errorf("%s: %q, want %q", info.Code, got, want)
		}
	}
	for code := range facts {
		t.Errorf("%s is no code", code)
	}
}

func factsOf(i reason.Info) string {
	status := "warning"
	if i.HTTP != 0 {
		status = fmt.Sprintf("HTTP %d", i.HTTP)
	}
	gossip := map[reason.Verdict]string{
		reason.Never: "not seen", reason.Reject: "reject", reason.Ignore: "ignore", reason.Defer: "defer",
	}
	retry := map[reason.Retry]string{
		reason.RetryNo: "will fail again", reason.RetryFix: "after a change", reason.RetryLater: "later",
	}
	return fmt.Sprintf("%s · gossip: %s · retry: %s", status, gossip[i.Gossip], retry[i.Retry])
}

// TestContributingNamesWhatTestsNeed compares CONTRIBUTING.md with the packages that
// scripts/need installs.
func TestContributingNamesWhatTestsNeed(t *testing.T) {
	t.Parallel()
	need, err := os.ReadFile("../scripts/need")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)lacks (?:"[^"]*"|[a-z0-9_+-]+) ([a-z0-9+. -]+)$`).FindAllStringSubmatch(string(need), -1)
	if len(rows) < 8 {
		t.Fatalf("scripts/need lists %d programs only", len(rows))
	}
	for _, row := range rows {
		for pkg := range strings.FieldsSeq(row[1]) {
			if !strings.Contains(string(text), "`"+pkg+"`") {
				t.Errorf("CONTRIBUTING.md does not name %s", pkg)
			}
		}
	}
}
