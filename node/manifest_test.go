package node_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/manifest"
	"github.com/meshd/meshd/node/transfer"
)

// rootSeed is the secret of root n, and of its second key.
func rootSeed(n int, second bool) (s [32]byte) {
	s[0], s[1] = byte(n+1), map[bool]byte{true: 1}[second]
	return s
}

func rootKey(n int) did.Key { return keys.FromSeed(rootSeed(n, false)).Key() }

// rootsNode is a node of a network with so many roots, which sign twice or once; it
// has the keys of some of them.
func rootsNode(t *testing.T, roots int, hybrid bool, here ...int) *box {
	t.Helper()
	g := change.Genesis{Name: "roots", Shards: 1, Start: 1767225600000}
	for i := range roots {
		g.Roots = append(g.Roots, rootKey(i))
		if hybrid {
			g.PQ = append(g.PQ, change.HashPQ(keys.PQPublic(rootSeed(i, true))))
		}
	}
	b := openWith(t, t.TempDir(), func(o *core.Options) {
		text, err := change.NetworkFile{Genesis: g}.Encode()
		if err == nil {
			err = os.WriteFile(o.Config.Network.File, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, i := range here {
		_, err := b.Vault().Import(fmt.Sprint("root-", i), vault.Root, rootSeed(i, false))
		if err == nil && hybrid {
			_, err = b.Vault().Import(fmt.Sprint("root-pq-", i), vault.PQ, rootSeed(i, true))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(b.shut)
	return b
}

func labeler(n byte) string { return keys.FromSeed([32]byte{0xaa, n}).Key().String() }

// set signs what an order says, and returns what is in force then.
func set(t *testing.T, b *box, o manifest.Order) manifest.State {
	t.Helper()
	st, changed, err := node.ManifestsOf(b.Node).Set(t.Context(), o)
	if err != nil || !changed || st.Manifest == nil {
		t.Fatalf("set %+v: %+v, %t, %v", o, st, changed, err)
	}
	return st
}

func TestManifestIsSet(t *testing.T) {
	t.Parallel()
	for _, hybrid := range []bool{true, false} {
		b := rootsNode(t, 3, hybrid, 1, 2)
		m := node.ManifestsOf(b.Node)
		if st, err := m.State(t.Context()); err != nil || st.Manifest != nil || st.Hybrid != hybrid || st.Roots[0].Here || !st.Roots[1].Here || (st.Roots[1].PQ == "") == hybrid {
			t.Errorf("before: %+v, %v", st, err)
		}
		st := set(t, b, manifest.Order{Gateways: []manifest.Gateway{{Host: "Mesh.Example", Key: manifest.Self}}, Labelers: []string{labeler(1), labeler(2)}})
		if st.Manifest.Root != rootKey(1).String() || st.Manifest.Gateways[0].Host != "mesh.example" || st.Manifest.Gateways[0].Agent == "" || st.Manifest.Gateways[0].Key != st.OwnKey {
			t.Errorf("%+v", st.Manifest)
		}
		if _, changed, err := m.Set(t.Context(), manifest.Order{Labelers: []string{labeler(2)}}); changed || err != nil {
			t.Errorf("the same again: %t, %v", changed, err)
		}
		// Another root goes on where the first was, and is in force.
		st = set(t, b, manifest.Order{Root: rootKey(2).String(), RemoveLabelers: []string{labeler(1)}})
		if st.Manifest.Root != rootKey(2).String() || len(st.Manifest.Labelers) != 1 || len(st.Manifest.Gateways) != 1 {
			t.Errorf("%+v", st.Manifest)
		}
		_, id, _ := b.Views.ManifestChange()
		rec, err := b.Log.Get(t.Context(), id)
		if err != nil || (rec.Change.Head.Sig2 != nil) != hybrid {
			t.Errorf("signed twice %t, %v", rec.Change.Head.Sig2 != nil, err)
		}
	}
}

func TestManifestOrdersThatAreRefused(t *testing.T) {
	t.Parallel()
	b, far := rootsNode(t, 2, true, 0), rootsNode(t, 1, true)
	set(t, b, manifest.Order{Labelers: []string{labeler(1)}})
	many := make([]string, body.MaxLabelers+1)
	hosts := make([]manifest.Gateway, body.MaxGateways+1)
	for i := range many {
		many[i] = labeler(byte(i))
	}
	for i := range hosts {
		hosts[i] = manifest.Gateway{Host: fmt.Sprint(i, ".example"), Key: labeler(1)}
	}
	for _, tc := range []struct {
		name string
		at   *box
		o    manifest.Order
		want reason.Code
	}{
		{"no root here", far, manifest.Order{Labelers: []string{labeler(1)}}, reason.Forbidden},
		{"a root that lies elsewhere", b, manifest.Order{Root: rootKey(1).String(), Labelers: []string{labeler(2)}}, reason.Forbidden},
		{"no root of this network", b, manifest.Order{Root: labeler(1), Labelers: []string{labeler(2)}}, reason.InvalidParam},
		{"a root by another name", b, manifest.Order{Root: "root", Labelers: []string{labeler(2)}}, reason.InvalidDID},
		{"nobody's key", b, manifest.Order{Labelers: []string{"somebody"}}, reason.InvalidDID},
		{"a host with a path", b, manifest.Order{Gateways: []manifest.Gateway{{Host: "a.example/x", Key: labeler(1)}}}, reason.InvalidParam},
		{"no host", b, manifest.Order{Gateways: []manifest.Gateway{{Key: labeler(1)}}}, reason.InvalidParam},
		{"an address without a peer", b, manifest.Order{Bootstrap: []string{"/ip4/127.0.0.1/tcp/1"}}, reason.InvalidParam},
		{"an address of 257", b, manifest.Order{Bootstrap: []string{"/p2p/" + string(bytes.Repeat([]byte{'a'}, 252))}}, reason.InvalidParam},
		{"65 labelers", b, manifest.Order{Labelers: many}, reason.InvalidParam},
		{"129 gateways", b, manifest.Order{Gateways: hosts}, reason.InvalidParam},
		{"a gateway that is not listed", b, manifest.Order{RemoveGateways: []string{"x.example"}}, reason.NotFound},
		{"a labeler that is not listed", b, manifest.Order{RemoveLabelers: []string{labeler(9)}}, reason.NotFound},
		{"an address that is not listed", b, manifest.Order{RemoveBootstrap: []string{"/x"}}, reason.NotFound},
	} {
		if _, changed, err := node.ManifestsOf(tc.at.Node).Set(t.Context(), tc.o); reason.Of(err) != tc.want || changed {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	if _, err := node.ManifestsOf(b.Node).Propose(t.Context(), manifest.Order{Labelers: []string{labeler(2)}}); reason.Of(err) != reason.InvalidParam {
		t.Errorf("a draft for nobody of two roots: %v", err)
	}
	if _, err := node.ManifestsOf(far.Node).Propose(t.Context(), manifest.Order{RemoveLabelers: nil}); err != nil {
		t.Errorf("a first manifest that lists nothing: %v", err)
	}
	none := rootsNode(t, 0, false)
	if _, _, err := node.ManifestsOf(none.Node).Set(t.Context(), manifest.Order{Labelers: []string{labeler(1)}}); reason.Of(err) != reason.Forbidden {
		t.Errorf("a network without roots: %v", err)
	}
}

// A root whose second key lies elsewhere signs nothing.
func TestHalfARootSignsNothing(t *testing.T) {
	t.Parallel()
	b := rootsNode(t, 1, true)
	if _, err := b.Vault().Import("half", vault.Root, rootSeed(0, false)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Vault().Import("another-pq", vault.PQ, rootSeed(7, true)); err != nil {
		t.Fatal(err)
	}
	m := node.ManifestsOf(b.Node)
	if st, err := m.State(t.Context()); err != nil || st.Roots[0].Here {
		t.Errorf("%+v, %v", st, err)
	}
	if _, _, err := m.Set(t.Context(), manifest.Order{Labelers: []string{labeler(1)}}); reason.Of(err) != reason.Forbidden {
		t.Errorf("set: %v", err)
	}
}

// A draft is signed where the root lies, once for each place of its chain, and takes
// effect wherever it is imported.
func TestDraftOfAManifest(t *testing.T) {
	t.Parallel()
	for _, hybrid := range []bool{true, false} {
		root, far := rootsNode(t, 1, hybrid, 0), rootsNode(t, 1, hybrid)
		there, here := node.ManifestsOf(root.Node), node.ManifestsOf(far.Node)
		var lines [][]byte
		for i := range 2 {
			d, err := here.Propose(t.Context(), manifest.Order{Labelers: []string{labeler(byte(i))}, Gateways: []manifest.Gateway{{Host: "a.example", Key: labeler(5)}}})
			if err != nil || d.Seq != uint64(i+1) {
				t.Fatalf("draft %d: %+v, %v", i, d, err)
			}
			line, err := there.Sign(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := there.Sign(t.Context(), d); reason.Of(err) != reason.VersionConflict {
				t.Errorf("the same draft again: %v", err)
			}
			if rep, err := far.Import(t.Context(), bytes.NewReader(line)); err != nil || rep.New != 1 {
				t.Fatalf("import %+v, %v", rep, err)
			}
			lines = append(lines, line)
		}
		st, err := here.State(t.Context())
		if err != nil || len(st.Manifest.Labelers) != 2 || len(st.Manifest.Gateways) != 1 {
			t.Errorf("%+v, %v", st.Manifest, err)
		}
		if hybrid {
			third := rootsNode(t, 1, true)
			strippedIsRefused(t, third, lines[0])
		}

		good, err := here.Propose(t.Context(), manifest.Order{Labelers: []string{labeler(8)}})
		if err != nil {
			t.Fatal(err)
		}
		for name, spoil := range map[string]func(*manifest.Draft){
			"version":         func(d *manifest.Draft) { d.Version++ },
			"network":         func(d *manifest.Draft) { d.Network = "00" },
			"no place":        func(d *manifest.Draft) { d.Seq = 0 },
			"no prev":         func(d *manifest.Draft) { d.Prev = "" },
			"prev of a first": func(d *manifest.Draft) { d.Seq = 1 },
			"prev":            func(d *manifest.Draft) { d.Prev = "chg_x" },
			"far ahead":       func(d *manifest.Draft) { d.HLC = 1 << 52 },
			"host":            func(d *manifest.Draft) { d.Gateways[0].Host = "a b" },
			"gateway":         func(d *manifest.Draft) { d.Gateways[0].Key = "self" },
			"labeler":         func(d *manifest.Draft) { d.Labelers[0] = "self" },
			"bootstrap":       func(d *manifest.Draft) { d.Bootstrap = []string{"x"} },
		} {
			d := good
			d.Gateways, d.Labelers = slices.Clone(good.Gateways), slices.Clone(good.Labelers)
			spoil(&d)
			if _, err := there.Sign(t.Context(), d); reason.Of(err) != reason.InvalidParam {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := here.Sign(t.Context(), good); reason.Of(err) != reason.Forbidden {
			t.Errorf("signed without the root: %v", err)
		}
	}
}

// strippedIsRefused takes the second signature from a signed manifest.
func strippedIsRefused(t *testing.T, b *box, line []byte) {
	t.Helper()
	c, err := exchange.Read(bytes.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	h := *c.Head
	h.Sig2, h.Sig = nil, keys.FromSeed(rootSeed(0, false)).Sign(c.ID.Preimage())
	stripped, err := exchange.Append(nil, &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		line []byte
		want transfer.ImportReport
	}{{stripped, transfer.ImportReport{Refused: map[reason.Code]int{reason.BadChangeSignature: 1}}}, {line, transfer.ImportReport{New: 1}}} {
		rep, err := b.Import(t.Context(), bytes.NewReader(tc.line))
		if err != nil || rep.New != tc.want.New || rep.Refused[reason.BadChangeSignature] != tc.want.Refused[reason.BadChangeSignature] {
			t.Errorf("import %+v, %v", rep, err)
		}
	}
}

// A root cannot rotate: it goes on after a fork of its chain, and the newest is in force.
func TestRootGoesOnAfterAFork(t *testing.T) {
	t.Parallel()
	b, twin := rootsNode(t, 1, true, 0), rootsNode(t, 1, true, 0)
	set(t, b, manifest.Order{Labelers: []string{labeler(1)}})
	set(t, twin, manifest.Order{Labelers: []string{labeler(2)}})
	var all bytes.Buffer
	if _, err := twin.Export(t.Context(), &all, false); err != nil {
		t.Fatal(err)
	}
	if rep, err := b.Import(t.Context(), &all); err != nil || rep.New == 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	st := set(t, b, manifest.Order{Labelers: []string{labeler(3)}})
	if n := len(st.Manifest.Labelers); n != 2 { // of the newer of both, and the third
		t.Errorf("%d labelers: %+v", n, st.Manifest)
	}
}

// Addresses of the manifest are dialled like those of the network file; what cannot be
// dialled does not hinder a start.
func TestBootstrapOfTheManifest(t *testing.T) {
	t.Parallel()
	b := rootsNode(t, 1, false, 0)
	good, public := "/ip4/127.0.0.1/tcp/1/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDdUJj2vj6sNPqTLa", "/ip4/192.0.2.1/tcp/1/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDdUJj2vj6sNPqTLa"
	set(t, b, manifest.Order{Bootstrap: []string{good, public, "/p2p/nobody"}})
	if got := b.Bootstrap(); !slices.Equal(got, []string{good}) {
		t.Errorf("%q", got)
	}
	if err := b.Connect(); err != nil {
		t.Error(err)
	}
	if st := set(t, b, manifest.Order{RemoveBootstrap: []string{good, public}}); len(st.Manifest.Bootstrap) != 1 || len(b.Bootstrap()) != 0 {
		t.Errorf("%+v", st.Manifest)
	}
}
