package exchange_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/meshd/meshd/node/exchange"
)

// A line over the limit costs no memory and no other line, wherever it stands.
func TestLinesPassOverWhatIsTooLong(t *testing.T) {
	t.Parallel()
	type read struct {
		line string
		size int64
		over bool
	}
	long, most := strings.Repeat("x", 200<<10), 128<<10
	full := long[:most]
	for _, tc := range []struct {
		name, text string
		want       []read
	}{
		{"nothing", "", nil},
		{"one", "a", []read{{"a", 1, false}}},
		{"ended", "a\n", []read{{"a", 1, false}}},
		{"an empty one between", "a\n\nb", []read{{"a", 1, false}, {"", 0, false}, {"b", 1, false}}},
		{"at the limit", full + "\nb\n", []read{{full, int64(most), false}, {"b", 1, false}}},
		{"a byte over it", full + "x\nb\n", []read{{"", int64(most) + 1, true}, {"b", 1, false}}},
		{"far over it, at the end", "a\n" + long, []read{{"a", 1, false}, {"", int64(len(long)), true}}},
		{"two of them", long + "\n" + long + "\nc", []read{{"", int64(len(long)), true}, {"", int64(len(long)), true}, {"c", 1, false}}},
	} {
		for _, r := range []io.Reader{strings.NewReader(tc.text), iotest.HalfReader(strings.NewReader(tc.text))} {
			lines := exchange.NewLines(r, most)
			var got []read
			for {
				line, size, err := lines.Next()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Errorf("%s: %v", tc.name, err)
					}
					break
				}
				got = append(got, read{string(line), size, line == nil && size > 0})
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s: %d lines, want %d, or one of them differs", tc.name, len(got), len(tc.want))
			}
		}
	}
}

// What a fault of reading cuts short is no line.
func TestLinesSayWhatBrokeThem(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	lines := exchange.NewLines(io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken)), 10)
	if line, _, err := lines.Next(); string(line) != "a" || err != nil {
		t.Errorf("the first line is %q, %v", line, err)
	}
	if line, _, err := lines.Next(); line != nil || !errors.Is(err, broken) {
		t.Errorf("the cut line is %q, %v", line, err)
	}
}
