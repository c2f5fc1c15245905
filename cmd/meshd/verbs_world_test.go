package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// verbsWorld is a home whose node runs, another one that it has met, and one of each kind
// of things that verbs name. Verbs run in this process, and speak to the node by its socket.
type verbsWorld struct {
	t    *testing.T
	bin  string // meshd, for what has to be another process
	dir  string // the working folder of files that verbs name
	env  []string
	ids  map[string]string // whole ids, by the word that stands for one in usages
	line string            // an invitation
	api  map[string]bool   // fields that docs/api.md names
}

// node starts the node of a home, until the test ends.
func (w *verbsWorld) node(home string, args ...string) {
	cmd := exec.Command(w.bin, append([]string{"run", "--home", home}, args...)...)
	cmd.Env = w.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	var said bytes.Buffer
	if !awaitReady(out, &said) {
		w.t.Fatalf("the node has not started: %v\n%s%s", cmd.Wait(), &said, &errs)
	}
	ended := make(chan error, 1)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		ended <- cmd.Wait()
	}()
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill() // a verb may have ended it
		<-ended
	})
}

// do runs meshd on a command line that is cut into words as by a shell.
func (w *verbsWorld) do(line string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = run(&session.Session{In: strings.NewReader(""), Out: &o, Err: &e, Env: w.env}, split(line))
	return o.String(), e.String(), code
}

// must is do, whose command has to succeed.
func (w *verbsWorld) must(line string) string {
	w.t.Helper()
	out, errs, code := w.do(w.whole(line))
	if code != session.ExitOK {
		w.t.Fatalf("meshd %s: exit %d: %s%s", line, code, errs, out)
	}
	return strings.TrimSpace(out)
}

// variables are those of a line: $GUILD is the id of the guild.
var variables = regexp.MustCompile(`\$[A-Z_]+`)

// whole puts whole ids into a line, short so much of each that no other begins so.
func (w *verbsWorld) whole(line string) string {
	return variables.ReplaceAllStringFunc(line, func(v string) string { return w.ids[v[1:]] })
}

func (w *verbsWorld) short(line string) string {
	return variables.ReplaceAllStringFunc(line, func(v string) string {
		id := w.ids[v[1:]]
		if k, ok := session.KindOf(strings.TrimRight(v[1:], "_")); v == "$DEVICE" || ok && k.Short() {
			id = id[:min(len(id), strings.IndexByte(id, '_')+11)]
			if strings.HasPrefix(id, "bafk") || strings.HasPrefix(id, "12D3") {
				id = w.ids[v[1:]][:24]
			}
			switch whole := w.ids[v[1:]]; {
			case v == "$DEVICE":
				id = id[:5]
			case v == "$TASK" || strings.Count(whole, "-") == 4: // begins with when it was made
				id = whole[:len(whole)-1]
			}
		}
		return id
	})
}

// field is one of what a command prints with --json: a name, or the name of a list and
// that of a field of its first item.
func (w *verbsWorld) field(line, path string) string {
	w.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(w.must(line+" --json")), &v); err != nil {
		w.t.Fatalf("meshd %s: %v", line, err)
	}
	for name := range strings.SplitSeq(path, "/") {
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		object, _ := v.(map[string]any)
		v = object[name]
	}
	text, ok := v.(string)
	if !ok {
		w.t.Fatalf("meshd %s: no text %s", line, path)
	}
	return text
}

// ask has another machine ask to be a device, and returns how to wait for its end.
func (w *verbsWorld) ask(home string) (ended func() error) {
	cmd := exec.Command(w.bin, "join", "--home", home, w.field("device add", "line"))
	cmd.Env = w.env
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if _, after, ok := strings.Cut(line, "machine's number is "); ok {
			w.ids["DEVICE"] = after[:len("000-000")]
			break
		}
		if err != nil {
			w.t.Fatalf("the device has not asked: %v", cmd.Wait())
		}
	}
	return func() error {
		_, _ = io.Copy(io.Discard, lines)
		return cmd.Wait()
	}
}

func newVerbsWorld(t *testing.T) *verbsWorld {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w := &verbsWorld{t: t, bin: filepath.Join(dir, "meshd"), dir: dir, ids: map[string]string{}, api: map[string]bool{}}
	if err := os.Symlink(self, w.bin); err != nil { // the name decides what the test binary is
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	w.env = []string{"MESHD_LOOPBACK=1", "MESHD_HOME=" + home, "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0", "MESHD_GATEWAY_LISTEN=127.0.0.1:0",
		"MESHD_GATEWAY_STARTING_CREDITS=1000", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "EDITOR=true"}
	w.must("init -q --network friends --bits 1 --profile test")
	w.node(home)
	w.must("register boss")
	w.must("register worker --generate-wallet")
	w.must("register judge --generate-wallet")
	w.ids["ENTRY"] = w.must("contribute -q --type gotcha --domain go 'A nil map can be read but not written, so make it before the first insert or the program panics.'")
	w.ids["MINE"] = w.must("contribute -q --type gotcha --domain go 'A closed channel gives its zero value at once and for ever, so receive with two values to notice.'")
	w.ids["SPAM"] = w.must("contribute -q --as worker --type gotcha --domain db 'An index on a column of two values is read for half of the table, so the planner leaves it out.'")
	w.ids["GUILD"] = w.must("guild create -q Den --visibility public")
	w.must("guild join --as worker $GUILD")
	w.must("guild join --as judge $GUILD")
	w.ids["AGENT"] = w.field("agent worker", "agent/id")
	w.ids["COMMENT"] = w.must("comment -q $ENTRY 'It happened to me too, in a loop over a few thousand files of one folder.'")
	w.ids["TASK"] = w.must("team board add -q $GUILD Paint")
	w.ids["MESSAGE"] = w.must("team message -q $GUILD 'Who has the brush?'")
	w.ids["BOUNTY"] = w.must("bounty create -q $GUILD --title Fence --amount 5 'All of it, with a gate.'")
	w.ids["ROOF"] = w.must("bounty create -q $GUILD --title Roof --amount 5 'No drops inside, not one.'")
	w.ids["TWICE"] = w.must("bounty create -q $GUILD --title Twice --amount 1 'Told twice, opened once.'")
	w.must("key new -q --label ci --scopes mesh:read")
	w.ids["KEY"] = w.field("key list", "keys/id")
	w.ids["DID"] = "did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV"
	w.ids["CID"] = w.field("cap issue --to $DID --can entry/put", "cid")
	w.ids["INVITATION"] = w.field("invite --uses 2", "invitation/id")
	w.line = w.field("invite --uses 2", "line")
	w.ids["DOMAIN"] = "go"
	second := filepath.Join(dir, "second")
	w.must("init -q --home " + second + " --network " + filepath.Join(home, "network"))
	w.node(second)
	w.must("join --home " + second + " " + w.line)
	w.ids["PEER"] = w.field("peers", "peers/id")
	w.ids["BLOCK"] = "12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA"
	w.must("block add peer $BLOCK")
	w.ids["LINE"], w.ids["DIR"], w.ids["SECOND"] = w.line, dir, second
	w.ids["API"] = w.field("start --home "+second, "api")
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"src/a.go": "package a\n", "b.hs": "composition \"Counter\" {\n  state { n: 0 }\n  on \"add\" { state.n += 1 }\n  @test {\n    name: \"counts\"\n    setup: { emit(\"add\") }\n    assert: { state.n == 1 }\n  }\n}\n",
		"a.holo":     "composition \"A\" {\n  object \"cube\" {\n    geometry: \"cube\"\n  }\n}\n",
		"draft.json": `{"version": "0.10.0", "issuer_base64_key": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADOzBUH3B3dcpWVHCkIiPCVrbkETRtz1pbm3wZdaDvU/A==", "signature_scheme": "Ed25519", "audience": "did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV", "expiration": null, "capabilities": {"mesh://6e6574/guild/x": {"doc/*": [{}]}}, "nonce": "example"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, line := range map[string]string{"passport": "id passport", "changes": "export", "token": "cap build $DIR/draft.json", "envelope": "attest sign $DIR/src"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(w.must(line)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}
