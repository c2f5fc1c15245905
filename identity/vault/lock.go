package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// lockFile is the master key, sealed by the passphrase or key file. Every key
// file is sealed by the master key, so changing the passphrase rewrites this one
// file only, and is done or not done after a crash.
const lockFile = LockFile

// LockFile is the name of that file.
const LockFile = "vault.json"

// lock is the content of the lock file.
type lock struct {
	Version int    `json:"v"`
	By      string `json:"by"` // byPassphrase or byKeyFile
	Argon   cost   `json:"argon2id,omitzero"`
	Salt    string `json:"salt,omitempty"`
	Box     string `json:"box"`

	// Check is a hash over the fields above. It distinguishes a damaged file from a
	// wrong passphrase, which the box alone could not; it protects nothing.
	Check string `json:"check"`
}

func (l lock) sum() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s\n%d %d %d\n%s\n%s\n", l.Version, l.By, l.Argon.Time, l.Argon.Memory, l.Argon.Threads, l.Salt, l.Box)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// makeLock seals master for u and writes the lock file of dir.
func makeLock(dir string, u Unlock, master []byte, rand io.Reader) error {
	c, salt, err := u.fresh(rand)
	if err != nil {
		return err
	}
	key, err := u.key(u.sort(), c, salt)
	if err != nil {
		return err
	}
	box, err := seal(rand, key, master, []byte(lockFile))
	if err != nil {
		return err
	}
	l := lock{Version: 1, By: u.sort(), Argon: c, Salt: hex.EncodeToString(salt), Box: hex.EncodeToString(box)}
	l.Check = l.sum()
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	if err := writePrivate(filepath.Join(dir, lockFile), append(data, '\n')); err != nil {
		return fmt.Errorf("write lock file: %w", err)
	}
	return nil
}

// openLock reads the master key of dir. A missing lock file is fs.ErrNotExist.
func openLock(dir string, u Unlock) ([secretSize]byte, error) {
	var none [secretSize]byte
	data, err := readPrivate(filepath.Join(dir, lockFile))
	if err != nil {
		return none, err
	}
	var l lock
	if err := json.Unmarshal(data, &l); err != nil {
		return none, &DamagedError{File: lockFile, Why: "it is not JSON"}
	}
	salt, saltErr := hex.DecodeString(l.Salt)
	box, boxErr := hex.DecodeString(l.Box)
	switch {
	case l.Check != l.sum():
		return none, &DamagedError{File: lockFile, Why: "its check does not match"}
	case l.Version != 1:
		return none, &DamagedError{File: lockFile, Why: "its version is not known here"}
	case saltErr != nil || boxErr != nil, l.By == byPassphrase && !l.Argon.sane():
		return none, &DamagedError{File: lockFile, Why: "a field is out of range"}
	}
	key, err := u.key(l.By, l.Argon, salt)
	if err != nil {
		return none, err
	}
	master, err := unseal(key, box, []byte(lockFile))
	if err != nil {
		return none, ErrWrongKey
	}
	return master, nil
}

// openOrMakeLock opens the lock of dir, or makes one with a fresh master key in
// a folder without keys. A folder with keys and no lock file has lost
// it: making another would only hide that.
func openOrMakeLock(dir string, u Unlock, rand io.Reader) ([secretSize]byte, error) {
	master, err := openLock(dir, u)
	if !errors.Is(err, fs.ErrNotExist) {
		return master, err
	}
	names, err := keyNames(dir)
	if err != nil {
		return master, err
	}
	if len(names) > 0 {
		return master, &DamagedError{File: lockFile, Why: "it is missing"}
	}
	if _, err := io.ReadFull(rand, master[:]); err != nil {
		return master, fmt.Errorf("read randomness: %w", err)
	}
	return master, makeLock(dir, u, master[:], rand)
}

// openDir makes dir with mode 0700, or checks that nobody else may enter it, and
// clears what a crash left half written.
func openDir(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		err = syncDir(filepath.Dir(dir)) // else a crash could lose the folder with its keys
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case exposed(info):
		return fmt.Errorf("%w: run chmod 700 %s", ErrExposed, dir)
	}
	return sweep(dir)
}
