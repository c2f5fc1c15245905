package index

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func analyseAll(text string, code bool) []string {
	var out []string
	newAnalyser().analyse(text, code, maxFieldTerms, func(t []byte) { out = append(out, string(t)) })
	return out
}

func TestAnalyse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		code       bool
		want       string
	}{
		{"prose loses stop words", "The index of all the networks", false, "index network"},
		{"code keeps them", "for x in to", true, "for x in to"},
		{"camel case", "ParseQuery", false, "pars queri parsequery"},
		{"snake case meets camel case", "parse_query", false, "pars queri parsequery"},
		{"stop words stay as parts of identifiers", "toString", false, "to string tostring"},
		{"acronym before a word", "HTTPServer", false, "http server httpserver"},
		{"plural acronym", "URLs and IDsFor", false, "url id for idsfor"},
		{"digits", "sha256 v2", false, "sha 256 sha256 v 2 v2"},
		{"screaming case", "MAX_VALUE", false, "max valu maxvalue"},
		{"underscores alone", "__ _x_", true, "x"},
		{"a hash is kept whole", "a1b2c3d4e5f6", false, "a1b2c3d4e5f6"},
		{"apostrophes", "server's don't O’Neil 'quoted'", false, "server dont o neil oneil quot"},
		{"case folding beyond ASCII", "STRASSE straße ÉCOLE école", false, "strass strass école école"},
		{"composed and decomposed", "caf\u00e9 cafe\u0301", false, "café café"},
		{"upper case beyond ASCII parts", "ДобрыйДень", false, "добрый день добрыйдень"},
		{"bigrams", "東京都 検", false, "東京 京都 検"},
		{"bigrams beside words", "Go言語です", false, "go 言語 語で です"},
		{"hangul", "한국어", false, "한국 국어"},
		{"signs part words", "net/http: 3.14 a-b", true, "net http 3 14 a b"},
		{"broken UTF-8", "ab\xffcd", false, "ab cd"},
		{"a word too long is cut", strings.Repeat("é", 40), false, strings.Repeat("é", 32)},
	} {
		if got := strings.Join(analyseAll(c.text, c.code), " "); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestAnalyseStopsAtLimit(t *testing.T) {
	t.Parallel()
	n := newAnalyser().analyse("one two ThreeFour five", false, 3, func([]byte) {})
	if n != 3 {
		t.Errorf("%d terms, want 3", n)
	}
}

// TestStem uses examples of Porter's paper and some of his published vocabulary.
func TestStem(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "caress": "caress", "cats": "cat",
		"feed": "feed", "agreed": "agre", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing",
		"conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop", "tanned": "tan",
		"falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail", "filing": "file",
		"happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "rational": "ration",
		"valenci": "valenc", "digitizer": "digit", "radicalli": "radic", "differentli": "differ",
		"vietnamization": "vietnam", "predication": "predic", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "callousness": "callous", "formaliti": "formal",
		"sensitiviti": "sensit", "sensibiliti": "sensibl", "triplicate": "triplic", "formative": "form",
		"formalize": "formal", "electrical": "electr", "goodness": "good", "revival": "reviv", "allowance": "allow",
		"inference": "infer", "airliner": "airlin", "adjustable": "adjust", "replacement": "replac",
		"adjustment": "adjust", "dependent": "depend", "adoption": "adopt", "communism": "commun", "activate": "activ",
		"effective": "effect", "bowdlerize": "bowdler", "probate": "probat", "rate": "rate", "cease": "ceas",
		"controll": "control", "roll": "roll", "is": "is", "utf8": "utf8", "école": "école",
	} {
		if got := string(stem([]byte(word))); got != want {
			t.Errorf("%s gives %s, want %s", word, got, want)
		}
	}
}

func TestQuantisedLengthIsCloseAndOrdered(t *testing.T) {
	t.Parallel()
	last := byte(0)
	for n := range maxFieldTerms + 1 {
		q := quantiseLen(n)
		back := int(lenOf[q])
		if q < last || back > n || n-back > n/16 {
			t.Fatalf("length %d is kept as %d (code %d after %d)", n, back, q, last)
		}
		last = q
	}
}

func FuzzAnalyse(f *testing.F) {
	for _, s := range []string{"The HTTPServer's parse_query", "東京都 Straße e\u0301", "a1b2c3d4e5f6 \xff__", "กำลัง IDsX ’ '"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, code bool) {
		got := analyseAll(text, code)
		for _, term := range got {
			if term == "" || len(term) > maxTerm || !utf8.ValidString(term) || isFacet(term) {
				t.Errorf("term %q of %q", term, text)
			}
		}
		if !slices.Equal(got, analyseAll(norm.NFD.String(text), code)) {
			t.Errorf("%q gives other terms when decomposed", text)
		}
	})
}
