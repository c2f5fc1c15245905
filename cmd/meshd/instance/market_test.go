package instance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// The key of secret 1, whose address every library knows.
const (
	knownSecret  = "0x0000000000000000000000000000000000000000000000000000000000000001"
	knownAddress = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
)

func TestMarketSettings(t *testing.T) {
	t.Parallel()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = home.Close() })
	file := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, open := file("good", knownSecret+"\n", 0o600), file("open", knownSecret, 0o644)
	bad, other := file("bad", "0x12", 0o600), file("other", strings.Replace(knownSecret, "1", "2", 1), 0o600)
	for name, c := range map[string]struct {
		x       config.X402
		credits int
		fault   string // "": fine
	}{
		"off":                        {config.X402{}, 5, ""},
		"small payments":             {config.X402{PayTo: knownAddress, Network: "base"}, 5, ""},
		"everything":                 {config.X402{PayTo: knownAddress, Network: "base-sepolia", Facilitator: "https://pay.example", TreasuryKey: good}, 0, ""},
		"nobody to pay":              {config.X402{Facilitator: "https://pay.example"}, 0, "need pay_to"},
		"no network":                 {config.X402{PayTo: knownAddress, Network: "mars"}, 0, "not known"},
		"plain http":                 {config.X402{PayTo: knownAddress, Network: "base", Facilitator: "http://pay.example"}, 0, "https"},
		"a key for all to read":      {config.X402{PayTo: knownAddress, Network: "base", TreasuryKey: open}, 0, "chmod 600"},
		"no key":                     {config.X402{PayTo: knownAddress, Network: "base", TreasuryKey: bad}, 0, "64 hex digits"},
		"no file":                    {config.X402{PayTo: knownAddress, Network: "base", TreasuryKey: bad + "x"}, 0, "no such file"},
		"another's key":              {config.X402{PayTo: knownAddress, Network: "base", TreasuryKey: other}, 0, "not that of pay_to"},
		"free credits and payouts":   {config.X402{PayTo: knownAddress, Network: "base", TreasuryKey: good}, 5, "starting_credits"},
		"an address without its sum": {config.X402{PayTo: strings.ToLower(knownAddress), Network: "base"}, 0, "pay_to"},
	} {
		cfg := config.Default()
		cfg.X402, cfg.Gateway.StartingCredits = c.x, c.credits
		m, err := marketOf(home, cfg)
		if (err == nil) != (c.fault == "") || err != nil && (!strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), knownSecret[3:])) {
			t.Errorf("%s: %v, want %q", name, err, c.fault)
		}
		if err == nil && (m.FeeBPS != 1500 || (m.Treasury != nil) != (c.x.TreasuryKey != "")) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
