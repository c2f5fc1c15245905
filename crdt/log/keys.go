package log

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// The keys. Binary parts are base32 in its order-keeping alphabet, since
// go-datastore treats keys as paths and cleans them.
//
//	/h/<set>/<hlc id>    head record
//	/b/<set>/<hlc id>    body record: the body, or why it is not here
//	/i/<id>              place: set, hlc, local sequence
//	/s/<seq>             place, in order of arrival
//	/c/<chain><seq><id>  empty; two or more ids at one place of a chain are a fork
//	/t/<chain>           tip: the end of a chain
//	/w/<id>              bodies that are wanted
//	/q/<id>              members that admission withholds
//	/p/<id>              purged ids, so that damage to a body cannot undo a purge
//	/k/<key>             marks
//	/l/<id>              place of a member whose head is lost, and with it its chain
//	/m/state             format, shards, last local sequence, counts
const (
	prefixHead   = "/h/"
	prefixBody   = "/b/"
	prefixID     = "/i/"
	prefixSeq    = "/s/"
	prefixChain  = "/c/"
	prefixTip    = "/t/"
	prefixWant   = "/w/"
	prefixHeld   = "/q/"
	prefixPurge  = "/p/"
	prefixMark   = "/k/"
	prefixAdrift = "/l/"
	stateKey     = "/m/state"
)

var ordered = base32.NewEncoding(orderedDigits).WithPadding(base32.NoPadding)

// after is a key that follows all keys with the prefix.
func after(prefix string) string { return prefix + "\x7f" }

func idKey(prefix string, id change.ID) string {
	b := make([]byte, 0, 64)
	b = append(b, prefix...)
	return string(ordered.AppendEncode(b, id[:]))
}

// idOf reads the id at the end of a key that idKey made.
func idOf(prefix, key string) (change.ID, error) {
	b, err := ordered.DecodeString(strings.TrimPrefix(key, prefix))
	if err != nil {
		return change.ID{}, err
	}
	return change.IDFromBytes(b)
}

func itemKey(prefix, set string, it recon.Item) string {
	var raw [40]byte
	binary.BigEndian.PutUint64(raw[:8], it.HLC)
	copy(raw[8:], it.ID[:])
	b := make([]byte, 0, 3+len(set)+1+64)
	b = append(b, prefix...)
	b = append(b, set...)
	b = append(b, '/')
	return string(ordered.AppendEncode(b, raw[:]))
}

func appendSeq(b []byte, seq uint64) []byte {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], seq)
	return ordered.AppendEncode(b, raw[:])
}

// seqChars is the length of a sequence in a key.
const seqChars = 13

// chainChars is the length of a chain in a key.
const chainChars = len(chainKey{})

func seqKey(seq uint64) string {
	return string(appendSeq(append(make([]byte, 0, 16), prefixSeq...), seq))
}

// chainKey is a chain in 160 bits of its hash: short, and of one length.
type chainKey [32]byte

func keyOf(c change.Chain) chainKey {
	b := make([]byte, 0, 128)
	b = append(b, byte(c.Lane))
	b = append(b, c.Author[:]...)
	b = append(b, c.Space...)
	sum := sha256.Sum256(b)
	var k chainKey
	ordered.Encode(k[:], sum[:20])
	return k
}

func (k chainKey) tip() string { return prefixTip + string(k[:]) }

// at is the prefix of the keys of one place.
func (k chainKey) at(seq uint64) string { return string(k.appendAt(nil, seq)) }

func (k chainKey) appendAt(b []byte, seq uint64) []byte {
	b = append(b, prefixChain...)
	b = append(b, k[:]...)
	return appendSeq(b, seq)
}

func (k chainKey) member(seq uint64, id change.ID) string {
	return string(ordered.AppendEncode(k.appendAt(make([]byte, 0, 104), seq), id[:]))
}

func markKey(key string) string { return prefixMark + "x" + ordered.EncodeToString([]byte(key)) }

// compareSets orders set names as they are reconciled: auth, open/<n> by n, the
// rest by name.
func compareSets(a, b string) int {
	if c := cmp.Compare(setRank(a), setRank(b)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

func setRank(name string) int {
	if name == change.SetAuth {
		return 0
	}
	if rest, ok := strings.CutPrefix(name, "open/"); ok {
		if n, err := strconv.Atoi(rest); err == nil {
			return 1 + n
		}
	}
	return 1 << 20
}

// decodeItem reads the 40 bytes that an item is in a key.
func decodeItem(raw []byte) recon.Item {
	return recon.Item{HLC: binary.BigEndian.Uint64(raw), ID: [32]byte(raw[8:])}
}
