package pay

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/wallet"
)

// The headers of both versions.
const (
	Header1         = "X-PAYMENT"
	Header2         = "PAYMENT-SIGNATURE"
	HeaderRequired  = "PAYMENT-REQUIRED"
	HeaderResponse1 = "X-PAYMENT-RESPONSE"
	HeaderResponse2 = "PAYMENT-RESPONSE"
)

// Offered is a payment as a request carries it, not read yet: what is free is not
// to be refused for a broken payment. The zero Offered is none.
type Offered struct {
	first, second []string        // values of the headers
	object        json.RawMessage // instead, without base64
}

// FromHeaders takes what may be a payment from a request.
func FromHeaders(h http.Header) Offered {
	return Offered{first: h.Values(Header1), second: h.Values(Header2)}
}

// FromObject takes what may be a payment from a message that carries it as JSON.
func FromObject(raw json.RawMessage) Offered { return Offered{object: raw} }

// None reports whether there is no payment.
func (o Offered) None() bool { return len(o.first)+len(o.second)+len(o.object) == 0 }

// Payment is a payment whose form is right. Nothing else is known of it.
type Payment struct {
	Version   int // 1 or 2
	Network   string
	Scheme    string
	Accepted  *Accept2 // of version 2: the terms that the client took
	Transfer  wallet.Transfer
	Signature []byte
	Raw       json.RawMessage // as the client sent it
}

// Read reads the payment. What is wrong with its form is payment_malformed.
func (o Offered) Read() (*Payment, error) {
	if o.object != nil {
		return parse(o.object, 0)
	}
	if len(o.first)+len(o.second) != 1 {
		return nil, malformed("there must be one payment, in %s or %s", Header2, Header1)
	}
	version, text := 1, ""
	if len(o.second) == 1 {
		version, text = 2, o.second[0]
	} else {
		text = o.first[0]
	}
	if base64.StdEncoding.DecodedLen(len(text)) > maxHeader+2 {
		return nil, malformed("the payment has over %d bytes", maxHeader)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, malformed("the payment is not base64")
	}
	return parse(raw, version)
}

func malformed(format string, args ...any) error {
	return reason.Refuse(reason.PaymentMalformed, format, args...)
}

// number is a small whole number, which some clients write as a text.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.Atoi(strings.Trim(string(b), `"`))
	*n = number(v)
	return err
}

type authorization struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`
	ValidAfter  string `json:"validAfter"`
	ValidBefore string `json:"validBefore"`
	Nonce       string `json:"nonce"`
}

type payload struct {
	Signature     string        `json:"signature"`
	Authorization authorization `json:"authorization"`
}

// parse reads the object of a payment; version 0 is whichever it says.
func parse(raw []byte, version int) (*Payment, error) {
	if len(raw) > maxHeader {
		return nil, malformed("the payment has over %d bytes", maxHeader)
	}
	canonical, _, err := jcs.CanonicalObject(raw) // no key twice, no broken text
	if err != nil {
		return nil, malformed("the payment is not a JSON object")
	}
	var said struct {
		X402Version *number `json:"x402Version"`
	}
	if json.Unmarshal(canonical, &said) != nil || said.X402Version == nil || *said.X402Version != 1 && *said.X402Version != 2 {
		return nil, malformed("x402Version must be 1 or 2")
	}
	if version != 0 && version != int(*said.X402Version) {
		return nil, malformed("x402Version does not go with the header")
	}
	p := &Payment{Version: int(*said.X402Version), Raw: bytes.Clone(canonical)}
	var body payload
	if p.Version == 1 {
		var m struct {
			X402Version number  `json:"x402Version"`
			Scheme      string  `json:"scheme"`
			Network     string  `json:"network"`
			Payload     payload `json:"payload"`
		}
		err = strict(canonical, &m)
		p.Scheme, p.Network, body = m.Scheme, m.Network, m.Payload
	} else {
		var m struct {
			X402Version number          `json:"x402Version"`
			Resource    json.RawMessage `json:"resource"`
			Extensions  json.RawMessage `json:"extensions"`
			Accepted    *Accept2        `json:"accepted"`
			Payload     payload         `json:"payload"`
		}
		err = strict(canonical, &m)
		if err == nil && m.Accepted == nil {
			err = errors.New("accepted is missing")
		}
		if err == nil {
			p.Accepted, p.Scheme, p.Network, body = m.Accepted, m.Accepted.Scheme, m.Accepted.Network, m.Payload
		}
	}
	if err != nil {
		return nil, malformed("the payment lacks what it needs, or has what nobody knows")
	}
	return p, p.take(body)
}

func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// take reads the signed transfer.
func (p *Payment) take(b payload) error {
	a, t := b.Authorization, &p.Transfer
	var errs [7]error
	t.From, errs[0] = did.ParseAddress(a.From)
	t.To, errs[1] = did.ParseAddress(a.To)
	t.Value, errs[2] = decimal(a.Value)
	t.ValidAfter, errs[3] = decimal(a.ValidAfter)
	t.ValidBefore, errs[4] = decimal(a.ValidBefore)
	errs[5] = hexBytes(a.Nonce, 32, 32, func(raw []byte) { t.Nonce = [32]byte(raw) })
	errs[6] = hexBytes(b.Signature, 1, maxSignature, func(raw []byte) { p.Signature = raw })
	for i, name := range []string{"from", "to", "value", "validAfter", "validBefore", "nonce", "signature"} {
		if errs[i] != nil {
			return malformed("%s cannot be read", name)
		}
	}
	return nil
}

// decimal reads a number without sign, point or leading zeros.
func decimal(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err == nil && strconv.FormatUint(n, 10) != s {
		err = fmt.Errorf("%q is not written as a number is", s)
	}
	return n, err
}

func hexBytes(s string, least, most int, take func([]byte)) error {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) < least || len(raw) > most {
		return errors.New("want 0x and hex digits")
	}
	take(raw)
	return nil
}

// ByContract reports whether the signature is none of a plain wallet's. Only the
// chain can judge those, so a facilitator has to.
func (p *Payment) ByContract() bool { return len(p.Signature) != wallet.SignatureSize }

// Check compares a payment with the terms of an offer, at a time, and returns those that
// it meets. In this order it refuses with payment_unsupported, payment_amount,
// payment_expired and payment_signature. A signature of a contract wallet passes
// where the terms go over the chain: whoever settles has to judge it.
func (p *Payment) Check(offer Offer, now time.Time) (Terms, error) {
	var terms Terms
	found := false
	for _, t := range offer.Terms {
		name := t.Network.Name
		if p.Version == 2 {
			name = t.Network.CAIP()
		}
		if p.Scheme == Scheme && p.Network == name && (p.Accepted == nil || same(p.Accepted.Asset, t.Network.Token.Contract)) {
			terms, found = t, true
			break
		}
	}
	if !found {
		return terms, reason.Refuse(reason.PaymentUnsupported, "no such scheme, network and asset is offered")
	}
	if a := p.Accepted; a != nil && (a.Amount != strconv.FormatInt(terms.Amount, 10) || !same(a.PayTo, terms.PayTo)) {
		return terms, reason.Refuse(reason.PaymentAmount, "accepted is none of the ways to pay that are offered")
	}
	if p.Transfer.To != terms.PayTo || terms.Amount < 0 || p.Transfer.Value != uint64(terms.Amount) {
		return terms, reason.Refuse(reason.PaymentAmount, "the transfer must be of %d units to %s", terms.Amount, terms.PayTo)
	}
	at := now.Unix()
	after, before := int64(min(p.Transfer.ValidAfter, maxSecond)), int64(min(p.Transfer.ValidBefore, maxSecond))
	if at < after || at >= before-int64(margin.Seconds()) || before-at > int64(maxWindow.Seconds()) {
		return terms, reason.Refuse(reason.PaymentExpired, "the authorisation must hold now, for more than %d s and at most %d s",
			int(margin.Seconds()), int(maxWindow.Seconds()))
	}
	if p.ByContract() {
		if terms.InMemory() {
			return terms, reason.Refuse(reason.PaymentSignature, "a contract wallet cannot pay an amount that does not go over the chain")
		}
		return terms, nil
	}
	who, err := wallet.Recover(p.Transfer.Digest(terms.Network.Token), p.Signature)
	if err != nil || who != p.Transfer.From {
		return terms, reason.Refuse(reason.PaymentSignature, "the signature is not one of from over this transfer")
	}
	return terms, nil
}

// maxSecond is as far ahead as times of an authorisation are distinguished.
const maxSecond = 1 << 40

func same(text string, a did.Address) bool {
	b, err := did.ParseAddress(text)
	return err == nil && a == b
}

// Nonce is the nonce as the chain writes it.
func (p *Payment) Nonce() string { return "0x" + hex.EncodeToString(p.Transfer.Nonce[:]) }
