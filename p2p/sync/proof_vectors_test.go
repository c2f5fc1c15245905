package sync

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// proofIn is the proof of a hello as its receiver sees it.
type proofIn struct {
	Proof    vectorfile.Hex `json:"proof"`
	Now      int64          `json:"now"` // seconds, by the receiver's clock
	Net      string         `json:"net"`
	Sender   string         `json:"sender"`   // did:key with which the connection is secured
	Receiver string         `json:"receiver"` // its own
}

// proofOut is the agent that the proof is for, and until when; empty when it
// shows nothing.
type proofOut struct {
	Agent   string `json:"agent"`
	Expires int64  `json:"expires"`
}

type counted struct{ n byte }

func (c *counted) Read(b []byte) (int, error) {
	c.n++
	for i := range b {
		b[i] = c.n
	}
	return len(b), nil
}

func readProof(in proofIn) (proofOut, error) {
	sender, err := did.ParseKey(in.Sender)
	if err != nil {
		return proofOut{}, err
	}
	receiver, err := did.ParseKey(in.Receiver)
	if err != nil {
		return proofOut{}, err
	}
	s, err := v1.VerifySync(in.Proof, v1.SyncCheck{Now: in.Now, Net: in.Net, Node: sender, Responder: receiver})
	if err != nil {
		return proofOut{}, nil
	}
	return proofOut{s.Agent.String(), s.Expires}, nil
}

func proofVectors(t testing.TB) (out []vectorfile.Vector[proofIn, proofOut]) {
	t.Helper()
	const now, net = int64(1_790_000_000), "c42617aef2f96d8df3c932896279f57b"
	key := func(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }
	ada, device, node, peer, eve := key(0x11), key(0x12), key(0x21), key(0x22), key(0x66)
	rand := &counted{}
	at := func(n int64) *int64 { return &n }
	good := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	give := func(by *keys.Private, g v1.Grant) *v1.Delegation {
		d, err := v1.Delegate(by, g, rand)
		good(err)
		return d
	}
	invoke := func(by *keys.Private, a v1.Act) *v1.Invocation {
		i, err := v1.Invoke(by, a, rand)
		good(err)
		return i
	}
	pack := func(tokens ...[]byte) []byte {
		b, err := v1.Pack(tokens...)
		good(err)
		return b
	}
	add := func(rule, name string, proof []byte, shows bool, edit func(*proofIn)) {
		v := vectorfile.Vector[proofIn, proofOut]{Name: name, Rule: rule, Out: &proofOut{}, In: proofIn{
			Proof: proof, Now: now, Net: net, Sender: node.Key().String(), Receiver: peer.Key().String(),
		}}
		if edit != nil {
			edit(&v.In)
		}
		if shows {
			v.Out = &proofOut{ada.Key().String(), now + 600}
		}
		out = append(out, v)
	}
	d := give(ada, v1.Grant{Audience: node.Key(), Command: v1.SyncCommand, Expires: at(now + 86400)})
	act := v1.Act{Audience: peer.Key(), Subject: ada.Key(), Command: v1.SyncCommand, Args: map[string]any{"net": net}, IssuedAt: at(now), Expires: at(now + 600), Proofs: []string{d.CID}}
	with := func(edit func(*v1.Act)) []byte { a := act; edit(&a); return invoke(node, a).Sealed }
	inv := invoke(node, act).Sealed
	proof := pack(inv, d.Sealed)
	add("18.14", "as it should be", proof, true, nil)
	add("18.10", "delegations first", pack(d.Sealed, inv), true, nil)
	var zip bytes.Buffer
	w := gzip.NewWriter(&zip)
	if _, err := w.Write(proof[1:]); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	add("18.10", "in gzip", append([]byte("M"), zip.Bytes()...), true, nil)
	add("18.10", "in base64", []byte("B"+base64.StdEncoding.EncodeToString(proof[1:])), true, nil)
	add("18.10", "in base64url", []byte("C"+base64.RawURLEncoding.EncodeToString(proof[1:])), true, nil)
	add("18.10", "in gzip in base64", []byte("O"+base64.StdEncoding.EncodeToString(zip.Bytes())), true, nil)
	add("18.10", "in gzip in base64url", []byte("P"+base64.RawURLEncoding.EncodeToString(zip.Bytes())), true, nil)
	add("18.10", "in base64url with padding", []byte("C"+strings.TrimRight(base64.RawURLEncoding.EncodeToString(proof[1:]), "=")+"="), false, nil)
	add("18.10", "in an unknown encoding", append([]byte("Q"), proof[1:]...), false, nil)
	add("18.10", "empty", []byte{}, false, nil)
	add("18.10", "a byte behind it", append(bytes.Clone(proof), 0), false, nil)
	add("18.10", "the delegation twice", pack(inv, d.Sealed, d.Sealed), false, nil)
	add("18.10", "over 8 KiB", append([]byte("@"), make([]byte, 8<<10)...), false, nil)
	other := bytes.Replace(proof, []byte("ctn-v1"), []byte("ctn-v2"), 1)
	add("18.10", "of another version", other, false, nil)
	add("18.14", "no invocation", pack(d.Sealed), false, nil)
	add("18.14", "two invocations", pack(inv, with(func(*v1.Act) {}), d.Sealed), false, nil)
	add("18.11", "one bit of the invocation's signature", bytes.Replace(proof, inv, flipped(inv, 10), 1), false, nil)
	add("18.11", "one bit of the delegation's signature", bytes.Replace(proof, d.Sealed, flipped(d.Sealed, 10), 1), false, nil)
	add("18.11", "another varsig header", bytes.Replace(proof, inv, flipped(inv, 3+64+5), 1), false, nil)
	add("18.11", "another tag", bytes.Replace(proof, []byte("ucan/inv@1.0.0-rc.1"), []byte("ucan/inv@1.0.0-rc.2"), 1), false, nil)
	add("18.13", "the delegation is not here", pack(inv), false, nil)
	add("18.13", "no chain", pack(with(func(a *v1.Act) { a.Proofs = nil })), false, nil)
	add("18.13", "the delegation twice in the chain", pack(with(func(a *v1.Act) { a.Proofs = []string{d.CID, d.CID} }), d.Sealed), false, nil)
	add("18.14 iss", "by another node", proof, false, func(in *proofIn) { in.Sender = eve.Key().String() })
	add("18.14 aud", "for another receiver", proof, false, func(in *proofIn) { in.Receiver = eve.Key().String() })
	add("18.14 aud", "for nobody", pack(with(func(a *v1.Act) { a.Audience = did.Key{} }), d.Sealed), false, nil)
	add("18.14 sub", "about another agent than the chain", pack(with(func(a *v1.Act) { a.Subject = eve.Key() }), d.Sealed), false, nil)
	add("18.14 cmd", "of another command", pack(with(func(a *v1.Act) { a.Command = "/mesh" }), d.Sealed), false, nil)
	add("18.14 cmd", "of a command below", pack(with(func(a *v1.Act) { a.Command = "/mesh/sync/all" }), d.Sealed), false, nil)
	add("18.14 args", "for another network", proof, false, func(in *proofIn) { in.Net = "00" + net[2:] })
	add("18.14 args", "without a network", pack(with(func(a *v1.Act) { a.Args = nil }), d.Sealed), false, nil)
	add("18.14 args", "with other arguments beside it", pack(with(func(a *v1.Act) { a.Args = map[string]any{"net": net, "zzz": int64(1)} }), d.Sealed), true, nil)
	add("18.14 exp", "at its end", proof, true, func(in *proofIn) { in.Now = now + 600 })
	add("18.14 exp", "after its end", proof, false, func(in *proofIn) { in.Now = now + 601 })
	add("18.14 exp", "601 seconds ahead", proof, false, func(in *proofIn) { in.Now = now - 1 })
	add("18.14 exp", "without an end", pack(with(func(a *v1.Act) { a.Expires = nil }), d.Sealed), false, nil)
	chain := func(name, rule string, shows bool, ds ...*v1.Delegation) {
		a := act
		a.Proofs = nil
		tokens := [][]byte{nil}
		for _, d := range ds {
			a.Proofs, tokens = append(a.Proofs, d.CID), append(tokens, d.Sealed)
		}
		tokens[0] = invoke(node, a).Sealed
		add(rule, name, pack(tokens...), shows, nil)
	}
	by := func(by *keys.Private, g v1.Grant) *v1.Delegation {
		if g.Command == "" {
			g.Command = v1.SyncCommand
		}
		if g.Audience.IsZero() {
			g.Audience = node.Key()
		}
		if g.Subject.IsZero() {
			g.Subject = ada.Key()
		}
		return give(by, g)
	}
	toDevice := by(ada, v1.Grant{Audience: device.Key()})
	chain("a chain of two", "18.13", true, by(device, v1.Grant{}), toDevice)
	chain("a chain in the wrong order", "18.13", false, toDevice, by(device, v1.Grant{}))
	chain("a chain with a hole", "18.13", false, by(eve, v1.Grant{}), toDevice)
	chain("a delegation for another node", "18.13", false, by(ada, v1.Grant{Audience: eve.Key()}))
	chain("a delegation that is not the agent's own", "18.13", false, by(eve, v1.Grant{}))
	chain("a delegation of everything", "18.12", true, by(ada, v1.Grant{Command: "/"}))
	chain("a delegation of what lies above", "18.12", true, by(ada, v1.Grant{Command: "/mesh"}))
	chain("a delegation of what lies below", "18.12", false, by(ada, v1.Grant{Command: "/mesh/sync/all"}))
	chain("a delegation of another word", "18.12", false, by(ada, v1.Grant{Command: "/mesh/syn"}))
	chain("a delegation that has ended", "18.14 prf", false, by(ada, v1.Grant{Expires: at(now - 1)}))
	chain("a delegation that has not begun", "18.14 prf", false, by(ada, v1.Grant{NotBefore: at(now + 1)}))
	chain("a delegation without an end", "18.14 prf", true, by(ada, v1.Grant{}))
	chain("a policy that is met", "18.12", true, by(ada, v1.Grant{Policy: []any{[]any{"==", ".net", net}}}))
	chain("a policy that is not met", "18.12", false, by(ada, v1.Grant{Policy: []any{[]any{"==", ".net", "x"}}}))
	return out
}

func flipped(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

func TestProofVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectorfile.Golden(t, "session/proofs.json", proofVectors(t)) {
		if got, err := readProof(v.In); err != nil || got != *v.Out {
			t.Errorf("%s: %+v, %v; want %+v", v.Name, got, err, *v.Out)
		}
	}
}
