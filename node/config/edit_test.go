package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEditKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	const peerA, peerB = "/ip4/10.0.0.1/tcp/1/p2p/12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA", "/ip4/10.0.0.2/tcp/1/p2p/12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA"
	sample, err := Sample(map[string]string{"log.level": "debug"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a sample":               string(sample),
		"nothing":                "",
		"comments":               "# mine\n",
		"another section":        "log:\n  level: debug # loud\n",
		"the section":            "network:\n  file: net # ours\nlog:\n  level: debug\n",
		"an empty section":       "network:\nlog:\n  level: debug\n",
		"a list in a line":       "network:\n  bootstrap: [\"" + peerB + "\"] # old\n  file: net\n",
		"a list in lines":        "network:\n    bootstrap:\n      - " + peerB + "\n      - " + peerA + "\n    # ours\n    file: net\n",
		"a list with comments":   "network:\n  bootstrap: # old\n    - " + peerB + " # first\n    # between\n    - " + peerA + "\n  file: net\n",
		"a list in open lines":   "network:\n  bootstrap: [\n    \"" + peerB + "\",\n  ]\n  file: net\n",
		"a text":                 "network:\n  bootstrap: \"\"\n",
		"the last of many lines": "log:\n  level: debug\n\nnetwork:\n  # before\n  file: net",
	} {
		out, err := edit([]byte(text), "network.bootstrap", peerA+","+peerB)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Count(string(out), "\n  bootstrap:")+strings.Count(string(out), "\n    bootstrap:") != 1 && !strings.HasPrefix(string(out), "network:\n  bootstrap:") {
			t.Errorf("%s: it stands there otherwise than once:\n%s", name, out)
		}
		for _, kept := range []string{"# mine", "# loud", "# ours", "# before", "level: debug", "file: net", "# old", "# first", "# between"} {
			if strings.Contains(text, kept) && !strings.Contains(string(out), kept) {
				t.Errorf("%s: %q is gone:\n%s", name, kept, out)
			}
		}
		path := filepath.Join(t.TempDir(), "meshd.yaml")
		if err := os.WriteFile(path, out, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Written(path, "network.bootstrap"); err != nil || got != peerA+","+peerB {
			t.Errorf("%s: read again as %q, %v", name, got, err)
		}
		again, err := EditFile(path, "network.bootstrap", "")
		if err != nil || strings.Contains(string(again), peerA) {
			t.Errorf("%s: not emptied: %v\n%s", name, err, again)
		}
	}
}

// The comment beside a value stays beside it, whatever the value becomes, and when it is
// taken out and set again.
func TestEditKeepsTheCommentBesideAValue(t *testing.T) {
	t.Parallel()
	for was, want := range map[string]string{
		"log:\n  level: debug # why\n":                  "log:\n  level: warn # why\n",
		"log:\n  level: \"debug\"\t  # a \"#\" # b\n":   "log:\n  level: warn\t  # a \"#\" # b\n",
		"log:\n  level: debug#no\n":                     "log:\n  level: warn\n", // no comment
		"log:\n  # before\n  level: debug # why\n# x\n": "log:\n  # before\n  level: warn # why\n# x\n",
		"log:\n  #level: info # why\n":                  "log:\n  level: warn # why\n",
		"log:\n  #level: info\n":                        "log:\n  level: warn\n",
		"log:\n  level: debug # why":                    "log:\n  level: warn # why\n",
	} {
		out, err := edit([]byte(was), "log.level", "warn")
		if string(out) != want || (err == nil) != (want != "") {
			t.Errorf("%q: %v\n%s", was, err, out)
		}
	}
	text := []byte("log:\n  level: debug # why\n")
	off, err := unset(text, "log.level")
	if err != nil || string(off) != "log:\n  #level: info # why\n" {
		t.Fatalf("unset: %v\n%s", err, off)
	}
	if on, err := edit(off, "log.level", "debug"); err != nil || string(on) != string(text) {
		t.Errorf("set again: %v\n%s", err, on)
	}
	list, err := edit([]byte("gateway:\n  trusted_proxies: # ours\n    - 10.0.0.0/8 # here\n    # and\n    - 10.1.0.0/16\n"), "gateway.trusted_proxies", "10.2.0.0/16")
	if want := "gateway:\n  # and\n  # here\n  trusted_proxies: [\"10.2.0.0/16\"] # ours\n"; err != nil || string(list) != want {
		t.Errorf("a list: %v\n%s", err, list)
	}
}

func TestEditRefusesWhatItCouldSpoil(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a section in a line": "network: {file: net}\n",
		"a fault":             "network:\n  fyle: net\n",
	} {
		if out, err := edit([]byte(text), "network.bootstrap", ""); err == nil {
			t.Errorf("%s was changed:\n%s", name, out)
		}
	}
	if _, err := edit([]byte("network: {file: net}\n"), "network.file", "other"); !errors.Is(err, ErrEdit) {
		t.Errorf("a section in a line: %v", err)
	}
	var fault Fault
	if _, err := edit(nil, "network.bootstrapp", ""); !errors.As(err, &fault) {
		t.Errorf("an unknown key: %v", err)
	}
	if _, err := edit(nil, "p2p.mdns", "perhaps"); !errors.As(err, &fault) {
		t.Errorf("a value that does not parse: %v", err)
	}
	if got, err := Written(filepath.Join(t.TempDir(), "none"), "network.bootstrap"); err != nil || got != "" {
		t.Errorf("no file: %q, %v", got, err)
	}
	made, err := EditFile(filepath.Join(t.TempDir(), "none"), "log.level", "warn")
	if err != nil || !strings.Contains(string(made), "\n  level: warn\n") && !strings.Contains(string(made), "level: \"warn\"") {
		t.Errorf("a file that was not there: %v\n%s", err, made)
	}
}
