package account

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

func FuzzReadSignature(f *testing.F) {
	for _, text := range []string{"", "0x", strings.Repeat("00", 64), "0x" + strings.Repeat("ff", 65), strings.Repeat("A", 86), strings.Repeat("A", 87) + "==", strings.Repeat("0", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, size := range []int{keys.SignatureSize, wallet.SignatureSize} {
			sig, err := readSignature(text, size)
			if err != nil {
				if len(text) > 16 && strings.Contains(err.Error(), text) {
					t.Fatalf("the error repeats %q", text)
				}
				continue
			}
			if len(sig) != size || len(text) > call.MaxSignature {
				t.Fatalf("%q gave %d bytes, want %d", text, len(sig), size)
			}
			for _, spelt := range []string{hex.EncodeToString(sig), base64.RawURLEncoding.EncodeToString(sig)} {
				if again, err := readSignature(spelt, size); err != nil || !bytes.Equal(again, sig) {
					t.Fatalf("%q does not give the signature of %q: %v", spelt, text, err)
				}
			}
		}
	})
}
