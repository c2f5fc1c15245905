package gate

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

// sample is one labelled text of testdata/corpus: the codes it must get, and no
// others. Templates in it are expanded by expand, and every '¦' is cut, so that
// nothing that looks like a key stands in the repository.
type sample struct {
	Codes []reason.Code `json:"codes"`
	Text  string        `json:"text"`
	where string
}

func loadCorpus(t testing.TB) []sample {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("find corpus: %v, %d files", err, len(files))
	}
	var out []sample
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			s := sample{where: fmt.Sprintf("%s:%d", filepath.Base(name), n)}
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatalf("%s: %v", s.where, err)
			}
			out = append(out, s)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

var (
	template = regexp.MustCompile(`\{\{([^{}]+)\}\}`)
	inline   = regexp.MustCompile(`\+(\d+)([A-Z])`)
	alphabet = map[string]string{
		"U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
		"A": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
		"X": "0123456789abcdef",
		"D": "0123456789",
		"W": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
		"B": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
		"L": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
		"Q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	}
)

// expand makes the text of a sample. Templates: {{16:U}} random characters of an
// alphabet, {{b64:…}} and {{hex:…}} encodings (with +16U inside), {{bip:12}} and
// {{bipn:12}} wallet phrases, {{jwt}}, {{pem:RSA }}, {{pemline}}, {{pgp}}.
func expand(s string, seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 1))
	random := func(n, class string) string {
		count, _ := strconv.Atoi(n)
		set := alphabet[class]
		b := make([]byte, count)
		for i := range b {
			b[i] = set[rnd.IntN(len(set))]
		}
		return string(b)
	}
	fill := func(s string) string {
		return inline.ReplaceAllStringFunc(s, func(m string) string {
			p := inline.FindStringSubmatch(m)
			return random(p[1], p[2])
		})
	}
	words := strings.Fields(bip39List)
	s = template.ReplaceAllStringFunc(s, func(m string) string {
		name, arg, _ := strings.Cut(m[2:len(m)-2], ":")
		switch name {
		case "b64":
			return base64.StdEncoding.EncodeToString([]byte(fill(arg)))
		case "hex":
			return hex.EncodeToString([]byte(fill(arg)))
		case "bip", "bipn":
			n, _ := strconv.Atoi(arg)
			var b strings.Builder
			for i := range n {
				if name == "bipn" && i > 0 {
					fmt.Fprintf(&b, "\n%d. ", i+1)
				} else if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(words[rnd.IntN(len(words))])
			}
			return b.String()
		case "jwt":
			enc := base64.RawURLEncoding.EncodeToString
			return enc([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc([]byte(`{"sub":"`+random("12", "A")+`","exp":1700000000}`)) + "." + random("43", "W")
		case "pem":
			return "-----BEGIN " + arg + "PRIVATE KEY-----\n" + random("64", "B") + "\n" + random("64", "B") + "\n-----END " + arg + "PRIVATE KEY-----"
		case "pemline":
			return `-----BEGIN PRIVATE KEY-----\n` + random("64", "B") + `\n` + random("64", "B") + `\n-----END PRIVATE KEY-----`
		case "pgp":
			return "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n" + random("64", "B") + "\n" + random("64", "B") + "\n-----END PGP PRIVATE KEY BLOCK-----"
		}
		if set := alphabet[arg]; set != "" {
			return random(name, arg)
		}
		return m // as in {{ .Values.db }}
	})
	return strings.ReplaceAll(s, "¦", "")
}

// judged are the codes the corpus measures.
var judged = []reason.Code{
	reason.TooFewWords, reason.RawSessionDump, reason.ShellLog, reason.SecretDetected, reason.CredentialEcho, reason.PromptInjection,
	reason.FillerText, reason.RepeatedWords, reason.EmptyPraise, reason.EmailAddress, reason.PhoneNumber,
}

// TestCorpus measures precision and recall of each detector. The bar for the
// whole is 0.98 and 0.95, prompt_injection apart; no other code may fall below 0.95
// and 0.9 by itself.
func TestCorpus(t *testing.T) {
	t.Parallel()
	g := newGate(t, Config{})
	type score struct{ hit, miss, wrong int }
	count := map[reason.Code]*score{}
	for _, c := range judged {
		count[c] = &score{}
	}
	corpus := loadCorpus(t)
	if len(corpus) < 400 {
		t.Fatalf("corpus has %d texts, want 400", len(corpus))
	}
	refusedClean, clean := 0, 0
	for i, s := range corpus {
		text := expand(s.Text, uint64(i))
		r := g.Check(Draft{Type: "wisdom", Content: text, Evidence: []string{"measured"}})
		got := append(r.Codes(), codes(r.Warnings)...)
		if len(s.Codes) == 0 {
			clean++
			if !r.OK() {
				refusedClean++
			}
		}
		for _, c := range judged {
			want, has := slices.Contains(s.Codes, c), slices.Contains(got, c)
			switch {
			case want && has:
				count[c].hit++
			case want:
				count[c].miss++
				t.Logf("missed   %-16s %s: %s", c, s.where, s.Text)
			case has && !slices.Contains(s.Codes, kin[c]):
				count[c].wrong++
				t.Logf("mistaken %-16s %s %v: %s", c, s.where, append(r.Reasons, r.Warnings...), s.Text)
			}
		}
	}
	var all score
	t.Logf("%-18s %5s %5s %5s %9s %6s", "code", "hit", "miss", "wrong", "precision", "recall")
	row := func(name string, n score, minPrecision, minRecall float64) {
		precision, recall := float64(n.hit)/float64(n.hit+n.wrong), float64(n.hit)/float64(n.hit+n.miss)
		t.Logf("%-18s %5d %5d %5d %9.3f %6.3f", name, n.hit, n.miss, n.wrong, precision, recall)
		if !(precision >= minPrecision && recall >= minRecall) {
			t.Errorf("%s: precision %.3f, recall %.3f; want %.2f, %.2f", name, precision, recall, minPrecision, minRecall)
		}
	}
	for _, c := range judged {
		n := *count[c]
		if c == reason.PromptInjection { // no list of rules finds what attackers think of next
			row(string(c), n, 0.97, 0.8)
			continue
		}
		row(string(c), n, 0.95, 0.9)
		all = score{all.hit + n.hit, all.miss + n.miss, all.wrong + n.wrong}
	}
	row("all", all, 0.98, 0.95)
	t.Logf("harmless texts refused: %d of %d", refusedClean, clean)
	if refusedClean*200 > clean {
		t.Errorf("%d of %d harmless texts are refused, want less than 0.5 %%", refusedClean, clean)
	}
}

// TestRepositoryScansClean proves that the corpus contains templates, not keys.
func TestRepositoryScansClean(t *testing.T) {
	t.Parallel()
	g := newGate(t, Config{})
	files, _ := filepath.Glob("testdata/corpus/*.jsonl")
	sources, _ := filepath.Glob("*.go")
	for _, name := range append(files, sources...) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(raw), "\n") {
			for _, h := range leaked(g.leaks, line) {
				t.Errorf("%s:%d looks like a secret to rule %s", name, n+1, h.kind)
			}
		}
	}
}

func newGate(t testing.TB, cfg Config) *Gate {
	t.Helper()
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
