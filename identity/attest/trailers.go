package attest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Trailers is a code attestation as three lines at the end of a commit message.
// They sign the digest of the files and nothing else: the commit that contains them
// has no name yet when they are made.
type Trailers struct {
	Digest    [sha256.Size]byte
	Author    did.Key
	Signature [keys.SignatureSize]byte
}

// The names of the trailers.
const (
	trailerDigest    = "Mesh-Attest-Digest"
	trailerAuthor    = "Mesh-Attest-Author"
	trailerSignature = "Mesh-Attest-Signature"
)

// trailerMessage is what is signed: "mesh-changeset-v1\0" ‖ digest.
func trailerMessage(digest [sha256.Size]byte) []byte {
	return append([]byte("mesh-changeset-v1\x00"), digest[:]...)
}

// SignTrailers attests files as the signer, with ErrFiles as Digest has it.
func SignTrailers(files []File, signer keys.Signer) (Trailers, error) {
	digest, err := Digest(files)
	if err != nil {
		return Trailers{}, err
	}
	return Trailers{digest, signer.Key(), signer.Sign(trailerMessage(digest))}, nil
}

// String is the three lines, each ended by a line feed.
func (t Trailers) String() string {
	return fmt.Sprintf("%s: sha256:%x\n%s: %s\n%s: %s\n", trailerDigest, t.Digest, trailerAuthor, t.Author,
		trailerSignature, base64.RawURLEncoding.EncodeToString(t.Signature[:]))
}

// ParseTrailers finds the three lines among others in at most MaxTrailers bytes
// of a commit message. Each must be there once, in the spelling of String; their
// order is free. Its errors wrap ErrTrailers.
func ParseTrailers(message string) (Trailers, error) {
	if len(message) > MaxTrailers {
		return Trailers{}, fmt.Errorf("%w: %d bytes, at most %d", ErrTrailers, len(message), MaxTrailers)
	}
	found := map[string]string{}
	for line := range strings.Lines(message) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok || name != trailerDigest && name != trailerAuthor && name != trailerSignature {
			continue
		}
		if _, twice := found[name]; twice {
			return Trailers{}, fmt.Errorf("%w: %s twice", ErrTrailers, name)
		}
		found[name] = value
	}
	var t Trailers
	sum, err := parseHash(strings.TrimPrefix(found[trailerDigest], "sha256:"))
	if err != nil || !strings.HasPrefix(found[trailerDigest], "sha256:") {
		return Trailers{}, fmt.Errorf("%w: %s: want sha256: and 64 hex digits", ErrTrailers, trailerDigest)
	}
	t.Digest = sum
	if t.Author, err = did.ParseKey(found[trailerAuthor]); err != nil {
		return Trailers{}, fmt.Errorf("%w: %s: %w", ErrTrailers, trailerAuthor, err)
	}
	sig, err := base64.RawURLEncoding.DecodeString(found[trailerSignature])
	if err != nil || len(sig) != keys.SignatureSize || base64.RawURLEncoding.EncodeToString(sig) != found[trailerSignature] {
		return Trailers{}, fmt.Errorf("%w: %s: want 64 bytes in unpadded base64url", ErrTrailers, trailerSignature)
	}
	t.Signature = [keys.SignatureSize]byte(sig)
	return t, nil
}

// Verify returns nil when the author of the trailers signed exactly these files:
// ErrSignature when the signature is not the author's, ErrMismatch when the
// files have another digest, ErrFiles when they have none.
func (t Trailers) Verify(files []File) error {
	if !keys.Verify(t.Author, trailerMessage(t.Digest), t.Signature[:]) {
		return fmt.Errorf("%w: %s", ErrSignature, t.Author)
	}
	got, err := Digest(files)
	if err != nil {
		return err
	}
	if got != t.Digest {
		return fmt.Errorf("%w: digest of the files is %s", ErrMismatch, hex.EncodeToString(got[:]))
	}
	return nil
}
