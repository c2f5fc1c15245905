// Package pay is x402: how a reply of 402 says what something costs, how a
// request carries a payment, and what must be true of one before it counts. Both
// versions of the protocol are supported, version 1 in the body of a reply and the
// header X-PAYMENT, version 2 in the headers PAYMENT-REQUIRED and
// PAYMENT-SIGNATURE.
//
// A payment is a transfer of a token that its holder has signed (EIP-3009) and
// that somebody else sends. This package judges its form, terms and signature.
// Whether its nonce was used and where the money comes from is the business of
// the ledger (gateway/state) and of a facilitator, the service that sends
// transfers to the chain; the client of one is here.
//
// Start with Offer for a reply and Offered.Read for a request.
package pay

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
)

// Network is a chain and the token that is taken on it.
type Network struct {
	Name  string // as version 1 calls it
	Chain uint64
	Token wallet.TokenDomain
}

// CAIP is the network as version 2 calls it.
func (n Network) CAIP() string { return "eip155:" + strconv.FormatUint(n.Chain, 10) }

// Networks are those that payments are taken on, with USDC as its issuer deployed
// it. It has six digits after the point, so that one unit is a millionth of a
// dollar.
func Networks() []Network { return slices.Clone(networks) }

var networks = []Network{
	usdc("base", 8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin"),
	usdc("base-sepolia", 84532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC"),
}

func usdc(name string, chain uint64, contract, token string) Network {
	at, err := did.ParseAddress(contract)
	if err != nil {
		panic(fmt.Sprintf("contract of %s: %v", name, err))
	}
	return Network{name, chain, wallet.TokenDomain{Name: token, Version: "2", Chain: chain, Contract: at}}
}

// FindNetwork finds a network by the name that version 1 has for it.
func FindNetwork(name string) (Network, bool) {
	at := slices.IndexFunc(networks, func(n Network) bool { return n.Name == name })
	if at < 0 {
		return Network{}, false
	}
	return networks[at], true
}

// Terms are what a payment must be.
type Terms struct {
	Network Network
	Amount  int64 // millionths of a dollar, which are units of the token
	PayTo   did.Address
}

// InMemory reports whether the amount is so small that it is taken from an account
// here instead of the chain.
func (t Terms) InMemory() bool { return t.Amount < InMemoryBelow }

// Offer says what something costs. Without terms there is no way to pay for it by
// x402 here.
type Offer struct {
	Resource    string // URL
	Description string
	Terms       []Terms
}

// Scheme is the one scheme of payments that is taken: exactly the amount.
const Scheme = "exact"

const mimeType = "application/json"

// Extra is what a wallet needs to know of the token to sign.
type Extra struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Accept1 is a way to pay as version 1 writes it.
type Accept1 struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	MaxAmountRequired string `json:"maxAmountRequired" doc:"units of the asset"`
	Resource          string `json:"resource"`
	Description       string `json:"description"`
	MimeType          string `json:"mimeType"`
	PayTo             string `json:"payTo"`
	Asset             string `json:"asset"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Extra             Extra  `json:"extra"`
}

// Accept2 is a way to pay as version 2 writes it.
type Accept2 struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	Amount            string `json:"amount"`
	Asset             string `json:"asset"`
	PayTo             string `json:"payTo"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Extra             Extra  `json:"extra"`
}

// Resource is what is paid for, as version 2 writes it.
type Resource struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	MimeType    string `json:"mimeType,omitempty"`
}

// Required2 is the object of version 2 that requests a payment.
type Required2 struct {
	X402Version int       `json:"x402Version"`
	Error       string    `json:"error"`
	Resource    Resource  `json:"resource"`
	Accepts     []Accept2 `json:"accepts"`
}

func (t Terms) extra() Extra { return Extra{t.Network.Token.Name, t.Network.Token.Version} }

// v1 are the terms of an offer as version 1 writes them.
func (t Terms) v1(o Offer) Accept1 {
	return Accept1{Scheme, t.Network.Name, strconv.FormatInt(t.Amount, 10), o.Resource, o.Description, mimeType, t.PayTo.String(),
		t.Network.Token.Contract.String(), int(Timeout.Seconds()), t.extra()}
}

func (t Terms) v2() Accept2 {
	return Accept2{Scheme, t.Network.CAIP(), strconv.FormatInt(t.Amount, 10), t.Network.Token.Contract.String(), t.PayTo.String(),
		int(Timeout.Seconds()), t.extra()}
}

// Accepts1 are the ways to pay for version 1; never nil.
func (o Offer) Accepts1() []Accept1 {
	out := []Accept1{}
	for _, t := range o.Terms {
		out = append(out, t.v1(o))
	}
	return out
}

// Required2 requests the payment in version 2.
func (o Offer) Required2(text string) Required2 {
	r := Required2{X402Version: 2, Error: text, Resource: Resource{o.Resource, o.Description, mimeType}, Accepts: []Accept2{}}
	for _, t := range o.Terms {
		r.Accepts = append(r.Accepts, t.v2())
	}
	return r
}

// Header is the value of PAYMENT-REQUIRED.
func (o Offer) Header(text string) (string, error) { return encode(o.Required2(text)) }

// PaymentReceipt says what became of a payment.
type PaymentReceipt struct {
	Success     bool    `json:"success"`
	Transaction *string `json:"transaction" doc:"on the chain; null when none was needed"`
	Network     string  `json:"network"`
	Payer       string  `json:"payer"`
	Amount      string  `json:"amount" doc:"units of the asset"`
	Mode        string  `json:"mode" enum:"in_memory,on_chain,credits"`
	SettledAt   string  `json:"settledAt"`
	ReceiptID   string  `json:"receipt_id"`
}

// Header is the value of the header that gives a receipt to a client of x402.
func (r PaymentReceipt) Header() (string, error) { return encode(r) }

func encode(v any) (string, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode for a header: %w", err)
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}
