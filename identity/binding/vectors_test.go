package binding

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
)

var update = flag.Bool("update", false, "write the vectors anew; they may only grow")

const vectorFolder = "../../crdt/testdata/vectors"

// code is the refusal that a genesis with a bad proof or ticket meets.
const code = "binding_invalid"

type bindingVector struct {
	Name string     `json:"name"`
	In   bindingIn  `json:"in"`
	Out  *bindingOK `json:"out,omitempty"`
	Code string     `json:"code,omitempty"`
}

type bindingIn struct {
	Net    string   `json:"net"`
	Author string   `json:"author"` // 34 bytes
	Ctl    []string `json:"ctl"`
	Bind   bind     `json:"bind"`
}

type bind struct {
	Alg  string `json:"alg"`
	By   string `json:"by"`
	Sig  string `json:"sig"`
	Text string `json:"text"`
}

type bindingOK struct {
	Subject string `json:"subject"`
}

type powVector struct {
	Name string `json:"name"`
	In   powIn  `json:"in"`
	Out  powOK  `json:"out"`
}

type powIn struct {
	Net    string `json:"net"`
	Author string `json:"author"`
	Pow    uint64 `json:"pow"`
}

type powOK struct {
	Bits int `json:"bits"`
}

func makeBindingVectors(t testing.TB) []bindingVector {
	t.Helper()
	author := signer(0x11).Key()
	k, w := signer(0x22), walletKey(t, 0x11)
	ed, eth := challenge(did.OfKey(k.Key())), challenge(account(w, 8453))
	recovery := ed
	recovery.Purpose = wallet.Recovery
	otherNet := ed
	otherNet.Network[0]++
	otherKey := eth
	otherKey.Key = k.Key()
	noNet, twoKeys := signIn(t, eth), signIn(t, eth)
	noNet.Resources = noNet.Resources[:1]
	twoKeys.Resources = append(twoKeys.Resources, k.Key().String())
	otherChain := signIn(t, eth)
	otherChain.Chain = 1
	spoiled := byKey(k, text(t, ed))
	spoiled.Sig[63] ^= 1
	stranger := byKey(k, text(t, ed))

	var out []bindingVector
	add := func(name string, p Proof, good bool, ctl ...string) {
		v := bindingVector{Name: name, In: bindingIn{
			Net: hex.EncodeToString(builtIn[:]), Author: hex.EncodeToString(author[:]), Ctl: append([]string{}, ctl...),
			Bind: bind{p.Alg, p.By, hex.EncodeToString(p.Sig), p.Text},
		}}
		if good {
			v.Out = &bindingOK{Subject: p.By}
		} else {
			v.Code = code
		}
		out = append(out, v)
	}
	kDID, wDID := k.Key().String(), account(w, 8453).String()
	add("ed25519", byKey(k, text(t, ed)), true, kDID)
	add("eip191", byWallet(w, text(t, eth)), true, kDID, wDID)
	add("siwe", bySIWE(w, siweText(t, signIn(t, eth))), true, wDID)
	add("ed25519, signature spoiled", spoiled, false, kDID)
	add("ed25519, by is no controller", stranger, false, wDID)
	add("ed25519, no controllers", stranger, false)
	add("ed25519, text of a recovery", byKey(k, text(t, recovery)), false, kDID)
	add("ed25519, another network", byKey(k, text(t, otherNet)), false, kDID)
	add("ed25519, LF at the end", byKey(k, text(t, ed)+"\n"), false, kDID)
	add("eip191, another key", byWallet(w, text(t, otherKey)), false, wDID)
	add("siwe, no network among the resources", bySIWE(w, siweText(t, noNet)), false, wDID)
	add("siwe, two keys among the resources", bySIWE(w, siweText(t, twoKeys)), false, wDID)
	add("siwe, another chain", bySIWE(w, siweText(t, otherChain)), false, wDID)
	return out
}

func makePowVectors(testing.TB) []powVector {
	var out []powVector
	add := func(name string, seed byte, pow uint64) {
		author := signer(seed).Key()
		out = append(out, powVector{
			name, powIn{hex.EncodeToString(builtIn[:]), hex.EncodeToString(author[:]), pow}, powOK{TicketBits(builtIn, author, pow)},
		})
	}
	add("the published ticket", 0x11, 91912)
	add("its neighbour", 0x11, 91913)
	add("zero", 0x11, 0)
	add("largest integer", 0x11, maxPow)
	add("another author", 0x22, 91912)
	return out
}

// golden compares made with the vectors of a file, which it writes on -update.
func golden[V any](t *testing.T, name string, made []V) {
	t.Helper()
	path := filepath.Join(vectorFolder, name)
	if *update {
		data, err := json.MarshalIndent(made, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept := readVectors[V](t, name)
	if !reflect.DeepEqual(kept, made) {
		t.Errorf("%s no longer holds what we make", name)
	}
}

func readVectors[V any](t *testing.T, name string) []V {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(vectorFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	var vs []V
	if err := json.Unmarshal(data, &vs); err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestVectorsAreThoseWeMake(t *testing.T) {
	golden(t, "binding/genesis.json", makeBindingVectors(t))
	golden(t, "pow/ticket.json", makePowVectors(t))
}

func TestBindingVectors(t *testing.T) {
	for _, v := range readVectors[bindingVector](t, "binding/genesis.json") {
		p := Proof{v.In.Bind.Alg, v.In.Bind.By, mustHex(v.In.Bind.Sig), v.In.Bind.Text}
		err := p.Verify([16]byte(mustHex(v.In.Net)), did.Key(mustHex(v.In.Author)), v.In.Ctl)
		if (err == nil) != (v.Out != nil) {
			t.Errorf("%s: %v", v.Name, err)
		}
		if err == nil && v.Out.Subject != p.By {
			t.Errorf("%s: subject %s", v.Name, p.By)
		}
		if v.Out == nil && v.Code != code {
			t.Errorf("%s: code %q", v.Name, v.Code)
		}
		if err != nil && !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrMismatch) && !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v is none of our errors", v.Name, err)
		}
	}
}

func TestPowVectors(t *testing.T) {
	for _, v := range readVectors[powVector](t, "pow/ticket.json") {
		if got := TicketBits([16]byte(mustHex(v.In.Net)), did.Key(mustHex(v.In.Author)), v.In.Pow); got != v.Out.Bits {
			t.Errorf("%s: %d bits, want %d", v.Name, got, v.Out.Bits)
		}
	}
}
