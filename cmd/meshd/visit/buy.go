package visit

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/identity/ucan"
)

// buying is what the flags of buy say.
type buying struct {
	as, gateway, walletFile string
	most                    float64
	yes, anew, capped       bool
}

func cmdBuy(s *session.Session) *cobra.Command {
	var b buying
	c := &cobra.Command{
		Use: "buy ENTRY", Short: "Buy a paid entry from the gateway that sells it, and read it here", Args: session.One("entry id"),
		Long: "Buy a paid entry that this node has seen, from the gateway that the entry names (or --gateway). Shows the price and\n" +
			"asks; --yes does not ask, and --max-price refuses what costs more. The agent's acting key signs a token for the\n" +
			"gateway, which takes the price from the agent's credits there. When they do not suffice and --wallet names a\n" +
			"wallet, that signs a payment of USDC (x402) where the gateway takes one.\n\n" +
			"The text must be the one whose hash the author signed. It is kept sealed on this node, where the agent reads it\n" +
			"from then on. Buying again pays nothing: what was paid for and did not arrive is fetched. The wallet signs one\n" +
			"payment for an entry, however often it is asked; --pay-anew signs another, when the first is known to have failed.",
		Example: "  meshd buy ent_... --max-price 0.50\n" +
			"  meshd buy ent_... --yes --wallet wallet.key --gateway https://mesh.example.org",
		RunE: func(c *cobra.Command, args []string) error {
			b.capped = c.Flags().Changed("max-price")
			if b.capped && (b.most < 0 || math.IsNaN(b.most)) {
				return session.Usage("--max-price wants an amount in USD, such as 0.50")
			}
			return b.run(c.Context(), s, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&b.as, "as", "", "name of another `AGENT` of this node")
	f.StringVar(&b.gateway, "gateway", "", "address of the gateway that sells it (default the one that the entry names)")
	f.StringVar(&b.walletFile, "wallet", "", "file with the private key of a wallet that pays when credits do not suffice")
	f.Float64Var(&b.most, "max-price", 0, "USD that it may cost at most")
	f.BoolVar(&b.yes, "yes", false, "do not ask")
	f.BoolVar(&b.anew, "pay-anew", false, "sign another payment by the wallet, when the first has failed")
	return c
}

// wanted is an entry that shall be bought, as a node shows it.
type wanted struct {
	ID            string          `json:"id"`
	Type          string          `json:"type"`
	Domain        string          `json:"domain"`
	Title         string          `json:"title"`
	AuthorName    string          `json:"authorName"`
	Content       string          `json:"content"`
	Price         float64         `json:"price"`
	Premium       bool            `json:"premium"`
	Locked        bool            `json:"locked"`
	SoldAt        *seller         `json:"sold_at"`
	Evidence      []string        `json:"evidence"`
	ReceiptSHA256 string          `json:"receipt_sha256"`
	Receipt       json.RawMessage `json:"receipt"`
	Source        string          `json:"source"`
	Metadata      json.RawMessage `json:"metadata"`
}

type seller struct {
	Gateway string `json:"gateway"`
}

// micro is the price in millionths of a dollar.
func (w wanted) micro() int64 { return int64(math.Round(w.Price * microUSD)) }

// look is what this node shows of an entry. One that is not paid for is in the refusal.
func look(ctx context.Context, d *session.Client, id string) (w wanted, err error) {
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/entry/"+url.PathEscape(id), nil, nil, nil)
	var refused *session.APIError
	if errors.As(err, &refused) && refused.Status == http.StatusPaymentRequired {
		data, err = refused.Answer(), nil
	}
	if err != nil {
		return w, err
	}
	var r struct{ Entry wanted }
	err = session.Decode(data, &r)
	return r.Entry, err
}

func (b buying) run(ctx context.Context, s *session.Session, id string) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	who, err := me(ctx, d, b.as)
	if err != nil {
		return s.Refused(err)
	}
	w, err := look(ctx, d, id)
	if err != nil {
		return s.Refused(err)
	}
	if !w.Locked {
		s.Say("you have it already; nothing was paid")
		return b.show(ctx, s, d, w.ID, purchase{})
	}
	if b.capped && w.Price > b.most {
		return fmt.Errorf("the entry costs %s, more than --max-price %s; nothing was paid", usd(w.Price), usd(b.most))
	}
	address := b.gateway
	if address == "" && w.SoldAt != nil {
		address = w.SoldAt.Gateway
	}
	if address == "" {
		return session.Usage("the entry names no gateway that sells it: name one with --gateway URL")
	}
	g, err := dial(ctx, s, address, b.gateway != "")
	if err != nil {
		return s.Refused(err)
	}
	data, err := g.askAs(ctx, d, who.AgentID, ucan.CreditRead, http.MethodGet, "/api/credits", nil, nil)
	if err != nil {
		return s.Refused(err)
	}
	var has account
	if err := session.Decode(data, &has); err != nil {
		return err
	}
	if err := b.confirm(s, w, g, has); err != nil {
		return err
	}
	p, err := b.pay(ctx, s, d, g, who, w)
	if err != nil {
		return s.Refused(err)
	}
	if err := p.keep(ctx, d, g, who, w); err != nil {
		return s.Refused(err)
	}
	return b.show(ctx, s, d, w.ID, p)
}

// confirm shows what is bought and asks, unless the command line has said yes.
func (b buying) confirm(s *session.Session, w wanted, g *gateway, has account) error {
	if !b.yes && (s.JSON || !terminal.Is(s.In)) {
		return session.Usage("meshd buy asks before it pays, and standard input is no terminal: say --yes, with --max-price for care")
	}
	s.Say("%s  %s in %s, by %s", terminal.OneLine(w.ID, 80), terminal.OneLine(w.Type, 16), terminal.OneLine(w.Domain, 64), terminal.OneLine(w.AuthorName, 80))
	if w.Title != "" {
		s.Say("  %s", terminal.OneLine(w.Title, 200))
	}
	s.Say("  %s at %s, which says that you have %s there", usd(w.Price), g.Base, credits(has.Balance))
	if b.yes {
		return nil
	}
	fmt.Fprint(s.Err, "buy it? [y/N] ")
	line, _ := bufio.NewReader(s.In).ReadString('\n') // the end of what is typed is an answer too
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errors.New("nothing was paid")
	}
	return nil
}

// purchase is what a gateway answers to who bought.
type purchase struct {
	Owned   bool     `json:"already_owned"`
	Entry   wanted   `json:"entry"`
	Receipt *receipt `json:"receipt"`
}

type receipt struct {
	Amount string `json:"amount"` // micro-USD
	ID     string `json:"receipt_id"`
	Mode   string `json:"mode"`
}

// pay buys with credits, and with the wallet where they do not suffice.
func (b buying) pay(ctx context.Context, s *session.Session, d *session.Client, g *gateway, who whoami, w wanted) (p purchase, err error) {
	path := "/api/mesh/entry/" + url.PathEscape(w.ID) + "/buy"
	sum := sha256.Sum256([]byte("meshd buy\x00" + who.AgentID + "\x00" + w.ID))
	key := hex.EncodeToString(sum[:])
	data, err := g.askAs(ctx, d, who.AgentID, ucan.CreditSpend, http.MethodPost, path, nil, http.Header{"Idempotency-Key": {key}})
	var refused *session.APIError
	for until := time.Now().Add(otherTime); errors.As(err, &refused) && refused.Code == string(reason.IdempotencyInProgress) && time.Now().Before(until); {
		select { // another purchase of the same by this agent is under way, and its answer is the answer
		case <-time.After(askAgain):
		case <-ctx.Done():
			return p, ctx.Err()
		}
		refused = nil
		data, err = g.askAs(ctx, d, who.AgentID, ucan.CreditSpend, http.MethodPost, path, nil, http.Header{"Idempotency-Key": {key}})
	}
	if errors.As(err, &refused) && refused.Status == http.StatusPaymentRequired {
		if b.walletFile == "" {
			return p, short(refused, g)
		}
		var header http.Header
		if header, err = b.sign(refused.Answer(), g, who, w); err != nil {
			return p, err
		}
		header.Set("Idempotency-Key", key+"-x402")
		data, err = g.askAs(ctx, d, who.AgentID, ucan.CreditSpend, http.MethodPost, path, nil, header)
	}
	if err != nil {
		return p, err
	}
	return p, session.Decode(data, &p)
}

// short says what is missing to pay.
func short(r *session.APIError, g *gateway) error {
	var due struct{ Accepts []accept }
	_ = json.Unmarshal(r.Answer(), &due) // a gateway that offers nothing readable offers nothing
	r.Hint = "earn credits at " + g.Base + " by a bounty or a sale, or ask who runs it"
	if len(due.Accepts) > 0 {
		r.Hint = "pay in USDC: --wallet FILE; or fill the account: POST " + g.Base + "/api/credits/purchase"
	}
	return r
}

// keep gives this node what was bought, which judges the text. A gateway that answers
// without the text has sold nothing.
func (p purchase) keep(ctx context.Context, d *session.Client, g *gateway, who whoami, w wanted) error {
	e := p.Entry
	if e.Locked || e.ID != w.ID {
		return fmt.Errorf("%s says that the entry is bought, and sends no text", g.Base)
	}
	in := admin.BoughtOrder{Agent: who.AgentID, Purchase: knowledge.Purchase{Entry: w.ID, Gateway: g.Base, Text: e.Content, Evidence: e.Evidence,
		ReceiptSHA256: e.ReceiptSHA256, ReceiptObject: e.Receipt, Source: e.Source, Meta: e.Metadata}}
	if p.Receipt != nil {
		in.Receipt, in.Amount = p.Receipt.ID, p.micro()
	}
	_, _, err := d.Do(ctx, http.MethodPost, "/control/bought", nil, in, nil)
	var refused *session.APIError
	if errors.As(err, &refused) && refused.Code == "blob_mismatch" {
		refused.Text = "what " + g.Base + " sent is not the text that the author signed; it was not kept"
		refused.Hint = "the gateway owes you the text: its receipt is " + in.Receipt
	}
	return err
}

// micro is what the receipt says was taken, in micro-USD; -1 when it cannot be read.
func (p purchase) micro() int64 {
	if p.Receipt == nil {
		return 0
	}
	var n int64
	if _, err := fmt.Sscanf(p.Receipt.Amount, "%d", &n); err != nil || n < 0 {
		return -1
	}
	return n
}

// show prints the entry as this node now has it, and with -q its text alone.
func (b buying) show(ctx context.Context, s *session.Session, d *session.Client, id string, p purchase) error {
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/entry/"+url.PathEscape(id), nil, nil, nil)
	if err != nil {
		return s.Refused(err)
	}
	var r struct{ Entry wanted }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	more := p.Receipt != nil && p.micro() != r.Entry.micro()
	switch {
	case s.JSON:
		err = s.PrintJSON(map[string]any{"entry": json.RawMessage(entryOf(data)), "paid": p.Receipt != nil, "already_owned": p.Receipt == nil, "receipt": p.Receipt})
	default:
		switch {
		case p.Receipt != nil:
			s.Say("paid %s by %s; receipt %s", usd(float64(p.micro())/microUSD), terminal.OneLine(p.Receipt.Mode, 20), terminal.OneLine(p.Receipt.ID, 80))
		case p.Owned:
			s.Say("it was paid for before; nothing was paid")
		}
		_, err = fmt.Fprintln(s.Out, terminal.Plain(r.Entry.Content))
	}
	if err == nil && more {
		fmt.Fprintf(s.Err, "meshd: the gateway's receipt names %s, and the entry costs %s\n", terminal.OneLine(p.Receipt.Amount, 40)+" micro-USD", usd(r.Entry.Price))
		return session.ErrDegraded
	}
	return err
}

// entryOf is the entry of an answer as it stands there.
func entryOf(data json.RawMessage) json.RawMessage {
	var r struct{ Entry json.RawMessage }
	_ = json.Unmarshal(data, &r) // it was read before
	return r.Entry
}
