package owner_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// mesh is a node that forgets nothing but what the test makes it forget.
type mesh struct {
	key    *keys.Private
	opened *view.Genesis
	fail   error // of the next OpenAgent
	unsure error
}

func (m *mesh) Network() (string, change.NetID) { return "test", change.NetID{1} }

func (m *mesh) id() change.AgentID { return change.DeriveAgent(change.NetID{1}, m.key.Key()) }

func (m *mesh) Owner() (change.AgentID, bool) { return m.id(), m.opened != nil }

func (m *mesh) OwnerActingKey(context.Context) (did.Key, error) { return m.key.Key(), nil }

func (m *mesh) Unsure() error { return m.unsure }

func (m *mesh) Agent(_ context.Context, id change.AgentID) (view.Agent, error) {
	if m.opened == nil || id != m.id() {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return view.Agent{AgentRef: view.AgentRef{ID: id, Name: m.opened.Name}, DID: m.key.Key()}, nil
}

func (m *mesh) OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error) {
	if m.fail != nil {
		return view.Agent{}, view.Receipt{}, m.fail
	}
	if m.opened != nil {
		return view.Agent{}, view.Receipt{}, errors.New("opened twice")
	}
	m.opened = &g
	a, err := m.Agent(ctx, m.id())
	return a, view.Receipt{}, err
}

type bench struct {
	t    *testing.T
	mesh *mesh
	home *store.Home
	st   *state.DB
}

func newBench(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, mesh: &mesh{key: key}, home: home}
	b.openState()
	t.Cleanup(func() {
		if err := errors.Join(b.st.Close(context.Background()), home.Close()); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) openState() {
	b.t.Helper()
	st, err := state.Open(b.t.Context(), b.home.Path(store.StateFile), state.Config{Pepper: make([]byte, 32), Random: rand.Reader})
	if err != nil {
		b.t.Fatal(err)
	}
	b.st = st
}

func (b *bench) ensure() owner.Owner {
	b.t.Helper()
	o, err := owner.Ensure(b.t.Context(), b.mesh, b.st, b.home, rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

// key is the API key of the file, which must be alive.
func (b *bench) key(o owner.Owner) string {
	b.t.Helper()
	text, err := os.ReadFile(o.APIKeyFile)
	if err != nil {
		b.t.Fatal(err)
	}
	secret, err := state.ParseSecret(strings.TrimSpace(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	k, err := b.st.KeyBySecret(b.t.Context(), secret, time.Now())
	if err != nil {
		b.t.Fatal(err)
	}
	if k.AgentID != o.Agent.ID.String() {
		b.t.Fatalf("key of %s, want %s", k.AgentID, o.Agent.ID)
	}
	return string(text)
}

func TestEnsureMakesAnAgentOnce(t *testing.T) {
	b := newBench(t)
	first := b.ensure()
	key := b.key(first)
	if !first.Created || first.Agent.Name != owner.FirstName(b.mesh.id()) {
		t.Fatalf("made %+v", first)
	}
	text, err := os.ReadFile(first.RecoveryFile)
	if err != nil {
		t.Fatal(err)
	}
	recovery, err := owner.ParseRecovery(string(text))
	if err != nil {
		t.Fatal(err)
	}
	public := recovery.Key()
	if want := sha256.Sum256(public[:]); string(b.mesh.opened.Next) != string(want[:]) {
		t.Fatal("the genesis names another recovery key")
	}
	for _, path := range []string{first.APIKeyFile, first.RecoveryFile} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	second := b.ensure()
	if second.Created || b.key(second) != key || second.RecoveryFile != first.RecoveryFile {
		t.Fatalf("second start changed something: %+v", second)
	}
}

func TestEnsureGoesOnWhereItWasCut(t *testing.T) {
	b := newBench(t)
	b.mesh.fail = errors.New("cut")
	if _, err := owner.Ensure(t.Context(), b.mesh, b.st, b.home, rand.Reader); !errors.Is(err, b.mesh.fail) {
		t.Fatalf("got %v", err)
	}
	recovery := b.home.Path(store.KeysDir, owner.RecoveryName(b.mesh.id()))
	before, err := os.ReadFile(recovery)
	if err != nil {
		t.Fatal(err)
	}
	b.mesh.fail = nil
	b.key(b.ensure())
	if after, err := os.ReadFile(recovery); err != nil || string(after) != string(before) {
		t.Fatalf("the recovery key was made anew: %v", err)
	}
}

func TestEnsureReplacesALostKeyFile(t *testing.T) {
	b := newBench(t)
	o := b.ensure()
	lost := b.key(o)
	if err := os.Remove(o.APIKeyFile); err != nil {
		t.Fatal(err)
	}
	b.key(b.ensure())
	secret, err := state.ParseSecret(strings.TrimSpace(lost))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.st.KeyBySecret(t.Context(), secret, time.Now()); reason.Of(err) != reason.KeyRevoked {
		t.Fatalf("the lost key answers %v", err)
	}
}

func TestEnsureSurvivesALostDatabase(t *testing.T) {
	b := newBench(t)
	b.ensure()
	if err := b.st.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tail := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(b.home.Path(store.StateFile + tail)); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	b.openState()
	b.key(b.ensure())
}

func TestEnsureKeepsARevokedKeyDead(t *testing.T) {
	b := newBench(t)
	o := b.ensure()
	text := b.key(o)
	all, err := b.st.KeysOf(t.Context(), o.Agent.ID.String())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d keys, %v", len(all), err)
	}
	if _, err := b.st.RevokeKey(t.Context(), o.Agent.ID.String(), all[0].ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	b.ensure()
	if after, err := os.ReadFile(o.APIKeyFile); err != nil || string(after) != text {
		t.Fatalf("a revoked key was replaced: %v", err)
	}
}

func TestEnsureDoesNotMissAMovedRecoveryKey(t *testing.T) {
	b := newBench(t)
	if err := os.Remove(b.ensure().RecoveryFile); err != nil {
		t.Fatal(err)
	}
	if o := b.ensure(); o.RecoveryFile != "" {
		t.Fatalf("made %s anew", o.RecoveryFile)
	}
}

// Who registers elsewhere may have no home yet: the folder is made, for its owner
// alone, as the file is.
func TestWriteRecoveryMakesItsFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home", "keys")
	path := filepath.Join(dir, "recovery")
	key := keys.FromSeed([32]byte{1})
	if err := owner.WriteRecovery(path, key); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", path, info.Mode(), want)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := owner.ParseRecovery(string(text)); err != nil || got.Key() != key.Key() {
		t.Errorf("read back %v, %v", got, err)
	}
}

func FuzzParseRecovery(f *testing.F) {
	key := keys.FromSeed([32]byte{1})
	path := f.TempDir() + "/recovery"
	if err := owner.WriteRecovery(path, key); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(strings.Replace(string(text), "seed: 01", "seed: 02", 1))
	f.Add("did: x\nseed: y\n")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := owner.ParseRecovery(text)
		if err != nil {
			return
		}
		if again := fmt.Sprint(key.Key()); !strings.Contains(text, again) {
			t.Fatalf("read %s from a file that does not name it", again)
		}
	})
}
