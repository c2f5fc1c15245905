package core

import (
	"fmt"
	"os"

	"github.com/meshd/meshd/identity/vault"
)

// ReadPassphrase reads a passphrase from a file; line ends at its end are none of it.
func ReadPassphrase(path string) (vault.Unlock, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return vault.Unlock{}, fmt.Errorf("read passphrase file: %w", err)
	}
	text := trimNewline(string(b))
	if text == "" {
		return vault.Unlock{}, fmt.Errorf("read passphrase file: %s holds no passphrase", path)
	}
	return vault.Passphrase(text), nil
}
