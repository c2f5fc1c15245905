package change

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/identity/did"
)

// NetID names a network: it stands in every head, so that no change crosses
// from one network into another.
type NetID [16]byte

// String is 32 hexadecimal characters, as in topics and URIs.
func (n NetID) String() string { return hex.EncodeToString(n[:]) }

// Genesis is what a network is born with and never changes (wire §5).
type Genesis struct {
	Bits   int       // leading zero bits a new agent's ticket must have
	Name   string    // at most MaxName characters
	Roots  []did.Key // who may sign a manifest; may be empty
	Shards int       // open sets, 1…MaxShards
	Start  int64     // first millisecond since 1970

	// PQ are the hashes of the second keys of the roots, in their order; nil when
	// they have none. With it every manifest is signed twice.
	PQ []PQHash
}

// PQHash is the SHA-256 of an ML-DSA-65 public key.
type PQHash [sha256.Size]byte

// HashPQ is how a genesis names the second key of a root.
func HashPQ(key []byte) PQHash { return sha256.Sum256(key) }

// Root is the place of a key among the roots; ok is false for every other key.
func (g Genesis) Root(k did.Key) (i int, ok bool) {
	i = slices.Index(g.Roots, k)
	return i, i >= 0
}

// Hybrid reports whether the roots have second keys.
func (g Genesis) Hybrid() bool { return g.PQ != nil }

// Builtin is the network a node joins when nothing else is configured.
func Builtin() Genesis {
	return Genesis{Bits: 18, Name: "mesh", Shards: 1, Start: 1767225600000}
}

// ErrNetwork is wrapped by the errors of network files and geneses.
var ErrNetwork = errors.New("not a valid network")

// Validate reports what wire §5 does not allow.
func (g Genesis) Validate() error {
	switch {
	case g.Bits < 0 || g.Bits > 64:
		return fmt.Errorf("%w: bits %d", ErrNetwork, g.Bits)
	case !utf8.ValidString(g.Name) || utf8.RuneCountInString(g.Name) > MaxName:
		return fmt.Errorf("%w: name over %d characters", ErrNetwork, MaxName)
	case len(g.Roots) > MaxRoots:
		return fmt.Errorf("%w: %d roots", ErrNetwork, len(g.Roots))
	case g.PQ != nil && (len(g.PQ) == 0 || len(g.PQ) != len(g.Roots)):
		return fmt.Errorf("%w: %d second keys of %d roots", ErrNetwork, len(g.PQ), len(g.Roots))
	case g.Shards < 1 || g.Shards > MaxShards:
		return fmt.Errorf("%w: %d shards", ErrNetwork, g.Shards)
	case g.Start < 0 || g.Start > cbor.MaxInt>>10:
		return fmt.Errorf("%w: start %d", ErrNetwork, g.Start)
	}
	return nil
}

// Encode is the canonical form of g, the preimage of its NetID.
func (g Genesis) Encode() ([]byte, error) { return cbor.Encode(g.value()) }

func (g Genesis) value() cbor.Map {
	roots := make([]any, len(g.Roots))
	for i, k := range g.Roots {
		roots[i] = k[:]
	}
	m := cbor.Map{"bits": g.Bits, "name": g.Name, "roots": roots, "shards": g.Shards, "start": g.Start}
	if g.PQ != nil {
		hashes := make([]any, len(g.PQ))
		for i := range g.PQ {
			hashes[i] = g.PQ[i][:]
		}
		m["pq"] = hashes
	}
	return m
}

// ID is the network's id. It fails only for a genesis that is not valid.
func (g Genesis) ID() (NetID, error) {
	if err := g.Validate(); err != nil {
		return NetID{}, err
	}
	b, err := g.Encode()
	if err != nil {
		return NetID{}, fmt.Errorf("%w: %v", ErrNetwork, err)
	}
	h := sha256.Sum256(append([]byte("mesh-net-v1\x00"), b...))
	return NetID(h[:16]), nil
}

// NetworkFile is what one person gives another to join a network.
type NetworkFile struct {
	Genesis   Genesis
	Bootstrap []string // multiaddrs with peer ids; may be empty
}

const (
	networkPrefix    = "mesh-net:"
	maxNetworkFile   = 32 << 10 // bytes of text
	MaxBootstrap     = 64
	MaxBootstrapAddr = 256
)

// Encode is the text of the file: "mesh-net:" + base64url. It refuses what
// ParseNetworkFile would.
func (f NetworkFile) Encode() (string, error) {
	b, err := f.Bytes()
	if err != nil {
		return "", err
	}
	return networkPrefix + base64.RawURLEncoding.EncodeToString(b), nil
}

// Bytes is the file without its text form. It refuses what NetworkFileFrom would.
func (f NetworkFile) Bytes() ([]byte, error) {
	if err := f.Genesis.Validate(); err != nil {
		return nil, err
	}
	if len(f.Bootstrap) > MaxBootstrap {
		return nil, fmt.Errorf("%w: %d bootstrap addresses", ErrNetwork, len(f.Bootstrap))
	}
	boot := make([]any, len(f.Bootstrap))
	for i, a := range f.Bootstrap {
		if len(a) > MaxBootstrapAddr {
			return nil, fmt.Errorf("%w: bootstrap address of %d bytes", ErrNetwork, len(a))
		}
		boot[i] = a
	}
	b, err := cbor.Encode(cbor.Map{"bootstrap": boot, "genesis": f.Genesis.value()})
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNetwork, err)
	}
	return b, nil
}

// ParseNetworkFile reads the text of a network file; white space around it is
// ignored.
func ParseNetworkFile(s string) (NetworkFile, error) {
	var f NetworkFile
	s = strings.TrimSpace(s)
	if len(s) > maxNetworkFile {
		return f, fmt.Errorf("%w: file of %d bytes", ErrNetwork, len(s))
	}
	rest, ok := strings.CutPrefix(s, networkPrefix)
	if !ok {
		return f, fmt.Errorf("%w: a network file begins with %s", ErrNetwork, networkPrefix)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if err != nil {
		return f, fmt.Errorf("%w: %v", ErrNetwork, err)
	}
	return NetworkFileFrom(b)
}

// NetworkFileFrom reads what Bytes wrote.
func NetworkFileFrom(b []byte) (f NetworkFile, err error) {
	m, err := cbor.DecodeMap(b)
	if err != nil {
		return f, fmt.Errorf("%w: %v", ErrNetwork, err)
	}
	if f.Genesis, err = genesisFrom(m["genesis"]); err != nil {
		return f, err
	}
	boot, ok := m["bootstrap"].([]any)
	if !ok || len(boot) > MaxBootstrap {
		return f, fmt.Errorf("%w: bootstrap", ErrNetwork)
	}
	for _, a := range boot {
		addr, ok := a.(string)
		if !ok || len(addr) > MaxBootstrapAddr {
			return f, fmt.Errorf("%w: bootstrap address", ErrNetwork)
		}
		f.Bootstrap = append(f.Bootstrap, addr)
	}
	return f, nil
}

func genesisFrom(v any) (Genesis, error) {
	var g Genesis
	m, ok := v.(cbor.Map)
	bits, ok1 := m["bits"].(int64)
	name, ok2 := m["name"].(string)
	roots, ok3 := m["roots"].([]any)
	shards, ok4 := m["shards"].(int64)
	start, ok5 := m["start"].(int64)
	known := 5
	_, hybrid := m["pq"]
	if hybrid {
		known++
	}
	if !ok || !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || len(m) != known || len(roots) > MaxRoots {
		return g, fmt.Errorf("%w: genesis", ErrNetwork)
	}
	if bits < 0 || bits > 64 || shards < 1 || shards > MaxShards {
		return g, fmt.Errorf("%w: genesis", ErrNetwork)
	}
	g = Genesis{Bits: int(bits), Name: name, Shards: int(shards), Start: start}
	for _, r := range roots {
		b, ok := r.([]byte)
		if !ok {
			return g, fmt.Errorf("%w: root key", ErrNetwork)
		}
		k, err := did.KeyFromBytes(b)
		if err != nil {
			return g, fmt.Errorf("%w: root key: %v", ErrNetwork, err)
		}
		g.Roots = append(g.Roots, k)
	}
	if hybrid {
		var err error
		if g.PQ, err = pqFrom(m["pq"]); err != nil {
			return g, err
		}
	}
	return g, g.Validate()
}

// pqFrom reads hashes of second keys. It never returns nil without an error.
func pqFrom(v any) ([]PQHash, error) {
	list, ok := v.([]any)
	if !ok || len(list) > MaxRoots {
		return nil, fmt.Errorf("%w: second keys of roots", ErrNetwork)
	}
	out := make([]PQHash, len(list))
	for i, item := range list {
		b, ok := item.([]byte)
		if !ok || len(b) != len(out[i]) {
			return nil, fmt.Errorf("%w: second key of a root", ErrNetwork)
		}
		copy(out[i][:], b)
	}
	return out, nil
}
