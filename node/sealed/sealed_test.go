package sealed_test

import (
	"bytes"
	"crypto/ecdh"
	"errors"
	"testing"

	"github.com/meshd/meshd/node/sealed"
)

func secret(t testing.TB, n byte) *ecdh.PrivateKey {
	t.Helper()
	s, err := sealed.Secret([32]byte{n})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealedIsForItsReaders(t *testing.T) {
	t.Parallel()
	ada, bo, cy := secret(t, 1), secret(t, 2), secret(t, 3)
	b, err := sealed.Seal([]byte("here"), []byte("between us"), ada.PublicKey().Bytes(), bo.PublicKey().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("between")) {
		t.Fatal("the text stands in the open")
	}
	for _, s := range []*ecdh.PrivateKey{ada, bo} {
		if got, err := sealed.Open([]byte("here"), b, cy, s); err != nil || string(got) != "between us" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := sealed.Open([]byte("here"), b, cy); !errors.Is(err, sealed.ErrNotForMe) {
		t.Errorf("a stranger: %v", err)
	}
	if _, err := sealed.Open([]byte("there"), b, ada); err == nil {
		t.Error("opened in another conversation")
	}
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 1
		if got, err := sealed.Open([]byte("here"), bad, ada); err == nil && string(got) != "between us" {
			t.Fatalf("byte %d changed, opened as %q", i, got)
		}
	}
	if _, err := sealed.Seal(nil, nil); err == nil {
		t.Error("sealed for nobody")
	}
	if _, err := sealed.Seal(nil, nil, make([]byte, 31)); err == nil {
		t.Error("sealed for half a key")
	}
	if again := secret(t, 1); !again.Equal(ada) || secret(t, 2).Equal(ada) {
		t.Error("secrets are not made of their seeds")
	}
}

func FuzzOpen(f *testing.F) {
	s := secret(f, 1)
	b, err := sealed.Seal([]byte("here"), []byte("text"), s.PublicKey().Bytes())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if got, err := sealed.Open([]byte("here"), raw, s); err == nil && !bytes.Equal(raw, b) && string(got) != "text" {
			t.Fatalf("forged %q", got)
		}
	})
}
