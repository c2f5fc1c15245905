package node_test

import (
	"testing"
	"testing/synctest"

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
