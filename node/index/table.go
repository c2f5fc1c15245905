package index

import "encoding/binary"

// table is a sorted list of distinct strings inside the bytes of a segment, in blocks of
// blockSize. The first entry of a block is whole, each other names how many bytes it
// shares with the one before. The number of an entry is its place in the order. Reading
// foreign bytes gives wrong entries at worst; the checksum of the file guards against it.
type table struct {
	n       int
	offsets []byte // 4 bytes a block: where it begins in data
	data    []byte
}

// tableWriter makes a table from entries added in ascending order.
type tableWriter struct {
	n       int
	offsets []byte
	data    []byte
	last    string
}

func (w *tableWriter) add(s string) {
	shared := 0
	if w.n%blockSize == 0 {
		w.offsets = binary.LittleEndian.AppendUint32(w.offsets, uint32(len(w.data)))
	} else {
		for shared < len(s) && shared < len(w.last) && s[shared] == w.last[shared] {
			shared++
		}
	}
	w.data = binary.AppendUvarint(w.data, uint64(shared))
	w.data = binary.AppendUvarint(w.data, uint64(len(s)-shared))
	w.data = append(w.data, s[shared:]...)
	w.n++
	w.last = s
}

func blocks(n int) int { return (n + blockSize - 1) / blockSize }

// rows walks over entries in order.
type rows struct {
	t     table
	at    int    // number of the present entry
	entry []byte // valid until the next step
	data  []byte
	buf   [maxEntry]byte
}

// rows starts before the first entry.
func (t table) rows() *rows { return &rows{t: t, at: -1} }

// step goes to the next entry and reports whether there is one.
func (r *rows) step() bool {
	if r.at+1 >= r.t.n {
		return false
	}
	if (r.at+1)%blockSize == 0 {
		r.data = r.t.block((r.at + 1) / blockSize)
		r.entry = nil
	}
	r.at++
	return r.decode()
}

// decode reads the next entry of the present block into buf.
func (r *rows) decode() bool {
	shared, n := binary.Uvarint(r.data)
	if n <= 0 || shared > uint64(len(r.entry)) {
		return false
	}
	rest, m := binary.Uvarint(r.data[n:])
	if m <= 0 || rest > uint64(len(r.data)-n-m) || shared+rest > maxEntry {
		return false
	}
	copy(r.buf[shared:], r.data[n+m:n+m+int(rest)])
	r.entry = r.buf[:shared+rest]
	r.data = r.data[n+m+int(rest):]
	return true
}

// block is the bytes from the beginning of block b on, empty when the offset is wrong.
func (t table) block(b int) []byte {
	off := binary.LittleEndian.Uint32(t.offsets[4*b:])
	if uint64(off) > uint64(len(t.data)) {
		return nil
	}
	return t.data[off:]
}

// first is the first entry of block b, inside the table's bytes.
func (t table) first(b int) []byte {
	data := t.block(b)
	_, n := binary.Uvarint(data)
	if n <= 0 {
		return nil
	}
	size, m := binary.Uvarint(data[n:])
	if m <= 0 || size > uint64(len(data)-n-m) {
		return nil
	}
	return data[n+m : n+m+int(size)]
}

// find returns the number of the first entry that is not below s, and whether it is s.
func (t table) find(s string) (int, bool) {
	lo, hi := 0, blocks(t.n) // the last block whose first entry is not above s
	for lo < hi {
		mid := (lo + hi) / 2
		if string(t.first(mid)) <= s {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false
	}
	r := rows{t: t, at: (lo-1)*blockSize - 1}
	for end := min(lo*blockSize, t.n); r.at+1 < end && r.step(); {
		if string(r.entry) >= s {
			return r.at, string(r.entry) == s
		}
	}
	return min(lo*blockSize, t.n), false
}

// at returns entry i.
func (t table) at(i int) string {
	r := rows{t: t, at: i/blockSize*blockSize - 1}
	for r.at < i {
		if !r.step() {
			return ""
		}
	}
	return string(r.entry)
}
