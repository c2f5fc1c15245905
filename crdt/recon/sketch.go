package recon

import "fmt"

// Sketch is the sketch of a set at one moment. It does not change and is safe for
// concurrent use; it takes 256 KiB.
type Sketch struct {
	cells [MaxSymbols]cell
	count uint64
	sum   Sum
}

// Summary returns the number of ids the sketch stands for and their sum.
func (k *Sketch) Summary() (count uint64, sum Sum) { return k.count, k.sum }

// FP returns the number of ids the sketch stands for and their fingerprint.
func (k *Sketch) FP() (count uint64, fp [16]byte) { return k.count, k.sum.FP(k.count) }

// Symbols returns symbols from to from+n-1 as they travel: for each the item (16
// bytes), the check (8 bytes, little-endian) and the count (LEB128). It fails
// when the range does not lie within the first MaxSymbols.
func (k *Sketch) Symbols(from, n int) ([]byte, error) {
	if from < 0 || n < 0 || from > MaxSymbols || n > MaxSymbols-from {
		return nil, fmt.Errorf("symbols %d to %d are outside the sketch of %d", from, from+n, MaxSymbols)
	}
	return appendSymbols(make([]byte, 0, 28*n), k.cells[from:from+n]), nil
}
