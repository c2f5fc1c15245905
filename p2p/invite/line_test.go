package invite

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

func newKey(t testing.TB) (crypto.PrivKey, peer.ID) {
	t.Helper()
	key, _, err := crypto.GenerateEd25519Key(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id, err := peer.IDFromPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return key, id
}

func sample(id peer.ID) Invitation {
	g := change.Builtin()
	g.Name = "reading circle"
	return Invitation{
		ID: ID{1, 2, 3}, Network: change.NetworkFile{Genesis: g, Bootstrap: []string{"/ip4/5.6.7.8/tcp/4001/p2p/" + id.String()}}, Peer: id,
		Addrs: []ma.Multiaddr{ma.StringCast("/ip4/192.168.1.2/tcp/4001"), ma.StringCast("/ip4/192.168.1.2/udp/4001/quic-v1")}, Until: time.Unix(1_800_000_000, 0),
	}
}

func TestLineSaysWhatItsNodeSigned(t *testing.T) {
	t.Parallel()
	key, id := newKey(t)
	plain := sample(id)
	guild, device := plain, plain
	guild.Guild, guild.Ticket = change.ID{7}, "code.mark"
	device.Device = true
	for name, v := range map[string]Invitation{"plain": plain, "guild": guild, "device": device} {
		line, err := v.Line(key)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Trim(line[len(Prefix):], "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Errorf("%s: a double click takes a part of %s", name, line)
		}
		for how, text := range map[string]string{
			"as it is": line, "large": strings.ToUpper(line), "broken": line[:40] + "\n  " + line[40:] + "\n", "in an address": "https://mesh.example/join#" + line, "in a path": "meshd://join/" + line,
		} {
			got, err := Parse(text)
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			same := got.ID == v.ID && got.Peer == v.Peer && got.Until.Equal(v.Until) && got.Guild == v.Guild && got.Ticket == v.Ticket && got.Device == v.Device &&
				got.Network.Genesis.Name == v.Network.Genesis.Name && slices.Equal(got.Network.Bootstrap, v.Network.Bootstrap) && slices.Equal(got.Dials(), v.Dials())
			if !same {
				t.Errorf("%s, %s: %+v, want %+v", name, how, got, v)
			}
		}
	}
	if plain.Expired(plain.Until.Add(-time.Second)) != nil || reason.Of(plain.Expired(plain.Until)) != reason.InviteExpired {
		t.Error("the term does not end when it should")
	}
}

// sealed is a line with any body, signed by a key and with a sound checksum.
func sealed(t testing.TB, key crypto.PrivKey, body []byte) string {
	t.Helper()
	sig, err := key.Sign(append([]byte(domain), body...))
	if err != nil {
		t.Fatal(err)
	}
	all := append(slices.Clone(body), sig...)
	sum := sha256.Sum256(all)
	return Prefix + strings.ToLower(text32.EncodeToString(append(all, sum[:sumSize]...)))
}

func TestEveryChangedBitIsNoticed(t *testing.T) {
	t.Parallel()
	key, id := newKey(t)
	other, _ := newKey(t)
	v := sample(id)
	line, err := v.Line(key)
	if err != nil {
		t.Fatal(err)
	}
	all, err := text32.DecodeString(strings.ToUpper(line[len(Prefix):]))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(all) - sumSize {
		bad := slices.Clone(all)
		bad[i] ^= 1
		if _, err := Parse(Prefix + text32.EncodeToString(bad)); reason.Of(err) != reason.InviteUnreadable {
			t.Errorf("byte %d, checksum as it was: %v", i, err)
		}
		sum := sha256.Sum256(bad[:len(bad)-sumSize])
		copy(bad[len(bad)-sumSize:], sum[:])
		if _, err := Parse(Prefix + text32.EncodeToString(bad)); err == nil {
			t.Errorf("byte %d, checksum made to fit: nobody notices", i)
		}
	}
	body, err := v.encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(sealed(t, other, body)); reason.Of(err) != reason.InviteTampered {
		t.Errorf("signed by another node: %v", err)
	}
	for n := range len(line) {
		if _, err := Parse(line[:n]); reason.Of(err) != reason.InviteUnreadable {
			t.Fatalf("the first %d characters: %v", n, err)
		}
	}
}

func TestWhatALineMayNotSay(t *testing.T) {
	t.Parallel()
	key, id := newKey(t)
	v := sample(id)
	v.Guild, v.Ticket, v.Device = change.ID{7}, "code", true
	body, err := v.encode()
	if err != nil {
		t.Fatal(err)
	}
	addr := ma.StringCast("/ip4/1.2.3.4/tcp/1").Bytes()
	for name, spoil := range map[string]func(cbor.Map){
		"no id":               func(m cbor.Map) { delete(m, "id") },
		"a short id":          func(m cbor.Map) { m["id"] = []byte{1} },
		"no addresses":        func(m cbor.Map) { m["addrs"] = []any{} },
		"too many addresses":  func(m cbor.Map) { m["addrs"] = slices.Repeat([]any{addr}, MaxAddrs+1) },
		"no address":          func(m cbor.Map) { m["addrs"] = []any{[]byte{1, 2}} },
		"an empty address":    func(m cbor.Map) { m["addrs"] = []any{[]byte{}} },
		"a text for one":      func(m cbor.Map) { m["addrs"] = []any{"/ip4/1.2.3.4/tcp/1"} },
		"no term":             func(m cbor.Map) { m["until"] = int64(0) },
		"a term without end":  func(m cbor.Map) { m["until"] = int64(cbor.MaxInt) },
		"no peer":             func(m cbor.Map) { m["peer"] = []byte{0} },
		"no network":          func(m cbor.Map) { m["net"] = []byte{0xa0} },
		"too many others":     func(m cbor.Map) { m["net"] = crowded(t, v.Network) },
		"a guild of no bytes": func(m cbor.Map) { m["guild"] = make([]byte, 32) },
		"a guild, no ticket":  func(m cbor.Map) { delete(m, "ticket") },
		"a long ticket":       func(m cbor.Map) { m["ticket"] = strings.Repeat("x", maxTicket+1) },
		"a ticket, no guild":  func(m cbor.Map) { delete(m, "guild") },
		"no device":           func(m cbor.Map) { m["device"] = false },
		"more":                func(m cbor.Map) { m["more"] = true },
	} {
		m, err := cbor.DecodeMap(body)
		if err != nil {
			t.Fatal(err)
		}
		spoil(m)
		bad, err := cbor.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(sealed(t, key, bad)); reason.Of(err) != reason.InviteUnreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse(sealed(t, key, body)); err != nil {
		t.Errorf("unspoilt: %v", err)
	}
	if _, err := Parse(sealed(t, key, make([]byte, maxBody+1))); reason.Of(err) != reason.InviteUnreadable {
		t.Errorf("too long a body: %v", err)
	}
	if _, err := Parse(strings.Repeat("x", maxLine+1)); reason.Of(err) != reason.InviteUnreadable {
		t.Errorf("too long a line: %v", err)
	}
	v.Addrs = nil
	if line, err := v.Line(key); err == nil {
		t.Errorf("a line without addresses is given away: %s", line)
	}
}

func crowded(t *testing.T, f change.NetworkFile) []byte {
	t.Helper()
	f.Bootstrap = slices.Repeat(f.Bootstrap, MaxOthers+1)
	b, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzParse(f *testing.F) {
	key, id := newKey(f)
	v := sample(id)
	for range 2 {
		line, err := v.Line(key)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
		v.Guild, v.Ticket, v.Device = change.ID{7}, "code.mark", true
	}
	f.Add(Prefix)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse(s)
		if err != nil {
			var refused *reason.Refusal
			if !errors.As(err, &refused) || v.Peer != "" {
				t.Errorf("refused with %v, %+v", err, v)
			}
			return
		}
		if len(v.Addrs) == 0 || len(v.Addrs) > MaxAddrs || len(v.Network.Bootstrap) > MaxOthers || v.Network.Genesis.Validate() != nil {
			t.Errorf("taken: %+v", v)
		}
	})
}

// FuzzBody looks below the checksum and the signature, where a fuzzer does not come.
func FuzzBody(f *testing.F) {
	_, id := newKey(f)
	v := sample(id)
	for range 2 {
		body, err := v.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
		v.Guild, v.Ticket, v.Device = change.ID{7}, "code.mark", true
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, ok := decode(b)
		if !ok {
			return
		}
		again, err := v.encode()
		if err != nil {
			t.Fatalf("%v: %+v", err, v)
		}
		// The file of the network is read by its own rules, which are less strict.
		if w, ok := decode(again); !ok || w.ID != v.ID || !slices.Equal(w.Dials(), v.Dials()) || w.Ticket != v.Ticket {
			t.Errorf("%+v becomes %+v", v, w)
		}
	})
}

func FuzzRequest(f *testing.F) {
	raw, err := Request{Label: "laptop"}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := readRequest(b); err == nil {
			if again, err := r.encode(); err != nil || !bytes.Equal(again, b) {
				t.Errorf("%x becomes %x, %v", b, again, err)
			}
		}
		if a, err := readReply(b); err == nil {
			if again, err := encodeReply(a, nil); err != nil || !bytes.Equal(again, b) {
				t.Errorf("%x becomes %x, %v", b, again, err)
			}
		}
	})
}
