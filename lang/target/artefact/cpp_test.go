package artefact

import (
	"math"
	"strings"
	"testing"
)

// TestLiteralsAreCutBetweenCharacters: pieces join to the literal, and no escape
// stands in two of them.
func TestLiteralsAreCutBetweenCharacters(t *testing.T) {
	text := "ab\"\\é\x00?" + strings.Repeat("ü\n", 20)
	var joined strings.Builder
	for _, p := range CStrings(text, 9) {
		if len(p) > 11 || strings.HasSuffix(p, `\"`) && !strings.HasSuffix(p, `\\"`) && !strings.HasSuffix(p, `\""`) {
			t.Errorf("%s", p)
		}
		joined.WriteString(p[1 : len(p)-1])
	}
	if want := CString(text); `"`+joined.String()+`"` != want {
		t.Errorf("%s, not %s", joined.String(), want)
	}
	if CStrings("", 9) != nil {
		t.Error("an empty text has pieces")
	}
}

func TestConstantsAreNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0", 1: "1.0", -0.5: "-0.5", 1e-7: "1e-07", math.Inf(1): "3.4028235e+38", math.Inf(-1): "-3.4028235e+38"} {
		if got := CDouble(x); got != want {
			t.Errorf("%v: %s, not %s", x, got, want)
		}
	}
	if got := CDouble(math.NaN()); got != "0.0" {
		t.Error("what is no number is", got)
	}
}
