package merkle_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/attest/merkle"
)

func list(n int) [][]byte {
	leaves := make([][]byte, n)
	for i := range leaves {
		leaves[i] = fmt.Appendf(nil, "leaf %d", i)
	}
	return leaves
}

// The tree that certificate transparency logs test themselves with.
func TestRootOfKnownLeaves(t *testing.T) {
	t.Parallel()
	var leaves [][]byte
	for _, h := range []string{
		"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
	} {
		b, err := hex.DecodeString(h)
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, b)
	}
	for n, want := range map[int]string{
		0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	} {
		if root := merkle.Root(leaves[:n]); hex.EncodeToString(root[:]) != want {
			t.Errorf("root of %d: %x, want %s", n, root, want)
		}
	}
}

// The same tree as the log of the Go checksum database keeps.
func TestRootEqualsTheLogs(t *testing.T) {
	t.Parallel()
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		var out []tlog.Hash
		for _, i := range at {
			out = append(out, stored[i])
		}
		return out, nil
	})
	leaves := list(70)
	for i, leaf := range leaves {
		more, err := tlog.StoredHashes(int64(i), leaf, read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
		want, err := tlog.TreeHash(int64(i+1), read)
		if err != nil || merkle.Root(leaves[:i+1]) != merkle.Hash(want) {
			t.Fatalf("root of %d leaves differs: %v", i+1, err)
		}
		place := i / 2
		ours, err := merkle.Prove(leaves[:i+1], place)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := tlog.ProveRecord(int64(i+1), int64(place), read)
		if err != nil || fmt.Sprintf("%x", ours) != fmt.Sprintf("%x", [][32]byte(hashes(theirs))) {
			t.Fatalf("proof of %d in %d: %x, want %x, %v", place, i+1, ours, theirs, err)
		}
	}
}

func hashes(in []tlog.Hash) [][32]byte {
	out := make([][32]byte, len(in))
	for i, h := range in {
		out[i] = h
	}
	return out
}

func TestProofs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "size")
		i := rapid.IntRange(0, n-1).Draw(t, "place")
		leaves := list(n)
		root := merkle.Root(leaves)
		proof, err := merkle.Prove(leaves, i)
		if err != nil {
			t.Fatal(err)
		}
		if err := merkle.Check(root, int64(n), int64(i), leaves[i], proof); err != nil {
			t.Fatalf("leaf %d of %d: %v", i, n, err)
		}
		j := rapid.IntRange(0, n-1).Draw(t, "other")
		if i != j {
			if merkle.Check(root, int64(n), int64(j), leaves[i], proof) == nil {
				t.Fatal("the proof holds for another place")
			}
			if merkle.Check(root, int64(n), int64(i), leaves[j], proof) == nil {
				t.Fatal("the proof holds for another leaf")
			}
		}
		if merkle.Check(root, int64(n), int64(i), leaves[i], append(proof, merkle.Hash{})) == nil {
			t.Fatal("a proof with a hash more holds")
		}
		if len(proof) > 0 {
			if merkle.Check(root, int64(n), int64(i), leaves[i], proof[1:]) == nil {
				t.Fatal("a proof with a hash less holds")
			}
			proof[rapid.IntRange(0, len(proof)-1).Draw(t, "hash")][0] ^= 1
			if merkle.Check(root, int64(n), int64(i), leaves[i], proof) == nil {
				t.Fatal("a changed proof holds")
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	leaves := list(3)
	root := merkle.Root(leaves)
	for _, i := range []int{-1, 3} {
		if _, err := merkle.Prove(leaves, i); !errors.Is(err, merkle.ErrProof) {
			t.Errorf("proof of %d: %v", i, err)
		}
		if err := merkle.Check(root, 3, int64(i), leaves[0], nil); !errors.Is(err, merkle.ErrProof) {
			t.Errorf("check of %d: %v", i, err)
		}
	}
	for _, size := range []int64{-1, 0, 1<<merkle.MaxProof + 1} {
		if err := merkle.Check(root, size, 0, leaves[0], nil); !errors.Is(err, merkle.ErrProof) {
			t.Errorf("size %d: %v", size, err)
		}
	}
	if err := merkle.Check(root, 1<<merkle.MaxProof, 0, leaves[0], make([]merkle.Hash, merkle.MaxProof+1)); !errors.Is(err, merkle.ErrProof) {
		t.Errorf("long proof: %v", err)
	}
}

func FuzzCheck(f *testing.F) {
	leaves := list(5)
	root := merkle.Root(leaves)
	f.Add(root[:], int64(5), int64(2), leaves[2], make([]byte, 96))
	f.Fuzz(func(t *testing.T, root []byte, size, i int64, leaf, proof []byte) {
		var way []merkle.Hash
		for len(proof) >= 32 {
			way, proof = append(way, merkle.Hash(proof[:32])), proof[32:]
		}
		var want merkle.Hash
		copy(want[:], root)
		if err := merkle.Check(want, size, i, leaf, way); err != nil && !errors.Is(err, merkle.ErrProof) {
			t.Fatal(err)
		}
	})
}
