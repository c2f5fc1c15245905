package did

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The examples of EIP-55.
var checksummed = []string{
	"0x52908400098527886E0F7030069857D2E4169EE7",
	"0x8617E340B3D01FA5F11F306F4090FD50E238070D",
	"0xde709f2102306220921060314715629080e2fb77",
	"0x27b1fdb04752bbc536007a920d24acb045561c26",
	"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
	"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
	"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
	"0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
}

func TestAddressChecksum(t *testing.T) {
	t.Parallel()
	for _, want := range checksummed {
		lower, err := ParseAddress(strings.ToLower(want))
		if err != nil {
			t.Fatal(err)
		}
		upper, err := ParseAddress("0x" + strings.ToUpper(want[2:]))
		if err != nil {
			t.Fatal(err)
		}
		exact, err := ParseChecksummed(want)
		if err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if lower != exact || upper != exact || exact.String() != want {
			t.Errorf("%s is read as %s, %s, %s", want, lower, upper, exact)
		}
	}
}

func TestAddressRefuses(t *testing.T) {
	t.Parallel()
	const good = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	for name, s := range map[string]string{
		"empty":          "",
		"no prefix":      good[2:],
		"upper prefix":   "0X" + good[2:],
		"short":          good[:41],
		"long":           good + "0",
		"no hex":         good[:41] + "g",
		"wrong checksum": strings.Replace(good, "aA", "Aa", 1),
	} {
		if a, err := ParseAddress(s); !errors.Is(err, ErrSyntax) || a != (Address{}) {
			t.Errorf("%s: %s, %v", name, a, err)
		}
	}
	if _, err := ParseChecksummed(strings.ToLower(good)); !errors.Is(err, ErrSyntax) {
		t.Errorf("strict form takes lower case: %v", err)
	}
}

func TestParseControllerRefuses(t *testing.T) {
	t.Parallel()
	const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	if _, err := ParseController("did:pkh:eip155:8453:" + address); err != nil {
		t.Fatalf("the base of this table does not parse: %v", err)
	}
	cases := map[string]struct {
		text string
		want error
	}{
		"no DID":          {address, ErrSyntax},
		"did:web":         {"did:web:example.org", ErrMethod},
		"other namespace": {"did:pkh:solana:1:" + address, ErrSyntax},
		"chain 0":         {"did:pkh:eip155:0:" + address, ErrSyntax},
		"leading zero":    {"did:pkh:eip155:01:" + address, ErrSyntax},
		"sign":            {"did:pkh:eip155:+1:" + address, ErrSyntax},
		"no chain":        {"did:pkh:eip155::" + address, ErrSyntax},
		"chain 2^53":      {"did:pkh:eip155:9007199254740992:" + address, ErrSyntax},
		"chain 2^64":      {"did:pkh:eip155:18446744073709551616:" + address, ErrSyntax},
		"no address":      {"did:pkh:eip155:1", ErrSyntax},
		"lower case":      {"did:pkh:eip155:1:" + strings.ToLower(address), ErrSyntax},
		"more":            {"did:pkh:eip155:1:" + address + ":1", ErrSyntax},
		"fragment":        {"did:pkh:eip155:1:" + address + "#x", ErrSyntax},
		"long":            {"did:pkh:eip155:1:" + strings.Repeat("0", 1<<12), ErrSyntax},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d, err := ParseController(c.text); !errors.Is(err, c.want) || !d.IsZero() {
				t.Errorf("%v, %v, want %v", d, err, c.want)
			}
		})
	}
}

func TestAccountTextRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := Account{
			Chain:   rapid.Uint64Range(1, MaxChain).Draw(t, "chain"),
			Address: Address(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address")),
		}
		d, err := ParseController(a.String())
		if err != nil || d != OfAccount(a) {
			t.Fatalf("%s read back as %s, %v", a, d, err)
		}
		if got, ok := d.Account(); !ok || got != a {
			t.Fatalf("account of %s is %v, %v", d, got, ok)
		}
	})
}
