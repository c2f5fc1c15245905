package gate

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestViewStripsAndComposes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                        "plain",
		"a\u200b\u200cb\u2060":         "ab",
		"\ufeff\u202eabc\u2069":        "abc",
		"so\u00adft":                   "soft",
		"e\u0301":                      "é",
		"e\u200b\u0301":                "é",
		"\u1112\u1161\u11ab":           "한",
		"👨\u200d👩":                     "👨👩",
		"bad\xffbyte":                  "bad\ufffdbyte",
		"tag\U000e0041 and sel\ufe0f.": "tag and sel.",
	} {
		if got := newView(in).text; got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestJSONViewReadsEscapes(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"plain", "line\nnext\ttab", `quote " and \ slash`, "emoji 😀 and é", "\u2028"} {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := jsonView(string(raw)).text, norm.NFC.String(`"`+s+`"`); got != want {
			t.Errorf("%s gives %q, want %q", raw, got, want)
		}
	}
	for in, want := range map[string]string{`\`: `\`, `\u12`: `\u12`, `\ud83d\ude00`: "😀", `\ud83dx`: "\ufffdx", `\q`: `\q`} {
		if got := jsonView(in).text; got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestDecodedSkipsWhatIsNoText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"internationalisation of words":                                                    0,
		"d41d8cd98f00b204e9800998ecf8427e":                                                 0,
		"short aGVsbG8=":                                                                   0,
		base64.StdEncoding.EncodeToString([]byte("a longer plain text")):                   1,
		base64.RawURLEncoding.EncodeToString([]byte("a longer plain text?>")):              1,
		"https://a.example/path?x=%20y":                                                    1,
		"100% of all and 5%ab":                                                             0,
		"68656c6c6f2c20776f726c642c20686f7720617265":                                       1,
		base64.StdEncoding.EncodeToString([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}):    0,
		base64.StdEncoding.EncodeToString([]byte("\x00 control is not what people write")): 0,
	} {
		if got := newView(in).decoded(); len(got) != want {
			t.Errorf("%q decodes to %d texts, want %d", in, len(got), want)
		}
	}
}

// FuzzView asserts the invariant of views, also of those decoded from one.
func FuzzView(f *testing.F) {
	f.Add("e\u0301\u200b \\u0041\\ud83d\\ude00 %41%42%43%zz 68656c6c6f2c20776f726c64 \xff\xfe")
	f.Add("https://a.example/%E2%82%AC%e2%82 eyJhbGciOiJIUzI1NiJ9aGVsbG8gd29ybGQgaGVsbG8=")
	f.Add("\u0344\u0300\u0301\u0f71\u0f72")
	f.Fuzz(func(t *testing.T, s string) {
		total := utf8.RuneCountInString(s)
		for _, v := range []view{newView(s), jsonView(s)} {
			for _, w := range append([]view{v}, v.decoded()...) {
				if len(w.at) != len(w.text)+1 {
					t.Fatalf("%d places for %d bytes", len(w.at), len(w.text))
				}
				last := 0
				for _, at := range w.at {
					if at < last || at > total {
						t.Fatalf("places %v leave 0…%d or fall", w.at, total)
					}
					last = at
				}
			}
			if v.at[len(v.text)] != total {
				t.Fatalf("last place is %d of %d", v.at[len(v.text)], total)
			}
		}
	})
}
