package visit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/cmd/meshd/agent"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
)

// accept is a way to pay by x402, version 1, as a gateway offers it.
type accept struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	MaxAmountRequired string `json:"maxAmountRequired"`
	PayTo             string `json:"payTo"`
	Asset             string `json:"asset"`
}

// sign has the wallet sign a payment of exactly the price of the entry, by the first offer
// of a token that is known here. Its nonce is the same each time, so that the token moves
// the money once whatever a gateway does with two payments; with anew it is another.
func (b buying) sign(due json.RawMessage, g *gateway, who whoami, w wanted) (http.Header, error) {
	var r struct{ Accepts []accept }
	if err := session.Decode(due, &r); err != nil {
		return nil, err
	}
	for _, a := range r.Accepts {
		network, ok := pay.FindNetwork(a.Network)
		asset, err := did.ParseAddress(a.Asset)
		if !ok || err != nil || a.Scheme != pay.Scheme || asset != network.Token.Contract {
			continue
		}
		to, err := did.ParseAddress(a.PayTo)
		if err != nil {
			continue
		}
		if a.MaxAmountRequired != strconv.FormatInt(w.micro(), 10) {
			return nil, fmt.Errorf("%s asks for %.40s units, and the author of the entry for %s; nothing was signed", g.Base, a.MaxAmountRequired, usd(w.Price))
		}
		key, err := agent.ReadWallet(b.walletFile)
		if err != nil {
			return nil, err
		}
		nonce, err := b.nonce(key, g, who, w)
		if err != nil {
			return nil, err
		}
		return payment(network, key, to, uint64(w.micro()), nonce, time.Now())
	}
	return nil, fmt.Errorf("the account has too few credits, and %s takes no payment that a wallet here can sign", g.Base)
}

// nonce is that of the one payment of a wallet for an entry at a gateway.
func (b buying) nonce(key *wallet.Key, g *gateway, who whoami, w wanted) (n [32]byte, err error) {
	if b.anew {
		_, err = rand.Read(n[:])
		return n, err
	}
	secret := key.SignText(strings.Join([]string{"meshd buy", g.service, who.AgentID, w.ID}, "\n")) // nobody else can guess it
	return sha256.Sum256(secret[:]), nil
}

// payment is the header that pays by x402, version 1.
func payment(network pay.Network, key *wallet.Key, to did.Address, units uint64, nonce [32]byte, now time.Time) (http.Header, error) {
	t := wallet.Transfer{From: key.Address(), To: to, Value: units, ValidAfter: uint64(now.Add(-paymentTime).Unix()), ValidBefore: uint64(now.Add(paymentTime).Unix()), Nonce: nonce}
	sig := key.SignDigest(t.Digest(network.Token))
	raw, err := json.Marshal(map[string]any{"x402Version": 1, "scheme": pay.Scheme, "network": network.Name, "payload": map[string]any{
		"signature": "0x" + hex.EncodeToString(sig[:]), "authorization": map[string]any{
			"from": t.From.String(), "to": t.To.String(), "value": strconv.FormatUint(t.Value, 10), "validAfter": strconv.FormatUint(t.ValidAfter, 10),
			"validBefore": strconv.FormatUint(t.ValidBefore, 10), "nonce": "0x" + hex.EncodeToString(nonce[:])}}})
	if err != nil {
		return nil, fmt.Errorf("write payment: %w", err)
	}
	return http.Header{pay.Header1: {base64.StdEncoding.EncodeToString(raw)}}, nil
}
