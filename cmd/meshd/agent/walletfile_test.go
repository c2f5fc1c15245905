package agent

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

func TestWalletFileIsReadBack(t *testing.T) {
	t.Parallel()
	key, path, err := makeWallet(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	back, err := readWallet(path)
	if err != nil || back.Address() != key.Address() {
		t.Errorf("read %v, %v", back, err)
	}
}

// A gateway may be hostile: what it asks to sign is looked at first.
func TestOnlyThisRegistrationIsSigned(t *testing.T) {
	t.Parallel()
	acting, err := keys.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := wallet.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := wallet.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	const nonce = "00000000-0000-4000-8000-000000000001"
	good := binding.Challenge{Purpose: wallet.Registration, Nonce: nonce, Key: acting.Key(), Subject: walletAccount(8453, mine),
		Issued: time.Unix(1_800_000_000, 0), Expires: time.Unix(1_800_000_300, 0)}
	by := controller{did: walletAccount(1, mine)}
	for name, c := range map[string]struct {
		edit func(*binding.Challenge)
		ok   bool
	}{
		"good":          {func(*binding.Challenge) {}, true},
		"recovery":      {func(c *binding.Challenge) { c.Purpose = wallet.Recovery }, false},
		"other nonce":   {func(c *binding.Challenge) { c.Nonce = strings.Replace(nonce, "1", "2", 1) }, false},
		"other wallet":  {func(c *binding.Challenge) { c.Subject = walletAccount(8453, other) }, false},
		"not a wallet":  {func(c *binding.Challenge) { c.Subject = did.OfKey(acting.Key()) }, false},
		"another chain": {func(c *binding.Challenge) { c.Subject = walletAccount(10, mine) }, true},
	} {
		challenge := good
		c.edit(&challenge)
		text, err := challenge.Text()
		if err != nil {
			t.Fatal(err)
		}
		if err := checkChallenge(text, nonce, by); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if checkChallenge("mesh:rotate:"+strings.Repeat("0", 64), nonce, by) == nil {
		t.Error("consent to a rotation would be signed")
	}
}

func walletAccount(chain uint64, k *wallet.Key) did.DID {
	return did.OfAccount(did.Account{Chain: chain, Address: k.Address()})
}

func FuzzParseWallet(f *testing.F) {
	for _, text := range []string{"", "0x", strings.Repeat("11", 32), "0x" + strings.Repeat("11", 32) + "\n", strings.Repeat("ff", 32), "0x0x" + strings.Repeat("1", 62)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := parseWallet(text)
		if err != nil {
			if len(text) > 16 && strings.Contains(err.Error(), text) {
				t.Fatalf("the error repeats %q", text)
			}
			return
		}
		secret := key.Secret()
		if !strings.EqualFold(strings.TrimPrefix(strings.TrimSpace(text), "0x"), hex.EncodeToString(secret[:])) {
			t.Fatalf("%q was read as something else", text)
		}
	})
}
