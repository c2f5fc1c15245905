package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// jsonLines are command lines, one or more a verb, that TestEveryVerbPrintsJSON runs in this
// order with --json. $GUILD is the beginning of the id of the guild of the world, and so on.
// "3: " before a line is the exit code when it is not 0.
var jsonLines = []string{
	// What only reads.
	"status", "peers", "sync --wait", "doctor", "version", "upgrade --check", "start", "config show", "config show --effective --origin", "config get log.level",
	"config get --written log.level", "config set log.level warn", "config unset log.level", "config reload", "config edit",
	"connect", "open --print", "watch --tail 3 --count 3", "man --dir $DIR/man",
	"agents", "agent $AGENT", "profile", "profile set --bio Me", "key list", "key new --label b --scopes mesh:read", "credits", "domains", "feed", "query nil", "entry $ENTRY",
	"comments $ENTRY", "guilds", "guild list", "guild show $GUILD", "team members $GUILD", "bounty list", "bounty show $BOUNTY", "cap list", "id show", "id passport", "id device",
	"moderate queue", "moderate labels $SPAM", "moderate audit", "block list", "payment list", "network file", "network key", "network manifest show", "invite list", "device list",
	"cap cid $DIR/token", "cap verify $DIR/token", "id passport verify $DIR/passport", "attest sign $DIR/src", "attest verify --envelope $DIR/envelope $DIR/src", "login $API",
	"peers ping $PEER", "peers gave $PEER", "verify", "backup --to $DIR/backup", "backup --check $DIR/backup",
	// The language.
	"lang targets", "lang habits", "lang traits", "lang traits grabbable", "lang check $DIR/a.holo", "lang parse $DIR/a.holo", "lang format --list $DIR/a.holo", "lang test $DIR/b.hs",
	"lang run --for 1s --event add $DIR/b.hs", "lang compile --target gltf -o $DIR/out $DIR/a.holo", "lang render -o $DIR/a.png $DIR/a.holo",
	// What writes.
	"contribute --type gotcha --domain go 'A deferred Close in a loop runs only when the function returns, so files stay open.'",
	"check --type gotcha --domain go 'A select without a default waits until one of its channels is ready, and for ever when none is.'",
	"comment $ENTRY --reply-to $COMMENT 'So it did to us, and nobody saw why for a whole day of looking at it.'", "vote --as worker $ENTRY", "report $SPAM --reason spam", "retract $MINE",
	"register other --generate-wallet",
	"guild create Other", "guild invite $GUILD", "guild role $GUILD $AGENT viewer", "guild role $GUILD $AGENT member", "guild join --as other $GUILD", "guild remove $GUILD other", "guild leave --as judge $GUILD", "guild join --as judge $GUILD",
	"team board $GUILD", "team board list $GUILD", "team board add $GUILD Clean", "team board show $GUILD $TASK", "team board claim $GUILD $TASK", "team board release $GUILD $TASK",
	"team board block $GUILD $TASK no brush", "team board reopen $GUILD $TASK a brush came", "team board done $GUILD $TASK --summary painted",
	"team message $GUILD --task $TASK --reply-to $MESSAGE 'I have it.'", "team inbox $GUILD --task $TASK", "team mode $GUILD build", "team present $GUILD",
	"bounty create $GUILD --title Wall --amount 1 'As high as the door.'", "bounty claim --as worker $BOUNTY", "bounty release --as worker $BOUNTY", "bounty submit --as worker $BOUNTY --entry $ENTRY 'It is mended.'",
	"bounty changes $BOUNTY where is the gate", "bounty submit --as worker $BOUNTY 'With a gate.'", "bounty accept $BOUNTY", "bounty payout $BOUNTY", "bounty cancel $TWICE",
	"bounty submit --as worker $ROOF 'It is dry.'", "bounty dispute $ROOF it drips", "bounty resolve --as judge $ROOF refund it drips",
	"block add agent $AGENT --reason test", "block rm agent $AGENT", "block rm peer $BLOCK", "block follow $DID", "block follow --stop $DID",
	"moderate label $SPAM spam --reason test", "moderate release $SPAM --reason test", "moderate suspend $AGENT --reason test", "moderate restore $AGENT --reason test",
	"cap build $DIR/draft.json", "cap issue --to $DID --can entry/put", "cap reissue $CID", "cap revoke $CID",
	"invite", "peers add $ADDRESS", "join --home $SECOND $LINE",
	"id export $DIR/owner.key", "import $DIR/changes", "id rotate", "network manifest set --gateway mesh.example.org=$DID", "network manifest set --gateway b.example.org=$DID --out $DIR/draft", "network manifest sign $DIR/draft --out $DIR/signed",
	// What takes away.
	"invite drop $INVITATION", "key revoke $KEY", "purge --author $AGENT", "purge --tree $AGENT", "purge --from $PEER", "moderate purge $SPAM --reason test", "purge $ENTRY",
	"peers drop $PEER", "stop", "id passphrase", "reindex", "repair", "verify --deep", "restore --home $DIR/restored $DIR/backup", "init --home $DIR/fresh", "id import --home $DIR/fresh $DIR/owner.key --name again",
}

// notJSON are the verbs that are not run with --json, and why.
var notJSON = map[string]string{
	"run": "goes on until it is stopped; its first lines are those of init", "relay": "goes on until it is stopped", "devnet": "goes on until it is stopped",
	"mcp": "speaks MCP", "lang lsp": "speaks the language server protocol", "export": "prints signed changes, one a line, without --json too",
	"logs": "prints the log as it is written, which log.format makes JSON", "restart": "prints what start prints; the node of this test is not its to restart",
	"service install": "changes the services of this user", "service uninstall": "changes the services of this user",
	"guild follow": "needs a private guild of another node", "id take-home": "needs an agent that a gateway acts for",
	"buy": "needs what somebody sells", "credits withdraw": "needs a chain", "payment settle": "needs a chain", "payment fail": "needs a chain", "payment retry": "needs a chain",
}

// snake is how names of fields are written.
var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// dataMaps are fields whose value is an object with data for names, and what these are.
var dataMaps = map[string]string{"categories": "of traits", "kinds": "of changes"}

// standards are fields whose names other standards fix.
var standards = map[string]string{"@context": "of a DID document, and of a verifiable credential", "payloadType": "of a DSSE envelope"}

// ownNames are fields in the sources of the command line that are written otherwise, and
// why.
var ownNames = map[string]string{
	"agentId": "read from the API", "authorName": "read from the API",
	"maxAmountRequired": "read from a demand for payment by x402", "payTo": "read from a demand for payment by x402",
}

// TestOwnFieldsAreInOneStyle looks at the tags in the sources of the command line and of
// the socket that it asks.
func TestOwnFieldsAreInOneStyle(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	tag := regexp.MustCompile("json:\"([^\",]+)")
	for _, dir := range []string{".", "../../gateway/admin"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range tag.FindAllStringSubmatch(string(text), -1) {
				name := found[1]
				if seen[name] = true; name != "-" && !snake.MatchString(name) && ownNames[name] == "" {
					t.Errorf("%s: a field is called %q, and not in snake_case", path, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range ownNames {
		if !seen[name] {
			t.Errorf("no field is called %s: it needs no exception", name)
		}
	}
}

// TestEveryVerbPrintsJSON runs every verb of the command line with --json: its output is
// one JSON value, or one a line, and names of fields are in snake_case, but for those of
// the API, whose answers are printed as they are and whose names docs/api.md has. Ids are cut short
// as far as no other of the home begins so, so each verb that takes one completes it.
func TestEveryVerbPrintsJSON(t *testing.T) {
	t.Parallel()
	w := newVerbsWorld(t)
	w.ids["ADDRESS"] = w.field("peers ping "+w.ids["PEER"], "addr") + "/p2p/" + w.ids["PEER"]
	done := w.ask(w.ids["SECOND"])
	api, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile("\n\\| `([a-zA-Z0-9_]+)` \\|").FindAllStringSubmatch(string(api), -1) {
		w.api[row[1]] = true
	}
	seen := map[string]bool{}
	w.printsJSON("device approve $DEVICE", seen)
	if err := done(); err != nil {
		t.Error(err)
	}
	w.printsJSON("device revoke $DEVICE", seen)
	done = w.ask(w.ids["SECOND"])
	w.printsJSON("device refuse $DEVICE", seen)
	if err := done(); err == nil {
		t.Error("a refused device has joined")
	}
	w.printsJSON("device add", seen)
	for _, line := range jsonLines {
		w.printsJSON(line, seen)
	}
	var missing []string
	for _, c := range verbs(root(&session.Session{Out: io.Discard, Err: io.Discard})) {
		path := strings.TrimPrefix(c.CommandPath(), "meshd ")
		if _, known := notJSON[path]; !seen[path] && !known && !helps(c) {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		t.Errorf("verbs that are not run with --json, and no reason why:\n  %s", strings.Join(missing, "\n  "))
	}
	for path, why := range notJSON {
		if seen[path] || why == "" {
			t.Errorf("%s is excused (%s) and run all the same", path, why)
		}
	}
	for name := range standards {
		if !seen["field "+name] {
			t.Errorf("no verb prints %s: it needs no exception", name)
		}
	}
	for name, why := range dataMaps {
		if !seen["map "+name] || why == "" {
			t.Errorf("no verb prints the map %s: it needs no exception", name)
		}
	}
}

// helps reports whether a command only shows its help, as one with commands below it does.
func helps(c *cobra.Command) bool {
	return c.HasSubCommands() && !strings.Contains(c.Use, " ") && !slices.Contains([]string{"peers", "invite", "profile", "credits"}, c.Name()) || c.Name() == "meshd" || c.Name() == "help"
}

// printsJSON runs one line, and looks at what it prints.
func (w *verbsWorld) printsJSON(line string, seen map[string]bool) {
	w.t.Helper()
	want := session.ExitOK
	if code, rest, ok := strings.Cut(line, ": "); ok && len(code) <= 2 {
		if _, err := fmt.Sscan(code, &want); err != nil {
			w.t.Fatal(err)
		}
		line = rest
	}
	c, rest, err := root(&session.Session{Out: io.Discard, Err: io.Discard}).Find(split(line))
	if err != nil {
		w.t.Errorf("meshd %s: %v", line, err)
		return
	}
	seen[strings.TrimPrefix(c.CommandPath(), "meshd ")] = true
	for _, place := range w.placesOf(c) {
		if k, ok := session.KindOf(place); ok && k.Short() && len(rest) > 0 && !strings.Contains(line, "$") {
			w.t.Errorf("meshd %s: %s is given by no id of the world", line, place)
		}
	}
	out, errs, code := w.do(w.short(line) + " --json")
	if code != want {
		w.t.Errorf("meshd %s --json: exit %d, want %d\n%s%s", w.short(line), code, want, errs, out)
		return
	}
	dec := json.NewDecoder(strings.NewReader(out))
	values := 0
	for {
		var v any
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			w.t.Errorf("meshd %s --json prints something else: %v\n%s", line, err, out)
			return
		}
		values++
		w.names(line, "", v, seen)
	}
	if values == 0 {
		w.t.Errorf("meshd %s --json prints nothing\n%s", line, errs)
	}
}

// names looks at the names of fields.
func (w *verbsWorld) names(line, at string, v any, seen map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			w.names(line, at, one, seen)
		}
	case map[string]any:
		_, data := dataMaps[at]
		seen["map "+at] = true
		for name, one := range v {
			if !data && !snake.MatchString(name) && !w.api[name] {
				if seen["field "+name] = true; standards[name] == "" {
					w.t.Errorf("meshd %s --json: a field of %q is called %q", line, at, name)
				}
			}
			w.names(line, name, one, seen)
		}
	}
}

// TestManyThatBeginAlike: what could be several is refused, and named.
func TestManyThatBeginAlike(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := &verbsWorld{t: t, dir: dir, env: []string{"MESHD_LOOPBACK=1", "MESHD_HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH"), "HOME=" + dir}, ids: map[string]string{}}
	w.must("init -q --network friends --bits 1 --profile test")
	one := w.field("cap issue --to did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV --can entry/put", "cid")
	two := w.field("cap issue --to did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV --can vote/cast", "cid")
	out, errs, code := w.do("cap revoke bafk --json")
	var refusal struct {
		Code    string
		Details struct{ Candidates []string }
	}
	if err := json.Unmarshal([]byte(out), &refusal); err != nil || code != session.ExitError || refusal.Code != "invalid_param" || !slices.Contains(refusal.Details.Candidates, one) || !slices.Contains(refusal.Details.Candidates, two) {
		t.Errorf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if _, errs, code := w.do("cap revoke bafk"); code != session.ExitError || !strings.Contains(errs, "bafk could be ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, errs, code := w.do("cap revoke baf"); code != session.ExitError || strings.Contains(errs, "could be") {
		t.Errorf("three letters, exit %d: %s", code, errs)
	}
	w.must("cap revoke " + one[:len(one)-2])
}
