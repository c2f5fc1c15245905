// Package merkle is the hash tree of RFC 6962 over a list that is all at hand:
// its root, the proof that one leaf stands at a place, and the check of such a
// proof.
//
// A root commits to the bytes, the order and the number of the leaves. Leaf and
// node hashes have different prefixes, so a node cannot pass for a leaf. The
// functions are pure and safe for concurrent use. The hashes and the check are
// those of golang.org/x/mod/sumdb/tlog; its types do not leave this package.
package merkle

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a SHA-256 hash of the tree.
type Hash = [sha256.Size]byte

// MaxProof is the longest proof, in hashes: that of a tree of 2^40 leaves, more
// than any list here has.
const MaxProof = 40

// ErrProof says that a proof does not lead from the leaf to the root.
var ErrProof = errors.New("inclusion proof does not fit")

// Root is the hash of the whole list; that of no leaves is SHA-256 of nothing.
func Root(leaves [][]byte) Hash {
	if len(leaves) == 0 {
		return sha256.Sum256(nil)
	}
	return Hash(subtree(leaves))
}

func subtree(leaves [][]byte) tlog.Hash {
	if len(leaves) == 1 {
		return tlog.RecordHash(leaves[0])
	}
	k := split(len(leaves))
	return tlog.NodeHash(subtree(leaves[:k]), subtree(leaves[k:]))
}

// split is the largest power of two below n, which is 2 or more.
func split(n int) int {
	k := 1
	for 2*k < n {
		k *= 2
	}
	return k
}

// Prove returns the hashes beside the way from leaf i to the root, lowest
// first. It returns ErrProof when there is no such leaf.
func Prove(leaves [][]byte, i int) ([]Hash, error) {
	if i < 0 || i >= len(leaves) {
		return nil, fmt.Errorf("%w: no leaf %d in %d", ErrProof, i, len(leaves))
	}
	proof := []Hash{}
	var walk func(part [][]byte, i int)
	walk = func(part [][]byte, i int) {
		if len(part) == 1 {
			return
		}
		k := split(len(part))
		near, far := part[:k], part[k:]
		if i >= k {
			near, far, i = far, near, i-k
		}
		walk(near, i)
		proof = append(proof, Hash(subtree(far)))
	}
	walk(leaves, i)
	return proof, nil
}

// Check returns nil when proof shows that leaf stands at place i of the list of
// size leaves that root commits to, and ErrProof otherwise. It takes any input.
func Check(root Hash, size, i int64, leaf []byte, proof []Hash) error {
	if size < 1 || size > 1<<MaxProof || i < 0 || i >= size || len(proof) > MaxProof {
		return fmt.Errorf("%w: leaf %d of %d, %d hashes", ErrProof, i, size, len(proof))
	}
	way := make(tlog.RecordProof, len(proof))
	for j, h := range proof {
		way[j] = tlog.Hash(h)
	}
	if err := tlog.CheckRecord(way, size, tlog.Hash(root), i, tlog.RecordHash(leaf)); err != nil {
		return fmt.Errorf("%w: %v", ErrProof, err)
	}
	return nil
}
