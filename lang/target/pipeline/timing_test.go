package pipeline

import (
	"slices"
	"testing"
)

func TestPlainCron(t *testing.T) {
	for line, want := range map[string]string{
		"*/15 * * * *":         "*/15 * * * *",
		"*/1 * * * *":          "* * * * *",
		"*/5 6-20 * * mon-fri": "*/5 6-20 * * 1-5",
		"0 0 1 JAN,jul *":      "0 0 1 1,7 *",
		"0 0 * * 7":            "0 0 * * 0",
		"0 0 * * 0-7/3":        "0 0 * * 0,3,6",
		"0 0 * * 5/2":          "0 0 * * 0,5",
		"5,10/20 * * * *":      "5,10-59/20 * * * *",
		"0 0 */2 * *":          "0 0 1-31/2 * *",
		"0 0 * * */2":          "0 0 * * 0-6/2",
		"0 0 13 * */1":         "0 0 * * *",
		"0 0 *,5 * 1":          "0 0 * * *",
		" 1  2 3   4 5 ":       "1 2 3 4 5",
		"0 0 01 * *":           "0 0 1 * *",
		"* * * *":              "",
		"60 * * * *":           "",
		"* * 0 * *":            "",
		"* * * * 8":            "",
		"5-1 * * * *":          "",
		"*/0 * * * *":          "",
		"x * * * *":            "",
		"+1 * * * *":           "",
		"1\n2 * * * * * x":     "",
		"* * * * * *":          "",
		"0 0 L * *":            "",
		"*-5 * * * *":          "",
	} {
		if got, ok := plainCron(line); got != want || ok != (want != "") {
			t.Errorf("%q is %q, not %q", line, got, want)
		}
	}
}

func TestMinutesOfALine(t *testing.T) {
	for line, want := range map[string][]int{
		"*/20 * * * *": {0, 20, 40}, "5,10-59/20 3 * * *": {5, 10, 30, 50}, "1-3 * * * *": {1, 2, 3}, "7 * * * *": {7},
	} {
		if got := minutesOf(line); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", line, got, want)
		}
	}
	if len(minutesOf("* * * * *")) != 60 {
		t.Error("a star is not every minute")
	}
}

func TestWhatIsASecret(t *testing.T) {
	for name, want := range map[string]bool{
		"CRATE_API": false, "ALARM_URL": false, "HOST": false, "CRATE_TOKEN": true, "API_KEY": true, "APIKEY": true, "TOKEN_URL": true, "X": true, "DB_PASSWORDS": true,
	} {
		if isSecret(name) != want {
			t.Errorf("%s: secret %v", name, !want)
		}
	}
}
