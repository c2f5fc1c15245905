package gate

import (
	"strings"
	"testing"
)

func TestShellLogRules(t *testing.T) {
	t.Parallel()
	prose := "The build reads what the first step wrote into the cache of the runner."
	for name, c := range map[string]struct {
		text string
		kind string // "" = passes
	}{
		"escape sequence":          {prose + "\x1b[0m", "ansi-escape"},
		"lone carriage return":     {"10%\r20% " + prose, "redrawn-line"},
		"line ends of Windows":     {prose + "\r\n" + prose + "\r\n", ""},
		"two commands in prose":    {prose + "\n$ make deps\n$ make app\n" + prose, ""},
		"two commands after prose": {prose + "\n$ make deps\n$ make app\n", ""},
		"three commands":           {prose + "\n$ make deps\n$ make app\n$ make test\n", "log-share"},
		"four in much prose":       {strings.Repeat(prose+"\n", 9) + strings.Repeat("$ make\n", 4), ""},
		"five in much prose":       {strings.Repeat(prose+"\n", 9) + strings.Repeat("$ make\n", 5), "log-run"},
		"five with prose between":  {strings.Repeat(prose+"\n", 9) + strings.Repeat("$ make\n", 4) + prose + "\n$ make\n", ""},
		"five over empty lines":    {strings.Repeat(prose+"\n", 9) + strings.Repeat("$ make\n\n", 5), "log-run"},
		"one long paragraph":       {strings.Repeat(prose+" ", 6) + "\n" + strings.Repeat("$ make\n", 3), ""},
		"prompts around a result":  {"$ systemctl restart nginx\nThe job failed because the control process exited with an error.\n$ nginx -t", "log-share"},
		"one line of a log":        {"2024-03-01T10:00:00Z ERROR pool exhausted", "log-share"},
		"one line of prose":        {"$ npm ci is what the runner of the team should call, not npm install.", ""},
		"two such lines":           {"fatal: appears when two histories have no common root at all.\nerror: appears when the work tree has changes that would be lost.", ""},
		"diff without context":     {"@@ -1,2 +1,2 @@\n+a\n-b", "log-share"},
		"list with plus and minus": {"+ fast to read and to write\n- needs more memory than a map\n- has no order of keys", ""},
		"heading":                  {"# Notes on retries\n# More notes on them\n# And the last ones", ""},
		"root prompt":              {"# apt-get update\n# systemctl restart app\n# ls", "log-share"},
	} {
		found := shellLog(newView(c.text))
		kind := ""
		if len(found) > 0 {
			kind = found[0].Kind
		}
		if kind != c.kind {
			t.Errorf("%s: got %q, want %q", name, kind, c.kind)
		}
	}
}

func TestSessionDumpRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"User: a\nAssistant: b":                             true,
		"User: a":                                           false,
		"the User: a and the System: b":                     false,
		"Claude: has a long window":                         false,
		"Me: hi\nClaude: hello":                             true,
		`see {"role":"user","content":"hi"}`:                false,
		`{"role":"user","content":"hi"}`:                    true,
		"Output:\n42":                                       false,
		"Chunk ID: a1b2c3":                                  true,
		"Chunk ID: the number of the chunk":                 false,
		"Output:\ntokens used: 12":                          true,
		"close <|im_end|> in user text":                     false,
		"<|im_start|>user\nhi<|im_end|>":                    true,
		"{\"timestamp\":\"x\",\"type\":\"event\"}":          false,
		strings.Repeat("{\"timestamp\":1,\"type\":2}\n", 2): true,
	} {
		if got := len(sessionDump(newView(text))) > 0; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestPlaceholdersPass(t *testing.T) {
	t.Parallel()
	g := newGate(t, Config{})
	for _, value := range []string{
		"<your key>", "***", "********", "xxxxxxxx", "XXXX-XXXX-XXXX", "YOUR_API_KEY", "your-token-here", "$VAR", "${VAR}", "$(pass show x)",
		"{{ .Values.key }}", "%TOKEN%", "example", "AKIAIOSFODNN7EXAMPLE", "redacted", "changeme", "[redacted]", "sk-1234567890abcdef1234", "process.env.KEY",
		"os.Getenv(\"KEY\")", "config.auth.key", "/run/secrets/key", "vault:secret/data/app", "arn:aws:x:y:1:secret:z", "null", "string",
	} {
		for _, name := range []string{"API_KEY=", "password: ", "secret_key = ", "export MY_TOKEN=", "Authorization: Bearer ", "client_secret: "} {
			if found := g.Text("f", "Set "+name+value+" first."); len(found) > 0 {
				t.Errorf("%s%s: %+v", name, value, found)
			}
		}
	}
	for _, text := range []string{
		"glpat-" + "YOUR_TOKEN_HERE_1234", "https://user:<password>@host/", "https://user:${PASS}@host/", "sk_live_" + "xxxxxxxxxxxxxxxxxxxxxxxx",
		"xoxb-your-token-here-please", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----", "mesh_sk_" + strings.Repeat("x", 43),
	} {
		if found := g.Text("f", text); len(found) > 0 {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

func TestCredentialEchoRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"PASSWORD=Tulip77":                           1,
		"Password: Tulip77":                          1,
		"passphrase => 'Tulip77'":                    1,
		"cfg[\"db_password\"] := \"Tulip77\"":        1,
		"password == Tulip77":                        0,
		"password != Tulip77":                        0,
		"password::Tulip77":                          0,
		"PASSWORD=swordfish":                         1,
		"password: swordfish":                        0, // prose as often as not
		"password = swordfish":                       0,
		"password: must be 12 characters":            0,
		"max_tokens=4096":                            0,
		"key: a1b2":                                  0,
		"sort_key=created_at_2024_desc_0001":         0,
		"token_endpoint: /oauth/v2/abc123def456":     0,
		"API key: 8d7f6e5c4b3a":                      1,
		"the key: 8d7f6e5c4b3a":                      0,
		"--token 8d7f6e5c4b3a":                       1,
		"--token file.txt or --password is read":     0,
		"Cookie: sid=8d7f6e5c4b3a":                   1,
		"Cookie: banners are a nuisance":             0,
		"$ printenv\nA=1\nB=2\n":                     1,
		"$ printenv\nA=1\n":                          0,
		"run printenv to see it\nand then nothing":   0,
		"+ curl -u " + "deploy:Tulip77 https://h":    1,
		"cat ~/.ssh/id_rsa\nb3BlbnNzaC1rZXktdjEAAAA": 1,
		"cat ~/.ssh/id_rsa.pub\nssh-rsa AAAAB3NzaC1": 0,
	} {
		if got := len(echoes(newView(text))); got != want {
			t.Errorf("%q: %d findings, want %d", text, got, want)
		}
	}
}

func TestWalletPhrases(t *testing.T) {
	t.Parallel()
	phrase := strings.Fields(fill("{{bip:12}}"))
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"twelve":           {strings.Join(phrase, " "), 1},
		"with commas":      {strings.Join(phrase, ", "), 1},
		"in capitals":      {strings.ToUpper(strings.Join(phrase, " ")), 1},
		"eleven":           {strings.Join(phrase[:11], " "), 0},
		"with a full stop": {strings.Join(phrase[:6], " ") + ". " + strings.Join(phrase[6:], " "), 0},
		"sample":           {strings.Repeat("abandon ", 11) + "about", 0},
		"head of the list": {strings.Join(strings.Fields(bip39List)[:20], " "), 0},
		"another word":     {strings.Join(phrase[:6], " ") + " the " + strings.Join(phrase[6:], " "), 0},
	} {
		if got := len(mnemonics(c.text)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if len(bip39) != 2048 {
		t.Errorf("the list has %d words", len(bip39))
	}
}
