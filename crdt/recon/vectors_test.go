package recon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the vector files from what the code does now")

// vectorDir is where the vectors of the network are published, for other
// programs too; testdata contains those that were worked out by hand for this one.
const vectorDir = "../testdata/vectors"

// hexBytes travels as hex in vectors.
type hexBytes []byte

func (h hexBytes) MarshalJSON() ([]byte, error) { return json.Marshal(hex.EncodeToString(h)) }

func (h *hexBytes) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	raw, err := hex.DecodeString(s)
	*h = raw
	return err
}

// readVectors reads a vector file into v.
func readVectors(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// golden compares got with a vector file, or writes it when the flag says so.
func golden[T any](t testing.TB, path string, got []T) {
	t.Helper()
	if *update {
		b, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var want []T
	readVectors(t, path, &want)
	if len(got) != len(want) {
		t.Fatalf("%s has %d vectors, the code gives %d", path, len(want), len(got))
	}
	for i := range got {
		g, _ := json.Marshal(got[i])
		w, _ := json.Marshal(want[i])
		if !bytes.Equal(g, w) {
			t.Errorf("%s, vector %d:\n got %s\nwant %s", path, i, g, w)
		}
	}
}

// idOf is the id that the check values of the specification use: SHA-256 of k as
// 8 bytes, little-endian.
func idOf(k uint64) [32]byte {
	return sha256.Sum256(binary.LittleEndian.AppendUint64(nil, k))
}

// itemsOf are n items with ids from idOf, each a millisecond after the other.
func itemsOf(from, n uint64) []Item {
	items := make([]Item, n)
	for i := range items {
		k := from + uint64(i)
		items[i] = Item{HLC: (1767225600000 + k) * 1024, ID: idOf(k)}
	}
	return items
}

func setOf(items []Item) *Set {
	s := NewSet()
	s.InsertBatch(items)
	return s
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fpVector: fingerprint of the ids H(8-byte little-endian k) for k in [from, to).
type fpVector struct {
	Name string   `json:"name"`
	In   krange   `json:"in"`
	Out  hexBytes `json:"out"`
}

// krange names the ids H(8-byte little-endian k) for k in [from, to).
type krange struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

func TestSetFingerprintVectors(t *testing.T) {
	t.Parallel()
	spec := map[string]string{
		"none":  "7f9c9e31ac8256ca2f258583df262dbc",
		"0":     "c8bf03b392823142d36e795cbd8ffdc8",
		"0-999": "b423d7a2c12c1ba76c338936d4c3fb51",
	}
	var got []fpVector
	for _, v := range []fpVector{
		{Name: "none", In: krange{0, 0}}, {Name: "0", In: krange{0, 1}}, {Name: "0-999", In: krange{0, 1000}},
	} {
		count, fp := setOf(itemsOf(v.In.From, v.In.To-v.In.From)).FP()
		if count != v.In.To-v.In.From {
			t.Errorf("%s: count %d", v.Name, count)
		}
		if want := unhex(t, spec[v.Name]); !bytes.Equal(fp[:], want) {
			t.Errorf("%s: fingerprint %x, specified is %x", v.Name, fp, want)
		}
		v.Out = fp[:]
		got = append(got, v)
	}
	golden(t, filepath.Join(vectorDir, "set", "fp.json"), got)
}

// symbolsVector: the first n symbols of a set.
type symbolsVector struct {
	Name string `json:"name"`
	In   struct {
		krange
		Symbols int `json:"symbols"`
	} `json:"in"`
	Out struct {
		Syms   hexBytes `json:"syms"`
		SHA256 hexBytes `json:"sha256"`
	} `json:"out"`
}

func TestSketchSymbolVectors(t *testing.T) {
	t.Parallel()
	spec := map[string]string{
		"{0}":     "761d35dc5c18b53bc76df9b2f2c962b824a66fb972f21ba3ad21e1b144a60e75",
		"{0,1}":   "d0e21364801a77c048697e2c0a24e6c3085bfe90e4993cf9bfa363c9839b1b47",
		"{0-999}": "0a30206eb74aae453e2b5e973da156b41469da87645c073a5843fd89b29e1fb8",
	}
	var got []symbolsVector
	for _, c := range []struct {
		name string
		to   uint64
	}{{"{}", 0}, {"{0}", 1}, {"{0,1}", 2}, {"{0-999}", 1000}} {
		syms, err := setOf(itemsOf(0, c.to)).Sketch().Symbols(0, 64)
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.Sum256(syms)
		if want, ok := spec[c.name]; ok && !bytes.Equal(h[:], unhex(t, want)) {
			t.Errorf("%s: symbols hash to %x, specified is %s", c.name, h, want)
		}
		v := symbolsVector{Name: c.name}
		v.In.krange, v.In.Symbols = krange{0, c.to}, 64
		v.Out.Syms, v.Out.SHA256 = syms, h[:]
		got = append(got, v)
	}
	golden(t, filepath.Join(vectorDir, "sketch", "symbols.json"), got)
}

// membersVector: the symbols below `below` that contain the item of H(k).
type membersVector struct {
	Name string `json:"name"`
	In   struct {
		K     uint64 `json:"k"`
		Below uint64 `json:"below"`
	} `json:"in"`
	Out []uint64 `json:"out"`
}

func TestSketchMembershipVectors(t *testing.T) {
	t.Parallel()
	var got []membersVector
	for k := range uint64(32) {
		v := membersVector{Name: "symbols of one item"}
		v.In.K, v.In.Below = k, 2000
		if k > 0 {
			v.In.Below = MaxSymbols
		}
		for w := newWalk(check(prefix(idOf(k)))); w.i < v.In.Below; w.step() {
			v.Out = append(v.Out, w.i)
		}
		got = append(got, v)
	}
	want := []uint64{0, 2, 6, 9, 10, 17, 19, 23, 36, 199, 303, 915}
	if !equal(got[0].Out, want) {
		t.Errorf("item of k = 0 lies in %v, specified is %v", got[0].Out, want)
	}
	golden(t, filepath.Join(vectorDir, "sketch", "members.json"), got)
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// peelVector is a session of requests and answers. Both sets are unions of ranges of k.
type peelVector struct {
	Name string `json:"name"`
	In   struct {
		Local  []krange `json:"local"`
		Remote []krange `json:"remote"`
	} `json:"in"`
	Out struct {
		Asks       [][2]int   `json:"asks"` // from, n
		Resolved   bool       `json:"resolved"`
		OnlyRemote []hexBytes `json:"only_remote"`
		OnlyLocal  []hexBytes `json:"only_local"`
	} `json:"out"`
}

func union(ranges []krange) *Set {
	s := NewSet()
	for _, r := range ranges {
		s.InsertBatch(itemsOf(r.From, r.To-r.From))
	}
	return s
}

func TestSketchSessionVectors(t *testing.T) {
	t.Parallel()
	var got []peelVector
	for _, c := range []struct {
		name          string
		local, remote []krange
		resolved      bool
	}{
		{"equal", []krange{{0, 50}}, []krange{{0, 50}}, true},
		{"remote empty", []krange{{0, 5}}, nil, true},
		{"ten differences", []krange{{0, 995}}, []krange{{5, 1000}}, true},
		{"asks twice", []krange{{0, 940}}, []krange{{60, 1000}}, true},
		{"falls back to ranges", []krange{{0, 4000}}, []krange{{4000, 8000}}, false},
	} {
		v := peelVector{Name: c.name}
		v.In.Local, v.In.Remote = c.local, c.remote
		local, remote := union(c.local).Sketch(), union(c.remote).Sketch()
		count, _ := remote.Summary()
		p := NewPeeler(local, count)
		for from, n := p.Next(); n > 0; from, n = p.Next() {
			syms, err := remote.Symbols(from, n)
			if err != nil {
				t.Fatal(err)
			}
			if v.Out.Resolved, err = p.Add(from, syms); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			v.Out.Asks = append(v.Out.Asks, [2]int{from, n})
		}
		if v.Out.Resolved != c.resolved {
			t.Errorf("%s: resolved %v", c.name, v.Out.Resolved)
		}
		if v.Out.Resolved {
			d := p.Result()
			for i := range d.OnlyRemote {
				v.Out.OnlyRemote = append(v.Out.OnlyRemote, d.OnlyRemote[i][:])
			}
			for i := range d.OnlyLocal {
				v.Out.OnlyLocal = append(v.Out.OnlyLocal, d.OnlyLocal[i][:])
			}
		}
		got = append(got, v)
	}
	golden(t, filepath.Join(vectorDir, "sketch", "sessions.json"), got)
}

// sessionVector is a whole range session: what the initiator sends and is
// answered, and what it learns. Items are (1767225600000 + k) * 1024 and H(k);
// same_hlc puts them all at one time.
type sessionVector struct {
	Name string `json:"name"`
	In   struct {
		Initiator  []krange `json:"initiator"`
		Responder  []krange `json:"responder"`
		SameHLC    bool     `json:"same_hlc"`
		FrameLimit int      `json:"frame_limit"`
	} `json:"in"`
	Out struct {
		Messages []hexBytes `json:"messages"` // initiator first, then in turn
		Have     []hexBytes `json:"have"`
		Need     []hexBytes `json:"need"`
	} `json:"out"`
}

func TestRangeSessionVectors(t *testing.T) {
	t.Parallel()
	var got []sessionVector
	for _, c := range []struct {
		name                 string
		initiator, responder []krange
		sameHLC              bool
		limit                int
	}{
		{"both empty", nil, nil, false, MaxFrame},
		{"initiator empty", nil, []krange{{0, 3}}, false, MaxFrame},
		{"equal", []krange{{0, 100}}, []krange{{0, 100}}, false, MaxFrame},
		{"ten differences", []krange{{0, 503}, {505, 998}}, []krange{{0, 200}, {203, 400}, {402, 1000}}, false, MaxFrame},
		{"one time for all", []krange{{0, 70}}, []krange{{10, 80}}, true, MaxFrame},
		{"small frames", nil, []krange{{0, 300}}, false, MinFrame},
	} {
		v := sessionVector{Name: c.name}
		v.In.Initiator, v.In.Responder, v.In.SameHLC, v.In.FrameLimit = c.initiator, c.responder, c.sameHLC, c.limit
		a, b := union(c.initiator), union(c.responder)
		if c.sameHLC {
			a, b = atOneTime(a), atOneTime(b)
		}
		s := runSession(t, a, b, c.limit)
		for _, m := range s.messages {
			v.Out.Messages = append(v.Out.Messages, m)
		}
		for i := range s.have {
			v.Out.Have = append(v.Out.Have, s.have[i].ID[:])
		}
		for i := range s.need {
			v.Out.Need = append(v.Out.Need, s.need[i][:])
		}
		got = append(got, v)
	}
	golden(t, filepath.Join(vectorDir, "recon", "sessions.json"), got)
}

// atOneTime is s with every item at the same time.
func atOneTime(s *Set) *Set {
	items := s.After(Item{}, s.Len())
	for i := range items {
		items[i].HLC = 1767225600000 * 1024
	}
	return setOf(items)
}
