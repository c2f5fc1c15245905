// Package vault keeps secret keys in a folder, encrypted at rest, one file for
// each key: its name, kind and public part in clear but authenticated, the secret
// sealed with XChaCha20-Poly1305. The files are sealed by a master key, and that
// by a passphrase (Argon2id) or by a key file, so that a node can also start
// unattended.
//
// Start with Open, then Create, Import, Signer and List. It is the one package of
// identity that touches files. Only one process may use a folder at a time; the
// lock on the home folder sees to that. What the vault does not do: erase the
// disk blocks of a deleted key, or guard secrets in the memory of this process.
package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// Errors of this package, wrapped with what was found; none carries a secret. A
// file that cannot be read as what it should be is a *DamagedError.
var (
	ErrWrongKey = errors.New("wrong key or passphrase") // the command line ends with 12
	ErrExposed  = errors.New("file or folder is open to other users")
	ErrExists   = errors.New("a key of that name exists")
	ErrNotFound = errors.New("no key of that name")
	ErrName     = errors.New("not a name for a key")
	ErrKind     = errors.New("not a kind of key that can do this")
)

// DamagedError names a file of the vault that was changed or cut short. The
// other keys stay usable.
type DamagedError struct {
	File string // without its folder
	Why  string
}

// Error says which file and what is wrong with it.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("key file %s is damaged: %s", e.File, e.Why)
}

// Info is the clear part of a key.
type Info struct {
	Name   string
	Kind   Kind
	Public string // did:key, EIP-55 address, or hex of an ML-DSA-65 key
}

// Vault is an open folder of keys. It is safe for concurrent use.
type Vault struct {
	dir  string
	rand io.Reader

	files  sync.RWMutex // guards the files of dir and rand
	master [secretSize]byte
}

// Open opens the vault in dir, making the folder (0700) and an empty vault when
// there is none. Randomness for new keys and nonces is read from rand, in
// production crypto/rand.Reader.
//
// It returns ErrWrongKey when unlock is not what the vault was locked with,
// ErrExposed when others than the owner may read the folder or a file of it, and
// a *DamagedError when the lock file itself is damaged. A damaged key does not
// hinder it. With a passphrase it takes about half a second, on purpose.
func Open(dir string, unlock Unlock, rand io.Reader) (*Vault, error) {
	if err := openDir(dir); err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	master, err := openOrMakeLock(dir, unlock, rand)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	return &Vault{dir: dir, rand: rand, master: master}, nil
}

// Create makes a key of a kind, durable when it returns nil. It returns ErrExists
// when the name is taken, ErrName or ErrKind for a name or kind that cannot be.
func (v *Vault) Create(name string, kind Kind) (Info, error) {
	v.files.Lock()
	defer v.files.Unlock()
	var secret [secretSize]byte
	if _, err := io.ReadFull(v.rand, secret[:]); err != nil {
		return Info{}, fmt.Errorf("create key: read randomness: %w", err)
	}
	info, err := v.write(name, kind, secret)
	if err != nil {
		return Info{}, fmt.Errorf("create key: %w", err)
	}
	return info, nil
}

// Import stores a secret that was made elsewhere, with the errors of Create and
// wallet.ErrSecret for one that no wallet can have.
func (v *Vault) Import(name string, kind Kind, secret [32]byte) (Info, error) {
	v.files.Lock()
	defer v.files.Unlock()
	info, err := v.write(name, kind, secret)
	if err != nil {
		return Info{}, fmt.Errorf("import key: %w", err)
	}
	return info, nil
}

// Signer returns the Ed25519 key of that name. It stays usable after the key is
// deleted. ErrNotFound, ErrKind for a key that is not Ed25519, or a *DamagedError.
func (v *Vault) Signer(name string) (keys.Signer, error) {
	info, secret, err := v.read(name)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	if !info.Kind.ed25519() {
		return nil, fmt.Errorf("read key: %w: a %s key makes no Ed25519 signatures", ErrKind, info.Kind)
	}
	return keys.FromSeed(secret), nil
}

// Wallet returns the secp256k1 key of that name, with the errors of Signer.
func (v *Vault) Wallet(name string) (*wallet.Key, error) {
	info, secret, err := v.read(name)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	if info.Kind != Wallet {
		return nil, fmt.Errorf("read key: %w: a %s key is no wallet", ErrKind, info.Kind)
	}
	return wallet.KeyFromSecret(secret)
}

// Export returns the secret of that name with its clear part, for whoever must
// pass it on: the libp2p host, a hybrid signer, the owner's own export.
func (v *Vault) Export(name string) (Info, [32]byte, error) {
	info, secret, err := v.read(name)
	if err != nil {
		return Info{}, [32]byte{}, fmt.Errorf("read key: %w", err)
	}
	return info, secret, nil
}

// List returns every sound key, by name. Its error joins one *DamagedError (or
// ErrExposed) for each file that is not; the list is good all the same.
func (v *Vault) List() ([]Info, error) {
	v.files.RLock()
	defer v.files.RUnlock()
	names, err := keyNames(v.dir)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	var infos []Info
	var faults []error
	for _, name := range names {
		info, _, err := v.readLocked(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		infos = append(infos, info)
	}
	return infos, errors.Join(faults...)
}

// Delete removes a key for good, also a damaged one; ErrNotFound when there is
// none. The secret may stay on the medium until its blocks are used again.
func (v *Vault) Delete(name string) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("delete key: %w", err)
	}
	v.files.Lock()
	defer v.files.Unlock()
	if err := v.remove(name); err != nil {
		return fmt.Errorf("delete key: %w", err)
	}
	return nil
}

// remove deletes the file of a key. The caller holds the write lock.
func (v *Vault) remove(name string) error {
	err := os.Remove(v.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return err
	}
	return syncDir(v.dir)
}

// ChangeUnlock locks the vault with another passphrase or key file. After a crash
// one of the two opens it. An old copy of the folder still opens with the old
// one: when that leaked, rotate the keys too.
func (v *Vault) ChangeUnlock(next Unlock) error {
	v.files.Lock()
	defer v.files.Unlock()
	if err := makeLock(v.dir, next, v.master[:], v.rand); err != nil {
		return fmt.Errorf("change unlock: %w", err)
	}
	return nil
}

// Format prints the folder only, whatever the verb.
func (v *Vault) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "vault %s [redacted]", v.dir) }

// LogValue keeps the secret out of structured logs.
func (v *Vault) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(v)) }
