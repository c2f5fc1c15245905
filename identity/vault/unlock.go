package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"

	"golang.org/x/crypto/argon2"
)

// Unlock is what opens a vault: a passphrase, or a key file. It
// prints as its sort only. The zero Unlock opens nothing.
type Unlock struct {
	passphrase string
	keyFile    string
	cost       cost // for a new passphrase; zero means the default
}

// Passphrase unlocks with a passphrase of 1 to 1024 bytes.
func Passphrase(p string) Unlock { return Unlock{passphrase: p} }

// KeyFile unlocks with the 32 bytes of a file that only its owner can read. The
// file is made when the vault is; a node then starts unattended, and whoever
// reads both the folder and the file reads the keys.
func KeyFile(path string) Unlock { return Unlock{keyFile: path} }

// The sorts of unlocking, as they stand in the lock file.
const (
	byPassphrase = "passphrase"
	byKeyFile    = "keyfile"
)

// sort says how u unlocks, "" for the zero Unlock.
func (u Unlock) sort() string {
	switch {
	case u.passphrase != "":
		return byPassphrase
	case u.keyFile != "":
		return byKeyFile
	default:
		return ""
	}
}

// Format prints the sort only, whatever the verb.
func (u Unlock) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "unlock by %s [redacted]", u.sort()) }

// LogValue keeps the secret out of structured logs.
func (u Unlock) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(u)) }

// cost is what Argon2id spends on a passphrase.
type cost struct {
	Time    uint32 `json:"time"`
	Memory  uint32 `json:"memory"` // KiB
	Threads uint8  `json:"threads"`
}

func (c cost) sane() bool {
	return c.Time >= 1 && c.Time <= maxArgonTime &&
		c.Threads >= 1 && c.Threads <= maxArgonThreads &&
		c.Memory >= 8*uint32(c.Threads) && c.Memory <= maxArgonMemory
}

// fresh prepares u for a vault or passphrase that is made now: the cost and the
// salt for a passphrase, and the key file if it does not exist.
func (u Unlock) fresh(rand io.Reader) (cost, []byte, error) {
	switch u.sort() {
	case byPassphrase:
		if len(u.passphrase) > maxPassphrase {
			return cost{}, nil, fmt.Errorf("passphrase is over %d bytes", maxPassphrase)
		}
		salt := make([]byte, saltSize)
		if _, err := io.ReadFull(rand, salt); err != nil {
			return cost{}, nil, fmt.Errorf("read randomness: %w", err)
		}
		c := u.cost
		if c == (cost{}) {
			c = cost{Time: argonTime, Memory: argonMemory, Threads: argonThreads}
		}
		return c, salt, nil
	case byKeyFile:
		_, err := readPrivate(u.keyFile)
		if !errors.Is(err, fs.ErrNotExist) {
			return cost{}, nil, err
		}
		secret := make([]byte, secretSize)
		if _, err := io.ReadFull(rand, secret); err != nil {
			return cost{}, nil, fmt.Errorf("read randomness: %w", err)
		}
		if err := writePrivate(u.keyFile, secret); err != nil {
			return cost{}, nil, fmt.Errorf("make key file: %w", err)
		}
		return cost{}, nil, nil
	default:
		return cost{}, nil, errors.New("neither a passphrase nor a key file is given")
	}
}

// key derives the key that seals the master key. An unlock of another sort than
// the vault's, or a key file that is gone or too short, is ErrWrongKey.
func (u Unlock) key(sort string, c cost, salt []byte) ([]byte, error) {
	if u.sort() != sort {
		return nil, fmt.Errorf("%w: the vault is locked by %s", ErrWrongKey, sort)
	}
	if sort == byPassphrase {
		return argon2.IDKey([]byte(u.passphrase), salt, c.Time, c.Memory, c.Threads, secretSize), nil
	}
	secret, err := readPrivate(u.keyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: key file %s does not exist", ErrWrongKey, filepath.Base(u.keyFile))
	case err != nil:
		return nil, err
	case len(secret) != secretSize:
		return nil, fmt.Errorf("%w: key file %s has %d bytes, want %d", ErrWrongKey, filepath.Base(u.keyFile), len(secret), secretSize)
	}
	return secret, nil
}
