package gate

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"flag"
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

// corpusTable is where the measured table stands for readers.
const corpusTable = "../../docs/detectors.md"

var updateCorpus = flag.Bool("update.detectors", false, "write docs/detectors.md anew")

// labelled is a text with the codes it should get, none for an entry that is
// fine.
type labelled struct {
	codes []reason.Code
	text  string
	after bool // written when the rules stood, and never used to change them
}

// stub stands in a text for a value that looks like a credential. Such values
// are made when the test runs, since a repository full of them would set off
// every scanner of secrets.
var stub = regexp.MustCompile(`\{\{([a-z0-9]+)\}\}`)

const (
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// credential makes a value of a kind, the same for the same text.
func credential(kind string, r *rand.Rand) string {
	chars := func(set string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[r.IntN(len(set))]
		}
		return string(b)
	}
	if n, err := strconv.Atoi(kind[1:]); err == nil && kind[0] == 'd' { // digits of a number nobody is known to have
		return chars("0123456789", n)
	} else if err == nil && kind[0] == 'l' { // a name that nobody is known to have
		return chars("abcdefghijklmnopqrstuvwxyz", n)
	}
	raw := func(n int) []byte { return []byte(chars(alnum, n)) }
	switch kind {
	case "aws":
		return []string{"AKIA", "ASIA"}[r.IntN(2)] + chars(upper, 16)
	case "ghp":
		return "gh" + chars("pousr", 1) + "_" + chars(alnum, 36)
	case "pat":
		return "github_pat_" + chars(alnum, 22) + "_" + chars(alnum, 59)
	case "slack":
		return "xox" + chars("abprs", 1) + "-" + chars("0123456789", 12) + "-" + chars("0123456789", 12) + "-" + chars(alnum, 24)
	case "sk":
		return "sk-" + []string{"", "proj-", "ant-api03-"}[r.IntN(3)] + chars(alnum, 48)
	case "stripe":
		return []string{"sk_live_", "sk_test_", "rk_live_"}[r.IntN(3)] + chars(alnum, 24)
	case "google":
		return "AIza" + chars(alnum+"-_", 35)
	case "jwt":
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
		body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + chars(alnum, 10) + `","exp":1790000000}`))
		return head + "." + body + "." + base64.RawURLEncoding.EncodeToString(raw(32))
	case "npm":
		return "npm_" + chars(alnum, 36)
	case "mesh":
		return "mesh_sk_" + chars(alnum+"-_", 43)
	case "pem":
		return "-----BEGIN PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString(raw(48)) + "\n-----END PRIVATE KEY-----"
	case "hex64":
		sum := sha256.Sum256(raw(16))
		return "0x" + hex.EncodeToString(sum[:])
	case "pass":
		words := []string{"Sommer", "tiger", "Boat", "maple", "Orbit", "quartz", "Falcon", "hazel"}
		return words[r.IntN(len(words))] + chars("!#%-_.", 1) + chars("0123456789", 2+r.IntN(4)) + words[r.IntN(len(words))]
	case "val":
		return chars(alnum, 20+r.IntN(20))
	case "b64":
		return base64.StdEncoding.EncodeToString([]byte("admin:" + chars(alnum, 14)))
	}
	return ""
}

// escapes are how a line of the corpus writes what a line cannot contain.
var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\u001b`, "\x1b")

// qualityTexts are the corpus that the rules are made with, and the texts of
// testdata/quality that were written afterwards: one a line, in files named
// after the code they should get.
func qualityTexts(t *testing.T) []labelled {
	t.Helper()
	var out []labelled
	for i, x := range loadCorpus(t) {
		out = append(out, labelled{codes: x.Codes, text: expand(x.Text, uint64(i))})
	}
	files, err := filepath.Glob("testdata/quality/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var codes []reason.Code
		if label := strings.TrimSuffix(filepath.Base(name), ".txt"); label != "ok" {
			codes = []reason.Code{reason.Code(label)}
		}
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSuffix(line, "\n")
			sum := sha256.Sum256([]byte(line))
			r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), 1))
			text := stub.ReplaceAllStringFunc(escapes.Replace(line), func(m string) string {
				return credential(stub.FindStringSubmatch(m)[1], r)
			})
			out = append(out, labelled{codes, text, true})
		}
	}
	return out
}

// measured are the codes that the corpus measures, in the order of the table.
var measured = []reason.Code{reason.RawSessionDump, reason.ShellLog, reason.SecretDetected, reason.CredentialEcho, reason.PromptInjection,
	reason.FillerText, reason.RepeatedWords, reason.EmptyPraise, reason.EmailAddress, reason.PhoneNumber}

// The bars of prompt_injection are lower: no list of rules finds what attackers think
// of next, and others wrote its texts.
const injectionPrecision, injectionRecall = 0.95, 0.35

// kin are codes that one text may rightly have at once: a credential that stands
// beside its name, turns of a conversation that somebody made up for the reader.
var kin = map[reason.Code]reason.Code{
	reason.SecretDetected: reason.CredentialEcho, reason.CredentialEcho: reason.SecretDetected,
	reason.RawSessionDump: reason.PromptInjection, reason.PromptInjection: reason.RawSessionDump,
}

// verdicts counts verdicts of one code.
type verdicts struct{ hit, miss, wrong int }

func (c verdicts) precision() float64 { return ratio(c.hit, c.hit+c.wrong) }
func (c verdicts) recall() float64    { return ratio(c.hit, c.hit+c.miss) }

func ratio(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// TestDetectorQuality checks that the detectors reach a precision of 0.98 (warnings: 0.97)
// and a recall of 0.95 over labelled texts, those the rules were made with and those that came
// afterwards, and docs/detectors.md to the figures.
func TestDetectorQuality(t *testing.T) {
	t.Parallel()
	g := newGate(t, Config{})
	texts := qualityTexts(t)
	parts := [2]map[reason.Code]*verdicts{{}, {}}
	for _, c := range measured {
		parts[0][c], parts[1][c] = &verdicts{}, &verdicts{}
	}
	confusion, after := map[string]map[string]int{}, 0
	for _, x := range texts {
		report := g.Check(Draft{Type: "gotcha", Content: x.text})
		got := only(codes(append(slices.Clone(report.Reasons), report.Warnings...)))
		want, part := only(x.codes), parts[0]
		if x.after {
			part, after = parts[1], after+1
		}
		for _, c := range measured {
			is, said := slices.Contains(want, c), slices.Contains(got, c)
			switch {
			case is && said:
				part[c].hit++
			case is:
				part[c].miss++
			case said && !slices.Contains(want, kin[c]):
				part[c].wrong++
			}
		}
		label, taken := name(want), name(got)
		if len(want) > 0 && slices.Contains(got, want[0]) {
			taken = label
		}
		if confusion[label] == nil {
			confusion[label] = map[string]int{}
		}
		confusion[label][taken]++
		if label != taken {
			t.Logf("%s taken for %s: %q", label, taken, x.text)
		}
	}
	if after < 400 {
		t.Errorf("%d texts came afterwards, want 400", after)
	}
	for i, when := range []string{"made with", "afterwards"} {
		for _, c := range measured {
			x := parts[i][c]
			least, precision := 25, 0.98
			if info, ok := reason.Lookup(c); ok && info.HTTP == 0 { // a warning
				least, precision = 15, 0.97
			}
			recall := 0.95
			if c == reason.PromptInjection {
				precision, recall = injectionPrecision, injectionRecall
			}
			if x.hit < least || x.precision() < precision || x.recall() < recall {
				t.Errorf("%s, %s: %d found, precision %.3f, recall %.3f", when, c, x.hit, x.precision(), x.recall())
			}
		}
	}
	page := detectorPage(len(texts)-after, after, parts, confusion)
	if *updateCorpus {
		if err := os.WriteFile(corpusTable, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(corpusTable); err != nil || string(kept) != page {
		t.Errorf("docs/detectors.md is stale: go test ./node/gate -run DetectorQuality -update.detectors (%v)", err)
	}
}

// only are those of codes that are measured here.
func only(codes []reason.Code) []reason.Code {
	return slices.DeleteFunc(slices.Clone(codes), func(c reason.Code) bool { return !slices.Contains(measured, c) })
}

// name is the first of codes, ok for none.
func name(codes []reason.Code) string {
	if len(codes) == 0 {
		return "ok"
	}
	return string(codes[0])
}

// detectorPage is the table for readers.
func detectorPage(with, after int, parts [2]map[reason.Code]*verdicts, confusion map[string]map[string]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How good the gate's detectors are

Measured on labelled texts: real-looking positives of each code, and entries that only look like one (a lesson that
quotes commands, placeholders, hashes, ids, dialogue, code, other languages). The rules were made with the %d of
node/gate/testdata/corpus. The %d of node/gate/testdata/quality were written afterwards, and no rule was changed for them.
Values that look like credentials are made when the test runs. The same people wrote texts and rules, so expect the
wild to be harder; but for those of prompt_injection and what only looks like it, whose authors had not seen the rules.

TestDetectorQuality of node/gate writes this page (-update.detectors). It fails below a precision of 0.98 or a recall of
0.95 of a code that refuses, and below 0.97 or 0.95 of a warning; prompt_injection may miss more.

| Code | Texts made with | Precision | Recall | Texts afterwards | Precision | Recall |
|---|---|---|---|---|---|---|
`, with, after)
	for _, c := range measured {
		a, h := parts[0][c], parts[1][c]
		fmt.Fprintf(&b, "| `%s` | %d | %.3f | %.3f | %d | %.3f | %.3f |\n", c, a.hit+a.miss, a.precision(), a.recall(), h.hit+h.miss, h.precision(), h.recall())
	}
	b.WriteString(`
prompt_injection adds up signs of a text that gives orders to the agent which reads it: it names its reader, takes
rules away, poses as the system, hides something from the user, asks for secrets or votes or a command. It warns
and refuses nobody. **It misses more than half of what authors who had not seen it wrote**: take what an
entry says as data, never as an order, whether it is warned of or not.

The last five warn and refuse nobody. filler_text (mock Latin, keys in a row, a note that something will stand here),
repeated_words and empty_praise each cost 40 of the score of 100, since such a text teaches nobody anything; a text
gets the first of them that fits. email_address and phone_number cost 10, as every other warning, and say where in
quality.matches. A password that stands in a sentence is credential_echo.

Whether a text is almost another one of its author (near_duplicate) is measured in node/near, with 100 pairs that
differ in a word and 100 that differ in their subject (TestPairs).
`)
	b.WriteString("\nWhat each text was taken for, over all of them (a text with several codes stands under its first).\n\n| | ok |")
	labels := []string{"ok"}
	for _, c := range measured {
		fmt.Fprintf(&b, " %s |", c)
		labels = append(labels, string(c))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(measured)) + "\n")
	for _, label := range labels {
		fmt.Fprintf(&b, "| **%s** |", label)
		for _, taken := range labels {
			fmt.Fprintf(&b, " %d |", confusion[label][taken])
		}
		b.WriteString("\n")
	}
	return b.String()
}
