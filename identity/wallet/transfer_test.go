package wallet

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/meshd/meshd/identity/did"
)

// transferVector is one transfer as ethers signs it; scripts/wallets/transfers.mjs
// makes the file.
type transferVector struct {
	Domain struct {
		Name, Version     string
		ChainID           uint64
		VerifyingContract string
	}
	Secret  string
	Message struct{ From, To, Value, ValidAfter, ValidBefore, Nonce string }

	Separator, Digest, Signature string
}

func TestTransfersAreThoseOfEthers(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/eip3009/transfers.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Transfers []transferVector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Transfers) < 10 {
		t.Fatalf("%d vectors", len(file.Transfers))
	}
	for i, v := range file.Transfers {
		address := func(s string) did.Address {
			a, err := did.ParseChecksummed(s)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		number := func(s string) uint64 {
			n, err := strconv.ParseUint(s, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		d := TokenDomain{v.Domain.Name, v.Domain.Version, v.Domain.ChainID, address(v.Domain.VerifyingContract)}
		tr := Transfer{address(v.Message.From), address(v.Message.To), number(v.Message.Value), number(v.Message.ValidAfter), number(v.Message.ValidBefore),
			[32]byte(unhex(t, v.Message.Nonce))}
		if got := d.Separator(); hex.EncodeToString(got[:]) != v.Separator[2:] {
			t.Errorf("%d: separator %x, want %s", i, got, v.Separator)
		}
		digest := tr.Digest(d)
		if hex.EncodeToString(digest[:]) != v.Digest[2:] {
			t.Errorf("%d: digest %x, want %s", i, digest, v.Digest)
		}
		if who, err := Recover(digest, unhex(t, v.Signature)); err != nil || who != tr.From {
			t.Errorf("%d: recovered %s, %v", i, who, err)
		}
		k, err := KeyFromSecret([SecretSize]byte(unhex(t, v.Secret)))
		if err != nil {
			t.Fatal(err)
		}
		if sig := k.SignDigest(digest); hex.EncodeToString(sig[:]) != v.Signature[2:] {
			t.Errorf("%d: signed %x, want %s", i, sig, v.Signature)
		}
	}
}
