package terminal

import "testing"

func TestTerminalTextCarriesNoControl(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\x1b[2Jb":       "a[2Jb",
		"one\ntwo\rthree": "one two three",
		"\u009bred":       "red",
		"kept é 漢":        "kept é 漢",
	} {
		if got := OneLine(in, 100); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
	if got := OneLine("abcdef", 4); got != "abc…" {
		t.Errorf("cut to %q", got)
	}
}
