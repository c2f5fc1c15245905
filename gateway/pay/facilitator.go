package pay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/identity/wallet"
)

// Errors of a Facilitator.
var (
	// ErrUnreachable: it gave no answer to a question that moves nothing.
	ErrUnreachable = errors.New("facilitator cannot be reached")
	// ErrUnknown: it was asked to send a transfer, and whether it did is not known.
	ErrUnknown = errors.New("facilitator does not say what became of the transfer")
)

// Declined is a facilitator's refusal, with the reason it gave.
type Declined struct{ Reason string }

func (d *Declined) Error() string { return "facilitator declines: " + d.Reason }

// Facilitator sends signed transfers to a chain. What it answers is compared with
// what was asked; that it is right about the chain is not checked here.
type Facilitator struct {
	base   string
	client *http.Client
}

// NewFacilitator returns the client of a facilitator. The address must be https;
// plain http is for one on this machine.
func NewFacilitator(base string) (*Facilitator, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, errors.New("a facilitator needs an https address; http is for this machine alone")
	}
	return &Facilitator{strings.TrimRight(base, "/"), &http.Client{
		// A redirect would take a payment to somebody else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Verify asks whether a payment would go through. It is a *Declined when not, and
// ErrUnreachable when nobody says.
func (f *Facilitator) Verify(ctx context.Context, p *Payment, t Terms, o Offer) error {
	var v struct {
		IsValid       *bool  `json:"isValid"`
		InvalidReason string `json:"invalidReason"`
		Payer         string `json:"payer"`
	}
	if err := f.post(ctx, "/verify", verifyTime, p, t, o, &v); err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	switch {
	case v.IsValid == nil:
		return fmt.Errorf("%w: the answer does not say isValid", ErrUnreachable)
	case !*v.IsValid:
		return &Declined{clip(v.InvalidReason)}
	case v.Payer != "" && !same(v.Payer, p.Transfer.From), v.Payer == "" && p.ByContract():
		return &Declined{"the payer is another"}
	}
	return nil
}

// Settle has a payment sent, and returns its transaction once the chain has it. It
// is a *Declined when the facilitator says that nothing was sent, and ErrUnknown in
// every other case, also when the answer is about another payer, network or
// amount.
func (f *Facilitator) Settle(ctx context.Context, p *Payment, t Terms, o Offer) (transaction string, err error) {
	var v struct {
		Success     *bool           `json:"success"`
		ErrorReason string          `json:"errorReason"`
		Payer       string          `json:"payer"`
		Transaction string          `json:"transaction"`
		Network     string          `json:"network"`
		Amount      json.RawMessage `json:"amount"`
	}
	if err := f.post(ctx, "/settle", settleTime, p, t, o, &v); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	amount := strings.Trim(string(v.Amount), `"`)
	switch {
	case v.Success == nil:
		return "", fmt.Errorf("%w: the answer does not say success", ErrUnknown)
	case !*v.Success && v.Transaction == "":
		return "", &Declined{clip(v.ErrorReason)}
	case !*v.Success:
		return "", fmt.Errorf("%w: it failed and names a transaction", ErrUnknown)
	case !IsTransaction(v.Transaction):
		return "", fmt.Errorf("%w: no transaction is named", ErrUnknown)
	case v.Payer != "" && !same(v.Payer, p.Transfer.From):
		return "", fmt.Errorf("%w: the payer is another", ErrUnknown)
	case v.Network != t.Network.Name && v.Network != t.Network.CAIP():
		return "", fmt.Errorf("%w: the network is another", ErrUnknown)
	case amount != "" && amount != "null" && amount != strconv.FormatInt(t.Amount, 10):
		return "", fmt.Errorf("%w: the amount is another", ErrUnknown)
	}
	return strings.ToLower(v.Transaction), nil
}

// post asks one question. The body is what the client sent beside what was asked
// of it, both in the client's version.
func (f *Facilitator) post(ctx context.Context, path string, most time.Duration, p *Payment, t Terms, o Offer, into any) error {
	var asked any = t.v1(o)
	if p.Version == 2 {
		asked = t.v2()
	}
	raw, err := json.Marshal(map[string]any{"x402Version": p.Version, "paymentPayload": p.Raw, "paymentRequirements": asked})
	if err != nil {
		return fmt.Errorf("encode question: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.base+path, bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("ask facilitator: %w", err)
	}
	r.Header.Set("Content-Type", mimeType)
	res, err := f.client.Do(r)
	if err != nil {
		return fmt.Errorf("ask facilitator: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case err != nil:
		return fmt.Errorf("read answer: %w", err)
	case len(answer) > maxReply:
		return errors.New("the answer is too long")
	case res.StatusCode >= 500 || res.StatusCode >= 300 && res.StatusCode < 400:
		return fmt.Errorf("it answered with status %d", res.StatusCode)
	}
	if err := json.Unmarshal(answer, into); err != nil { // a refusal may come with 400 and the same object
		return errors.New("the answer is not the object it should be")
	}
	return nil
}

// IsTransaction reports whether s can name a transaction: 0x and hex digits.
func IsTransaction(s string) bool {
	digits, ok := strings.CutPrefix(s, "0x")
	return ok && digits != "" && len(s) <= maxHash && !strings.ContainsFunc(digits, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F')
	})
}

// clip keeps of a stranger's word what may be repeated: letters, digits and _.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, s)
	if s == "" {
		return "unspecified"
	}
	return s[:min(len(s), maxReason)]
}

// ByTreasury is a payment that the gateway itself signs, to pay somebody out.
func ByTreasury(n Network, t wallet.Transfer, sign func(digest [32]byte) [65]byte) (*Payment, Terms, error) {
	terms := Terms{Network: n, Amount: int64(t.Value), PayTo: t.To}
	sig := sign(t.Digest(n.Token))
	p := &Payment{Version: 2, Scheme: Scheme, Network: n.CAIP(), Transfer: t, Signature: sig[:]}
	accepted := terms.v2()
	p.Accepted = &accepted
	raw, err := json.Marshal(map[string]any{"x402Version": 2, "accepted": accepted, "payload": payload{
		Signature: fmt.Sprintf("0x%x", sig), Authorization: authorization{t.From.String(), t.To.String(), strconv.FormatUint(t.Value, 10),
			strconv.FormatUint(t.ValidAfter, 10), strconv.FormatUint(t.ValidBefore, 10), p.Nonce()}}})
	p.Raw = raw
	return p, terms, err
}
