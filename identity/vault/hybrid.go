package vault

import (
	"errors"
	"fmt"
	"io"

	"github.com/meshd/meshd/identity/keys"
)

// A hybrid key is two keys of the vault: an Ed25519 key, and a PQ key under the name
// that SecondName gives. The second one is written first and removed last, so that
// a crash never leaves a key that has lost its other half.

// secondSuffix ends the name of the second half of a hybrid key.
const secondSuffix = ".pq"

// SecondName is the name of the ML-DSA-65 half of the key of that name.
func SecondName(name string) string { return name + secondSuffix }

// CreateHybrid makes an Ed25519 key of a kind and an ML-DSA-65 key beside it, with the
// errors of Create. The Info is that of the first.
func (v *Vault) CreateHybrid(name string, kind Kind) (Info, error) {
	var both [2][secretSize]byte
	v.files.Lock()
	for i := range both {
		if _, err := io.ReadFull(v.rand, both[i][:]); err != nil {
			v.files.Unlock()
			return Info{}, fmt.Errorf("create key: read randomness: %w", err)
		}
	}
	v.files.Unlock()
	return v.ImportHybrid(name, kind, both[0], both[1])
}

// ImportHybrid stores both secrets of a hybrid key that was made elsewhere, with the
// errors of Import: both are stored, or none. A second half that is here already is
// no hindrance when it is the same.
func (v *Vault) ImportHybrid(name string, kind Kind, secret, second [32]byte) (Info, error) {
	if !kind.ed25519() {
		return Info{}, fmt.Errorf("import key: %w: a %s key has no second half", ErrKind, kind)
	}
	v.files.Lock()
	defer v.files.Unlock()
	made, err := v.writeSecond(SecondName(name), second)
	if err != nil {
		return Info{}, fmt.Errorf("import key: %w", err)
	}
	info, err := v.write(name, kind, secret)
	if err != nil {
		if made {
			err = errors.Join(err, v.remove(SecondName(name)))
		}
		return Info{}, fmt.Errorf("import key: %w", err)
	}
	return info, nil
}

// writeSecond reports whether it made the file. The caller holds the write lock.
func (v *Vault) writeSecond(name string, second [secretSize]byte) (made bool, err error) {
	_, err = v.write(name, PQ, second)
	if errors.Is(err, ErrExists) {
		if info, there, e := v.readLocked(name); e == nil && info.Kind == PQ && there == second {
			return false, nil
		}
	}
	return err == nil, err
}

// Hybrid returns both halves of the key of that name, with the errors of Signer;
// ErrNotFound also for a key that has no second half.
func (v *Vault) Hybrid(name string) (*keys.HybridSigner, error) {
	signer, err := v.Signer(name)
	if err != nil {
		return nil, err
	}
	info, second, err := v.read(SecondName(name))
	if err != nil {
		return nil, fmt.Errorf("read second half of a key: %w", err)
	}
	if info.Kind != PQ {
		return nil, fmt.Errorf("read second half of a key: %w: %s is a %s key", ErrKind, info.Name, info.Kind)
	}
	return keys.NewHybridSigner(signer, second), nil
}
