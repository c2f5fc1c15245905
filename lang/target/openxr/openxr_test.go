package openxr

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/target/artefact"
)

// TestTextsStayTexts: nothing that an author wrote ends a literal or a comment.
func TestTextsStayTexts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":            `""`,
		`a"b\c`:       `"a\"b\\c"`,
		"a\nb\x00c":   `"a\012b\000c"`,
		"??/":         `"\?\?/"`,
		"é1":          `"\303\2511"`,
		"*/ // ${x}":  `"*/ // ${x}"`,
		"\u202eab\\":  `"\342\200\256ab\\"`,
		"]]>)\" (\"x": `"]]>)\" (\"x"`,
	} {
		if got := artefact.CString(in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
	if got := artefact.CComment("a\nb\\??/\u2028c\rd é"); got != "a.b.../.c.d ." {
		t.Errorf("comment %q", got)
	}
}

func FuzzLiteral(f *testing.F) {
	f.Add("a\"\\??/\n\u2029")
	f.Fuzz(func(t *testing.T, s string) {
		got := artefact.CString(s)
		body := got[1 : len(got)-1]
		for i := 0; i < len(body); i++ {
			switch c := body[i]; {
			case c < ' ' || c > 0x7e || c == '"':
				t.Fatalf("%q holds %q", got, c)
			case c == '\\':
				if i++; i == len(body) {
					t.Fatalf("%q ends its own literal", got)
				}
			}
		}
		if strings.Contains(body, "??") || strings.ContainsAny(artefact.CComment(s), "\n\r\\") {
			t.Fatalf("%q, %q", got, artefact.CComment(s))
		}
	})
}

func TestNumbersAreFloats(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0.0f", 1: "1.0f", -2.5: "-2.5f", 1e-9: "1e-09f", 3e22: "3e+22f"} {
		if got := artefact.CFloat(in); got != want {
			t.Errorf("%v is %s, want %s", in, got, want)
		}
	}
	if got := clip(strings.Repeat("é", 80), 99); len(got) > 100 || !strings.HasSuffix(got, "é") {
		t.Errorf("clipped to %q", got)
	}
}
