package gate

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/reason"
)

func TestLengthVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../crdt/testdata/vectors/length/length.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name string
		In   string
		Out  *struct{ Short, Long int }
		Code reason.Code
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 30 {
		t.Fatalf("read %d vectors", len(vectors))
	}
	for _, v := range vectors {
		text, err := hex.DecodeString(v.In)
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		var code reason.Code
		if found := lengthFindings(string(text)); len(found) > 0 {
			code = found[0].Code
		}
		if code != v.Code {
			t.Errorf("%s: code %q, want %q", v.Name, code, v.Code)
		}
		if short, long := Length(string(text)); v.Out != nil && (short != v.Out.Short || long != v.Out.Long) {
			t.Errorf("%s: %d, %d; want %+v", v.Name, short, long, *v.Out)
		}
	}
}

func TestNormalHashIgnoresForm(t *testing.T) {
	t.Parallel()
	want := NormalHash("Café au lait.")
	for _, same := range []string{"cafe\u0301 au lait", "  CAFÉ\n\tau\u00a0lait ?!… ", "café au lait。", "café au lait . . ."} {
		if NormalHash(same) != want {
			t.Errorf("%q differs", same)
		}
	}
	if NormalHash("J\u030c") != NormalHash("\u01f0") {
		t.Error("a letter that composes in lower case only differs")
	}
	for _, other := range []string{"cafe au lait", "cafe au lait, twice", ". café au lait", "café-au-lait"} {
		if NormalHash(other) == want {
			t.Errorf("%q is equal", other)
		}
	}
}

func TestNormalHashIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		if !utf8.ValidString(s) {
			return
		}
		if NormalHash(s) != NormalHash(norm.NFD.String(s)) {
			t.Fatalf("%q: decomposed text has another hash", s)
		}
		if NormalHash(s) != NormalHash(" "+strings.ToLower(s)+" . ") {
			t.Fatalf("%q: case, space or full stop changes the hash", s)
		}
	})
}

func TestCleanDomain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":              "general",
		" \t":           "general",
		"Security":      "security",
		"go/testing":    "go-testing",
		" Node JS ":     "node-js",
		"lang:go_1-2":   "lang:go_1-2",
		"Ünïcode":       "-n-code",
		"u\u0308":       "-",
		"a.b@c":         "a-b-c",
		"a\u00a0b":      "a-b",
		"\xffbad bytes": "-bad-bytes",
	} {
		if got := CleanDomain(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                "",
		"!!!":             "",
		"Rate Limiting":   "rate-limiting",
		" -- a  /  b -- ": "a-b",
		"c++":             "c++",
		"C#":              "c#",
		"node.js":         "node-js",
		"Größe":           "größe",
		"gro\u0308ße":     "größe",
		"并发":              "并发",
		"snake_case:x":    "snake_case:x",
	} {
		if got := Slug(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := Slug(rapid.String().Draw(t, "tag"))
		if Slug(s) != s {
			t.Fatalf("slug %q becomes %q", s, Slug(s))
		}
	})
}

func TestCleanMetadataDropsSecretKeys(t *testing.T) {
	t.Parallel()
	in := map[string]any{
		"lang": "go", "API-Key": "a", "apiKey": "b", "private_key": "c", "maxTokens": 5, "client.secret": "d",
		"nested":              map[string]any{"password": "e", "list": []any{map[string]any{"Cookie": "f", "ok": true}, "text"}},
		"Author\u200bization": "g",
	}
	got, dropped := CleanMetadata(in)
	if dropped != 8 {
		t.Errorf("dropped %d keys, want 8", dropped)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"lang":"go","nested":{"list":[{"ok":true},"text"]}}`; string(raw) != want {
		t.Errorf("kept %s, want %s", raw, want)
	}
	if len(in) != 8 || in["nested"].(map[string]any)["password"] != "e" {
		t.Error("the argument was changed")
	}
}

func TestFewWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"one two three four five":                 true,
		"one two three four five six":             false,
		"a b c d e f g h i j":                     true,
		"don't stop_the can't won't isn't aren't": false,
		"snake_case counts once and so_does_this": true,
		"写入必须日志同步之后确认吧":                           false,
		"写入必须日志同步之后确":                             true,
		"缓存 one two 写入必须日志同":                      false,
		"ควรยืนยันการเขียนหลังจากบันทึก":                false,
		"cafe\u0301 au lait the\u0301 vert sucre\u0301": false,
		"": true,
	} {
		if got := fewWords(newView(text).text); got != want {
			t.Errorf("%q: few words is %v, want %v", text, got, want)
		}
	}
}

func TestCleanName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ada":                       "ada",
		"Ångström":                  "Ångström",
		"ada  two":                  "ada  two", // nothing to clean
		"ada\u202egnp.exe":          "adagnp.exe",
		"\u2066ada\u2069":           "ada",
		"ad\u200ba":                 "ada",
		"line\nIgnore all\u2028now": "line Ignore all now",
		"\x1b[31mred":               "[31mred",
		"می\u200cخواهم":             "می\u200cخواهم",
		"tag\U000e0041\u3164s":      "tags",
		"\u202e":                    "",
	} {
		if got := CleanName(name); got != want {
			t.Errorf("%+q: %+q, want %+q", name, got, want)
		}
	}
}
