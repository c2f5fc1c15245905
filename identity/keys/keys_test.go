package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
)

func signer(b byte) *Private { return FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

// RFC 8032 §7.1, test 2.
func TestSignRFC8032(t *testing.T) {
	t.Parallel()
	p := FromSeed([32]byte(unhex(t, "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")))
	if got := fmt.Sprintf("%x", p.Key().Public()); got != "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c" {
		t.Errorf("public key %s", got)
	}
	sig := p.Sign([]byte{0x72})
	if got := fmt.Sprintf("%x", sig[:]); got != "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00" {
		t.Errorf("signature %s", got)
	}
}

func TestGenerateReadsItsSeed(t *testing.T) {
	t.Parallel()
	p, err := Generate(bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Key() != signer(7).Key() || p.Seed() != [32]byte(bytes.Repeat([]byte{7}, 32)) {
		t.Errorf("key does not come from the bytes read")
	}
	if _, err := Generate(bytes.NewReader(make([]byte, 31))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 bytes: %v", err)
	}
	broken := errors.New("no entropy")
	if _, err := Generate(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("broken source: %v", err)
	}
}

func TestVerifyRefusesOtherLengths(t *testing.T) {
	t.Parallel()
	p := signer(1)
	sig := p.Sign([]byte("m"))
	for _, s := range [][]byte{nil, sig[:63], append(sig[:], 0)} {
		if Verify(p.Key(), []byte("m"), s) {
			t.Errorf("%d bytes verify", len(s))
		}
		var b Batch
		b.Add(p.Key(), []byte("m"), s)
		if b.Verify() {
			t.Errorf("%d bytes verify in a batch", len(s))
		}
	}
}

func TestVerifyAgreesWithBatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b Batch
		want := true
		for i := range rapid.IntRange(0, 12).Draw(t, "count") {
			p := signer(byte(i % 3))
			msg := rapid.SliceOf(rapid.Byte()).Draw(t, "msg")
			sig := p.Sign(msg)
			if rapid.IntRange(0, 9).Draw(t, "spoil") == 0 {
				bit := rapid.IntRange(0, 511).Draw(t, "bit")
				sig[bit/8] ^= 1 << (bit % 8)
			}
			want = want && Verify(p.Key(), msg, sig[:])
			b.Add(p.Key(), msg, sig[:])
		}
		if got := b.Verify(); got != want {
			t.Fatalf("batch %v, one by one %v", got, want)
		}
	})
}

func TestBatchFindsABadOneAcrossItsBound(t *testing.T) {
	t.Parallel()
	p := signer(1)
	msg := []byte("m")
	good := p.Sign(msg)
	bad := good
	bad[40] ^= 1
	const total = 2*maxPending + 3
	for _, at := range []int{-1, 0, maxPending - 1, maxPending, total - 1} {
		paused := 0
		b := Batch{Pause: func() { paused++ }}
		for i := range total {
			sig := good
			if i == at {
				sig = bad
			}
			b.Add(p.Key(), msg, sig[:])
		}
		if got := b.Verify(); got != (at < 0) {
			t.Errorf("bad one at %d: %v", at, got)
		}
		if want := 2; at < 0 && paused != want {
			t.Errorf("paused %d times, want %d", paused, want)
		}
		if b.count != 0 {
			t.Errorf("%d left after Verify", b.count)
		}
	}
}

func TestBatchIsEmptyAfterVerify(t *testing.T) {
	t.Parallel()
	p := signer(1)
	sig := p.Sign([]byte("m"))
	var b Batch
	if !b.Verify() {
		t.Error("an empty batch is bad")
	}
	b.Add(did.Key{}, []byte("m"), sig[:])
	if b.Verify() {
		t.Error("a weak key passes")
	}
	b.Add(p.Key(), []byte("another"), sig[:])
	if b.Verify() {
		t.Error("a bad signature passes")
	}
	b.Add(p.Key(), []byte("m"), sig[:])
	if !b.Verify() {
		t.Error("the bad signature of the batch before is still in")
	}
}

func TestVerifyConcurrently(t *testing.T) {
	t.Parallel()
	p := signer(1)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			msg := []byte{byte(i)}
			sig := p.Sign(msg)
			if !Verify(p.Key(), msg, sig[:]) {
				t.Errorf("message %d does not verify", i)
			}
		})
	}
	wg.Wait()
}

func TestSecretsDoNotPrint(t *testing.T) {
	t.Parallel()
	p := signer(0xab)
	h := NewHybridSigner(p, [32]byte(bytes.Repeat([]byte{0xcd}, 32)))
	var out strings.Builder
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("keys", "private", p, "value", *p, "hybrid", h)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%X", "%q"} {
		fmt.Fprintf(&out, verb+verb+verb, p, *p, h)
	}
	for _, secret := range []string{"abababab", "ABABABAB", "171 171", "cdcdcdcd", "205 205", "q6urq6ur"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is printed", secret)
		}
	}
	if !strings.Contains(out.String(), p.Key().String()) {
		t.Errorf("the public key is not printed: %s", out.String())
	}
}

func FuzzVerify(f *testing.F) {
	p := signer(1)
	sig := p.Sign([]byte("m"))
	key := p.Key()
	f.Add(key[:], []byte("m"), sig[:])
	f.Add(make([]byte, 34), []byte(nil), make([]byte, 64))
	f.Fuzz(func(t *testing.T, keyBytes, msg, sig []byte) {
		if len(keyBytes) != did.KeySize {
			return
		}
		key := did.Key(keyBytes)
		alone := Verify(key, msg, sig)
		var b Batch
		b.Add(key, msg, sig)
		if b.Verify() != alone {
			t.Fatalf("alone %v, batched not", alone)
		}
	})
}

func BenchmarkSign(b *testing.B) {
	p, msg := signer(1), make([]byte, 47)
	for b.Loop() {
		p.Sign(msg)
	}
}

func BenchmarkVerify(b *testing.B) {
	p, msg := signer(1), make([]byte, 47)
	sig := p.Sign(msg)
	for b.Loop() {
		if !Verify(p.Key(), msg, sig[:]) {
			b.Fatal("refused")
		}
	}
}

// BenchmarkBatch reports the time of a whole batch; ns/sig is what compares.
func BenchmarkBatch(b *testing.B) {
	for _, size := range []int{64, 256} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var keys []did.Key
			var sigs [][64]byte
			msg := make([]byte, 47)
			for i := range size {
				p := signer(byte(i))
				keys, sigs = append(keys, p.Key()), append(sigs, p.Sign(msg))
			}
			for b.Loop() {
				var batch Batch
				for i := range size {
					batch.Add(keys[i], msg, sigs[i][:])
				}
				if !batch.Verify() {
					b.Fatal("refused")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/sig")
		})
	}
}
