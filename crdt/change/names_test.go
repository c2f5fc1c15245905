package change_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

type idIn struct {
	Of   string         `json:"of"` // agent, guild or net
	Net  vectortest.Hex `json:"net,omitempty"`
	Key  vectortest.Hex `json:"key,omitempty"`
	Salt vectortest.Hex `json:"salt,omitempty"`
	File string         `json:"file,omitempty"` // a network file
}

type idOut struct {
	ID    vectortest.Hex `json:"id"`
	Text  string         `json:"text"`
	Space string         `json:"space,omitempty"`
}

type idVector = vectortest.Vector[idIn, idOut]

func idVectors(t testing.TB) []idVector {
	t.Helper()
	key := ada().Key()
	other := unhex(t, knownNet)
	other[0] ^= 1
	var out []idVector
	add := func(name string, in idIn) {
		got := identify(t, in)
		out = append(out, idVector{Name: name, In: in, Out: &got})
	}
	net := func(start int64) string {
		return networkFile(t, change.Genesis{Name: "vectors", Bits: 8, Roots: []did.Key{key}, Shards: 3, Start: start})
	}
	add("agent", idIn{Of: "agent", Net: unhex(t, knownNet), Key: key[:]})
	add("the same key in another network", idIn{Of: "agent", Net: other, Key: key[:]})
	add("guild", idIn{Of: "guild", Net: unhex(t, knownNet), Key: key[:], Salt: filled(1, 16)})
	add("the same founder and another salt", idIn{Of: "guild", Net: unhex(t, knownNet), Key: key[:], Salt: filled(2, 16)})
	add("the built-in network", idIn{Of: "net", File: networkFile(t, change.Builtin())})
	add("a network with a root", idIn{Of: "net", File: net(1)})
	add("the same network, begun a millisecond later", idIn{Of: "net", File: net(2)})
	second := func(n byte) change.PQHash { return change.HashPQ(bytes.Repeat([]byte{n}, 1952)) }
	out = append(out, hybridVectors(t, key, second(1), second(2))...)
	return out
}

// hybridVectors are networks whose roots have second keys.
func hybridVectors(t testing.TB, key did.Key, one, two change.PQHash) (out []idVector) {
	t.Helper()
	g := change.Genesis{Name: "vectors", Bits: 8, Roots: []did.Key{key}, Shards: 3, Start: 1}
	add := func(name string, g change.Genesis) {
		in := idIn{Of: "net", File: networkFile(t, g)}
		got := identify(t, in)
		out = append(out, idVector{Name: name, In: in, Out: &got})
	}
	g.PQ = []change.PQHash{one}
	add("a network with a root that signs twice", g)
	g.PQ = []change.PQHash{two}
	add("the same root with another second key", g)
	g.Roots, g.PQ = []did.Key{key, keys.FromSeed([32]byte{7}).Key()}, []change.PQHash{one, two}
	add("a network with two roots that sign twice", g)
	return out
}

func networkFile(t testing.TB, g change.Genesis) string {
	t.Helper()
	s, err := change.NetworkFile{Genesis: g}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func identify(t testing.TB, in idIn) idOut {
	t.Helper()
	if in.Of == "net" {
		f, err := change.ParseNetworkFile(in.File)
		if err != nil {
			t.Fatal(err)
		}
		id, err := f.Genesis.ID()
		if err != nil {
			t.Fatal(err)
		}
		return idOut{ID: id[:], Text: id.String()}
	}
	key, err := did.KeyFromBytes(in.Key)
	if err != nil {
		t.Fatal(err)
	}
	if in.Of == "guild" {
		id := change.DeriveGuild(change.NetID(in.Net), key, [16]byte(in.Salt))
		return idOut{id[:], id.Text(change.PrefixGuild), "guild/" + change.Base32(id[:])}
	}
	id := change.DeriveAgent(change.NetID(in.Net), key)
	return idOut{id[:], id.String(), string(id.Space())}
}

func TestIDVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Golden(t, "ids/ids.json", idVectors(t)) {
		got := identify(t, v.In)
		if hex.EncodeToString(got.ID) != hex.EncodeToString(v.Out.ID) || got.Text != v.Out.Text || got.Space != v.Out.Space {
			t.Errorf("%s: %+v, want %+v", v.Name, got, *v.Out)
		}
	}
	agent := change.DeriveAgent(change.NetID(unhex(t, knownNet)), ada().Key())
	if agent.String() != knownAgent {
		t.Errorf("agent %s", agent)
	}
}

type setIn struct {
	Space  string `json:"space"`
	Kind   string `json:"kind"`
	Shards int    `json:"shards"`
}

type setOut struct {
	Set  string `json:"set"`
	Lane string `json:"lane"`
}

func TestSetAndLaneVectors(t *testing.T) {
	t.Parallel()
	agent := string(change.DeriveAgent(change.NetID(unhex(t, knownNet)), ada().Key()).Space())
	id := strings.TrimPrefix(agent, "agent/")
	type vector = vectortest.Vector[setIn, setOut]
	var made []vector
	for _, space := range []string{"net", agent, "commons/go", "commons/rust", "guild/" + id, "team/" + id} {
		for _, kind := range []string{
			"net.manifest", "profile.bind", "rotate", "grant", "revoke", "endorse", "guild.open", "entry.put", "entry.retract", "vote", "comment",
			"label", "doc.edit", "bounty.open", "bounty.act", "task.act", "message", "served", "zeta", "profile.bindx", "grant.more",
		} {
			for _, shards := range []int{1, 7} {
				name := kind + " in " + strings.Replace(space, id, "id", 1) + " of " + map[int]string{1: "1 shard", 7: "7 shards"}[shards]
				made = append(made, vector{
					Name: name, In: setIn{space, kind, shards},
					Out: &setOut{change.SetOf(change.Space(space), kind, shards), change.LaneOf(kind).String()},
				})
			}
		}
	}
	control := map[string]bool{"net.manifest": true, "profile.bind": true, "rotate": true, "grant": true, "revoke": true, "endorse": true, "guild.open": true}
	for _, v := range vectortest.Golden(t, "set/set.json", made) {
		if got := change.SetOf(change.Space(v.In.Space), v.In.Kind, v.In.Shards); got != v.Out.Set {
			t.Errorf("%s: set %s, want %s", v.Name, got, v.Out.Set)
		}
		if got := change.LaneOf(v.In.Kind).String(); got != v.Out.Lane || (got == "control") != control[v.In.Kind] {
			t.Errorf("%s: lane %s, want %s", v.Name, got, v.Out.Lane)
		}
		switch team := strings.HasPrefix(v.In.Space, "team/"); {
		case team && v.Out.Set != v.In.Space, !team && (v.Out.Set == "auth") != control[v.In.Kind]:
			t.Errorf("%s: set %s", v.Name, v.Out.Set)
		}
	}
}

func TestParseSpace(t *testing.T) {
	t.Parallel()
	id := strings.TrimPrefix(string(change.DeriveAgent(change.NetID{}, ada().Key()).Space()), "agent/")
	for s, want := range map[string]change.Area{
		"net": change.AreaNet, "agent/" + id: change.AreaAgent, "guild/" + id: change.AreaGuild, "team/" + id: change.AreaTeam,
		"commons/" + strings.Repeat("z", 64): change.AreaCommons,
	} {
		got, err := change.ParseSpace(s)
		if err != nil || got.Area() != want {
			t.Errorf("%s: area %d, %v", s, got.Area(), err)
		}
	}
	if d := change.Commons("go").Domain(); d != "go" {
		t.Errorf("domain %q", d)
	}
	if d := change.SpaceNet.Domain(); d != "" {
		t.Errorf("domain of net %q", d)
	}
	if _, ok := change.Commons("go").Agent(); ok {
		t.Error("the commons belong to an agent")
	}
}

func TestParseID(t *testing.T) {
	t.Parallel()
	good := change.ID{1, 2, 3}.Text(change.PrefixEntry)
	if id, err := change.ParseID(change.PrefixEntry, good); err != nil || id != (change.ID{1, 2, 3}) {
		t.Errorf("%v, %v", id, err)
	}
	for _, s := range []string{"", "ent_", good[:len(good)-1], good + "a", strings.ToUpper(good), "chg_" + good[4:], good[:len(good)-1] + "b", good[:20] + "\n" + good[21:], good[:20] + "ı" + good[22:]} {
		if id, err := change.ParseID(change.PrefixEntry, s); err == nil {
			t.Errorf("%q is read as %s", s, id)
		}
	}
}

func TestNetworkFileRoundTrip(t *testing.T) {
	t.Parallel()
	f := change.NetworkFile{
		Genesis:   change.Genesis{Bits: 3, Name: "réseau", Roots: []did.Key{ada().Key()}, Shards: 4, Start: 5},
		Bootstrap: []string{"/ip4/192.0.2.1/tcp/1", strings.Repeat("a", 256)},
	}
	s, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := change.ParseNetworkFile("\n " + s + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if got.Genesis.Name != f.Genesis.Name || len(got.Bootstrap) != 2 || got.Genesis.Roots[0] != f.Genesis.Roots[0] {
		t.Errorf("%+v", got)
	}
}

// A second key of a root changes the id of the network; a genesis without any is
// the same bytes as before there were any.
func TestSecondKeysOfRoots(t *testing.T) {
	t.Parallel()
	plain := change.Genesis{Bits: 3, Name: "n", Roots: []did.Key{ada().Key()}, Shards: 4, Start: 5}
	raw, err := plain.Encode()
	if err != nil || bytes.Contains(raw, []byte("pq")) {
		t.Errorf("%x, %v", raw, err)
	}
	hybrid := plain
	hybrid.PQ = []change.PQHash{change.HashPQ([]byte("key"))}
	file := networkFile(t, hybrid)
	got, err := change.ParseNetworkFile(file)
	if err != nil || !got.Genesis.Hybrid() || got.Genesis.PQ[0] != hybrid.PQ[0] || len(file) > 300 {
		t.Errorf("%+v of a file of %d bytes, %v", got.Genesis, len(file), err)
	}
	a, err := plain.ID()
	if b, err2 := got.Genesis.ID(); err != nil || err2 != nil || a == b {
		t.Errorf("%s and %s, %v, %v", a, b, err, err2)
	}
	hash := hybrid.PQ[0][:]
	for name, pq := range map[string]any{
		"none": []any{}, "two of one root": []any{hash, hash}, "31 bytes": []any{hybrid.PQ[0][1:]}, "a whole key": []any{make([]byte, 1952)},
		"text": []any{strings.Repeat("x", 32)}, "no list": hash, "null": nil,
	} {
		m, err := cbor.DecodeMap(raw)
		if err != nil {
			t.Fatal(err)
		}
		m["pq"] = pq
		b, err := cbor.Encode(cbor.Map{"bootstrap": []any{}, "genesis": m})
		if err != nil {
			t.Fatal(err)
		}
		if f, err := change.ParseNetworkFile("mesh-net:" + base64.RawURLEncoding.EncodeToString(b)); err == nil {
			t.Errorf("pq of %s is read as %+v", name, f.Genesis)
		}
	}
}

func TestNetworkFileRefusals(t *testing.T) {
	t.Parallel()
	g := change.Builtin()
	with := func(spoil func(*change.NetworkFile)) change.NetworkFile {
		f := change.NetworkFile{Genesis: g}
		spoil(&f)
		return f
	}
	for name, f := range map[string]change.NetworkFile{
		"bits -1":                   with(func(f *change.NetworkFile) { f.Genesis.Bits = -1 }),
		"bits 65":                   with(func(f *change.NetworkFile) { f.Genesis.Bits = 65 }),
		"no shard":                  with(func(f *change.NetworkFile) { f.Genesis.Shards = 0 }),
		"257 shards":                with(func(f *change.NetworkFile) { f.Genesis.Shards = 257 }),
		"no second key":             with(func(f *change.NetworkFile) { f.Genesis.PQ = []change.PQHash{} }),
		"second keys without roots": with(func(f *change.NetworkFile) { f.Genesis.PQ = make([]change.PQHash, 1) }),
		"two second keys of a root": with(func(f *change.NetworkFile) {
			f.Genesis.Roots, f.Genesis.PQ = []did.Key{ada().Key()}, make([]change.PQHash, 2)
		}),
		"six roots":      with(func(f *change.NetworkFile) { f.Genesis.Roots = make([]did.Key, 6) }),
		"name of 65":     with(func(f *change.NetworkFile) { f.Genesis.Name = strings.Repeat("é", 65) }),
		"name not NFC":   with(func(f *change.NetworkFile) { f.Genesis.Name = "e\u0301" }),
		"start too late": with(func(f *change.NetworkFile) { f.Genesis.Start = 1 << 43 }),
		"start negative": with(func(f *change.NetworkFile) { f.Genesis.Start = -1 }),
		"65 addresses":   with(func(f *change.NetworkFile) { f.Bootstrap = make([]string, 65) }),
		"long address":   with(func(f *change.NetworkFile) { f.Bootstrap = []string{strings.Repeat("a", 257)} }),
	} {
		if s, err := f.Encode(); err == nil {
			t.Errorf("%s is encoded as %.40s", name, s)
		}
	}
	for _, s := range []string{"", "mesh-net:", "mesh-net:!!", "mesh:" + networkFile(t, g)[9:], "mesh-net:" + strings.Repeat("A", 33<<10), networkFile(t, g) + "AA"} {
		if f, err := change.ParseNetworkFile(s); err == nil {
			t.Errorf("%.40q is read as %+v", s, f)
		}
	}
}
