package change_test

import (
	"encoding/hex"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// The first published pair (wire §19): seed 11×32 on the built-in network.
const (
	knownNet      = "c42617aef2f96d8df3c932896279f57b"
	knownAgent    = "agt_ukldpcosev674qojzbr4ogvyh3vskqo7525qwdwwyljsaqu72mdq"
	knownGenesis  = "a5646269747312646e616d65646d65736865726f6f7473806573746172741b0000019b76daa8006673686172647301"
	knownBindBody = "a263706f771a00016708646e616d6563416461"
	knownBindHead = "ad6176016262685820337d60e702878c7c29e83b67477ce7f5183cde5e6501045dde9f34b5f1eec84363686c631b00068b3a2f500000636e657450c42617aef2f96d8df3c932896279f57b637365710163736967584080fbc1ac90c5ae1c2925f2712532e380ce94f75ef72282d4e4cd87fab0457a327d157f5f2dde2611f26c883e8bf06621da88290f16269e469c6707ffa073fb05646465707380646b696e646c70726f66696c652e62696e646470726576406473697a6513657072" +
		"6f6f6680657370616365783a6167656e742f756b6c6470636f736576363734716f6a7a6272346f677679683376736b716f373532357177647777796c6a7361717537326d647166617574686f725822ed01d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737"
	knownBindID    = "27b309bf9c9fd20576695179a9d7798c450b1bc6ac2f516a3b630b7f0749d1e7"
	knownEntryBody = "a26474657874783141636b6e6f776c656467652061207772697465206f6e6c7920616674657220746865206c6f672069732073796e6365642e647479706566676f74636861"
	knownEntryHead = "ad6176016262685820c9d7f3a3dbf156055e00ab2839d2f594cc47839226104a04f904c02f8eaa9a2e63686c631b00068b3a2f500001636e657450c42617aef2f96d8df3c932896279f57b63736571016373696758407db3960a70a7ceaf45313368784df64ceffa50ab026ed40b778e796638e49472cb84cc043b0443e5a80bba44164bbdd8e44a12198d8dfabca3172317fdfcbd0c646465707380646b696e6469656e7472792e7075746470726576406473697a6518456570726f6f66815820" +
		"27b309bf9c9fd20576695179a9d7798c450b1bc6ac2f516a3b630b7f0749d1e76573706163656a636f6d6d6f6e732f676f66617574686f725822ed01d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737"
	knownEntryID   = "c25d932a84c4267099492830e595d8b4053f1271dd64d506a73d4a0e0cfac33e"
	knownEntryText = "ent_yjozgkueyqthbgkjfayolfoywqct6etr3vsnkbvhhvfa4dh2ym7a"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ada() *keys.Private {
	var seed [32]byte
	for i := range seed {
		seed[i] = 0x11
	}
	return keys.FromSeed(seed)
}

func TestFirstPublishedPair(t *testing.T) {
	t.Parallel()
	g := change.Builtin()
	enc, err := g.Encode()
	if err != nil || hex.EncodeToString(enc) != knownGenesis {
		t.Fatalf("genesis = %x, %v", enc, err)
	}
	net, err := g.ID()
	if err != nil || net.String() != knownNet {
		t.Fatalf("net = %v, %v", net, err)
	}
	agent := change.DeriveAgent(net, ada().Key())
	if agent.String() != knownAgent {
		t.Fatalf("agent = %s", agent)
	}
	bind := change.Seal(change.Draft{
		Net: net, Space: agent.Space(), Kind: change.KindBind, Body: unhex(t, knownBindBody), HLC: 0x00068b3a2f500000, Seq: 1,
	}, ada())
	if hex.EncodeToString(bind.RawHead) != knownBindHead || bind.ID.String() != knownBindID {
		t.Errorf("binding head %x\nid %s", bind.RawHead, bind.ID)
	}
	entry := change.Seal(change.Draft{
		Net: net, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: unhex(t, knownEntryBody),
		HLC: 0x00068b3a2f500001, Seq: 1, Proof: []change.ID{bind.ID},
	}, ada())
	if hex.EncodeToString(entry.RawHead) != knownEntryHead || entry.ID.String() != knownEntryID {
		t.Errorf("entry head %x\nid %s", entry.RawHead, entry.ID)
	}
	if got := entry.ID.Text(change.PrefixEntry); got != knownEntryText {
		t.Errorf("entry text = %s", got)
	}
	for _, c := range []*change.Change{bind, entry} {
		got, err := change.Decode(c.RawHead, c.Body)
		if err != nil || got.ID != c.ID {
			t.Errorf("decode: %v, %v", got, err)
		}
		if !keys.Verify(got.Head.Author, got.ID.Preimage(), got.Head.Sig[:]) {
			t.Error("signature of the published pair does not verify")
		}
	}
}
