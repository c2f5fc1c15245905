package node

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/join"
)

// births makes the first changes of agents, each of a new key.
type births struct {
	t    *testing.T
	net  change.NetID
	at   time.Time
	made byte
}

func (b *births) of(set func(key *keys.Private, v *body.Bind)) *change.Change {
	b.t.Helper()
	b.made++
	key := keys.FromSeed([32]byte{b.made, 'b'})
	v := body.Bind{Name: "Ada"}
	set(key, &v)
	enc, err := v.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	return change.Seal(change.Draft{Net: b.net, Space: change.DeriveAgent(b.net, key.Key()).Space(), Kind: change.KindBind, Body: enc,
		HLC: uint64(b.at.UnixMilli()) << 10, Seq: 1}, key)
}

// worthless is a ticket that does not do for a network, though it may for another.
func (b *births) worthless(in change.NetID, key did.Key, bits int) uint64 {
	b.t.Helper()
	for want := bits; ; want++ {
		pow, err := binding.Grind(b.t.Context(), in, key, want)
		if err != nil {
			b.t.Fatal(err)
		}
		if binding.TicketBits(b.net, key, pow) < bits {
			return pow
		}
	}
}

// A birth pays the ticket of its network whichever way it comes: by gossip, by
// reconciliation (which is how a newcomer joins, too), from a file, through the changes
// endpoint; and one that did not pay is let into no guild.
// Neither a wallet's proof nor a sponsor stands for it, nor does a ticket that was
// paid in another network or for another key. What this node opens itself has one.
func TestBirthPaysOnEveryPath(t *testing.T) {
	t.Parallel()
	const bits = 8
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Listen = true, false, false, []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	genesis := change.Genesis{Bits: bits, Name: "test", Shards: 1, Start: 1767225600000}
	text, err := change.NetworkFile{Genesis: genesis}.Encode()
	if err == nil {
		err = os.WriteFile(cfg.Network.File, []byte(text), 0o600)
	}
	progress, last := 0, uint64(1)
	n, err2 := Open(t.Context(), core.Options{Home: home, Config: cfg, Version: "test", Engine: crdtlog.NewMemory(), Mining: func(tried uint64, want int) {
		progress++
		if last = tried; want != bits {
			t.Errorf("mines %d bits", want)
		}
	}})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(n.Close(), home.Close()); err != nil {
			t.Error(err)
		}
	})
	if err := n.Connect(); err != nil {
		t.Fatal(err)
	}
	ctx, net := t.Context(), n.Net.Load()
	stranger := net.Host.ID()
	one := func(out []reason.Code, err error) reason.Code {
		t.Helper()
		if err != nil || len(out) != 1 {
			t.Fatalf("%v: %v", out, err)
		}
		return out[0]
	}
	paths := map[string]func(c *change.Change) reason.Code{
		"gossip": func(c *change.Change) reason.Code {
			return peering.Judge{Net: net}.Judge(ctx, stranger, change.SetAuth, c)
		},
		"reconciliation": func(c *change.Change) reason.Code {
			out, err := peering.Replica{Net: net}.Receive(ctx, stranger, change.SetAuth, []*change.Change{c})
			for code := range out.Refused {
				return code
			}
			return one([]reason.Code{""}, err)
		},
		"import": func(c *change.Change) reason.Code {
			line, err := exchange.Append(nil, c)
			if err != nil {
				t.Fatal(err)
			}
			rep, err := n.Import(ctx, bytes.NewReader(line))
			for code := range rep.Refused {
				return code
			}
			return one([]reason.Code{""}, err)
		},
		"the changes endpoint": func(c *change.Change) reason.Code {
			out, err := n.TakeIn(ctx, []*change.Change{c}, func(view.Author) reason.Code { return "" })
			return one([]reason.Code{out[0].Code}, err)
		},
	}
	b := &births{t: t, net: n.Judge.Net(), at: n.Opt.Now()}
	elsewhere, err := change.Genesis{Bits: bits, Name: "elsewhere", Shards: 1, Start: 1767225600000}.ID()
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]func(key *keys.Private, v *body.Bind){
		"no ticket":                   func(*keys.Private, *body.Bind) {},
		"a ticket of another network": func(key *keys.Private, v *body.Bind) { v.Pow = b.worthless(elsewhere, key.Key(), bits) },
		"a ticket of another key": func(key *keys.Private, v *body.Bind) {
			for v.Pow = 1; binding.TicketBits(b.net, keys.FromSeed([32]byte{9}).Key(), v.Pow) < bits || binding.TicketBits(b.net, key.Key(), v.Pow) >= bits; v.Pow++ {
			}
		},
		"a wallet's proof instead": func(key *keys.Private, v *body.Bind) {
			k, err := wallet.KeyFromSecret([32]byte{31: b.made})
			if err != nil {
				t.Fatal(err)
			}
			by := did.OfAccount(did.Account{Chain: 1, Address: k.Address()})
			said, err := binding.Challenge{Purpose: wallet.Registration, Network: b.net, Subject: by, Nonce: "0123456789abcdef", Key: key.Key(), Issued: b.at}.Text()
			if err != nil {
				t.Fatal(err)
			}
			sig := k.SignText(said)
			v.Controllers = []string{by.String()}
			v.Proof = &binding.Proof{Alg: binding.AlgEIP191, By: by.String(), Sig: sig[:], Text: said}
		},
		"a sponsor instead": func(key *keys.Private, v *body.Bind) {
			by := keys.FromSeed([32]byte{77})
			sig := by.Sign(binding.SponsorMessage(b.net, key.Key()))
			v.Sponsor = &body.Sponsor{By: by.Key(), Sig: sig[:]}
		},
	}
	// A place in a guild is for agents whose birth is a member here: joining is no way
	// around it.
	name, _, err := n.Local.Create("", vault.Agent, n.Opt.Rand)
	if err != nil {
		t.Fatal(err)
	}
	founder, _, err := n.OpenAgent(ctx, view.Genesis{KeyName: name, Name: "Bo", Custody: "gateway"})
	if err != nil {
		t.Fatal(err)
	}
	guild, err := n.OpenGuild(ctx, founder.ID, view.NewGuild{Name: "Den", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	let := 0
	n.OnJoin(func(context.Context, change.AgentID, change.ID, string) (string, error) {
		let++
		return "member", nil
	})
	paths["joining a guild"] = func(c *change.Change) reason.Code {
		asks := join.Request{Net: b.net, Agent: change.DeriveAgent(b.net, c.Head.Author), Guild: guild.ID, Key: c.Head.Author, To: n.SelfID}
		before, code := let, paths["reconciliation"](c)
		_, _, err := peering.Admission{Net: net}.Admit(ctx, asks)
		if entered := let > before; entered != (code == "") || !entered && reason.Of(err) != reason.AgentNotFound {
			t.Errorf("a birth that is %q: let in %v, %v", code, entered, err)
		}
		return code
	}
	for how, take := range paths {
		for what, set := range short {
			c := b.of(set)
			for v, _ := body.ParseBind(c.Body, true); binding.TicketBits(b.net, c.Head.Author, v.Pow) >= bits; v, _ = body.ParseBind(c.Body, true) {
				c = b.of(set) // one in 256 is lucky
			}
			if code := take(c); code != reason.BindingInvalid {
				t.Errorf("by %s with %s: %q", how, what, code)
			}
		}
		paid := b.of(func(key *keys.Private, v *body.Bind) { v.Pow, err = binding.Grind(ctx, b.net, key.Key(), bits) })
		if code := take(paid); code != "" || err != nil {
			t.Errorf("by %s with its ticket: %q, %v", how, code, err)
		}
	}
	a := founder
	rec, _ := n.Views.Agent(a.ID)
	m, err := n.Log.Member(rec.Binding)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := body.ParseBind(m.Body, true); err != nil || binding.TicketBits(b.net, a.DID, v.Pow) < bits || progress == 0 || last != 0 {
		t.Errorf("a registration: ticket %d, %v; progress %d times, lastly %d", v.Pow, err, progress, last)
	}
	// Mining ends with the request.
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := n.Mine(gone, a.DID, bits); !errors.Is(err, context.Canceled) {
		t.Errorf("mines on: %v", err)
	}
}
