package instance

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// marketOf is the money of the gateway as the settings have it.
func marketOf(home *store.Home, c config.Config) (m market.Market, err error) {
	m.StartingCredits = int64(c.Gateway.StartingCredits) * state.MicroPerCredit
	m.FeeBPS = int64(c.Market.FeeBPS)
	x := c.X402
	if x.PayTo == "" {
		if x.Facilitator != "" || x.TreasuryKey != "" {
			return m, errors.New("x402: facilitator and treasury_key need pay_to")
		}
		return m, nil
	}
	if m.PayTo, err = did.ParseChecksummed(x.PayTo); err != nil {
		return m, fmt.Errorf("x402.pay_to: %w", err)
	}
	var ok bool
	if m.Network, ok = pay.FindNetwork(x.Network); !ok {
		return m, fmt.Errorf("x402.network: %q is not known", x.Network)
	}
	if x.Facilitator != "" {
		if m.Facilitator, err = pay.NewFacilitator(x.Facilitator); err != nil {
			return m, fmt.Errorf("x402.facilitator: %w", err)
		}
	}
	if x.TreasuryKey != "" {
		if m.Treasury, err = treasury(home.Resolve(x.TreasuryKey)); err != nil {
			return m, fmt.Errorf("x402.treasury_key: %w", err)
		}
		if m.StartingCredits > 0 {
			return m, errors.New("x402.treasury_key: with gateway.starting_credits, new agents could buy from one another and have it paid out")
		}
		if m.Treasury.Address() != m.PayTo {
			return m, errors.New("x402.treasury_key: the key is not that of pay_to")
		}
	}
	return m, nil
}

// treasury reads the secret of the wallet that is paid to. The file's content is in
// no error.
func treasury(path string) (*wallet.Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		return nil, errors.Join(err, errors.New("others may read it; chmod 600"))
	}
	raw, err := io.ReadAll(io.LimitReader(f, MaxWalletFile+1))
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(raw)), "0x"))
	if err != nil || len(secret) != wallet.SecretSize {
		return nil, errors.New("want 0x and 64 hex digits")
	}
	return wallet.KeyFromSecret([wallet.SecretSize]byte(secret))
}
