package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// TestReadingVerbsPrintJSON runs verbs that print data, each on a home that exists, and
// reads what they print with --json.
func TestReadingVerbsPrintJSON(t *testing.T) {
	t.Parallel()
	env := []string{"MESHD_LOOPBACK=1", "MESHD_HOME=" + filepath.Join(t.TempDir(), "home")}
	do := func(line string) (string, int, string) {
		var out, errs bytes.Buffer
		code := run(&session.Session{In: strings.NewReader(""), Out: &out, Err: &errs, Env: env}, strings.Fields(line))
		return out.String(), code, errs.String()
	}
	if _, code, errs := do("init"); code != session.ExitOK {
		t.Fatalf("init: exit %d: %s", code, errs)
	}
	for _, line := range []string{
		"agents", "profile", "key list", "credits", "balance", "feed", "query go", "domains", "guilds", "guild list", "bounty list", "cap list",
		"config show", "config get log.level", "config get --written log.level", "version", "id show", "moderate queue", "block list",
		"lang targets", "lang traits",
	} {
		out, code, errs := do(line + " --json")
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(out), &fields); err != nil || code != session.ExitOK {
			t.Errorf("meshd %s --json: exit %d, %v\n%s%s", line, code, err, out, errs)
		}
		for name := range fields {
			if name == "" || strings.ToLower(name[:1]) != name[:1] || strings.ContainsAny(name, "- ") {
				t.Errorf("meshd %s --json: a field is called %q", line, name)
			}
		}
	}
}
