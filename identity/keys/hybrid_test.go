package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func hybrid(b byte) *HybridSigner {
	return NewHybridSigner(signer(b), [32]byte(bytes.Repeat([]byte{b + 1}, 32)))
}

func TestHybridMessageIsTheSpecified(t *testing.T) {
	t.Parallel()
	key := hybrid(1).Key()
	got, err := HybridMessage("change", []byte("payload"), key)
	if err != nil {
		t.Fatal(err)
	}
	payload := sha256.Sum256([]byte("payload"))
	both := sha256.Sum256(append(bytes.Clone(key.Key.Public()), key.PQ...))
	want := "mesh-hybrid-v1\x00" + "\x06change" + string(payload[:]) + string(both[:])
	if string(got) != want {
		t.Errorf("message %x, want %x", got, want)
	}
}

// The ML-DSA-65 key of FIPS 204 for the seed 00…1f, by its hash, so that another
// version of the library, or another library, is noticed.
func TestPQKeyOfASeedIsStable(t *testing.T) {
	t.Parallel()
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(i)
	}
	sum := sha256.Sum256(PQPublic(seed))
	if got := hex.EncodeToString(sum[:]); got != "d666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9" {
		t.Errorf("key hash %s", got)
	}
}

func TestHybridNeedsBothSignatures(t *testing.T) {
	t.Parallel()
	h, other := hybrid(1), hybrid(5)
	key, payload := h.Key(), []byte("payload")
	sig, sig2, err := h.Sign("change", payload)
	if err != nil {
		t.Fatal(err)
	}
	again, again2, err := h.Sign("change", payload)
	if err != nil || again != sig || !bytes.Equal(again2, sig2) {
		t.Errorf("signatures are not deterministic: %v", err)
	}
	otherSig, otherSig2, err := other.Sign("change", payload)
	if err != nil {
		t.Fatal(err)
	}
	plain := signer(1).Sign(payload)
	spoiled := bytes.Clone(sig2)
	spoiled[100] ^= 1
	mixed := HybridKey{Key: key.Key, PQ: other.Key().PQ}

	cases := map[string]struct {
		key       HybridKey
		purpose   string
		payload   []byte
		sig, sig2 []byte
		want      bool
	}{
		"good":                  {key, "change", payload, sig[:], sig2, true},
		"no Ed25519":            {key, "change", payload, nil, sig2, false},
		"no ML-DSA":             {key, "change", payload, sig[:], nil, false},
		"other Ed25519":         {key, "change", payload, otherSig[:], sig2, false},
		"other ML-DSA":          {key, "change", payload, sig[:], otherSig2, false},
		"plain Ed25519":         {key, "change", payload, plain[:], sig2, false},
		"spoiled ML-DSA":        {key, "change", payload, sig[:], spoiled, false},
		"short ML-DSA":          {key, "change", payload, sig[:], sig2[:len(sig2)-1], false},
		"long ML-DSA":           {key, "change", payload, sig[:], append(bytes.Clone(sig2), 0), false},
		"other purpose":         {key, "passport", payload, sig[:], sig2, false},
		"no purpose":            {key, "", payload, sig[:], sig2, false},
		"other payload":         {key, "change", []byte("Payload"), sig[:], sig2, false},
		"keys of two signers":   {mixed, "change", payload, sig[:], otherSig2, false},
		"short ML-DSA key":      {HybridKey{key.Key, key.PQ[1:]}, "change", payload, sig[:], sig2, false},
		"zero ML-DSA key":       {HybridKey{key.Key, make([]byte, PQKeySize)}, "change", payload, sig[:], sig2, false},
		"signatures in reverse": {key, "change", payload, sig2, sig[:], false},
	}
	for name, c := range cases {
		if got := VerifyHybrid(c.key, c.purpose, c.payload, c.sig, c.sig2); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHybridRefusesPurposes(t *testing.T) {
	t.Parallel()
	for _, purpose := range []string{"", strings.Repeat("x", 256)} {
		if _, _, err := hybrid(1).Sign(purpose, nil); !errors.Is(err, ErrHybrid) {
			t.Errorf("%d bytes: %v", len(purpose), err)
		}
	}
	if _, _, err := hybrid(1).Sign(strings.Repeat("x", 255), nil); err != nil {
		t.Errorf("255 bytes: %v", err)
	}
}

func TestHybridKeyIsACopy(t *testing.T) {
	t.Parallel()
	h := hybrid(1)
	h.Key().PQ[0] ^= 1
	sig, sig2, err := h.Sign("change", nil)
	if err != nil || !VerifyHybrid(h.Key(), "change", nil, sig[:], sig2) {
		t.Errorf("the signer's key can be changed from outside: %v", err)
	}
}

func BenchmarkHybridVerify(b *testing.B) {
	h := hybrid(1)
	sig, sig2, err := h.Sign("change", nil)
	if err != nil {
		b.Fatal(err)
	}
	key := h.Key()
	for b.Loop() {
		if !VerifyHybrid(key, "change", nil, sig[:], sig2) {
			b.Fatal("refused")
		}
	}
}

func BenchmarkHybridSign(b *testing.B) {
	h := hybrid(1)
	for b.Loop() {
		if _, _, err := h.Sign("change", nil); err != nil {
			b.Fatal(err)
		}
	}
}
