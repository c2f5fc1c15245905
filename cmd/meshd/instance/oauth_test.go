package instance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// TestOAuthSettings: keys come from an address or from a file of the home folder, which
// must be there and be a set.
func TestOAuthSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home, err := store.Open(dir, store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = home.Close() })
	for name, text := range map[string]string{
		"good.json": `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"one"}]}`, "bad.json": `{"keys":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := oauthOf(home, config.OAuth{Issuers: []string{"https://a.test", "https://b.test"}, KeySets: []string{"https://a.test/keys", "good.json"},
		Audience: "aud", AgentClaim: "agent", Scopes: []string{"w=mesh:write"}})
	if err != nil || got.Validate() != nil || got.Issuers[0].KeysURL != "https://a.test/keys" || len(got.Issuers[1].Keys) != 1 || got.Audience != "aud" ||
		got.AgentClaim != "agent" || got.Scopes["w"] != state.ScopeWrite {
		t.Errorf("%+v, %v", got, err)
	}
	for file, want := range map[string]string{"none.json": "no such file", "bad.json": "oauth.key_sets: bad.json"} {
		if _, err := oauthOf(home, config.OAuth{Issuers: []string{"https://a.test"}, KeySets: []string{file}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if got, err := oauthOf(home, config.Default().OAuth); err != nil || len(got.Issuers) != 0 {
		t.Errorf("by default %+v, %v", got, err)
	}
}
