package config

import (
	"errors"
	"strings"
	"testing"
)

func TestUnsetKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"one of two":            {"# mine\nlog:\n  level: debug\n  format: json # ours\n", "# mine\nlog:\n  #level: info\n  format: json # ours\n"},
		"the only one":          {"log:\n  level: debug\np2p:\n  gossip: false\n", "log:\n  #level: info\np2p:\n  gossip: false\n"},
		"a list of many lines":  {"gateway:\n  trusted_proxies:\n    - 10.0.0.0/8\n    - 10.1.0.0/16\n  drain_delay: 1s\n", "gateway:\n  #trusted_proxies: []\n  drain_delay: 1s\n"},
		"an open list":          {"gateway:\n    trusted_proxies: [\n      10.0.0.0/8,\n    ]\n    drain_delay: 1s\n", "gateway:\n    #trusted_proxies: []\n    drain_delay: 1s\n"},
		"one that is not there": {"p2p:\n  gossip: false\n", "p2p:\n  gossip: false\n"},
	} {
		key := "log.level"
		if strings.Contains(c.text, "trusted_proxies") {
			key = "gateway.trusted_proxies"
		}
		got, err := unset([]byte(c.text), key)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	sample, err := Sample(map[string]string{"log.level": "debug"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := unset(sample, "log.level")
	plain, _ := Sample(nil)
	if err != nil || string(got) != string(plain) {
		t.Errorf("a sample is not as without the key: %v", err)
	}
}

func TestUnsetRefusesWhatItCouldSpoil(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a section in a line": "log: {level: debug, format: json}\n",
		"a block of text":     "log:\n  level: >-\n    debug\n  format: json\n",
	} {
		if out, err := unset([]byte(text), "log.level"); !errors.Is(err, ErrEdit) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	var fault Fault
	if _, err := unset(nil, "log.levle"); !errors.As(err, &fault) || fault.Hint != "log.level" {
		t.Errorf("an unknown key: %v", err)
	}
}
