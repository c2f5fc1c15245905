package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// placeholders are what stands in examples for what each reader has for themselves, and
// what the script of the examples has for it.
var placeholders = strings.NewReplacer("bafkrei...", "$OLD", "bafyrei...", "$NEW", "<network>", "$NETWORK", "gld_...", "$GUILD")

// before prepares a home in which the examples of cap run: a guild, a capability of each
// version, and files under the names that the examples use.
const before = `exec meshd init
exec meshd guild create -q Examples --visibility public
word GUILD stdout
start one run
exec meshd status --json
cp stdout status.json
field NETWORK status.json network
exec meshd cap issue --json --to did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV --can entry/put
cp stdout old.json
field OLD old.json cid
exec meshd cap issue --json --to did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV --can entry/put --format 1.0
cp stdout new.json
field NEW new.json cid
exec meshd cap build draft.json
cp stdout token.jwt
`

// files are what the examples read.
const files = `-- draft.json --
{"version": "0.10.0", "issuer_base64_key": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADOzBUH3B3dcpWVHCkIiPCVrbkETRtz1pbm3wZdaDvU/A==", "signature_scheme": "Ed25519", "audience": "did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV", "expiration": null, "capabilities": {"mesh://6e6574/guild/x": {"doc/*": [{}]}}, "nonce": "example"}
`

// verbs are the commands below c that do something, c among them.
func verbs(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	if c.Runnable() && !c.Hidden {
		out = append(out, c)
	}
	for _, below := range c.Commands() {
		out = append(out, verbs(below)...)
	}
	return out
}

// examplesOf are the command lines that the help of a verb shows.
func examplesOf(c *cobra.Command) (lines []string) {
	for line := range strings.Lines(c.Example) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestExamplesOfCapRun: every verb of cap shows examples in its help, and each does word
// for word what it shows, in the order in which the help shows them.
func TestExamplesOfCapRun(t *testing.T) {
	t.Parallel()
	cap, _, err := root(&session.Session{Out: io.Discard, Err: io.Discard}).Find([]string{"cap"})
	if err != nil {
		t.Fatal(err)
	}
	script := before
	last := "" // verbs that take away what others use come last
	for _, c := range verbs(cap) {
		if c == cap {
			continue
		}
		lines := examplesOf(c)
		if len(lines) == 0 {
			t.Errorf("%s shows no example", c.CommandPath())
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, c.CommandPath()+" ") && line != c.CommandPath() {
				t.Errorf("%s shows an example of something else: %s", c.CommandPath(), line)
			}
			line = fmt.Sprintf("code 0 %s\n", placeholders.Replace(line))
			if c.Name() == "revoke" {
				last += line
				continue
			}
			script += line
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "examples.txtar"), []byte(script+last+files), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts(dir))
}

// TestExamplesAreUnderstood: the examples of every verb name that verb, or one below it, with flags and
// words that it takes.
func TestExamplesAreUnderstood(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, c := range verbs(root(&session.Session{Out: io.Discard, Err: io.Discard})) {
		for _, line := range examplesOf(c) {
			shown++
			line, _, _ = strings.Cut(line, "  #")
			at := root(&session.Session{Out: io.Discard, Err: io.Discard})
			found, rest, err := at.Find(split(line)[1:])
			if err != nil || found.CommandPath() != c.CommandPath() && !strings.HasPrefix(found.CommandPath(), c.CommandPath()+" ") {
				t.Errorf("%s shows %q, which is another command: %v", c.CommandPath(), line, err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if err := found.ValidateArgs(found.Flags().Args()); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d examples", shown)
	}
}

// split cuts a line into words as a shell does, with both kinds of quotes.
func split(line string) (words []string) {
	word, quote, any := "", rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, any = r, true
		case quote == 0 && r == ' ':
			if any || word != "" {
				words = append(words, word)
			}
			word, any = "", false
		default:
			word += string(r)
		}
	}
	if any || word != "" {
		words = append(words, word)
	}
	return words
}
