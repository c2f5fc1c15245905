package change_test

import (
	"bytes"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

func FuzzDecode(f *testing.F) {
	f.Add(unhex(f, knownBindHead), unhex(f, knownBindBody))
	f.Add(unhex(f, knownEntryHead), unhex(f, knownEntryBody))
	f.Add(altered(f, map[string]any{"kind": "grant", "sig2": filled(1, change.Sig2Size), "deps": ids(8)}), []byte(nil))
	f.Fuzz(func(t *testing.T, head, body []byte) {
		c, err := change.Decode(head, body)
		switch code := reason.Of(err); code {
		case reason.BadEncoding, reason.ChangeTooLarge:
			if c != nil {
				t.Errorf("a change beside %s", code)
			}
			return
		case "", reason.BlobMismatch:
		default:
			t.Fatalf("refused with %s: %v", code, err)
		}
		if !bytes.Equal(c.Head.Encode(), head) {
			t.Errorf("decode then encode gives other bytes")
		}
		if c.Head.Digest() != c.ID {
			t.Errorf("id is not the digest")
		}
		if c.Head.Space.Area() == change.AreaNone || change.SetOf(c.Head.Space, c.Head.Kind, 3) == "" {
			t.Errorf("accepted the space %q", c.Head.Space)
		}
	})
}

func FuzzParseSpace(f *testing.F) {
	for _, s := range []string{"net", "commons/go", string(change.AgentID{7}.Space()), "team/x", "guild/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sp, err := change.ParseSpace(s)
		if err != nil {
			return
		}
		if string(sp) != s || sp.Area() == change.AreaNone || len(s) > change.MaxSpace {
			t.Errorf("%q is read as %q", s, sp)
		}
		if a, ok := sp.Agent(); ok && a.Space() != sp {
			t.Errorf("the space of %s is %s, not %s", a, a.Space(), sp)
		}
		if d := sp.Domain(); (d != "") != (sp.Area() == change.AreaCommons) || d != "" && change.Commons(d) != sp {
			t.Errorf("domain %q of %q", d, sp)
		}
	})
}

func FuzzParseID(f *testing.F) {
	f.Add(change.ID{1}.Text(change.PrefixChange))
	f.Add("chg_")
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := change.ParseID(change.PrefixChange, s); err == nil && id.Text(change.PrefixChange) != s {
			t.Errorf("%q is read as %s", s, id)
		}
		if id, err := change.ParseAgentID(s); err == nil && id.String() != s {
			t.Errorf("%q is read as %s", s, id)
		}
	})
}

func networkID(t *testing.T, f change.NetworkFile) change.NetID {
	t.Helper()
	id, err := f.Genesis.ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func FuzzParseNetworkFile(f *testing.F) {
	f.Add(networkFile(f, change.Builtin()))
	f.Add("mesh-net:oA")
	rooted := change.Builtin()
	rooted.Roots, rooted.PQ = []did.Key{ada().Key()}, make([]change.PQHash, 1)
	f.Add(networkFile(f, rooted))
	f.Fuzz(func(t *testing.T, s string) {
		n, err := change.ParseNetworkFile(s)
		if err != nil {
			return
		}
		again, err := n.Encode()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		back, err := change.ParseNetworkFile(again)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if a, b := networkID(t, n), networkID(t, back); a != b || n.Genesis.Hybrid() != back.Genesis.Hybrid() {
			t.Errorf("network %s is read again as %s", a, b)
		}
	})
}
