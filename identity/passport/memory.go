package passport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/attest/merkle"
)

// Memory is what an agent knows, compressed to a root: the hash of a Merkle tree
// (RFC 6962) over the ids of its entries in the order of their bytes, and how
// many they are by type. Whoever has an entry can be shown that it is among
// them (Prove, Holds) without seeing the others.
type Memory struct {
	Root                    merkle.Hash
	Wisdom, Pattern, Gotcha uint64
	// Ratio is how many bytes of knowledge one byte of the root stands for: the
	// bytes of all entries divided by 32, rounded down to hundredths.
	Ratio Ratio
}

// Known is an entry that the agent knows.
type Known struct {
	ID   string // its text, as in the log
	Type string // wisdom, pattern or gotcha
	Size uint64 // bytes of its content
}

// MemoryOf compresses entries; their order does not matter. It returns
// ErrPassport for an id that is empty or there twice, and for another type.
func MemoryOf(entries []Known) (Memory, error) {
	leaves, err := leavesOf(entries)
	if err != nil {
		return Memory{}, err
	}
	m := Memory{Root: merkle.Root(leaves)}
	var size uint64
	for _, e := range entries {
		switch e.Type {
		case "wisdom":
			m.Wisdom++
		case "pattern":
			m.Pattern++
		case "gotcha":
			m.Gotcha++
		default:
			return Memory{}, fmt.Errorf("%w: an entry of type %.20q", ErrPassport, e.Type)
		}
		if size += e.Size; e.Size > maxCount || size > maxCount {
			return Memory{}, fmt.Errorf("%w: entries of %d bytes", ErrPassport, size)
		}
	}
	m.Ratio = Ratio(min(size*100/uint64(len(m.Root)), maxRatio))
	return m, nil
}

// Count is how many entries the root stands for.
func (m Memory) Count() uint64 { return m.Wisdom + m.Pattern + m.Gotcha }

// Place shows where an entry is among those of a Memory.
type Place struct {
	Index int64
	Proof []merkle.Hash
}

// Prove finds the place of an entry. It returns ErrPassport when it is not among
// them.
func Prove(entries []Known, id string) (Place, error) {
	leaves, err := leavesOf(entries)
	if err != nil {
		return Place{}, err
	}
	i, found := slices.BinarySearchFunc(leaves, id, func(leaf []byte, id string) int { return strings.Compare(string(leaf), id) })
	if !found {
		return Place{}, fmt.Errorf("%w: the entry is not among the %d", ErrPassport, len(entries))
	}
	proof, err := merkle.Prove(leaves, i)
	return Place{int64(i), proof}, err
}

// Contains returns nil when the place shows that an entry of that id is among those
// of the memory.
func (m Memory) Contains(id string, at Place) error {
	if m.check() != nil {
		return fmt.Errorf("%w: counts out of range", ErrPassport)
	}
	return merkle.Check(m.Root, int64(m.Count()), at.Index, []byte(id), at.Proof)
}

func leavesOf(entries []Known) ([][]byte, error) {
	leaves := make([][]byte, len(entries))
	for i, e := range entries {
		if e.ID == "" {
			return nil, fmt.Errorf("%w: an entry without id", ErrPassport)
		}
		leaves[i] = []byte(e.ID)
	}
	slices.SortFunc(leaves, slices.Compare)
	for i := 1; i < len(leaves); i++ {
		if slices.Equal(leaves[i-1], leaves[i]) {
			return nil, fmt.Errorf("%w: entry %.80q twice", ErrPassport, leaves[i])
		}
	}
	return leaves, nil
}

func (m Memory) check() error {
	if m.Wisdom > maxCount || m.Pattern > maxCount || m.Gotcha > maxCount || m.Count() > maxCount || m.Ratio > maxRatio {
		return fmt.Errorf("%w: memory out of range", ErrPassport)
	}
	return nil
}

// memoryJSON is Memory in the JSON form.
type memoryJSON struct {
	Root    digest `json:"root"`
	Wisdom  uint64 `json:"wisdom"`
	Pattern uint64 `json:"pattern"`
	Gotcha  uint64 `json:"gotcha"`
	Ratio   Ratio  `json:"compression_ratio"`
}

func (m Memory) json() memoryJSON {
	return memoryJSON{digest(m.Root), m.Wisdom, m.Pattern, m.Gotcha, m.Ratio}
}

func (j memoryJSON) memory() (Memory, error) {
	m := Memory{merkle.Hash(j.Root), j.Wisdom, j.Pattern, j.Gotcha, j.Ratio}
	return m, m.check()
}
