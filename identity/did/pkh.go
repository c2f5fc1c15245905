package did

import (
	"fmt"
	"strconv"
	"strings"
)

// Account is a wallet on one EVM chain. Its text is
// "did:pkh:eip155:<chain>:0x…" (did:pkh over CAIP-10), the chain in decimal
// without leading zeros, the address in its EIP-55 form. The same address on
// two chains is two accounts.
type Account struct {
	Chain   uint64 // CAIP-2 reference, 1…MaxChain
	Address Address
}

const pkhPrefix = "did:pkh:eip155:"

// ParseAccount reads the did:pkh text of an EVM account, strictly.
func ParseAccount(s string) (Account, error) {
	if len(s) > maxText {
		return Account{}, fmt.Errorf("%w: too long", ErrSyntax)
	}
	rest, ok := strings.CutPrefix(s, pkhPrefix)
	if !ok {
		return Account{}, fmt.Errorf("%w: want did:pkh:eip155:…", ErrSyntax)
	}
	number, address, ok := strings.Cut(rest, ":")
	if !ok {
		return Account{}, fmt.Errorf("%w: want did:pkh:eip155:<chain>:<address>", ErrSyntax)
	}
	chain, err := ParseChain(number)
	if err != nil {
		return Account{}, err
	}
	a, err := ParseChecksummed(address)
	if err != nil {
		return Account{}, err
	}
	return Account{Chain: chain, Address: a}, nil
}

// ParseChain reads the number of an EVM chain: 1…2^53-1 in decimal without sign
// or leading zeros.
func ParseChain(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n == 0 || n > MaxChain || strconv.FormatUint(n, 10) != s {
		return 0, fmt.Errorf("%w: chain number out of range or not canonical", ErrSyntax)
	}
	return n, nil
}

// String is the did:pkh text of a.
func (a Account) String() string {
	return pkhPrefix + strconv.FormatUint(a.Chain, 10) + ":" + a.Address.String()
}
