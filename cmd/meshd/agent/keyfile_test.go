package agent

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
)

func keyOf(b byte) admin.SecretKey {
	key := seeded(b)
	seed := key.Seed()
	return admin.SecretKey{KeyInfo: admin.KeyInfo{Name: "owner", Kind: "agent", Public: key.Key().String()}, Secret: hex.EncodeToString(seed[:])}
}

func TestKeyFileIsReadBack(t *testing.T) {
	t.Parallel()
	path, want := filepath.Join(t.TempDir(), "key"), keyOf(1)
	if err := writeKey(path, want); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	text, err := readSecret(path, maxSecretFile)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := parseKey(text); err != nil || got != want {
		t.Errorf("read %+v, %v", got, err)
	}
	if err := writeKey(path, keyOf(2)); err == nil {
		t.Error("a key file was overwritten")
	}
	if again, err := readSecret(path, maxSecretFile); err != nil || again != text {
		t.Errorf("the file that was there changed: %v", err)
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	if err := writeKey(path, keyOf(1)); err != nil {
		t.Fatal(err)
	}
	good, err := readSecret(path, maxSecretFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":       {"", "not a key that was exported"},
		"a wallet":      {strings.Repeat("1", 64), "not a key that was exported"},
		"the head":      {keyHead, "the file is damaged"},
		"a line less":   {good[:strings.LastIndex(good, "secret")], "the file is damaged"},
		"a line more":   {good + "more\n", "the file is damaged"},
		"another order": {strings.Replace(strings.Replace(good, "name:", "kind:", 1), "kind: agent", "name: agent", 1), "line 2 is not its name"},
		"an empty kind": {strings.Replace(good, "kind: agent", "kind: ", 1), "line 3 is not its kind"},
		"too long":      {good[:len(good)-1] + strings.Repeat("0", maxSecretFile), "the file is damaged"},
	} {
		_, err := parseKey(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), keyOf(1).Secret) {
			t.Errorf("%s: the error repeats the secret", name)
		}
	}
}

func TestConsentingKeyIsEitherFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exported, recovery := filepath.Join(dir, "key"), filepath.Join(dir, "recovery")
	if err := writeKey(exported, keyOf(1)); err != nil {
		t.Fatal(err)
	}
	if err := owner.WriteRecovery(recovery, seeded(2)); err != nil {
		t.Fatal(err)
	}
	for b, path := range map[byte]string{1: exported, 2: recovery} {
		text, err := readSecret(path, maxSecretFile)
		if err != nil {
			t.Fatal(err)
		}
		key, isRecovery, err := parseConsenting(text)
		if err != nil || key.Key() != seeded(b).Key() || isRecovery != (path == recovery) {
			t.Errorf("%s: %v, %v, %v", path, key, isRecovery, err)
		}
		if _, _, err := parseConsenting(strings.Replace(text, seeded(b).Key().String(), seeded(3).Key().String(), 1)); err == nil {
			t.Errorf("%s: read with the did of another key", path)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add(keyHead + "\nname: owner\nkind: agent\npublic: did:key:z6Mk\nsecret: 00\n")
	f.Add(keyHead + "\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := parseKey(text)
		if err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "key")
		if err := writeKey(path, k); err != nil {
			t.Fatal(err)
		}
		back, err := readSecret(path, maxSecretFile)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseKey(back); err != nil || again != k {
			t.Errorf("read %+v, %v, want %+v", again, err, k)
		}
	})
}

func FuzzReadRotation(f *testing.F) {
	agent, to := [32]byte{7}, seeded(2).Key()
	f.Add(encoded(f, draftOf(f, agent, to, nil)))
	f.Add([]byte(`{"cut":{"x":"chg_"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readRotation(data, agent, to, nil)
		if err != nil {
			return
		}
		if line, err := r.body.Line(r.net, agent, to); err != nil || line != r.line {
			t.Errorf("would sign %q for %q, %v", r.line, line, err)
		}
	})
}
