package godot

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// value is a number as the engine reads it: what has more than 15 digits it does
// not read exactly, so there must be none.
func value(t testing.TB, text string) float64 {
	out := 0.0
	op := "*"
	for i, word := range strings.Fields(text) {
		if i%2 == 1 {
			op = word
			continue
		}
		x, err := strconv.ParseFloat(word, 64)
		digits := strings.Trim(strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(word, "-"), ".0"), ".", ""), "0")
		if err != nil || strings.Contains(word, ".") && len(digits) > 15 || strings.Contains(word, "e") {
			t.Fatalf("%s is not read exactly in %s", word, text)
		}
		switch {
		case i == 0:
			out = x
		case op == "/":
			out /= x
		default:
			out *= x
		}
	}
	return out
}

func TestNumbersAreReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if math.Abs(x) < 1e-290 { // steps of powers of two leave the smallest
			x = 0
		}
		text, err := number(strconv.FormatFloat(x, 'g', -1, 64))
		if err != nil {
			t.Fatal(err)
		}
		out := 0.0
		words := strings.Fields(text)
		for i := 0; i < len(words); i += 2 {
			v, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case i == 0:
				out = v
			case words[i-1] == "/":
				out /= v
			default:
				out *= v
			}
		}
		if out != x {
			t.Fatalf("%v is written %s, which is %v", x, text, out)
		}
	})
	for _, s := range []string{"0.1", "0.30000000000000004", "1e21", "123456789012345680000", "-0", "1e-7", "0.016666666666666666", "9007199254740993"} {
		text, err := number(s)
		want, _ := strconv.ParseFloat(s, 64)
		if err != nil || value(t, text) != want {
			t.Errorf("%s is written %s: %v", s, text, err)
		}
	}
	if _, err := number("1e999"); err == nil {
		t.Error("infinity is written")
	}
}

func TestLiteralsKeepTheirOrder(t *testing.T) {
	got, err := literal([]byte(`{"b": [1, null, true], "a": {"q\"": "x\u202e\n😀"}, "c": []}`), 1)
	want := "{\n\t\"b\": [1, null, true],\n\t\"a\": {\"q\\\"\": \"x\\u202e\\n😀\"},\n\t\"c\": [],\n}"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for _, bad := range []string{"", "[1", "[1] 2", "{]"} {
		if _, err := literal([]byte(bad), 1); err == nil {
			t.Errorf("%s is a literal", bad)
		}
	}
}
