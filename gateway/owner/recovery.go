package owner

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/store"
)

// recoveryHead is the first line of a recovery file, which says what it is to
// whoever finds it years later.
const recoveryHead = "meshd recovery key: whoever has this file can take the agent over. Keep it elsewhere."

// RecoveryName is the name of an agent's recovery file below the folder of keys.
func RecoveryName(id change.AgentID) string { return "recovery-" + id.String() }

// WriteRecovery writes a recovery key to a file that only its owner can read. It
// makes the folder when there is none: who registers at a gateway elsewhere may
// have no node here.
func WriteRecovery(path string, key *keys.Private) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make folder of keys: %w", err)
	}
	seed := key.Seed()
	text := fmt.Sprintf("%s\ndid: %s\nseed: %s\n", recoveryHead, key.Key(), hex.EncodeToString(seed[:]))
	if err := store.AtomicWrite(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write recovery key: %w", err)
	}
	return nil
}

// ParseRecovery reads the content of a recovery file. Its errors do not repeat
// what the file contains.
func ParseRecovery(text string) (*keys.Private, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) != 3 || lines[0] != recoveryHead {
		return nil, errors.New("read recovery key: not a recovery file")
	}
	name, ok1 := strings.CutPrefix(lines[1], "did: ")
	text, ok2 := strings.CutPrefix(lines[2], "seed: ")
	seed, err := hex.DecodeString(text)
	if !ok1 || !ok2 || err != nil || len(seed) != keys.SeedSize {
		return nil, errors.New("read recovery key: the file is damaged")
	}
	key := keys.FromSeed([keys.SeedSize]byte(seed))
	if key.Key().String() != name {
		return nil, errors.New("read recovery key: its did and its seed do not belong together")
	}
	return key, nil
}

// ensureRecovery returns the public half of the recovery key in a file, and
// makes the file when there is none.
func ensureRecovery(path string, random io.Reader) (did.Key, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		key, err := ParseRecovery(string(text))
		if err != nil {
			return did.Key{}, fmt.Errorf("%s: %w", path, err)
		}
		return key.Key(), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return did.Key{}, fmt.Errorf("read recovery key: %w", err)
	}
	key, err := keys.Generate(random)
	if err != nil {
		return did.Key{}, fmt.Errorf("make recovery key: %w", err)
	}
	return key.Key(), WriteRecovery(path, key)
}
