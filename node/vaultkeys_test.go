package node_test

import (
	"testing"
	"testing/synctest"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
)

func TestImportedKeyActsForItsAgent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		old, home := c.nodes[0], c.nodes[1]
		ada := old.agent("Ada")
		c.within(twoTurns, "the agent arrives", func() bool { _, err := home.Agent(t.Context(), ada.ID); return err == nil })
		infos, err := old.Vault().List()
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range infos {
			if i.Public != ada.DID.String() {
				continue
			}
			_, secret, err := old.Vault().Export(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := home.ImportKey("ada", i.Kind, secret, i.Public); err != nil {
				t.Fatal(err)
			}
		}
		a, err := home.Agent(t.Context(), ada.ID)
		if err != nil || !a.Local {
			t.Fatalf("%+v, %v", a, err)
		}
		home.contribute(a, lesson)
	})
}

func TestImportKeyRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	t.Cleanup(b.shut)
	key := keys.FromSeed([32]byte{1})
	if _, err := b.ImportKey("first", vault.Agent, key.Seed(), key.Key().String()); err != nil {
		t.Fatal(err)
	}
	other := keys.FromSeed([32]byte{2})
	for name, c := range map[string]struct {
		name   string
		kind   vault.Kind
		public string
		want   reason.Code
	}{
		"a name that is taken": {"first", vault.Agent, key.Key().String(), reason.NameTaken},
		"no name":              {"../up", vault.Agent, key.Key().String(), reason.InvalidParam},
		"an unknown kind":      {"second", "spare", key.Key().String(), reason.InvalidParam},
		"a node's identity":    {"second", vault.Node, key.Key().String(), reason.InvalidParam},
		"another public half":  {"second", vault.Agent, other.Key().String(), reason.InvalidParam},
	} {
		if _, err := b.ImportKey(c.name, c.kind, key.Seed(), c.public); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	infos, err := b.Vault().List()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		if i.Name == "second" {
			t.Error("a key that was refused stayed in the vault")
		}
	}
}

// A key that the vault has under two names is one key: it is found by both, is read where
// it is whole, and goes with both.
func TestKeyOfTwoNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	key, half := keys.FromSeed([32]byte{1}), [32]byte{2}
	for _, name := range []string{"owner", "zed"} {
		if _, err := b.ImportKey(name, vault.Agent, key.Seed(), key.Key().String()); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := b.Local.Hybrid(key.Key()); ok || err != nil {
		t.Fatalf("half a key is whole: %v", err)
	}
	if _, err := b.ImportHybrid("both", vault.Agent, key.Seed(), half, key.Key().String()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // before and after a restart
		for _, name := range []string{"owner", "zed", "both"} {
			if k, ok := b.Local.Named(name); !ok || k != key.Key() {
				t.Errorf("%s is %v, %v", name, k, ok)
			}
		}
		if _, ok, err := b.Local.Hybrid(key.Key()); !ok || err != nil {
			t.Errorf("the second half is not found: %v, %v", ok, err)
		}
		if id, _ := b.Owner(); id != change.DeriveAgent(b.Judge.Net(), key.Key()) {
			t.Errorf("the owner is %v", id)
		}
		b.shut()
		b = open(t, dir, nil)
	}
	t.Cleanup(b.shut)
	if err := b.Local.Forget(key.Key()); err != nil {
		t.Fatal(err)
	}
	infos, err := b.Vault().List()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		if i.Kind != vault.Node {
			t.Errorf("%s is left of a key that was forgotten", i.Name)
		}
	}
}
