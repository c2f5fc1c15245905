package agent

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/store"
)

// walletChain is the chain in the identifier of a wallet, from the settings.
func walletChain(s *session.Session) (uint64, error) {
	_, settings, err := s.Settings()
	if err != nil {
		return 0, err
	}
	return uint64(settings.Config.Wallet.Chain), nil
}

// ReadWallet reads the secret of a wallet from a file that only its owner can read.
func ReadWallet(path string) (*wallet.Key, error) { return readWallet(path) }

// readWallet reads the secret of a wallet: 64 hex digits, with or without 0x, in
// a file that only its owner can read. Its errors do not repeat what the file
// contains.
func readWallet(path string) (*wallet.Key, error) {
	text, err := readSecret(path, instance.MaxWalletFile)
	if err != nil {
		return nil, fmt.Errorf("read wallet: %w", err)
	}
	key, err := parseWallet(text)
	if err != nil {
		return nil, fmt.Errorf("read wallet: %s: %w", path, err)
	}
	return key, nil
}

// readSecret reads a file that only its owner can read, and one byte over most at
// the utmost.
func readSecret(path string, most int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is open to other users (run: chmod 600 %s)", path, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	return string(text), err
}

func parseWallet(text string) (*wallet.Key, error) {
	wrong := errors.New("want a private key of 64 hex digits and nothing else")
	if len(text) > instance.MaxWalletFile {
		return nil, wrong
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(text), "0x"))
	if err != nil || len(raw) != wallet.SecretSize {
		return nil, wrong
	}
	return wallet.KeyFromSecret([wallet.SecretSize]byte(raw))
}

// makeWallet makes a wallet and writes it to a file in dir, in the form that
// readWallet reads.
func makeWallet(dir string) (*wallet.Key, string, error) {
	key, err := wallet.Generate(rand.Reader)
	if err != nil {
		return nil, "", fmt.Errorf("make wallet: %w", err)
	}
	secret := key.Secret()
	path := filepath.Join(dir, "wallet-"+key.Address().String())
	if err := store.AtomicWrite(path, []byte("0x"+hex.EncodeToString(secret[:])+"\n"), 0o600); err != nil {
		return nil, "", fmt.Errorf("write wallet: %w", err)
	}
	return key, path, nil
}
